/** What the rail shows of a seat: its hand as backs and a number, and its account; memory is marked "+". */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { partners } from "../../../core/page.js";
import { nameOf } from "../../../table/names.js";
import { LEAST_TYPE, plateWidth } from "../../../table/rail.js";
import { wordWidth } from "../../../table/width.js";
import { backs } from "../objects/bone.js";
import { account, ratingOf, sideOf } from "../screens/others.js";

/** px per mm of a back. */
const U = 1.15;
const MOST_BACKS = 5;
/** Stage px: from one back to the next, and beside them mark, number and margins. */
const BACK = 30;
const BESIDE_BACKS = 160;
const ACCOUNT_TYPE = 62;
const MARGIN = 38;
const MARK = 68;

/** The one word of an account: the rating, that the phone is away, that points are only kept, or who shares it. */
function wordOf({ snap, say }, seat) {
  const rating = ratingOf(snap, seat.seat);
  if (rating) return say("table.rating", { count: rating });
  if (seat.phone && !seat.connected) return say("table.away");
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
  const wide = plateWidth(snap.seats.length) - MARGIN;
  const pointsPx = wordWidth(String(points), ACCOUNT_TYPE, "display") + MARGIN;
  // The account stands beside the name, with its word below; beside a long name there is no room, and the word goes.
  const isLow = wordWidth(seat.name, LEAST_TYPE) > wide - pointsPx;
  const below = isLow ? pointsPx : wordWidth(word, LEAST_TYPE);
  const room = wide - BESIDE_BACKS - below;
  const backsShown = snap.result ? "" : backs(count, { u: U, most: count * BACK > room ? 1 : MOST_BACKS });
  return {
    active: isOn(snap, seat),
    holds: backsShown && html`<span class="d-backs">${backsShown}</span><b class="d-size">${count}</b>`,
    beside: html`<span class="d-account ${kept} ${isLow ? "is-low" : ""}"><b class="display">${points}</b>${
      word ? html`<small class=${isLow || below > wide - MARK ? "unseen" : ""}>${word}</small>` : ""
    }</span>`,
    nameRoom: wide - (isLow ? 0 : pointsPx),
  };
}
