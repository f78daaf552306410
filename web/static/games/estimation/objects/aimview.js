/** The pusher behind the end tile, from above and in the tile's own frame: where it is, and where it belongs. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";

const FARTHEST_MM = 36;
const BOX = [120, 130];
const STANDOFF_MM = 5;
const NEAR_MM = 3;
const NEAR_DEG = 3;

const DARK = "#22110a";

/** Arm and lid of the pusher, its tip at the origin and the row above it; only its outline where it is wanted. */
function pusher(fill, wanted = false) {
  const line = wanted ? "currentColor" : DARK;
  const arm = wanted ? 1.5 : 5;
  return svg`<g fill=${fill} stroke=${line} stroke-width="1.5" stroke-dasharray=${wanted ? "4 3" : "none"}>
    <rect x="-19" y="20" width="38" height="34" rx="4"></rect><path d="M0 22V5" stroke-width=${arm}></path><circle cy="5" r="5"></circle></g>`;
}

/** A line with its head, yellow with a dark rim: readable on any felt. */
const arrowOf = (shaft, head) => svg`<path d=${shaft} fill="none" stroke=${DARK} stroke-width="6"></path>
  <path d=${head} fill="#ffc75f" stroke=${DARK} stroke-width="2" stroke-linejoin="round"></path>
  <path d=${shaft} fill="none" stroke="#ffc75f" stroke-width="3.4"></path>`;

const within = (mm, most) => Math.max(-most, Math.min(most, mm));

function arrow(x, y) {
  const far = Math.hypot(x, y);
  if (far < NEAR_MM) {
    return "";
  }
  const turn = (Math.atan2(-x, y) * 180) / Math.PI;
  const long = Math.max(far, 14);
  return svg`<g transform="translate(${x} ${y + 5}) rotate(${turn})">
    ${arrowOf(`M0 0V${8 - long}`, `M-6.5 ${9 - long}L0 ${-long - 1}L6.5 ${9 - long}Z`)}</g>`;
}

/** Which way to turn: under the lid, with the head where it goes. */
function bend(turn, x, y) {
  if (Math.abs(turn) < NEAR_DEG) {
    return "";
  }
  const side = turn > 0 ? -1 : 1;
  return svg`<g transform="translate(${x} ${y + 35}) scale(${side} 1)">
    ${arrowOf("M21 19A28 28 0 0 1 -18 21", "M-13.5 16L-28 12L-22.5 26.5Z")}</g>`;
}

/**
 * @param {object} guide as in the snapshot
 * @param {string} label
 * @param {number} height px
 */
export function aimView(guide, label, height) {
  const { right } = guide;
  const x = right ? 0 : within(guide.left_mm, FARTHEST_MM);
  const y = right ? 0 : within(guide.forward_mm, FARTHEST_MM);
  const turned = right ? 0 : guide.turn_deg;
  return html`<svg viewBox="-60 -36 ${BOX[0]} ${BOX[1]}" width=${(height * BOX[0]) / BOX[1]} height=${height}
    role="img" aria-label=${label}>
    ${[0, 1, 2].map((n) => svg`<rect fill="#e3b870" stroke="#7b4c1f" x="-13" y=${-8 - 13 * n} width="26" height="7.5" rx="1.5"></rect>`)}
    <g transform="translate(0 ${STANDOFF_MM})">
      ${right ? "" : pusher("none", true)}
      <g transform="translate(${x} ${y}) rotate(${turned})">${pusher(right ? "#2f7d46" : "#8a5a30")}</g>
      ${right ? svg`<path fill="none" stroke="#fff" stroke-width="5" d="M-10 37l7 8 14-17"></path>` : [arrow(x, y), bend(guide.turn_deg, x, y)]}
    </g>
  </svg>`;
}

/** "12 mm forward, 4 mm to the left, turn 6° clockwise" */
export function aimWords({ right, round, touching, forward_mm: forward, left_mm: left, turn_deg: turn }, say) {
  if (right || round) {
    return say(right ? "right" : "round");
  }
  const way = (mm, more, less) => (Math.abs(mm) < 1 ? [] : [say(mm > 0 ? more : less, { mm: Math.abs(mm) })]);
  const ways = [...way(touching ? Math.min(forward, -1) : forward, "forward", "back"), ...way(left, "left", "right_side")];
  const bent = Math.abs(turn) < 2 ? [] : [say(turn > 0 ? "ccw" : "cw", { deg: Math.abs(turn) })];
  return [...ways, ...bent].join(", ") || say("nearly");
}
