// Screens that are mostly words: the start, another version, and the pause.
import { nameOf } from "./names.js";

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

/** The lamp goes out over what the game has `behind`, its art and label; one line says who paused. */
export function pausedScreen({ snap, say }, behind) {
  return {
    name: "paused",
    title: say("table.pause.title"),
    line:
      snap.paused_by === "host"
        ? say("table.pause.host")
        : say("table.pause.line", { name: nameOf(snap, snap.paused_by) }),
    mood: "t-out",
    rail: snap.seats.length > 0,
    ...behind,
  };
}
