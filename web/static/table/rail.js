// The wooden rail: one plate a seat, with its mark, its name and what the game has of it.
import { html } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { mark } from "../core/objects/marks.js";
import { divided } from "../core/page.js";
import { shortened } from "./names.js";
import { wordWidth } from "./width.js";

const EDGE = 12;
/** What a plate has beside its name: mark and margins; where five sit, the name has a line of its own. */
const PLATE_TEXT = { few: 104, five: 12 };

/** Stage x of the middle of every seat's plate. */
export function seatX(count, index) {
  return EDGE + ((1920 - 2 * EDGE) * (index + 0.5)) / count;
}

export const plateWidth = (count) => (1920 - 2 * EDGE) / count;

/** The smallest type of a table screen, in stage px: 34 px where it is 720 px high, for eyes four metres away. */
export const LEAST_TYPE = 51;
const STEPS = [60, 52, LEAST_TYPE];
const LONG_NAME = 10;

/**
 * The step of type of every seat's name: the largest at which all fit into the `room` they have,
 * in stage pixels. Names beyond ten letters do not make the others small.
 */
export function nameSteps(seats, room, largest = 52, steps = STEPS) {
  const sizes = steps.filter((size) => size <= largest);
  const fits = (seat) => sizes.find((size) => wordWidth(seat.name, size) <= room(seat)) ?? sizes.slice(-1)[0];
  const usual = seats.filter((seat) => Array.from(seat.name).length <= LONG_NAME);
  const common = Math.min(largest, ...usual.map(fits));
  return new Map(seats.map((seat) => [seat.seat, Math.min(common, fits(seat))]));
}

/** A word that may be divided in one place: where a syllable begins, as near its middle as possible. */
function halved(word) {
  const parts = divided(word, 0).split("\u00ad");
  const off = (at) => Math.abs(2 * parts.slice(0, at).join("").length - word.length);
  const at = [...parts.keys()].slice(1).sort((a, b) => off(a) - off(b))[0];
  return at ? `${parts.slice(0, at).join("")}\u00ad${parts.slice(at).join("")}` : word;
}

/** Ways to divide a name: between its words, in the middle of each, and wherever a syllable begins. */
const WAYS = [(name) => name, (name) => name.replace(/[^\s-]+/g, halved), (name) => divided(name, 0)];

/** How many lines of `room` stage pixels some words take; Infinity if one of their parts is wider than a line. */
export function lines(words, room, size, face) {
  const fits = (text) => wordWidth(text.replace(/\u00ad$/, "-").replaceAll("\u00ad", "").trimEnd(), size, face) <= room;
  let [count, line] = [1, ""];
  for (const part of words.match(/[^ \u00ad-]*[ \u00ad-]*/g)) {
    if (!fits(part)) return Infinity;
    if (!fits(line + part)) [count, line] = [count + 1, ""];
    line += part;
  }
  return count;
}

/** A name longer than `room`, on two lines: whole, or as much of it as they hold. */
function onTwo(name, step, room) {
  for (const text of shortened(name)) {
    const whole = WAYS.map((way) => way(text)).find((each) => lines(each, room, step) <= 2);
    if (whole) return whole;
  }
  return name;
}

/** A name in `room` stage pixels: on one line, or on two. */
export function written(name, step, room, more = "") {
  const long = wordWidth(name, step) > room;
  return html`<b class="t-name t-name-${step} ${long ? "t-name-long" : ""} ${more}">${long ? onTwo(name, step, room) : name}</b>`;
}

function plate(seat, step, room, { active, holds, beside = "" }) {
  return html`<li class="t-plate ${active ? "t-active" : ""} ${beside ? "t-beside" : ""}">
    ${active ? html`<svg class="t-wedge" viewBox="0 0 50 28" aria-hidden="true"><path d="M1 1H49L25 26Z"></path></svg>` : ""}
    ${mark(seat.mark, { size: 80 })}
    <span class="t-who">
      ${written(seat.name, step, room)}
      <span class="t-holds">${holds}</span>
    </span>
    ${beside}
  </li>`;
}

/** A plate a seat; `ctx.plate` says whose turn it is, what stands under a name, and what stands beside it; then `nameRoom` says how many px the name has. */
export function rail(ctx) {
  const { snap } = ctx;
  const count = snap.seats.length;
  const plates = new Map(snap.seats.map((seat) => [seat, ctx.plate(ctx, seat)]));
  const room = (seat) => plates.get(seat).nameRoom ?? plateWidth(count) - PLATE_TEXT[count > 4 ? "five" : "few"];
  const steps = nameSteps(snap.seats, room);
  return html`<ol class="t-rail t-seats-${count}">
    ${repeat(snap.seats, (seat) => seat.seat, (seat) => plate(seat, steps.get(seat.seat), room(seat), plates.get(seat)))}
  </ol>`;
}
