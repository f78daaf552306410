// Words on the table: a walnut pill with a brass edge, as wide as its word.
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { wordWidth } from "../../../table/width.js";
import { TAG_HEIGHT } from "./row/coins.js";

export const tagWidth = (word) => Math.max(120, Math.ceil(wordWidth(word)) + 60);

/** A tag with its middle on (x, y). */
export function tag(word, [x, y]) {
  const width = tagWidth(word);
  return svg`<g transform="translate(${x} ${y})">
    <rect x=${-width / 2 + 3} y=${-TAG_HEIGHT / 2 + 5} width=${width} height=${TAG_HEIGHT}
      rx=${TAG_HEIGHT / 2} fill="#000" fill-opacity=".35"></rect>
    <rect x=${-width / 2} y=${-TAG_HEIGHT / 2} width=${width} height=${TAG_HEIGHT}
      rx=${TAG_HEIGHT / 2} fill="#2a190d" stroke="#ffdf9e" stroke-width="3"></rect>
    <text y="18" text-anchor="middle" class="t-tag-word">${word}</text>
  </g>`;
}
