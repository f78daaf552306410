// The ballot: the row stays as it was; a back appears above the seat of everybody who is in.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { plaqueShape } from "../../objects/ballot.js";
import { plateWidth, seatX } from "../../../../table/rail.js";
import { rowPicture, rowWithReading } from "../row/row.js";
import { solids } from "../row/rowart.js";
import { differing, rowInWords } from "../words.js";

const WIDTH = 104;
const HEIGHT = 130;
const TOP = 782;

// Beside the middle of the plate where a tile of the row would be covered.
function place(x, plate, boxes) {
  const hidden = (at) =>
    boxes.reduce((sum, [left, , right, bottom]) => {
      const across = Math.min(at + WIDTH / 2, right) - Math.max(at - WIDTH / 2, left);
      return sum + Math.max(0, across) * Math.max(0, bottom - TOP);
    }, 0);
  const tries = [0, -0.14, 0.14, -0.28, 0.28, -0.36, 0.36].map((share) => x + share * plate);
  return tries.reduce((best, at) => (hidden(at) < hidden(best) - 0.5 ? at : best));
}

// Where every seat's back lies once it is in, so that nothing moves as one comes.
function places(ctx) {
  const { snap } = ctx;
  const { row } = rowWithReading(snap);
  const boxes = row.length ? solids(ctx.look(row, "row"), row, snap.tile, snap.end).map((s) => s.bounds) : [];
  const count = snap.seats.length;
  return snap.seats.map((_, i) => place(seatX(count, i), plateWidth(count), boxes) - WIDTH / 2);
}

const back = (x) => svg`<g class="t-back-in">${plaqueShape("back", { x, y: TOP, width: WIDTH })}</g>`;

export function ballotScreen(ctx) {
  const { snap, say } = ctx;
  const lefts = places(ctx);
  const keep = lefts.map((x) => [x, TOP, x + WIDTH, TOP + HEIGHT]);
  const { count, of } = snap.ballot ?? { count: 0, of: snap.seats.length };
  return {
    name: "row",
    title: say("table.ballot.title"),
    line: say("table.ballot.line", { count, of }),
    note: differing(snap, say),
    label: rowInWords(snap.row, say),
    art: svg`${rowPicture(ctx, "", keep)}${snap.seats.map((seat, i) => (seat.in ? back(lefts[i]) : ""))}`,
    rail: true,
    corner: true,
    quiet: true,
  };
}
