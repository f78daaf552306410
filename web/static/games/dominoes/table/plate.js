/** What the rail shows of a seat: its hand as backs and a number, and its account; memory is marked "+". */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { partners } from "../../../core/page.js";
import { nameOf } from "../../../table/names.js";
import { plateWidth } from "../../../table/rail.js";
import { wordWidth } from "../../../table/width.js";
import { backs } from "../objects/bone.js";
import { account, ratingOf, sideOf } from "../screens/others.js";

/** px per mm of a back. */
const U = 1.15;
const MOST_BACKS = 5;
/** px from one back to the next, and beside them: mark, number, margins. */
const BACK = 30;
const BESIDE_BACKS = 182;
const ACCOUNT_TYPE = 62;
const WORD_TYPE = 34;
const MARGIN = 40;
/** Part of a plate that an account may take, however long the partner's name is. */
const MOST_BESIDE = 0.5;

/** The one word under an account: whose turn it is, that it is only kept, whom it is shared with, or the rating. */
function wordOf({ snap, say }, seat) {
  const rating = ratingOf(snap, seat.seat);
  if (rating) return say("table.rating", { count: rating });
  if (isOn(snap, seat)) return say("table.role");
  const side = sideOf(snap, seat.seat);
  if (snap.account[side] === null && snap.memory[side]) return say("table.kept");
  const [partner] = partners(snap, seat.seat);
  return partner ? say("table.with", { name: nameOf(snap, partner) }) : "";
}

const isOn = (snap, seat) => !snap.paused_by && snap.active === seat.seat;

export function plate(ctx, seat) {
  const { snap } = ctx;
  const count = snap.sizes[seat.seat] ?? 0;
  const points = sideOf(snap, seat.seat) < 0 ? "" : account(snap, seat.seat);
  const kept = points.startsWith?.("+") ? "is-kept" : "";
  const word = wordOf(ctx, seat);
  const wide = plateWidth(snap.seats.length);
  const besidePx = Math.min(Math.max(wordWidth(String(points), ACCOUNT_TYPE), wordWidth(word, WORD_TYPE)) + MARGIN, wide * MOST_BESIDE);
  const most = Math.min(MOST_BACKS, Math.floor((wide - BESIDE_BACKS - besidePx) / BACK));
  return {
    active: isOn(snap, seat),
    holds: html`<span class="d-backs">${backs(count, { u: U, most: count > most ? 1 : most })}</span><b class="d-size">${count}</b>`,
    beside: html`<span class="d-account ${kept}"><b class="display">${points}</b>${word ? html`<small>${word}</small>` : ""}</span>`,
    besidePx,
  };
}
