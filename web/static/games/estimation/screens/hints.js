/** One line at a seat's first turn, call, ballot, push and verdict: each once for whoever has the phone. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { me } from "../../../core/page.js";
import { isFree } from "./turn/turn.js";

export const STEPS = ["stand", "doubt", "vote", "push", "chips"];

/** Which of the five a screen is about, for a seat that takes part. */
function stepOf(s, ui) {
  if (!me(s) || s.acting) {
    return null;
  }
  const own = s.active === s.you.seat;
  switch (s.phase) {
    case "TURN":
      // While a tile that came is read and confirmed, nobody is to stand another.
      if (own) return isFree(s, ui) ? "stand" : null;
      return s.may.call ? "doubt" : null;
    case "BALLOT":
      return s.ballot?.mine === null ? "vote" : null;
    case "TOPPLE":
      return s.may.hold ? "push" : null;
    case "JUDGE":
    case "ROUND_END":
      return s.verdict ? "chips" : null;
    default:
      return null;
  }
}

/** The line of this moment, while it is this seat's first of its kind; where to push stands over the ring, how does not. */
export function hint(s, ui) {
  const step = stepOf(s, ui);
  return step && ui.first?.(step) ? html`<p class="first-hint" role="note">${ui.t(step === "push" ? "push.first" : `how.${step}`)}</p>` : "";
}
