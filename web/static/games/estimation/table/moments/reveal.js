// The reveal: all ballots turn together above their own seats; then what is at stake.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { plaqueShape } from "../../objects/ballot.js";
import { plateWidth, seatX } from "../../../../table/rail.js";
import { tag } from "../tags.js";
import { listed, nameOf } from "../../../../table/names.js";

export const REVEAL_MS = 3200;
export const DOUBTLESS_MS = 2900;
const TURN_BACK_MS = 1100;
/** Stage px: the middle of a ballot and its most width; of many seats a third line of words may stand over them. */
const MIDDLE_Y = { few: 520, many: 560 };
const WIDTH = { few: 323, many: 291 };
const TILTS = [2, -2.4, 1.4, -1.6, 2.2];

function plaqueAt(ctx, seat, index, turned) {
  const { snap, say } = ctx;
  const count = snap.seats.length;
  const size = count > 3 ? "many" : "few";
  const width = Math.min(WIDTH[size], plateWidth(count) - 80);
  const height = width * 1.25;
  const side = snap.reveal.ballots[seat.seat];
  if (!side) return "";
  const x = seatX(count, index);
  const at = { x: -width / 2, y: -height / 2, width };
  const tilt = TILTS[index % TILTS.length];
  return svg`<g transform="translate(${x} ${MIDDLE_Y[size]}) rotate(${tilt})">
      <g class="t-face ${turned ? "t-turned" : ""}">${plaqueShape(side, at)}</g>
      <g class="t-back ${turned ? "t-turned" : ""}">${plaqueShape("back", at)}</g>
      ${seat.seat === snap.placer ? tag(say("table.reveal.placer"), [0, 14 - height / 2]) : ""}
    </g>
    <text x=${x} y="818" text-anchor="middle" class="t-side-word ${count > 4 ? "t-side-word-s" : ""} ${turned ? "t-gone" : ""}"
      >${say(`table.reveal.${side}`)}</text>`;
}

// One side of the stake: "each" is said only where there is more than one to share.
function stakeOf(ctx, side, key) {
  const { snap, say, lang } = ctx;
  const names = snap.seats
    .filter((seat) => snap.reveal.ballots[seat.seat] === side)
    .map((seat) => nameOf(snap, seat.seat));
  const count = snap.reveal.stake[side];
  const text = say(`table.reveal.${key}${names.length === 1 ? "one" : ""}`, { count, names: listed(names, lang) });
  return text.replace("….", "…");
}

function sides(snap) {
  const all = Object.values(snap.reveal.ballots);
  const success = all.filter((side) => side === "success").length;
  return [success, all.length - success];
}

export function revealScreen(ctx) {
  const { snap, say } = ctx;
  const [success, failure] = sides(snap);
  const doubtless = !snap.reveal.push;
  const turned = doubtless && ctx.live && (!ctx.moment || ctx.momentAge() > TURN_BACK_MS);
  if (doubtless && ctx.moment && !turned) ctx.later(TURN_BACK_MS - ctx.momentAge() + 20);
  const title = doubtless
    ? say("table.reveal.doubtless")
    : say("table.reveal.against", {
        first: say(`table.reveal.first.${success}`),
        second: say(`table.reveal.second.${failure}`),
      });
  return {
    name: "reveal",
    title,
    line: doubtless ? "" : `${stakeOf(ctx, "success", "falls")} ${stakeOf(ctx, "failure", "stays")}`,
    lineClass: snap.seats.length > 3 ? "t-line-tight" : "",
    label: snap.seats
      .filter((seat) => snap.reveal.ballots[seat.seat])
      .map((seat) => `${seat.name}: ${say(`table.reveal.${snap.reveal.ballots[seat.seat]}`)}`)
      .join(", "),
    art: snap.seats.map((seat, i) => plaqueAt(ctx, seat, i, turned)),
    note: snap.reveal.why ? say(`table.reveal.why.${snap.reveal.why}`, { name: nameOf(snap, snap.caller) }) : "",
    rail: true,
    quiet: true,
    mood: "t-narrow",
  };
}
