/** The row from above: tiles that are dragged and turned, and joints in the colour of their chance. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { flip, foot, tileTop } from "../objects/tiletop.js";

const ASIDE_MM = 34;
/** Room for the arrow of the push, at any scale. */
const ASIDE_PX = 52;
const LEAST_MM = 180;
const GRIP_PX = 40;
const FINGER_PX = 24;
/** Chances from sure to hopeless: dark blue, sky, yellow, orange, vermilion, told apart by every eye (Okabe and Ito). */
const STEPS = [[0.99, "sure"], [0.95, "likely"], [0.8, "doubtful"], [0.5, "unlikely"], [0, "hopeless"]];

/** How likely a joint is, as a word for its colour. */
export const stepOf = (p) => STEPS.find(([least]) => p >= least)[1];

/** The least part of the table that shows all tiles, in the shape of the drawing: its middle and width. */
export function frameOf(tiles, width, height) {
  const ends = (values) => [Math.min(...values) - ASIDE_MM, Math.max(...values) + ASIDE_MM];
  const [left, right] = ends(tiles.map((tile) => tile.x_mm));
  const [low, high] = ends(tiles.map((tile) => tile.y_mm));
  const room = (far, px) => Math.max(far, (far - 2 * ASIDE_MM) / (1 - (2 * ASIDE_PX) / px));
  const span = Math.max(LEAST_MM, room(right - left, width), (room(high - low, height) * width) / height);
  return { x: (left + right) / 2, y: (low + high) / 2, span };
}

/** Where the push comes from. */
function arrow(tile, area, size, px) {
  const { deep } = foot(tile, size);
  const [from, to] = [-deep / 2 - 44 * px, -deep / 2 - 8 * px];
  return svg`<path class="bench-push" transform="translate(${tile.x_mm} ${flip(area, tile.y_mm)}) rotate(${-tile.heading_deg})"
    d="M${from} 0H${to}M${to - 9 * px} ${-7 * px}L${to} 0L${to - 9 * px} ${7 * px}" stroke-width=${4 * px}></path>`;
}

function joint(a, b, p, weakest, area, px) {
  const [x, y] = [(a.x_mm + b.x_mm) / 2, (flip(area, a.y_mm) + flip(area, b.y_mm)) / 2];
  const r = (weakest ? 11 : 7) * px;
  return svg`<g class="bench-joint is-${stepOf(p)}"><circle cx=${x} cy=${y} r=${r} stroke-width=${2 * px}></circle>
    ${weakest ? svg`<path d="M${x} ${y - 5.5 * px}V${y + 1.5 * px}M${x} ${y + 5 * px}V${y + 5.1 * px}" stroke-width=${3 * px}></path>` : ""}</g>`;
}

/** What a tile is turned by, at the side of it that its coin leaves free. */
function grip(tile, area, size, px) {
  const turn = (tile.heading_deg * Math.PI) / 180;
  const reach = (foot(tile, size).wide / 2 + GRIP_PX * px) * (Math.cos(turn) >= 0 ? 1 : -1);
  const [fromX, fromY] = [tile.x_mm, flip(area, tile.y_mm)];
  const [x, y] = [fromX + reach * Math.sin(turn), fromY + reach * Math.cos(turn)];
  return svg`<g data-turn="1" class="bench-turn"><path d="M${fromX} ${fromY}L${x} ${y}" stroke-width=${2 * px}></path>
    <circle cx=${x} cy=${y} r=${FINGER_PX * px} fill="transparent" stroke="none"></circle>
    <circle cx=${x} cy=${y} r=${11 * px} stroke-width=${3 * px}></circle></g>`;
}

/**
 * @param {object} scene
 * @param {Array<object>} scene.tiles from the pushed one
 * @param {number} scene.chosen index of the tile in hand, -1 where none may be moved
 * @param {Array<number>} scene.joints chances, none where they are not known
 * @param {number|null} scene.weakest index of a joint
 * @param {Set<number>} scene.met indices of tiles that cut through each other
 * @param {object} scene.size of a tile, in mm
 * @param {{x: number, y: number, span: number}} scene.view
 * @param {number} scene.width px
 * @param {number} scene.height px
 * @param {string} scene.label
 * @param {(index: number) => string} scene.name
 * @param {object} scene.on pointer, key and focus handlers
 */
export function above({ tiles, chosen, joints, weakest, met, size, view, width, height, label, name, on }) {
  const px = view.span / width;
  const tall = height * px;
  const area = { x: [view.x - view.span / 2, view.x + view.span / 2], y: [view.y - tall / 2, view.y + tall / 2] };
  const coin = Math.max(7, Math.min(11, 13 * px));
  const held = tiles[chosen];
  const ring = (tile, kind, stroke) => {
    const { deep, wide } = foot(tile, size);
    return svg`<rect class=${kind} transform="translate(${tile.x_mm} ${flip(area, tile.y_mm)}) rotate(${-tile.heading_deg})"
      x=${-deep / 2 - 3} y=${-wide / 2 - 3} width=${deep + 6} height=${wide + 6} rx="3" stroke-width=${stroke * px}></rect>`;
  };
  return html`<svg class="bench-above" width=${width} height=${height} viewBox="${area.x[0]} ${area.y[0]} ${view.span} ${tall}"
    role="group" aria-label=${label} aria-describedby="bench-how" @pointerdown=${on.down} @pointermove=${on.move}
    @pointerup=${on.up} @pointercancel=${on.up}>
    ${joints.map((p, i) => joint(tiles[i], tiles[i + 1], p, i === weakest, area, px))}
    ${arrow(tiles[0], area, size, px)}
    ${tiles.map((tile, i) => svg`<g class="bench-tile" data-tile=${i} tabindex=${i === Math.max(chosen, 0) ? 0 : -1} role="button" aria-pressed=${i === chosen}
      aria-label=${name(i)} @focus=${() => on.choose(i)} @keydown=${on.key}>
      <circle cx=${tile.x_mm} cy=${flip(area, tile.y_mm)} r=${Math.max(FINGER_PX * px, 9)} fill="transparent"></circle>
      ${tileTop(tile, { area, size, coin })}
      ${i === chosen ? svg`${ring(tile, "top-ring-rim", 5)}${ring(tile, "top-ring", 3)}` : ""}
      ${met.has(i) ? ring(tile, "top-met", 3) : ""}</g>`)}
    ${held ? grip(held, area, size, px) : ""}
  </svg>`;
}
