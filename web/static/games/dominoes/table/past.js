/** A past match: hands at a moment, and what can be said afterwards of what was done. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { nameOf } from "../../../table/names.js";
import { backs, bonePicture } from "../objects/bone.js";
import { account } from "../screens/others.js";
import { lineArt, lineInWords, yardInWords } from "./line.js";

/** px per mm of a bone in a hand. */
const U = 0.85;
const MOST_BACKS = 10;
/** By less than this the strong bot's choice may be better by chance alone. */
const HARDLY = 0.03;

/** Where there is no room for the table screen: a cloth of its own, on which bones are larger. */
const CLOTH = { left: 20, right: 980, top: 70, bottom: 690 };

function cloth(snap, say) {
  return svg`${snap.line.length ? lineArt({ snap, say }, { open: !snap.result, lit: true, cloth: CLOTH }) : ""}
    <text class="d-past-yard" x="980" y="738" text-anchor="end">${yardInWords({ snap, say })}</text>`;
}

/** What stands behind a name: the account. */
const points = (frame, seat, say) => say("past.account", { points: account(frame, seat) });

/** A hand, open or as backs; open to everybody once the round is over. */
function hand(frame, seat, open, say) {
  const bones = frame.result ? frame.result.hands[seat] : frame.own[seat].hand;
  if (open || frame.result) {
    if (!bones?.length) return html`<p class="d-past-hand">${frame.result ? say("table.none") : "–"}</p>`;
    return html`<p class="d-past-hand"><span class="unseen">${bones.join(", ")}</span>${bones.map((bone) => bonePicture(bone, { u: U }))}</p>`;
  }
  const count = frame.sizes[seat] ?? 0;
  return html`<p class="d-past-hand">${backs(count, { u: U, most: MOST_BACKS })}<b aria-hidden="true">${count}</b><span class="unseen">${say("past.backs", { count })}</span></p>`;
}

/** A command as part of a sentence. */
function move({ type, tile, tiles, end }, say) {
  if (type === "place2") return say("past.move.two", { bone: tiles[0], other: tiles[1] });
  return say(`past.move.${end ?? "first"}`, { bone: tile });
}

function why({ kind, seat, of_ten, count, instead, bone }, frame, say) {
  return say(`past.why.${kind}`, { name: nameOf(frame, seat), n: of_ten, count, instead, bone });
}

/** Why somebody could not move was nobody's choice: how likely it was. */
function knock(hint, { frame, eyes, say, chance }) {
  const drew = frame.recent.slice(-1)[0]?.what === "draw" ? "draw" : "knock";
  const share = chance(eyes ? hint.known[eyes] : hint.likely);
  return eyes ? say(`past.${drew}.known`, { chance: share, name: nameOf(frame, eyes) }) : say(`past.${drew}.seen`, { chance: share });
}

/** What a strong bot would have done, and why, or how likely a knock was: one sentence. */
function hint(told, with_) {
  if (told.kind === "knock") return knock(told, with_);
  const { frame, say } = with_;
  const reason = why(told.why, frame, say);
  if (told.same) return say("past.best.same", { why: reason });
  if (told.best.type === "stake") return say("past.best.stake", { why: reason });
  const how = told.worth_best - told.worth_done < HARDLY ? "near" : "other";
  return say(`past.best.${how}`, { best: move(told.best, say), why: reason });
}

export const past = {
  /** Of 1000 x 760. */
  cloth,
  points,
  hand,
  hint,
  inWords: (snap, say) => lineInWords({ snap, say }),
};
