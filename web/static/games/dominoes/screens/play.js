/** A turn, one's own or another's: the two ends of the line, and one's own bones at the thumb. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { carry, isOn } from "../../../core/carry.js";
import { isWide, key, lamp, me, nameOf, page, room, seatOf, shuffleNews, title } from "../../../core/page.js";
import { heapPicture } from "../objects/heap.js";
import { did } from "./end.js";
import { ends, strip } from "./line.js";
import { others } from "./others.js";
import { rack } from "./rack.js";

/** px of height that a second row of bones takes, a key, the whole line, and ends that stand high. */
const SECOND_ROW_PX = 76;
const KEY_PX = 66;
const STRIP_PX = 75;
const HIGH_PX = 44;
/** px of height of a page without any of these, with a title of two lines. */
const BARE_PX = 616;

export const isMine = (s) => Boolean(me(s)) && s.active === s.you.seat;

/** The ends at which a bone may be laid now: none where it may not, "" for the first of a round. */
const placesOf = (s, bone) => s.legal.filter(({ type, fields }) => type === "place" && fields.tile === bone).map(({ fields }) => fields.end ?? "");

function lay(ui, bone, end) {
  ui.draft({ bone: null });
  ui.set({ said: null });
  ui.send("place", end ? { tile: bone, end } : { tile: bone });
}

/** Why nothing can be laid now, whatever it is; empty where something can. */
function notNow(s, ui) {
  if (s.paused_by) {
    return ui.t("refused.paused");
  }
  if (isMine(s)) {
    return "";
  }
  return s.active ? ui.t("why.turn", { name: nameOf(s, ui, s.active) }) : ui.t("refused.wrong_phase");
}

/** Why this bone cannot be laid; empty where it can. */
function whyNot(s, ui, bone) {
  if (notNow(s, ui) || placesOf(s, bone).length) {
    return notNow(s, ui);
  }
  if (!s.line.length) {
    return ui.t("why.lead", { bone: s.forced });
  }
  const [left, right] = s.ends;
  return left === right ? ui.t("why.fits_same", { bone, left }) : ui.t("why.fits", { bone, left, right });
}

/** A bone is in the hand, or the reason is said why not; gives whether it is. */
function take(s, ui, bone) {
  const no = whyNot(s, ui, bone);
  if (!no) {
    ui.draft({ bone });
  }
  ui.set({ said: no || null });
  return !no;
}

/** A bone is tapped: it rises, and tapped again it goes to the one end that takes it. */
function tapBone(s, ui, bone) {
  const fits = placesOf(s, bone);
  if (ui.drafts.bone === bone && fits.length === 1 && !notNow(s, ui)) {
    lay(ui, bone, fits[0]);
  } else {
    take(s, ui, bone);
  }
}

/** An end is tapped, or the place of the first bone of a round, or a bone is let go there. */
function takeEnd(s, ui, end, bone) {
  const no = notNow(s, ui) || (bone ? "" : ui.t("why.bone"));
  if (no) {
    ui.set({ said: no });
  } else if (placesOf(s, bone).includes(end)) {
    lay(ui, bone, end);
  } else {
    ui.set({ said: ui.t("why.end", { bone, value: s.ends[end === "left" ? 0 : 1] }) });
  }
}

/** The handlers of a bone: tapped, or carried to an end. */
function handsOf(s, ui, bone, slides) {
  return carry({
    slides,
    tap: () => tapBone(s, ui, bone),
    lift: () => take(s, ui, bone),
    drop(event) {
      const end = [...document.querySelectorAll(".end")].find((each) => isOn(each, event));
      if (end) takeEnd(s, ui, end.dataset.end, bone);
    },
  });
}

/** Whether the phone of whoever is in turn is away. */
const absent = (s) => seatOf(s, s.active)?.connected === false;

/** What is done now, in one line under the title. */
function lead(s, ui, bone, fits) {
  const { said } = ui.local;
  if (said && (s.paused_by || said !== ui.t("refused.paused"))) {
    return said;
  }
  if (!isMine(s)) {
    return absent(s) ? `${nameOf(s, ui, s.active)}: ${ui.t("seat.away")}.` : did(s, ui) || ui.t("others.begins");
  }
  if (bone) {
    return ui.t(`turn.tap.${fits.length > 1 ? "both" : fits[0] || "first"}`, { bone });
  }
  if (!s.line.length) {
    return s.forced ? ui.t("turn.forced", { bone: s.forced }) : ui.t("turn.begin");
  }
  if (s.may.draw) {
    return ui.t("turn.draw");
  }
  return ui.t(s.may.pass ? "turn.knock" : "turn.lead");
}

/** The boneyard with its number, and what else there is to say of it; `brief` where there is no room. */
function boneyard(s, ui, brief) {
  const kept = s.boneyard - s.drawable;
  const closed = s.drawable === 0;
  const hint = closed ? "yard.closed" : kept ? "yard.last" : "yard.when";
  const said = s.boneyard > 0 && !(brief && hint === "yard.when");
  return html`<div class="yard">
    ${s.boneyard ? heapPicture(s.boneyard, s.round) : ""}
    <p><b class="display">${s.boneyard}</b> <span>${ui.t("yard.count", { count: s.boneyard })}</span>
      ${said ? html`<small>${ui.t(hint, { count: kept })}</small>` : ""}</p>
  </div>`;
}

/** The host's key where everybody waits for somebody whose phone is away: the referee plays for them. */
function awayKey(s, ui, still) {
  return s.you.host && absent(s) && key(ui.t("away.play", { name: nameOf(s, ui, s.active) }), () => ui.send("skip", { seat: s.active }), still);
}

/** What else may be done than to lay a bone, a key each: two doubles at once, draw, knock, stake the match. */
function more(s, ui) {
  // Two orders of the same two are named only where these are the last: the second one may decide.
  const twos = s.legal.filter(({ type, fields }) => type === "place2" && (fields.ends[0] === "left" || s.hand.length < 3));
  const stake = () => (ui.local.confirm === "stake" ? ui.send("stake", { trick_id: s.trick_id }) : ui.set({ confirm: "stake" }));
  const still = { disabled: Boolean(s.paused_by) };
  return [
    ...twos.map(({ fields }) => key(ui.t("two.lay", { a: fields.tiles[0], b: fields.tiles[1] }), () => ui.send("place2", fields), still)),
    s.may.stake && key(ui.t(ui.local.confirm === "stake" ? "stake.sure" : "stake.ask"), stake, still),
    awayKey(s, ui, still),
    isMine(s) && s.may.draw && lamp(ui.t("draw.key"), () => (ui.drawOn ? ui.drawOn() : ui.send("draw")), still),
    isMine(s) && s.may.pass && lamp(ui.t("knock.key"), () => ui.send("pass"), still),
  ].filter(Boolean);
}

function heading(s, ui, fits) {
  if (fits.length > 1) {
    return ui.t("turn.which");
  }
  if (isMine(s)) {
    return ui.t("turn.title", { name: nameOf(s, ui, s.you.seat) });
  }
  return s.active ? ui.t("others.next", { name: nameOf(s, ui, s.active) }) : ui.t("deal.title");
}

/** The bones are shuffled, and nobody has any; or the hands of a round wait for its key. */
function deal(s, ui) {
  return page(s, ui, {
    name: "deal",
    label: ui.t("rail.round_n", { round: s.round }),
    body: html`${title(ui.t(s.key_missing ? "deal.locked" : "deal.title"))} ${others(s, ui, room(ui))}
      <p class="middle deal-heap">${heapPicture(28, s.round)}</p>`,
  });
}

export function play(s, ui) {
  if (s.phase === "DEAL") {
    return deal(s, ui);
  }
  const bone = isMine(s) && s.hand.includes(ui.drafts.bone) ? ui.drafts.bone : null;
  const fits = bone ? placesOf(s, bone) : [];
  const wide = isWide(ui);
  const rows = s.hand.length > 7 && !wide ? 2 : 1;
  const keys = more(s, ui);
  const said = [s.paused_by, ui.local.notice, ...shuffleNews(s)];
  const below = keys.length + said.filter(Boolean).length;
  const spare = ui.height - BARE_PX - (rows - 1) * SECOND_ROW_PX - below * KEY_PX;
  const whole = s.line.length > 0 && (wide ? ui.height >= 400 : spare >= STRIP_PX);
  return page(s, ui, {
    name: "bones",
    label: ui.t("rail.round_n", { round: s.round }),
    body: html`${title(heading(s, ui, fits), { names: fits.length < 2 })}<p class="lead">${lead(s, ui, bone, fits)}</p>
      ${others(s, ui, room(ui))} ${whole ? strip(s, ui, room(ui)) : ""} ${wide ? boneyard(s, ui, true) : ""}`,
    act: ends(s, ui, { fits, low: spare < HIGH_PX + (whole ? STRIP_PX : 0), tap: (end) => takeEnd(s, ui, end, ui.drafts.bone) }),
    shelf: me(s) ? rack(s, ui, { rows, chosen: bone, fits, hands: (each, slides) => handsOf(s, ui, each, slides) }) : "",
    foot: html`${wide ? "" : boneyard(s, ui, below > 0)} ${keys}`,
  });
}
