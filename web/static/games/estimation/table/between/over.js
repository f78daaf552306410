// A round that ended without a picture.
import { standingRow } from "../row/row.js";
import { rowInWords } from "../words.js";
import { nextRound } from "../moments/verdict.js";

export function overScreen(ctx) {
  const { snap, say } = ctx;
  return {
    name: "round",
    title: say("table.round.title", { round: snap.round }),
    line: nextRound(ctx),
    label: rowInWords(snap.row, say),
    art: standingRow(ctx),
    rail: true,
    corner: true,
  };
}
