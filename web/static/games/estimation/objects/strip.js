/** The row as a phone shows it: tiles on a shelf, evenly apart, with its last tile and its lower end. */
import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";
import { tileFront, tileSize } from "../../../core/objects/tile.js";
import { numeral } from "../../../core/objects/numerals.js";

const APART_MM = 5;
const MARGIN = 15;
/** Width of a letter, in sizes of the page's text, of which words are 0.9, and bold: Latin, any other. */
const LATIN_REM = 0.56;
const LETTER_REM = 0.67;
const LINE = 1.2;
const LEAST_U = 0.62;
const MOST_U = 1.5;

/** Place tiles from the left: left edge and width of each in mm, and the whole length. */
function layOut(row, fallen) {
  let at = 0;
  const places = row.map((tile) => {
    const low = tile.orientation === "horizontal";
    const width = fallen.has(tile.value) ? 48 : tileSize(low)[0];
    const place = { tile, low, left: at, width, down: fallen.has(tile.value) };
    at += width + APART_MM;
    return place;
  });
  return { places, length: Math.max(24, at - APART_MM) };
}

/** A tile that lies: its edge on the shelf, its value on a pale coin above. */
function lying(place, x, y, u) {
  const middle = x + (place.width * u) / 2;
  return svg`<g>
    <rect x=${x} y=${y - 7.5 * u} width=${48 * u} height=${7.5 * u} rx=${1.5 * u} fill="url(#g-wood)"
      stroke="#7b4c1f" stroke-width="1.2"></rect>
    <circle cx=${middle} cy=${y - 22 * u} r=${10 * u} fill="#a9a088" stroke="#3a2210" stroke-width="1.2"></circle>
    ${numeral(place.tile.value, { x: middle, y: y - 22 * u, height: 11 * u, ink: "#2a1705" })}
  </g>`;
}

/** How wide a word is at most, in bold letters of any usual face. */
const wordWidth = (word, rem) => [...word].reduce((sum, letter) => sum + rem * (letter < "\u0080" ? LATIN_REM : LETTER_REM), 0);

/** Where the push starts, with its arrow, in two lines where one is too long. */
function pushLines(text, left, room, rem) {
  const arrow = (said) => (left ? `▶ ${said}` : `${said} ◀`);
  const [first, ...rest] = text.push.split(" ");
  if (wordWidth(arrow(text.push), rem) <= room || !rest.length) {
    return [arrow(text.push)];
  }
  return left ? [arrow(first), rest.join(" ")] : [first, arrow(rest.join(" "))];
}

/**
 * Words under the shelf, and how many lines they take. "Last" is centred under its own tile, and the words
 * that say where the push starts under theirs, as far as the room allows: beside "last" or, where both need
 * the same place, on a line of their own.
 */
function words(push, last, text, room, rem) {
  const middle = last && last.x + last.width / 2;
  const lastWord = last ? svg`<text class="strip-word strip-last" x=${middle} y="0" text-anchor="middle">${text.last}</text>` : "";
  if (!push) {
    return { lines: 1, drawn: lastWord };
  }
  const left = push.side === "left";
  const said = pushLines(text, left, room - 8, rem);
  const wide = Math.max(...said.map((line) => wordWidth(line, rem)));
  const centre = push.x + push.width / 2;
  const anchor = centre - wide / 2 < 4 ? "start" : centre + wide / 2 > room - 4 ? "end" : "middle";
  const x = { start: 4, middle: centre, end: room - 4 }[anchor];
  const from = x - { start: 0, middle: wide / 2, end: wide }[anchor];
  const reach = wordWidth(text.last, rem) / 2 + rem / 2;
  const low = last && middle + reach > from && middle - reach < from + wide ? 1 : 0;
  const lines = said.map(
    (line, i) => svg`<text class="strip-word strip-push" x=${x} y=${(low + i) * rem * LINE}
      text-anchor=${anchor}>${line}</text>`,
  );
  return { lines: low + said.length, drawn: svg`${lastWord}${lines}` };
}

/**
 * The row strip. Scrolls sideways only when the tiles would become too small.
 *
 * @param {Array<{value: number, orientation: string}>} row
 * @param {object} look
 * @param {number} look.width px to fill
 * @param {number} [look.rem] root font size in px, so that words have room when text is enlarged
 * @param {number|null} [look.last] value of the tile placed last
 * @param {"left"|"right"|null} [look.end] the lower end
 * @param {Array<number>} [look.fallen] values that lie
 * @param {{push: string, last: string, label: string}} look.text
 * @param {{chosen: number|null, pick: (position: number) => void, name: (position: number) => string}} [look.choose]
 *   places between the tiles that may be chosen
 * @param {number} [look.most] upper bound of px per mm
 */
export function strip(row, { width, rem = 16, last = null, end = null, fallen = [], text, choose, most = MOST_U }) {
  const down = new Set(fallen);
  const { places, length } = layOut(row, down);
  // The word under a tile at either end has room too.
  const margin = Math.max(MARGIN, last === null ? 0 : wordWidth(text.last, rem) / 2 - tileSize(false)[0] * LEAST_U * 0.5 + 2);
  const fit = (width - 2 * margin) / length;
  const u = Math.max(Math.min(most, fit), LEAST_U);
  const room = Math.max(width, length * u + 2 * margin);
  const top = 22;
  const base = top + 48 * u;
  const start = (room - length * u) / 2;
  const at = (place) => ({ x: start + place.left * u, width: place.width * u, value: place.tile.value });
  const lastPlace = places.find((place) => place.tile.value === last);
  const endPlace = end === null || row.length < 2 ? null : places[end === "left" ? 0 : places.length - 1];
  const lastAt = lastPlace && at(lastPlace);
  const lastTop = lastAt && base - (lastPlace.low ? 24 : 48) * u - 5;
  const said = words(endPlace && { ...at(endPlace), side: end }, lastAt, text, room, rem);
  const height = Math.round(48 * u + 22 + rem * (1.75 + (said.lines - 1) * LINE));
  const drawing = html`<svg class="strip" width=${room} height=${height} viewBox="0 0 ${room} ${height}"
    role="img" aria-label=${text.label}>
    <rect class="shelf-board" x="4" y=${base} width=${room - 8} height="9" rx="4"></rect>
    ${places.map((place) => {
      const x = start + place.left * u;
      return place.down ? lying(place, x, base, u) : tileFront(place.tile.value, { x, y: base, u, low: place.low });
    })}
    ${
      lastAt
        ? svg`<path class="wedge" transform="translate(${lastAt.x + lastAt.width / 2} ${lastTop})"
            d="M-6.5 -8.5H6.5L0 0Z"></path>`
        : ""
    }
    <g transform="translate(0 ${base + 7 + rem})">
      ${said.drawn}
    </g>
  </svg>`;
  const shown = lastAt ? lastAt.x + lastAt.width / 2 : choose && start + (places[choose.chosen]?.left ?? length) * u;
  return html`<div class="well ${room > width ? "scrolls" : ""}" tabindex=${room > width ? 0 : nothing}
    role=${room > width ? "group" : nothing} aria-label=${room > width ? text.label : nothing}
    data-scroll-to=${room > width && shown >= 0 ? Math.round(shown) : nothing}>
    ${drawing}${choose ? gaps(places, { start, u, base, choose, room }) : ""}
  </div>`;
}

/** Buttons over the gaps of the strip, one for every position a tile may have. */
function gaps(places, { start, u, base, choose, room }) {
  const centres = places.map((place) => start + place.left * u - (APART_MM * u) / 2);
  const tail = places[places.length - 1];
  centres.push(start + (tail.left + tail.width) * u + (APART_MM * u) / 2);
  return html`<svg class="strip-gaps" width=${room} height=${base + 9} viewBox="0 0 ${room} ${base + 9}">
    ${centres.map((x, position) => {
      const chosen = position === choose.chosen;
      const key = (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          choose.pick(position);
        }
      };
      return svg`<g role="radio" tabindex="0" class="gap" aria-checked=${chosen ? "true" : "false"}
        aria-label=${choose.name(position)} @click=${() => choose.pick(position)} @keydown=${key}>
        <rect x=${x - 22} y=${base - 48 * u} width="44" height=${48 * u + 9} fill="transparent"></rect>
        ${
          chosen
            ? svg`<g class="gap-chosen"><path d="M${x} ${base - 48 * u}V${base}" stroke-width="5"></path>
                <path d="M${x - 8} ${base - 48 * u - 12}H${x + 8}L${x} ${base - 48 * u}Z"></path></g>`
            : svg`<path class="gap-free" d="M${x} ${base - 48 * u}V${base}" stroke-width="2" stroke-dasharray="6 5"></path>`
        }
      </g>`;
    })}
  </svg>`;
}
