/** The line on a phone: whole and straight; and its two ends as wells, which take a bone. */
import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";
import { isWide } from "../../../core/page.js";
import { LONG, WIDE, boneShape, isDouble } from "../objects/bone.js";

/** mm between two bones. */
const GAP = 1.5;
const MOST_U = 0.95;
/** Below this it slides, and starts at the newest bone. */
const LEAST_U = 0.62;

const lengthOf = (bone) => (isDouble(bone) ? WIDE : LONG) + GAP;

/** The whole line, doubles crosswise. */
export function strip(s, ui, width) {
  const long = s.line.reduce((sum, bone) => sum + lengthOf(bone), 8);
  const u = Math.max(LEAST_U, Math.min(MOST_U, (width - 16) / long));
  const slides = long * u > width - 15;
  const newest = s.recent[0]?.end === "left" ? 0 : Math.round(long * u);
  let at = 4;
  const bones = s.line.map((bone) => {
    const x = (at + lengthOf(bone) / 2) * u;
    at += lengthOf(bone);
    return boneShape(bone, { x, y: (LONG * u) / 2 + 2, u, lying: !isDouble(bone) });
  });
  return html`<div class="line-well" role="group" aria-label=${ui.t("line.label", { bones: s.line.join(", ") })}
    tabindex=${slides ? "0" : nothing} data-scroll-to=${slides ? newest : nothing}>
    <svg width=${long * u} height=${LONG * u + 5} aria-hidden="true">${bones}</svg></div>`;
}

const arrow = (side) => svg`<path d=${side === "left" ? "M14 -9L0 0L14 9Z" : "M0 -9L14 0L0 9Z"} fill="currentColor"></path>`;

/** The outer bone of an end, its open half outward. */
function outer(bone, side, u) {
  const [w, h] = [LONG * u + 24, WIDE * u + 7];
  const x = (LONG * u) / 2 + (side === "left" ? 20 : 1);
  return html`<svg class="end-bone" viewBox="0 0 ${w} ${h}" width=${w} height=${h} aria-hidden="true">
    ${boneShape(bone, { x, y: h / 2 - 2, u, lying: true })}
    <g transform="translate(${side === "left" ? 1 : w - 15} ${h / 2 - 2})">${arrow(side)}</g>
  </svg>`;
}

const place = html`<svg class="end-bone" width="46" height="88" viewBox="0 0 58 112" aria-hidden="true"><rect x="3" y="3" width="52" height="104"
  rx="7" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="7 6"></rect></svg>`;

/** Two wells, left and right as on the table; before the first bone there is one for it. */
export function ends(s, ui, { fits, low, tap }) {
  const well = (side, picture, words) => html`<button type="button" class="end ${fits.includes(side) ? "is-open" : ""}" data-end=${side}
    @click=${() => tap(side)}>${picture}<b>${words}</b></button>`;
  const box = `ends ${low ? "is-low" : ""}`;
  if (!s.line.length) {
    return html`<div class=${box}>${well("", place, ui.t("end.first"))}</div>`;
  }
  const u = isWide(ui) ? 1.9 : low ? 2.2 : 2.5;
  return html`<div class=${box}>
    ${["left", "right"].map((side, at) => well(side, outer(s.line[at ? s.line.length - 1 : 0], side, u), ui.t(`end.${side}`, { value: s.ends[at] })))}
  </div>`;
}
