/** One line at a seat's first turn, call, ballot, push and verdict: each once for whoever has the phone. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { me } from "../../../core/page.js";

export const STEPS = ["stand", "doubt", "vote", "push", "chips"];

/** Which of the five a screen is about, for a seat that takes part. */
export function stepOf(s) {
  if (!me(s) || s.acting) {
    return null;
  }
  const own = s.active === s.you.seat;
  switch (s.phase) {
    case "TURN":
      // A tile that is read has been stood: now it is to be confirmed.
      if (own) return s.reading?.state === "proposal" ? null : "stand";
      return s.may.call ? "doubt" : null;
    case "BALLOT":
      return s.ballot?.mine === null ? "vote" : null;
    case "TOPPLE":
      return s.push?.toppler === s.you.seat ? "push" : null;
    case "JUDGE":
    case "ROUND_END":
      return s.verdict ? "chips" : null;
    default:
      return null;
  }
}

/** The line of this moment, while it is this seat's first of its kind. */
export function hint(s, ui) {
  const step = stepOf(s);
  return step && ui.first?.(step) ? html`<p class="first-hint" role="note">${ui.t(`how.${step}`)}</p>` : "";
}
