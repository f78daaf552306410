/** A tile from above, in millimetres of the table. */
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { numeral } from "../../../core/objects/numerals.js";

/** Length along the heading and width across it of a tile's foot, in mm; one that lies heads along its long edge. */
export function foot(tile, size) {
  if (tile.state === "fallen") {
    return { deep: size.length_mm, wide: size.width_mm };
  }
  return { deep: size.thickness_mm, wide: tile.orientation === "horizontal" ? size.length_mm : size.width_mm };
}

/** Table y points up, the drawing's down. */
export const flip = (area, y) => area.y[1] + area.y[0] - y;

/** Foot of one tile, and its value on a coin at the side of it that looks up the screen. */
export function tileTop(tile, { area, size, coin, mode = "" }) {
  const { deep, wide } = foot(tile, size);
  const turn = (tile.heading_deg * Math.PI) / 180;
  const side = Math.cos(turn) >= 0 ? 1 : -1;
  const reach = wide / 2 + coin + (mode ? 5 : 2);
  const x = tile.x_mm;
  const y = flip(area, tile.y_mm);
  const coinX = x - side * Math.sin(turn) * reach;
  const coinY = y - side * Math.cos(turn) * reach;
  return svg`<g class="top-tile ${mode}">
    <g transform="translate(${x} ${y}) rotate(${-tile.heading_deg})">
      <rect x=${-deep / 2 + 2} y=${-wide / 2 + 2.6} width=${deep} height=${wide} rx="1.4" fill="#000" fill-opacity=".4"></rect>
      <rect x=${-deep / 2} y=${-wide / 2} width=${deep} height=${wide} rx="1.2" fill="url(#g-wood)" stroke="#5b3407"
        stroke-width="1"></rect>
      <path d="M${-deep / 2 + 1.6} ${-wide / 2 + 2}V${wide / 2 - 2}" stroke="#fff6dd" stroke-opacity=".75" stroke-width=".8"></path>
    </g>
    <circle class="top-coin" cx=${coinX} cy=${coinY} r=${coin} stroke-width="1"></circle>
    ${tile.value === null ? "" : numeral(tile.value, { x: coinX, y: coinY, height: coin * 1.05, ink: "#3a2210" })}
  </g>`;
}
