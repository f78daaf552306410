/** The row from above, pointing at what is wrong: firm outlines where tiles are, broken ones where they belong. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { flip, foot, tileTop } from "./tiletop.js";

const LEAST_MM = 150;
const ASIDE_MM = 24;
const BELOW_MM = 28;
const NEAR_MM = 5;

/** Round the foot of a tile, a little way off. */
function outline(tile, area, size, kind, width) {
  const { deep, wide } = foot(tile, size);
  const off = 2.6;
  return svg`<rect class=${kind} transform="translate(${tile.x_mm} ${flip(area, tile.y_mm)}) rotate(${-tile.heading_deg})"
    x=${-deep / 2 - off} y=${-wide / 2 - off} width=${deep + 2 * off} height=${wide + 2 * off} rx="2.6"
    stroke-width=${width}></rect>`;
}

/** From where a tile is to where it belongs. */
function arrow(now, was, area, width) {
  const [x, y, toX, toY] = [now.x_mm, flip(area, now.y_mm), was.x_mm, flip(area, was.y_mm)];
  const long = Math.hypot(toX - x, toY - y);
  if (long < NEAR_MM) {
    return "";
  }
  const [ux, uy] = [(toX - x) / long, (toY - y) / long];
  const tip = Math.min(8, long / 2);
  const barb = (side) => `${toX - tip * (ux - side * uy)} ${toY - tip * (uy + side * ux)}`;
  const path = `M${x} ${y}L${toX} ${toY}M${barb(0.7)}L${toX} ${toY}L${barb(-0.7)}`;
  return svg`<path class="top-way-rim" d=${path} stroke-width=${2.4 * width}></path>
    <path class="top-way" d=${path} stroke-width=${width}></path>`;
}

/** The least part of the table that shows all of them, in the shape of the drawing. */
function frame(tiles, area, aspect) {
  const span = (values) => [Math.min(...values), Math.max(...values)];
  const [left, right] = span(tiles.flatMap((tile) => [tile.x_mm - ASIDE_MM, tile.x_mm + ASIDE_MM]));
  // Above every tile stands its coin.
  const above = (tile) => flip(area, tile.y_mm) - (tile.orientation === "horizontal" ? 54 : 42);
  const [top, bottom] = span(tiles.flatMap((tile) => [above(tile), flip(area, tile.y_mm) + BELOW_MM]));
  const wide = Math.max(LEAST_MM, right - left, (bottom - top) * aspect);
  const tall = wide / aspect;
  return { wide, box: [(left + right - wide) / 2, (top + bottom - tall) / 2, wide, tall].join(" ") };
}

/**
 * @param {object} scene
 * @param {Array<object>} scene.row as it stands, from left to right
 * @param {Array<{value: number|null, now: object|null, was: object|null}>} scene.marks tiles to point at
 * @param {{x: number[], y: number[]}} scene.area
 * @param {object} scene.size of a tile, in mm
 * @param {number} [scene.x] px, where it stands in another drawing
 * @param {number} [scene.y]
 * @param {number} scene.width px
 * @param {number} scene.height px
 * @param {string} scene.label
 */
export function rowView({ row, marks, area, size, x = 0, y = 0, width, height, label }) {
  const pointed = new Set(marks.filter((mark) => mark.now).map((mark) => mark.value));
  const calm = row.filter((tile) => !pointed.has(tile.value));
  const moved = marks.filter((mark) => mark.now).map((mark) => ({ ...mark.now, value: mark.value }));
  const ghosts = marks.filter((mark) => mark.was).map((mark) => ({ ...mark.was, value: mark.value }));
  const gone = marks.filter((mark) => mark.was && !mark.now).map((mark) => ({ ...mark.was, value: mark.value }));
  const { wide, box } = frame([...calm, ...moved, ...ghosts], area, width / height);
  const px = wide / width;
  const coin = Math.max(7, Math.min(11, 13 * px));
  const feet = calm.map((tile) => `${tile.x_mm} ${flip(area, tile.y_mm)}`).join("L");
  return html`<svg class="rowview" x=${x} y=${y} width=${width} height=${height} viewBox=${box} role="img" aria-label=${label}>
    ${calm.length > 1 ? svg`<path class="top-line" d="M${feet}" stroke-width=${1.5 * px + 0.6}></path>` : ""}
    ${calm.filter((tile) => !gone.some((other) => other.value === tile.value)).map((tile) => tileTop(tile, { area, size, coin }))}
    ${gone.map((tile) => tileTop(tile, { area, size, coin, mode: "is-ghost" }))}
    ${ghosts.map((tile) => outline(tile, area, size, "top-ghost", 2.6 * px))}
    ${moved.map((tile) => svg`${tileTop(tile, { area, size, coin, mode: "is-draft" })}
      ${outline(tile, area, size, "top-ring-rim", 5 * px)} ${outline(tile, area, size, "top-ring", 2.8 * px)}`)}
    ${marks.map((mark) => (mark.now && mark.was ? arrow(mark.now, mark.was, area, 2.4 * px) : ""))}
  </svg>`;
}
