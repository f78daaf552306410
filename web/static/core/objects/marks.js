/** Seat marks: shape and colour are one choice. Also the eye of those who only watch. */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";

/**
 * Fill and outline of every mark on a grid of 48 x 48 around 0, 0. The fills differ in lightness as
 * much as in hue, so that no two of them look alike to any kind of eyes: see tests/tools/marks.py.
 */
const MARKS = {
  circle: { fill: "#e9785a", path: "M0 -20A20 20 0 1 1 0 20A20 20 0 1 1 0 -20Z" },
  triangle: { fill: "#96bf8c", path: "M0 -22L22 17Q23 19 20 19H-20Q-23 19 -22 17Z" },
  square: { fill: "#5fa8dc", path: "M-18 -18H18V18H-18Z" },
  star: {
    fill: "#f2c230",
    path: "M0 -22L6.2 -8.5L21 -6.8L10 3.2L13 17.8L0 10.4L-13 17.8L-10 3.2L-21 -6.8L-6.2 -8.5Z",
  },
  diamond: { fill: "#8f72f2", path: "M0 -24L20 0L0 24L-20 0Z" },
  cross: { fill: "#f6efe4", path: "M-8 -21H8V-8H21V8H8V21H-8V8H-21V-8H-8Z" },
  moon: { fill: "#a2def6", path: "M8 -22A23 23 0 1 0 21 12A19 19 0 0 1 8 -22Z" },
  bolt: { fill: "#dcf5ab", path: "M6 -24L-17 4H-3L-8 24L17 -5H2Z" },
  bow: { fill: "#997c9d", path: "M-22 -18L0 -5L22 -18V18L0 5L-22 18Z" },
  chevron: { fill: "#858c83", path: "M-21 2L0 -20L21 2V20L0 -2L-21 20Z" },
};

/** The order in which marks are offered. */
export const MARK_ORDER = Object.keys(MARKS);

/**
 * A mark centred on (x, y), to be used inside an <svg>.
 * @param {string} kind
 * @param {{x?: number, y?: number, size?: number, pale?: boolean, shadow?: boolean}} place size in px
 */
export function markShape(kind, { x = 0, y = 0, size = 48, pale = false, shadow = true } = {}) {
  const { fill, path } = MARKS[kind] ?? MARKS.circle;
  return svg`<g transform="translate(${x} ${y}) scale(${size / 48})" opacity=${pale ? 0.4 : 1}>
    ${shadow ? svg`<path d=${path} transform="translate(2 2.6)" fill="#000" fill-opacity=".38"></path>` : ""}
    <path d=${path} fill=${fill}></path>
    <path d=${path} fill="url(#g-sheen)" stroke="#2a170a" stroke-width="2.4" stroke-linejoin="round"></path>
  </g>`;
}

/**
 * A mark as its own picture. It is a sign beside a name, so it is silent unless it gets a label.
 * @param {string} kind
 * @param {{size?: number, pale?: boolean, label?: string}} [look]
 */
export function mark(kind, { size = 32, pale = false, label = "" } = {}) {
  return html`<svg class="mark" width=${size} height=${size} viewBox="-26 -26 52 52"
    role=${label ? "img" : nothing} aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>
    ${markShape(kind, { pale })}
  </svg>`;
}

/** The open eye of a watcher. */
export function eye({ size = 32 } = {}) {
  return html`<svg class="mark" width=${size} height=${size} viewBox="-26 -26 52 52" aria-hidden="true">
    <path d="M-22 0C-14 -14 14 -14 22 0C14 14 -14 14 -22 0Z" fill="#fff3da" stroke="#2a170a"
      stroke-width="2.4" stroke-linejoin="round"></path>
    <circle r="8" fill="#7a4b2a" stroke="#2a170a" stroke-width="2.4"></circle>
    <circle cx="-2.5" cy="-2.5" r="2.4" fill="#fff"></circle>
  </svg>`;
}
