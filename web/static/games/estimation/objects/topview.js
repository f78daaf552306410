/** The work area from above, in millimetres, for standing a tile by finger. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { flip, foot, tileTop } from "./tiletop.js";

/**
 * @param {object} scene
 * @param {Array<object>} scene.row
 * @param {{x_mm: number, y_mm: number, heading_deg: number, orientation: string, value: number}} scene.draft
 * @param {{x: number[], y: number[]}} scene.area
 * @param {object} scene.size of a tile, in mm
 * @param {{x: number, y: number, span: number}} scene.view middle and width of what is shown, in mm
 * @param {number} scene.width px
 * @param {number} scene.height px
 * @param {number[]} scene.met values of the tiles that the draft cuts through
 * @param {string} scene.label
 * @param {object} scene.on pointer and key handlers
 */
export function topView({ row, draft, area, size, view, width, height, met, label, on }) {
  const perPx = view.span / width;
  const touching = met.length > 0;
  const tall = height * perPx;
  const coin = Math.max(7, Math.min(11, 13 * perPx));
  const top = flip(area, view.y) - tall / 2;
  const box = `${view.x - view.span / 2} ${top} ${view.span} ${tall}`;
  const feet = row.map((tile) => `${tile.x_mm} ${flip(area, tile.y_mm)}`).join("L");
  const x = draft.x_mm;
  const y = flip(area, draft.y_mm);
  const grip = 58 * perPx;
  const hit = 30 * perPx;
  const { deep, wide } = foot(draft, size);
  return html`<svg class="topview" width=${width} height=${height} viewBox=${box} tabindex="0" role="group"
    aria-label=${label} aria-describedby="topview-how" @pointerdown=${on.down} @pointermove=${on.move}
    @pointerup=${on.up} @pointercancel=${on.up} @keydown=${on.key}>
    <rect class="top-area" x=${area.x[0]} y=${area.y[0]} width=${area.x[1] - area.x[0]} height=${area.y[1] - area.y[0]} rx="6"></rect>
    ${row.length > 1 ? svg`<path class="top-line" d="M${feet}" stroke-width=${1.5 * perPx + 0.6}></path>` : ""}
    ${row.map((tile) => tileTop(tile, { area, size, coin }))}
    ${row.filter((tile) => met.includes(tile.value)).map((tile) => {
      const { deep: thick, wide: broad } = foot(tile, size);
      return svg`<rect class="top-met" transform="translate(${tile.x_mm} ${flip(area, tile.y_mm)}) rotate(${-tile.heading_deg})"
        x=${-thick / 2 - 2.6} y=${-broad / 2 - 2.6} width=${thick + 5.2} height=${broad + 5.2} rx="2.6" stroke-width=${2.4 * perPx}></rect>`;
    })}
    <g data-grip="tile">
      <circle cx=${x} cy=${y} r=${Math.max(hit, wide / 2 + 4)} fill="transparent"></circle>
      ${tileTop(draft, { area, size, coin, mode: "is-draft" })}
      <g transform="translate(${x} ${y}) rotate(${-draft.heading_deg})">
        <rect class="top-ring-rim" x=${-deep / 2 - 3.4} y=${-wide / 2 - 3.4} width=${deep + 6.8} height=${wide + 6.8} rx="3.6"
          stroke-width=${touching ? 0 : Math.max(2.2, 4.4 * perPx)}></rect>
        <rect class="top-ring ${touching ? "is-touching" : ""}" x=${-deep / 2 - 3.4} y=${-wide / 2 - 3.4} width=${deep + 6.8}
          height=${wide + 6.8} rx="3.6" stroke-width=${Math.max(1.2, 2.4 * perPx)}></rect>
      </g>
    </g>
    <g data-grip="turn" class="top-turn" transform="translate(${x} ${y}) rotate(${-draft.heading_deg})">
      <path d="M${deep / 2 + 4} 0H${grip - 15 * perPx}" stroke-width=${2 * perPx}></path>
      <circle cx=${grip} cy="0" r=${24 * perPx} fill="transparent" stroke="none"></circle>
      <circle class="top-knob" cx=${grip} cy="0" r=${14 * perPx} stroke-width=${2 * perPx}></circle>
      <g transform="translate(${grip} 0) scale(${perPx})">
        <path class="top-knob-arrow" d="M-2.5 -6.5A7 7 0 0 1 -2.5 6.5M-6.5 4.5L-2.5 7L-1.5 2.4" stroke-width="2"></path>
      </g>
    </g>
  </svg>`;
}
