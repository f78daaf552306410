// Screens that are mostly words: the start, the pause, and a round that ended without a picture.
import { standingRow } from "../row/row.js";
import { nameOf, rowInWords } from "../words.js";
import { nextRound } from "../moments/verdict.js";

export const startScreen = ({ say }) => ({
  name: "start",
  title: say("table.empty.title"),
  line: say("table.empty.line"),
  mood: "t-out",
  quiet: true,
});

/** The referee speaks another version of the language between server and page. */
export const oldPageScreen = ({ say }) => ({
  name: "version",
  title: say("table.version.title"),
  line: say("table.version.line"),
  mood: "t-out",
  quiet: true,
});

/** The lamp goes out; one line says who paused. */
export function pausedScreen(ctx) {
  const { snap, say } = ctx;
  return {
    name: "paused",
    title: say("table.pause.title"),
    line:
      snap.paused_by === "host"
        ? say("table.pause.host")
        : say("table.pause.line", { name: nameOf(snap, snap.paused_by) }),
    label: rowInWords(snap.row, say),
    art: snap.phase === "LOBBY" ? "" : standingRow(ctx),
    mood: "t-out",
    rail: snap.seats.length > 0,
  };
}

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
