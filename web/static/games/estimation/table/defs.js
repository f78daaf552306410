// The light and the felt of this table's pictures, to be drawn with by name.
import { html, svg } from "../../../vendor/lit-html/lit-html.js";

const glow = (id, stops) => svg`<radialGradient id=${id}>${stops.map(
  ([at, colour, opacity]) => svg`<stop offset=${at} stop-color=${colour} stop-opacity=${opacity}></stop>`,
)}</radialGradient>`;

const blur = (id, deviation) => svg`<filter id=${id} filterUnits="userSpaceOnUse" x="-60" y="-60"
  width="2040" height="1200"><feGaussianBlur stdDeviation=${deviation}></feGaussianBlur></filter>`;

export const tableDefs = () => html`<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>
  ${glow("t-pool", [[0, "#ffd98a", 0.34], [0.84, "#ffd98a", 0.31], [0.93, "#ffd98a", 0.16], [1, "#ffd98a", 0]])}
  ${glow("t-spot", [[0, "#5aa27b", 0.85], [0.45, "#35735a", 0.6], [1, "#10261d", 0]])}
  ${glow("t-win", [[0, "#ffd27a", 0.5], [0.6, "#ffd27a", 0.2], [1, "#ffd27a", 0]])}
  ${glow("t-board", [[0, "#5a9a78", 1], [0.5, "#35705a", 1], [1, "#143026", 1]])}
  ${blur("t-blur", 5)}${blur("t-blur-little", 2)}
</defs></svg>`;
