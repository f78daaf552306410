// The walnut frame with mitred corners: it holds what the camera saw.
import { svg } from "../../../vendor/lit-html/lit-html.js";

const OUTER = [72, 302, 980, 578];
const BAR = 30;

/** Left, top, width and height of the picture inside, 16 : 9. */
export const inner = ([x, y, width, height]) => [x + BAR, y + BAR, width - 2 * BAR, height - 2 * BAR];
export const INNER = inner(OUTER);

/** The frame; `drawn` fills it with felt for a row that is drawn instead of photographed. */
export function frameArt(drawn = false, outer = OUTER) {
  const [x, y, w, h] = outer;
  const [l, t, iw, ih] = inner(outer);
  const mitre = `M${x} ${y}L${l} ${t}M${x + w} ${y}L${l + iw} ${t}M${x} ${y + h}L${l} ${t + ih}M${x + w} ${y + h}L${l + iw} ${t + ih}`;
  return svg`<g class="t-frame">
    <rect x=${x + 4} y=${y + 10} width=${w} height=${h} rx="8" fill="#000" fill-opacity=".4"></rect>
    <rect x=${x} y=${y} width=${w} height=${h} rx="8" fill="url(#g-frame)" stroke="#22110a" stroke-width="3"></rect>
    <path d=${mitre} stroke="#22110a" stroke-opacity=".55" stroke-width="2"></path>
    <rect x=${l} y=${t} width=${iw} height=${ih} fill="#10261d" stroke="#1a0d06" stroke-width="3"></rect>
    ${drawn ? svg`<rect x=${l} y=${t} width=${iw} height=${ih} fill="url(#t-board)"></rect>` : ""}
  </g>`;
}
