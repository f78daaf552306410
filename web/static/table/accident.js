// Somebody knocked the row over: what is claimed, and who has to confirm it.
import { standingRow } from "./row.js";
import { nameOf, rowInWords } from "./words.js";

export function accidentScreen(ctx) {
  const { snap, say } = ctx;
  const name = nameOf(snap, snap.accident?.culprit);
  return {
    name: "accident",
    title: say("table.accident.title"),
    line: name ? say("table.accident.culprit", { name }) : say("table.accident.nobody"),
    note: name ? say("table.accident.chips") : "",
    label: rowInWords(snap.row, say),
    art: standingRow(ctx),
    rail: true,
  };
}
