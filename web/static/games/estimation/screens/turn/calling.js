/** The Domino! dome of a phone, in the state that fits. */
import { dome } from "../../objects/dome.js";
import { nameOf } from "../../../../core/page.js";

const REASONS = { placer: "yours", no_placer: "wait", estimated: "wait" };

/** Which dome a phone shows, and with which words. */
function callState(s, ui) {
  if (ui.link !== "live") {
    return { state: "nolink", word: "dome.nolink", line: "dome.nolink_line" };
  }
  if (s.shout && s.shout.caller === s.you.seat) {
    return { state: "recorded", word: "dome.recorded", line: "dome.recorded_line" };
  }
  if (s.shout) {
    return { state: "early", name: nameOf(s, ui, s.shout.caller), line: "dome.early_line" };
  }
  if (ui.pending("call", s.you.seat)) {
    return { state: "sent", word: "dome.sent", line: "dome.sent_line" };
  }
  if (s.may.call) {
    return { state: "ready", word: "dome.ready", line: "dome.ready_line" };
  }
  const why = s.paused_by !== null ? "paused" : s.why.call in REASONS ? s.why.call : "other";
  // Before the first tile of a round counts there is nothing to call, though one may stand.
  const line = why === "no_placer" && s.reading?.state === "proposal" ? "stands" : why;
  return { state: REASONS[why] ?? "wait", word: `dome.${why}`, line: `dome.${line}_line` };
}

export function callDome(s, ui, size = "large") {
  const { state, word, name, line } = callState(s, ui);
  const small = size === "small" && state === "ready";
  return dome({
    state,
    size,
    word: name ?? ui.t(word),
    line: ui.t(small ? "dome.ready_short" : line),
    press: ui.shout,
  });
}
