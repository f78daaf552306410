/** How it goes, in five pictures of at most eight words each, drawn with the game's own bones at rest. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { key } from "../../../core/page.js";
import { sheet } from "../../../core/sheet.js";
import { boneShape, heapShape } from "../objects/bone.js";

const lying = (bone, x, y = 55) => boneShape(bone, { x, y, u: 1, lying: true });
const standing = (bone, x, y = 55) => boneShape(bone, { x, y, u: 1 });

/** One picture of 166 x 110 for each step. */
const STEPS = {
  lay: svg`${lying("6-3", 50)}${lying("3-5", 110)}`,
  double: svg`${lying("2-4", 40)}${standing("4-4", 78)}${lying("4-1", 116)}`,
  draw: svg`${heapShape(7, { x: 58, y: 55, u: 0.8, seed: 3 })}${standing("0-2", 134)}`,
  fish: svg`${lying("5-1", 30)}${standing("1-1", 68)}${lying("1-5", 106)}<path d="M138 40L154 70M154 40L138 70" stroke="currentColor" stroke-width="4" stroke-linecap="round"></path>`,
  count: svg`${standing("1-2", 34)}${standing("0-4", 64)}<text class="display" x="86" y="64" fill="currentColor">= 7</text>`,
};

export function how(s, ui) {
  return sheet(ui, {
    id: "how",
    heading: ui.t("how.title"),
    body: html`<ol class="how">
        ${Object.entries(STEPS).map(([step, picture], i) => html`<li class="how-step">
          <svg class="line-well how-picture" viewBox="0 0 166 110" aria-hidden="true">${picture}</svg>
          <p><b class="display">${i + 1}</b><span>${ui.t(`how.${step}`)}</span></p>
        </li>`)}
      </ol>`,
    foot: key(ui.t("how.options"), () => ui.set({ sheet: "rules" }), { icon: "book" }),
  });
}
