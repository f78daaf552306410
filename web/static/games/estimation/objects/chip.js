/** Chips: a disc with eight notches and a tipping tile; a stack only at the end of the game. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";

const NOTCHES = [0, 45, 90, 135, 180, 225, 270, 315];

/** One chip centred on (x, y), to be used inside an <svg>. */
function chipShape({ x = 0, y = 0, size = 48 } = {}) {
  return svg`<g transform="translate(${x} ${y}) scale(${size / 48})">
    <circle cx="1.4" cy="2.2" r="22.6" fill="#000" fill-opacity=".35"></circle>
    <circle r="22" fill="url(#g-chip)" stroke="#4a2a0d" stroke-width="2"></circle>
    ${NOTCHES.map(
      (turn) => svg`<path d="M-3.6 -20.9A21.2 21.2 0 0 1 3.6 -20.9L3 -15.4H-3Z" fill="#5a3413"
        transform="rotate(${turn + 22.5})"></path>`,
    )}
    <circle r="14" fill="#f7cf7d" stroke="#a86d1e" stroke-width="1.6"></circle>
    <rect x="-3.6" y="-8" width="7.2" height="13" rx="1.4" fill="#8a5317" transform="rotate(28) translate(0 -.5)"></rect>
    <path d="M-8.4 8H8" stroke="#8a5317" stroke-width="2" stroke-linecap="round"></path>
  </g>`;
}

/** One chip as its own picture. */
export function chip({ size = 32 } = {}) {
  return html`<svg class="chip" width=${size} height=${size} viewBox="-25 -25 50 50" aria-hidden="true">
    ${chipShape()}
  </svg>`;
}

/**
 * Chips of a seat: one disc each up to six, more as one disc and the number beside it.
 * @param {number} count
 */
export function chips(count, { size = 32 } = {}) {
  const discs = count > 6 ? 1 : count;
  return html`<span class="chips" aria-hidden="true"
    >${Array.from({ length: discs }, () => chip({ size }))}${count > 6 ? html`<b>${count}</b>` : ""}</span
  >`;
}

/** A stack seen from the side, standing on (x, y), `width` wide: for the final. */
export function stackShape(count, { x = 0, y = 0, width = 62 } = {}) {
  const thick = width * 0.2;
  const discs = [];
  for (let i = 0; i < count; i += 1) {
    const jitter = width * 0.04 * [0.3, -0.8, 1, -0.2, 0.7, -1, 0.1][(i * 3 + count) % 7];
    const top = y - (i + 1) * thick;
    const ridges = [0.12, 0.26, 0.4, 0.54, 0.68, 0.82].map(
      (part) => `M${(jitter + x - width / 2 + width * part).toFixed(1)} ${(top + thick * 0.42).toFixed(1)}v${(thick * 0.42).toFixed(1)}`,
    );
    discs.push(svg`<g>
      <rect x=${x - width / 2 + jitter} y=${top} width=${width} height=${thick - 0.6} rx=${thick * 0.28}
        fill="#e8a941" stroke="#4a2a0d" stroke-width="1.6"></rect>
      <path d="M${x - width / 2 + jitter + 3} ${top + thick * 0.26}h${width - 6}" stroke="#f7cf7d"
        stroke-width=${thick * 0.2} stroke-linecap="round"></path>
      <path d=${ridges.join("")} stroke="#8a5317" stroke-width="2.4"></path>
    </g>`);
  }
  return svg`<g>
    <ellipse cx=${x + width * 0.06} cy=${y} rx=${width * 0.56} ry=${thick * 0.45} fill="#000" fill-opacity=".35"></ellipse>
    ${discs}
  </g>`;
}
