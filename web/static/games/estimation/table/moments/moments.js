// Short scenes that play between two states: a call, the turning of all ballots, the fall.
// A screen that joins late never sees them; it gets the end state.
import { fallTimes } from "./fall.js";
import { DOUBTLESS_MS, REVEAL_MS } from "./reveal.js";
import { SHOUT_MS } from "./shout.js";
import { falls } from "../row/tipping.js";

const upright = (row) => row.map((tile) => ({ ...tile, state: "standing" }));
const TROUBLE = ["stopped", "fault", "away", "unknown"];
const AFTER_FALL = ["TOPPLE", "JUDGE", "ROUND_END", "GAME_OVER"];
const MOVING = ["armed", "moving", "looking"];

/** What must be seen at once, whatever is playing. */
export const urgent = (snap) =>
  Boolean(snap.paused_by) ||
  snap.phase === "ACCIDENT" ||
  snap.phase === "LOBBY" ||
  TROUBLE.includes(snap.push?.state);

/**
 * The moment that leads from one snapshot to the next, or null. `standing` is the row before it,
 * `still` whether motion is unwanted.
 */
export function momentBetween(before, snap, standing, still) {
  if (!before || urgent(snap)) return null;
  const verdict = snap.verdict?.outcome ? snap.verdict : null;
  if (verdict && !before.verdict?.outcome && standing.length > 1 && before.phase === "TOPPLE") {
    const end = before.push?.end ?? before.end;
    const row = upright(standing);
    if (falls(verdict, row, end).length === 0) return null;
    return { name: "fall", row, verdict, end, lasts: fallTimes(verdict, row, end, still).whole };
  }
  if (before.phase === "TURN" && snap.phase === "BALLOT" && (snap.shout ?? snap.caller)) {
    return { name: "shout", lasts: SHOUT_MS };
  }
  if (snap.phase === "REVEAL" && before.phase !== "REVEAL" && snap.reveal) {
    return snap.reveal.push
      ? { name: "reveal", snap, lasts: REVEAL_MS }
      : { name: "doubtless", snap, lasts: DOUBTLESS_MS };
  }
  return null;
}

/** Whether this snapshot ends the moment that is playing. */
export function interrupts(moment, snap) {
  if (urgent(snap)) return true;
  if (["fall", "verdict"].includes(moment.name)) return !AFTER_FALL.includes(snap.phase) && snap.last !== null;
  if (moment.name === "shout") return snap.phase !== "BALLOT";
  return MOVING.includes(snap.push?.state);
}
