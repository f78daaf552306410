/** Somebody else's turn: the row, and one huge button. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../../core/objects/marks.js";
import { callDome } from "./calling.js";
import { capital, lamp, me, nameOf, page, seatOf, title } from "../../../../core/page.js";
import { lastPlaced, rowStrip } from "../row.js";
import { asRead, inWords, readingWords } from "./reading.js";

/** px per mm of the row where much is said of it. */
const CROWDED_U = 0.9;
/** Letters of a line beyond which it is only because of a very long name. */
const LONG_LINE = 44;
/** Readings of a tile that has to stand otherwise before it counts. */
const TOLD = ["wrong", "several", "exchanged", "gone", "down"];

/** What happens at the table now, while the active player builds. */
function doing(s, ui) {
  const state = s.differs ? null : s.reading?.state;
  if (s.sight?.blind) {
    return s.you.host ? "" : ui.t("sight.others", { what: ui.t(`sight.${s.sight.kind}`) });
  }
  if (state === "proposal") {
    const { tile, position } = s.reading;
    return ui.t("others.proposal", { name: nameOf(s, ui, s.active), tile: inWords(s, ui, tile, position) });
  }
  if (s.wanted && state && TOLD.includes(state)) {
    return readingWords(s, ui);
  }
  if (state && !["waiting", "hand", "looking"].includes(state)) {
    return ui.t(s.devices?.sees === false ? "others.shows" : "others.reading", { name: nameOf(s, ui, s.active) });
  }
  return s.wanted ? ui.t("turn.hint_camera") : s.may.call ? ui.t("others.hint") : "";
}

/**
 * A bot has no hands: somebody stands the tile for it. Where no camera reads it they say so; where one
 * does, theirs is the last word only if they like, and what is wrong with the tile is told to everybody.
 */
function asked(s, ui) {
  const wanted = s.wanted ?? s.reading;
  const { tile, position } = wanted;
  const params = { name: nameOf(s, ui, s.active), value: tile.value };
  const said = s.wanted ? doing(s, ui) : "";
  return page(s, ui, {
    name: "asked",
    body: html`<p class="kicker">${lastPlaced(s, ui) || ui.t("others.fresh")}</p>
      ${title(ui.t("asked.title", params))} <p class="lead">${capital(inWords(s, ui, tile, position))}</p>
      ${rowStrip(asRead({ ...s, reading: wanted }), ui)}`,
    act: s.may.call ? html`<div class="dome-place">${callDome(s, ui, "small")}</div>` : "",
    foot: html`${said ? html`<p class="hint">${said}</p>` : ""}
      ${s.may.stood ? lamp(ui.t("asked.done"), () => ui.send("stood")) : ""}`,
  });
}

/** Whether people stand the tile of a bot now: nothing else is in the way of it. */
const isAsked = (s) =>
  me(s) && ((s.may.stood && s.reading?.tile) || (s.wanted && !s.differs && !s.sight?.blind && s.active !== s.you.seat));

export function others(s, ui) {
  if (isAsked(s)) {
    return asked(s, ui);
  }
  const placer = s.placer && seatOf(s, s.placer);
  const line = lastPlaced(s, ui) || ui.t("others.fresh");
  const name = nameOf(s, ui, s.active);
  const crowded = s.row_fix || s.differs || (ui.height < 700 && (s.ruling || s.timer || (s.you.host && s.claims?.length)));
  // After a call nobody is next; this screen may still be seen when the ballot has already begun.
  const next = s.shout ? ui.t("ballot.title") : ui.t("others.next", { name });
  return page(s, ui, {
    name: "others",
    body: html`<div class="who">
        ${mark((placer || seatOf(s, s.active))?.mark, { size: 44 })}
        <div class="who-text ${crowded && line.length > LONG_LINE ? "is-crowded" : ""}"><p class="kicker">${line}</p>${title(next, { size: "title-s", names: true })}</div>
      </div>
      ${rowStrip(s, ui, crowded && ui.height < 700 ? { most: CROWDED_U } : {})}`,
    act: me(s) ? html`<div class="dome-place">${callDome(s, ui, crowded ? "small" : "large")}</div>` : "",
    foot: crowded && ui.height < 600 ? "" : html`<p class="hint">${me(s) ? doing(s, ui) : ui.t("others.watching")}</p>`,
  });
}
