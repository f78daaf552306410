// Short scenes that play between two states: a call, the turning of all ballots, the fall.
// A screen that joins late never sees them; it gets the end state. The fall is the exception: as
// long as the referee has not said what came of it, it is still to be shown.
import { DOUBTLESS_MS, REVEAL_MS } from "./reveal.js";
import { SHOUT_MS } from "./shout.js";
import { wholeFall, falls } from "../row/tipping.js";

const upright = (row) => row.map((tile) => ({ ...tile, state: "standing" }));
const TROUBLE = ["stopped", "fault", "away", "unknown"];
const MOVING = ["armed", "moving", "looking"];
const TOLD_MS = 800;

/** What must be seen at once, whatever is playing. */
export const urgent = (snap) =>
  Boolean(snap.paused_by) ||
  snap.phase === "ACCIDENT" ||
  snap.phase === "LOBBY" ||
  TROUBLE.includes(snap.push?.state);

/** The fall that the referee wants shown: the first run, until it is told. */
function toShow(before, snap, moment) {
  const { fall } = snap;
  if (!fall?.tips || (moment?.name === "fall" && moment.number === fall.number)) return null;
  const end = snap.push?.end ?? snap.end;
  return { ...fall, name: "fall", row: upright(snap.row), end, lasts: Infinity };
}

/** A past game has no referee to wait for: the fall, and then at once what came of it. */
function retold(before, snap, standing) {
  const verdict = snap.verdict?.outcome ? snap.verdict : null;
  if (!verdict || before?.verdict?.outcome || before?.phase !== "TOPPLE" || standing.length < 2) return null;
  if (!verdict.tips?.length) return null;
  const end = before.push?.end ?? before.end;
  return { name: "fall", row: upright(standing), tips: verdict.tips, end, lasts: wholeFall(falls(verdict)) + TOLD_MS };
}

/**
 * The moment that leads from one snapshot to the next, or null. `standing` is the row before it,
 * `moment` what plays now, `past` whether a game is looked back at.
 */
export function momentBetween(before, snap, { standing, moment, past, now }) {
  if (urgent(snap)) return null;
  const fall = past ? retold(before, snap, standing) : toShow(before, snap, moment);
  if (fall || !before) return fall;
  if (moment?.name === "fall" && !past && !snap.fall) {
    const left = (snap.verdict?.evidence_ms ?? 0) - now;
    return left > 0 ? again(moment, snap.verdict, left) : null;
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

/** The same fall once more, under the words about it, until the evidence is due. */
export const again = (moment, verdict, lasts) => ({ ...moment, name: "again", verdict, lasts });

/** Whether this snapshot ends the moment that is playing. */
export function interrupts(moment, snap, past) {
  if (urgent(snap)) return true;
  if (moment.name === "fall" && !past) return !snap.fall;
  if (["fall", "again"].includes(moment.name)) return !snap.verdict?.outcome;
  if (moment.name === "shout") return snap.phase !== "BALLOT";
  return MOVING.includes(snap.push?.state);
}
