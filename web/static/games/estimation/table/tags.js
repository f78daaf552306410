// Words on the table: a walnut pill with a brass edge, as wide as its word.
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { TAG_HEIGHT } from "./row/coins.js";

const SIZE = 36;
const widths = new Map();
let pen = null;

/** Width in stage pixels of a bold word of this size in the face the page really uses. */
export function wordWidth(word, size = SIZE) {
  const key = `${size} ${word}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    const family = getComputedStyle(document.body).fontFamily || "sans-serif";
    pen.font = `700 ${size}px ${family}`;
    widths.set(key, pen.measureText(word).width);
  }
  return widths.get(key);
}

export const tagWidth = (word) => Math.max(120, Math.ceil(wordWidth(word)) + 56);

/** A tag with its middle on (x, y). */
export function tag(word, [x, y]) {
  const width = tagWidth(word);
  return svg`<g transform="translate(${x} ${y})">
    <rect x=${-width / 2 + 3} y=${-TAG_HEIGHT / 2 + 5} width=${width} height=${TAG_HEIGHT}
      rx=${TAG_HEIGHT / 2} fill="#000" fill-opacity=".35"></rect>
    <rect x=${-width / 2} y=${-TAG_HEIGHT / 2} width=${width} height=${TAG_HEIGHT}
      rx=${TAG_HEIGHT / 2} fill="#2a190d" stroke="#ffdf9e" stroke-width="3"></rect>
    <text y="13" text-anchor="middle" class="t-tag-word">${word}</text>
  </g>`;
}
