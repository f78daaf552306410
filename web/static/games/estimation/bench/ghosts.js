/** The row from the side, unrolled, as it falls several times at once. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { tilts, wholeFall } from "../table/row/tipping.js";

const ASIDE_MM = 62;
const TOP_MM = 10;

/** From the pushed tile along the feet: the middle of each, in mm. */
function middles(tiles) {
  let at = 0;
  return tiles.map((tile, i) => {
    const before = tiles[i - 1];
    at += before ? Math.hypot(tile.x_mm - before.x_mm, tile.y_mm - before.y_mm) : 0;
    return at;
  });
}

export const fallsOf = (told) =>
  told.falls.map(({ fallen, tips }) => ({
    fallen,
    list: tips.map(([value, start, length, rest]) => ({ value, start, length, rest })),
  }));

/** How long all of them take, in ms. */
export const whole = (falls) => Math.max(0, ...falls.map(({ list }) => wholeFall(list)));

/**
 * @param {Array<object>} tiles from the pushed one
 * @param {object} size of a tile, in mm
 * @param {Array<{fallen: number, list: object[]}>} falls
 * @param {number} ms since the first tile tipped
 * @param {string} label
 */
export function ghosts(tiles, size, falls, ms, label) {
  const at = middles(tiles);
  const high = Math.max(...tiles.map((tile) => (tile.orientation === "horizontal" ? size.width_mm : size.length_mm)));
  const wide = at.slice(-1)[0] + 2 * ASIDE_MM;
  return html`<svg class="bench-ghosts" viewBox="${-ASIDE_MM} ${-high - TOP_MM} ${wide} ${high + TOP_MM + 8}" role="img" aria-label=${label}>
    <rect class="shelf-board" x=${-ASIDE_MM + 2} y="0" width=${wide - 4} height="5" rx="2"></rect>
    ${falls.map(({ list }) => {
      const down = tilts(list, ms);
      return svg`<g class="bench-ghost" opacity=${Math.max(0.22, 1 / falls.length)}>${tiles.map((tile, i) => {
        const tall = tile.orientation === "horizontal" ? size.width_mm : size.length_mm;
        const front = at[i] + size.thickness_mm / 2;
        return svg`<rect x=${-size.thickness_mm} y=${-tall} width=${size.thickness_mm} height=${tall} rx="1.2" fill="url(#g-wood)"
          stroke="#5b3407" stroke-width=".8" transform="translate(${front} 0) rotate(${down.get(i) ?? 0})"></rect>`;
      })}</g>`;
    })}
  </svg>`;
}
