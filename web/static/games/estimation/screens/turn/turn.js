/** Your turn, before the tile stands: the supply, the row, and the dome, for the next player may call too. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { tilePicture } from "../../../../core/objects/tile.js";
import { callDome } from "./calling.js";
import { me, page, roundLabel, short, title } from "../../../../core/page.js";
import { rowStrip, standable } from "../row.js";
import { notices } from "./reading.js";

/** How a tile is stood on the pretend table: comes with `virtual.js`, as nobody else needs it. */
export const pretend = {};

/** The tiles one may take, as pictures or, on the pretend table, as keys. */
function supply(s, ui) {
  const height = ui.height < 700 ? 46 : 52;
  const values = standable(s);
  if (!s.virtual) {
    return html`<ul class="supply" aria-label=${ui.t("turn.supply")}>
      ${values.map((value) => html`<li>${tilePicture(value, { height, label: String(value) })}</li>`)}
    </ul>`;
  }
  const take = (value) => ui.set({ draft: pretend.draftOf(s, value) });
  return html`<div class="supply" role="group" aria-label=${ui.t("turn.supply")}>
    ${values.map(
      (value) => html`<button type="button" class="supply-tile" ?disabled=${!s.may.stand || !pretend.stand} @click=${() => take(value)}
        aria-label=${ui.t("turn.take", { value })}>${tilePicture(value, { height })}</button>`,
    )}
  </div>`;
}

export function turn(s, ui) {
  if (ui.local.draft && s.may.stand && pretend.stand) {
    return pretend.stand(s, ui);
  }
  const called = Boolean(s.may.call);
  const lead = s.supply.length === 0 ? "turn.lead_move" : called ? "turn.lead" : "turn.lead_first";
  return page(s, ui, {
    name: "turn",
    label: roundLabel(s, ui),
    body: html`${title(ui.t("turn.title", { name: short(me(s).name) }))}
      ${notices(s, ui) || html`<p class="lead">${ui.t(lead)}</p>`} ${supply(s, ui)} ${rowStrip(s, ui)}
      <div class="dome-place">${s.placer ? callDome(s, ui, "small") : ""}</div>`,
    foot: html`<p class="hint">${ui.t(s.virtual ? "turn.hint_virtual" : "turn.hint_camera")}</p>`,
  });
}
