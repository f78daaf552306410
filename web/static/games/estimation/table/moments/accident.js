// Somebody knocked the row over: what is claimed, and who has to confirm it.
import { below, standingRow } from "../row/row.js";
import { nameOf } from "../../../../table/names.js";
import { rowInWords } from "../words.js";

function claim(accident, name, say) {
  if (!name) return say("table.accident.nobody");
  if (accident.kind === "wrong_end" && !accident.denied) return say("table.accident.end", { name });
  return say(accident.denied ? "table.accident.denied" : "table.accident.culprit", { name });
}

export function accidentScreen(ctx) {
  const { snap, say } = ctx;
  const name = nameOf(snap, snap.accident?.culprit);
  const line = claim(snap.accident, name, say);
  const note = snap.accident?.all_up ? say("table.accident.all_up") : name ? say("table.accident.chips") : "";
  return {
    name: "accident",
    title: say("table.accident.title"),
    line,
    note,
    label: rowInWords(snap.row, say),
    art: standingRow(ctx, below([line, note])),
    rail: true,
  };
}
