/** How it goes, in five pictures of at most eight words each, drawn with the game's own objects at rest. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { key } from "../../../core/page.js";
import { sheet } from "../../../core/sheet.js";
import { markShape } from "../../../core/objects/marks.js";
import { tileFront } from "../../../core/objects/tile.js";
import { plaqueShape } from "../objects/ballot.js";
import { stackShape } from "../objects/chip.js";
import { raised } from "../objects/dome.js";
import { STEPS } from "./hints.js";

const BASE = 94;
const arrow = (path) => svg`<path d=${path} fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round"
  stroke-linejoin="round"></path>`;
const board = svg`<rect class="board" x="5" y=${BASE} width="156" height="7" rx="3"></rect>`;
const tile = (value, x, low = false) => tileFront(value, { x, y: BASE, u: 1.15, low });
const leaning = (x, turn) => svg`<g transform="translate(${x} ${BASE}) rotate(${turn})">
  <rect x="-10" y="-54" width="10" height="54" rx="1.5" fill="url(#g-wood)" stroke="#7b4c1f" stroke-width="1.4"></rect></g>`;

/** One picture of 166 x 110 for each step. */
const pictures = (ui) => ({
  stand: svg`${board}${tile(3, 15)}${tile(8, 50, true)}
    <rect x="119" y="40" width="27" height="54" rx="3" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="5 4"></rect>
    <g transform="translate(4 -19) rotate(6 132 60)">${tile(5, 119)}</g>${arrow("M104 18V44M97 37L104 44L111 37")}`,
  doubt: svg`<g transform="translate(38 8) scale(.272)">${raised}</g>
    <text class="how-word display" x="85" y="61" text-anchor="middle" fill="#2a1705">${ui.t("dome.ready")}</text>`,
  vote: svg`<g transform="rotate(-4 50 55)">${plaqueShape("success", { x: 12, y: 11, width: 64 })}</g>
    <g transform="rotate(4 118 55)">${plaqueShape("failure", { x: 90, y: 11, width: 64 })}</g>`,
  push: svg`${board}<rect x="15" y="48" width="32" height="11" rx="5" fill="#7b4c1f" stroke="#33200f" stroke-width="1.5"></rect>
    <circle cx="52" cy="53.5" r="9" fill="#d9d4c8" stroke="#33200f" stroke-width="1.5"></circle>
    ${leaning(86, 24)}${leaning(111, 12)}${leaning(138, 0)}${arrow("M130 18Q141 18 147 28M147 19V28H138")}`,
  chips: svg`${markShape("triangle", { x: 47, y: 22, size: 28 })}${stackShape(4, { x: 47, y: BASE, width: 52 })}
    ${markShape("star", { x: 119, y: 54, size: 26 })}${stackShape(1, { x: 119, y: BASE, width: 52 })}`,
});

/** The five, and the options of this table behind one key. */
export function how(s, ui) {
  const drawn = pictures(ui);
  return sheet(ui, {
    id: "how",
    heading: ui.t("how.title"),
    body: html`<ol class="how">
        ${STEPS.map(
          (step, i) => html`<li class="how-step">
            <svg class="well how-picture" viewBox="0 0 166 110" aria-hidden="true">${drawn[step]}</svg>
            <p><b class="display">${i + 1}</b><span>${ui.t(`how.${step}`)}</span></p>
          </li>`,
        )}
      </ol>`,
    foot: s.options ? key(ui.t("how.options"), () => ui.set({ sheet: "rules" }), { icon: "book" }) : "",
  });
}
