// The hands at a moment of a past game, all open or as one seat knew them, and the choice whose eyes to look with.
import { html } from "../vendor/lit-html/lit-html.js";
import { mark } from "../core/objects/marks.js";

const nameOf = (frame, seat) => frame.seats.find((each) => each.seat === seat)?.name ?? "";

/** Whether hands are hidden in this game at all. */
export const hasHands = (frame) => frame.own !== undefined;

/** Whether one looks with these eyes: those of a seat, or "" for all of them. */
const sees = (eyes, seat) => !eyes || eyes === seat;

/** @param {{frame: object, eyes: string, say: Function, game: object}} with_ game draws a `hand`, and has `points` */
export function hands({ frame, eyes, say, game }) {
  if (!frame.own) return html`<p>${say("past.hands.hidden")}</p>`;
  return html`<ul class="past-hands" aria-label=${say("past.hands")}>
    ${frame.seats.filter(({ seat }) => seat in frame.own).map(
      ({ seat, name, mark: shape }) => html`<li class=${frame.active === seat ? "past-turn" : ""}>
        ${mark(shape, { size: 28 })}
        <p class="past-who"><b>${name}</b>
          <span>${game.points(frame, seat, say)}${frame.active === seat ? `, ${say("past.hands.turn")}` : ""}</span></p>
        ${game.hand(frame, seat, sees(eyes, seat), say)}
      </li>`,
    )}
  </ul>`;
}

export function choice({ frame, eyes, say, choose }) {
  if (!frame.own) return "";
  const key = (value, words) => html`<button type="button" class="key key-plain" aria-pressed=${value === eyes ? "true" : "false"}
    @click=${() => choose(value)}>${words}</button>`;
  return html`<div class="past-eyes" role="group" aria-labelledby="past-eyes">
    <h2 id="past-eyes">${say("past.eyes")}</h2>
    ${key("", say("past.eyes.all"))} ${Object.keys(frame.own).map((seat) => key(seat, nameOf(frame, seat)))}
  </div>`;
}

/** The hints that may be read with these eyes: not what another seat would have thought. */
export const readable = (hints, eyes) =>
  hints.filter((hint) => (hint.kind === "choice" ? sees(eyes, hint.seat) : !eyes || eyes in hint.known));
