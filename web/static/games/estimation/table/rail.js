// The wooden rail: one plate a seat, with its mark, name, chips and at most one word.
import { html } from "../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../vendor/lit-html/directives/repeat.js";
import { chip } from "../objects/chip.js";
import { mark } from "../../../core/objects/marks.js";
import { shortName } from "./words.js";
import { wordWidth } from "./tags.js";

const EDGE = 28;
const PLATE_TEXT = { few: 122, five: 92 };

/** Stage x of the middle of every seat's plate. */
export function seatX(count, index) {
  return EDGE + ((1920 - 2 * EDGE) * (index + 0.5)) / count;
}

export const plateWidth = (count) => (1920 - 2 * EDGE) / count;

function roleOf(snap, seat) {
  if (!seat.connected && !seat.bot && seat.phone !== false) return "away";
  if (snap.caller === seat.seat) return "caller";
  if (snap.phase === "TURN" && snap.active === seat.seat) return "turn";
  return snap.placer === seat.seat ? "last" : "";
}

const STEPS = [60, 52, 44, 40, 36, 34];
const LONG_NAME = 10;

/**
 * The step of type of every seat's name: the largest at which all fit into the `room` they have,
 * in stage pixels. Names beyond ten letters do not make the others small.
 */
export function nameSteps(seats, room, largest = 44) {
  const sizes = STEPS.filter((size) => size <= largest);
  const fits = (seat) => sizes.find((size) => wordWidth(shortName(seat.name), size) <= room(seat)) ?? 34;
  const usual = seats.filter((seat) => Array.from(seat.name).length <= LONG_NAME);
  const common = Math.min(largest, ...usual.map(fits));
  return new Map(seats.map((seat) => [seat.seat, Math.min(common, fits(seat))]));
}

// Five plates are narrow: a long word beside a large number leaves no room for the disc.
function fitsDisc(word, chips, count) {
  const digits = String(chips).length * 36;
  return count < 5 || 42 + digits + 20 + wordWidth(word, 34) <= plateWidth(count) - 76;
}

function plate(snap, seat, say, step) {
  const role = roleOf(snap, seat);
  const active = snap.phase === "TURN" && !snap.paused_by && snap.active === seat.seat;
  const name = shortName(seat.name);

  const word = role ? say(`table.role.${role}`) : "";
  const disc = fitsDisc(word, seat.chips, snap.seats.length) ? chip({ size: 46 }) : "";
  return html`<li class="t-plate ${active ? "t-active" : ""}">
    ${active ? html`<svg class="t-wedge" viewBox="0 0 50 28" aria-hidden="true"><path d="M1 1H49L25 26Z"></path></svg>` : ""}
    ${mark(seat.mark, { size: 80 })}
    <span class="t-who">
      <b class="t-name t-name-${step}">${name}</b>
      <span class="t-holds">${disc}<b class="t-count">${seat.chips}</b>
        ${word ? html`<span class="t-role">${word}</span>` : ""}</span>
    </span>
  </li>`;
}

export function rail(snap, say) {
  const count = snap.seats.length;
  const steps = nameSteps(snap.seats, () => plateWidth(count) - PLATE_TEXT[count > 4 ? "five" : "few"], count > 4 ? 40 : 44);
  return html`<ol class="t-rail t-seats-${count}">
    ${repeat(snap.seats, (seat) => seat.seat, (seat) => plate(snap, seat, say, steps.get(seat.seat)))}
  </ol>`;
}
