/** The ballot: a 4:5 plaque. Its back tells nothing; its faces differ by emblem, shape and word. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";

const W = 110;
const H = 137.5;
const RADIUS = 16.5;

/** Four tiles leaning one after another over a light disc. */
const falling = svg`
  <circle cx="55" cy="58" r="40" fill="#fff3d0" fill-opacity=".62"></circle>
  <g fill="#2a1705">
    <rect x="-4" y="-33" width="8" height="33" rx="2" transform="translate(29.5 79.5) rotate(14)"></rect>
    <rect x="-4" y="-34" width="8" height="34" rx="2" transform="translate(38.5 80) rotate(33)"></rect>
    <rect x="-4" y="-37" width="8" height="37" rx="2" transform="translate(45 81) rotate(51)"></rect>
    <rect x="-4" y="-35" width="8" height="35" rx="2" transform="translate(52.5 81) rotate(69)"></rect>
    <rect x="25" y="83" width="61" height="4.4" rx="2.2"></rect>
  </g>`;

/** One tile up beside fallen ones, in a dark square. */
const standing = svg`
  <rect x="17" y="20" width="76" height="76" rx="8" fill="#0b1a4a" fill-opacity=".5"></rect>
  <g fill="#fff">
    <rect x="65" y="38" width="13.5" height="44" rx="3"></rect>
    <rect x="27" y="73.6" width="34" height="8.6" rx="2.4"></rect>
    <rect x="31" y="64" width="31" height="8.6" rx="2.4" transform="rotate(8 46 68)"></rect>
    <rect x="26" y="84" width="61" height="4.4" rx="2.2"></rect>
  </g>`;

const lozenges = svg`<path
  d="M55 20L94.5 68.75L55 117.5L15.5 68.75ZM55 35.5L82 68.75L55 102L28 68.75ZM55 51.5L69 68.75L55 86L41 68.75Z"
  fill="none" stroke="#e9c58d" stroke-opacity=".62" stroke-width="1.7"></path>`;

const SIDES = {
  back: { fill: "url(#g-walnut)", inner: "#e9c58d", rim: "plaque-rim-back", emblem: lozenges },
  success: { fill: "url(#g-success)", inner: "#6b3f0c", rim: "plaque-rim-success", emblem: falling },
  failure: { fill: "url(#g-failure)", inner: "#dfe8ff", rim: "plaque-rim-failure", emblem: standing },
};

function wordSize(word) {
  return Math.max(13, Math.min(21, 128 / word.length));
}

/**
 * A plaque with its upper left corner on (x, y), to be used inside an <svg>.
 * @param {"back"|"success"|"failure"} side
 * @param {{x?: number, y?: number, width?: number, word?: string, shadow?: boolean}} [place]
 */
export function plaqueShape(side, { x = 0, y = 0, width = W, word = "", shadow = true } = {}) {
  const { fill, inner, rim, emblem } = SIDES[side];
  const ink = side === "failure" ? "#ffffff" : "#2a1705";
  const lift = word || side === "back" ? 0 : 13;
  return svg`<g transform="translate(${x} ${y}) scale(${width / W})">
    ${
      shadow
        ? svg`<rect x="3" y="5" width=${W} height=${H} rx=${RADIUS} fill="#000" fill-opacity=".38"></rect>`
        : ""
    }
    <rect x="1.5" y="1.5" width=${W - 3} height=${H - 3} rx=${RADIUS - 1} fill=${fill} class=${rim}
      stroke-width="3"></rect>
    <rect x="6" y="6" width=${W - 12} height=${H - 12} rx=${RADIUS - 5} fill="none" stroke=${inner}
      stroke-opacity=".5" stroke-width="1.8"></rect>
    <g transform="translate(0 ${lift})">${emblem}</g>
    ${
      word
        ? svg`<text x="55" y="121" text-anchor="middle" class="plaque-word" fill=${ink}
            font-size=${wordSize(word)}>${word}</text>`
        : ""
    }
  </g>`;
}

/**
 * A plaque as its own picture, `width` px wide; silent, since the words stand beside it.
 * @param {"back"|"success"|"failure"} side
 * @param {{width?: number, word?: string}} [look]
 */
export function plaque(side, { width = W, word = "" } = {}) {
  return html`<svg class="plaque" width=${width} height=${(width * 144) / 114} viewBox="-1 -1 114 144"
    aria-hidden="true">${plaqueShape(side, { word })}</svg>`;
}
