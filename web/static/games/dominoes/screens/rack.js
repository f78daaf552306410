/** One's own bones on a rail at the foot of the page: up to seven in a row, more in two, many slide. */
import { html, nothing } from "../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../vendor/lit-html/directives/repeat.js";
import { isWide, room } from "../../../core/page.js";
import { bonePicture } from "../objects/bone.js";
import { accountWords } from "./others.js";

const BONE_PX = 44;
/** px per mm: 44 x 88. */
const U = BONE_PX / 24;
const LEAST_GAP_PX = 2;

/** A bone that is tapped, or carried to an end. */
function shown(bone, isChosen, ui, hand) {
  return html`<button type="button" class="rack-bone ${isChosen ? "is-chosen" : ""}" data-bone=${bone} aria-label=${bone}
    aria-pressed=${isChosen ? "true" : "false"} @click=${hand.click} @pointerdown=${hand.down} @pointermove=${hand.move}
    @pointerup=${hand.up} @pointercancel=${hand.cancel} @lostpointercapture=${hand.cancel}>${bonePicture(bone, { u: U })}</button>`;
}

/** @param {{rows: number, chosen: string|null, fits: string[], hands: (bone: string, slides: boolean) => object}} how */
export function rack(s, ui, { rows, chosen, fits, hands }) {
  const hand = [...s.hand].sort();
  const columns = Math.ceil(hand.length / rows);
  const width = isWide(ui) ? room(ui) : Math.min(ui.width, 560) - 24;
  const slides = columns > Math.floor((width + LEAST_GAP_PX) / (BONE_PX + LEAST_GAP_PX));
  const inRows = Array.from({ length: rows }, (_, row) => hand.slice(row * columns, (row + 1) * columns));
  const where = fits.length > 1 ? "both" : fits[0] || "first";
  const words = chosen ? ui.t(`rack.${where}`, { bone: chosen }) : slides ? ui.t("rack.slide") : accountWords(s, ui, s.you.seat);
  return html`<div class="rack rack-${rows} ${slides ? "is-sliding" : ""}">
    <div class="rack-bones" role="group" aria-label=${ui.t("rack.own")} tabindex=${slides ? "0" : nothing}>
      ${inRows.map((row) => html`<div class="rack-row">${repeat(row, (bone) => bone, (bone) => shown(bone, bone === chosen, ui, hands(bone, slides)))}</div>`)}
    </div>
    <p class="rack-words"><b>${slides ? ui.t("rack.count", { count: hand.length }) : ui.t("rack.own")}</b><span>${words}</span></p>
  </div>`;
}
