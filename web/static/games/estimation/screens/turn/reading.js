/** Your turn, while the camera reads: what it saw, "Yes, it stands", and putting it right. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { triangle } from "../../../../core/objects/signs.js";
import { tileFront } from "../../../../core/objects/tile.js";
import { capital, key, lamp, me, nameOf, page, title } from "../../../../core/page.js";
import { lowerEnd, placeWords, rowStrip, standable, tileNames } from "../row.js";

/** What is wrong, and how to put it right: comes with `mend.js`, as most turns have no need of it. */
export const mend = {};

/** What few phones need: standing a tile on the pretend table (`virtual.js`), and photographing one (`photo.js`). */
export const pretend = {};

/** Readings of a row in which more has changed than one tile that came. */
const CHANGED = ["several", "exchanged", "gone", "down"];

/** The snapshot as if the tile that was read stood already. */
export function asRead(s) {
  const row = withTile(s.row, s.reading.tile, s.reading.position);
  return { ...s, row, last: s.reading.tile.value, end: lowerEnd(row) };
}

/** The row as it would be: with the tile that was read at its place. */
function withTile(row, tile, position) {
  const rest = row.filter((each) => each.value !== tile.value);
  const at = position ?? rest.length;
  return [...rest.slice(0, at), { state: "standing", ...tile }, ...rest.slice(at)];
}

export function again(s, ui) {
  if (shotOf(s, ui)) {
    return pretend.retake(s, ui);
  }
  return s.virtual && s.may.take_back
    ? key(ui.t("reading.take_back"), () => ui.send("take_back"))
    : key(ui.t("reading.again"), () => ui.send("look"), { disabled: !s.may.look });
}

/** What is wrong with a tile as it was read, in a sentence. */
export function violationLine(ui, tile, { kind, values }) {
  const [a, b] = [values[0] ?? tile?.value, values[1] ?? values[0] ?? ""];
  return ui.t(`wrong.${kind}`, { a, b });
}

/** What a screen reader hears of a reading; empty while there is nothing to be told. */
export function readingWords(s, ui) {
  const { state, tile, position, violations = [], came = [], gone = [] } = s.reading ?? {};
  const mine = s.active === s.you.seat && me(s);
  const name = nameOf(s, ui, s.active);
  if (state === "proposal" && tile) {
    const words = inWords(s, ui, tile, position);
    if (s.may.stood && !s.wanted) {
      return `${ui.t("asked.title", { name, value: tile.value })}. ${capital(words)}.`;
    }
    return mine ? `${capital(words)}. ${ui.t("reading.ask")}` : ui.t("others.proposal", { name, tile: words });
  }
  if (s.wanted && !CHANGED.includes(state) && state !== "wrong") {
    const { tile: asked, position: at } = s.wanted;
    return `${ui.t("asked.title", { name, value: asked.value })}. ${capital(inWords(s, ui, asked, at))}.`;
  }
  if (!mine && !s.wanted) {
    return "";
  }
  if (state === "wrong") {
    return [`${ui.t("wrong.title")}.`, ...violations.map((each) => violationLine(ui, tile, each))].join(" ");
  }
  if (state === "unsure") {
    return `${ui.t("unsure.title")} ${ui.t("unsure.lead")}`;
  }
  const said = { values: tileNames(ui, came), gone: tileNames(ui, gone), count: came.length - 1 };
  return CHANGED.includes(state) ? `${ui.t(`changed.${state}`)}. ${ui.t(`changed.${state}.do`, said)}` : "";
}

/** The tile in the lamp's pool of light. */
function inTheLight(ui, tile, low) {
  const small = ui.height < 700;
  const u = (small ? 88 : 158) / 48;
  const [w, h] = low ? [48 * u, 24 * u] : [24 * u, 48 * u];
  const width = small ? 170 : 244;
  const base = h + 4;
  return html`<svg class="read-tile" width=${width} height=${base + 20} viewBox="0 0 ${width} ${base + 20}" aria-hidden="true">
    <ellipse cx=${width / 2} cy=${base - 1} rx=${width / 2} ry="19" fill="url(#g-pool)"></ellipse>
    ${tileFront(tile.value, { x: width / 2 - w / 2, y: base, u, low })}
  </svg>`;
}

/** "9 at the right end, upright" */
export function inWords(s, ui, tile, position) {
  const row = s.row.filter((each) => each.value !== tile.value);
  return ui.t(tile.orientation === "horizontal" ? "reading.low" : "reading.upright", {
    value: tile.value,
    place: placeWords(ui, row, position ?? row.length),
  });
}

/** What else has changed: it may be put right, and need not be. */
export function notices(s, ui) {
  const lines = (s.reading?.notices ?? []).map(({ kind, values }) =>
    ui.t(`notice.${kind}`, { values: tileNames(ui, values), count: values.length }),
  );
  return lines.length
    ? html`<div class="card advice notices" role="status">${triangle(24)}<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>`
    : "";
}

const RING = 2 * Math.PI * 10;

/** How long it is until the tile counts by itself: a ring that empties, and the seconds in words. */
function waiting(s, ui) {
  const { from_ms: from, until_ms: until } = s.reading;
  if (!until || s.paused_by) {
    return "";
  }
  const left = Math.min(Math.max(0, until - ui.now()), until - from);
  return html`<p class="counts" role="timer"><svg width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
      <circle class="counts-rail" cx="13" cy="13" r="10"></circle>
      <circle class="counts-left" cx="13" cy="13" r="10" transform="rotate(-90 13 13)"
        stroke-dasharray=${`${(RING * left) / (until - from)} ${RING}`}></circle></svg>
    <span>${ui.t("reading.counts", { count: Math.ceil(left / 1000) })}</span></p>`;
}

/** The photo that was read, where this phone took one. */
export const shotOf = (s, ui) => pretend.shot?.(s, ui) ?? "";

/** Why a photo was refused, in place of what it was to show. */
export const refusal = (words) => html`<p class="card advice">${triangle(34)}<span>${words}</span></p>`;

/** The page's notice is said elsewhere. */
export const quietly = (ui) => ({ ...ui, local: { ...ui.local, notice: null } });

/** Where a reading comes from. */
export function kicker(s, ui, camera = "reading.kicker") {
  if (s.devices?.sees !== false) {
    return camera;
  }
  return shotOf(s, ui) ? "reading.kicker_photo" : "reading.kicker_hand";
}

function proposal(s, ui) {
  const { tile, position } = s.reading;
  const fix = () => {
    ui.send("wait", { on: true });
    ui.draft({ fix: { value: tile.value, position } });
  };
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t(kicker(s, ui))}</p>
      ${shotOf(s, ui) || inTheLight(ui, tile, tile.orientation === "horizontal")} ${title(inWords(s, ui, tile, position))}
      <p class="lead">${ui.t("reading.ask")}</p>
      ${notices(s, ui)} ${rowStrip(asRead(s), ui)}`,
    foot: html`${waiting(s, ui)} ${lamp(ui.t("reading.yes"), () => ui.send("confirm"), { disabled: !s.may.confirm })}
      <div class="pair">
        ${key(ui.t("reading.fix"), fix, { disabled: !s.may.correct })}
        ${again(s, ui)}
      </div>`,
  });
}

export function fixOf(s) {
  return { value: s.reading?.tile?.value ?? standable(s)[0], position: s.reading?.position ?? s.row.length };
}

function looking(s, ui) {
  if (s.devices?.sees === false) {
    return page(s, ui, { name: "reading", body: html`${title(ui.t("message.wait.lead"))} ${rowStrip(s, ui)}` });
  }
  const hand = s.reading?.state === "hand" && !s.virtual;
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("turn.title", { name: nameOf(s, ui, s.you.seat) })}</p>
      ${title(ui.t(hand ? "hand.title" : "looking.title"))}
      <p class="lead">${ui.t(hand ? "hand.lead" : "looking.lead")}</p>
      ${rowStrip(s, ui)}`,
    foot: again(s, ui),
  });
}

export function reading(s, ui) {
  if (s.sight?.blind) {
    return (mend.blind ?? looking)(s, ui);
  }
  const screens = { proposal, ...mend };
  const state = s.differs ? "differs" : ui.drafts.fix ? "fix" : s.reading?.state;
  return (screens[state] ?? looking)(s, ui);
}
