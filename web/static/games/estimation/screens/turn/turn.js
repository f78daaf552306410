/** Your turn, before the tile stands: the supply, the row, and the dome, for the next player may call too. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { tilePicture } from "../../../../core/objects/tile.js";
import { callDome } from "./calling.js";
import { byHand, isWide, nameOf, page, room, roundLabel, title } from "../../../../core/page.js";
import { placeWords, rowStrip, standable } from "../row.js";
import { notices, pretend, quietly, refusal } from "./reading.js";

/** px from one tile to the next on a phone held sideways. */
const WIDE_PITCH = 60;

/** px per mm of the row at most: beside the supply there is less room for it. */
function mostOf(ui, more) {
  const [least, most] = [0.7, 1.5];
  return { most: isWide(ui) ? Math.max(least, Math.min(most, (ui.height - 315) / 48)) : more && ui.height < 700 ? 0.8 : most };
}

/** The tiles one may take, as pictures or, on the pretend table, as keys. */
function supply(s, ui) {
  const values = standable(s);
  const oneRow = values.length * WIDE_PITCH <= room(ui);
  const height = isWide(ui) ? (oneRow ? 72 : 42) : ui.height < 700 ? 46 : 52;
  if (!s.virtual) {
    return html`<ul class="supply" aria-label=${ui.t("turn.supply")}>
      ${values.map((value) => html`<li>${tilePicture(value, { height, label: String(value) })}</li>`)}
    </ul>`;
  }
  const hands = (value) => pretend.carry?.(s, ui, value, () => ui.draft({ tile: pretend.draftOf(s, value) })) ?? {};
  return html`<div class="supply" role="group" aria-label=${ui.t("turn.supply")}>
    ${values.map((value) => {
      const hand = hands(value);
      return html`<button type="button" class="supply-tile" ?disabled=${!s.may.stand || !pretend.stand}
        @click=${hand.click} @pointerdown=${hand.down} @pointermove=${hand.move} @pointerup=${hand.up}
        @pointercancel=${hand.cancel} @lostpointercapture=${hand.cancel}
        aria-label=${ui.t("turn.take", { value })}>${tilePicture(value, { height })}</button>`;
    })}
  </div>`;
}

/** The places of the row, while a tile is carried to it. */
function places(s, ui) {
  const { carried } = ui.drafts;
  return carried && s.row.length
    ? { chosen: carried.position, pick() {}, name: (position) => placeWords(ui, s.row, position) }
    : undefined;
}

/** How a tile gets into the row. */
function hint(s) {
  if (byHand(s)) {
    return s.devices.photographs ? "turn.hint_photo" : "turn.hint_hand";
  }
  return s.virtual ? "turn.hint_virtual" : "turn.hint_camera";
}

/** Whether a tile may be stood now: none has come that the camera has to read first. */
export function isFree(s, ui) {
  const state = s.reading?.state ?? "waiting";
  return (state === "waiting" || (state === "looking" && s.may.stand)) && !ui.pending("stand", s.you.seat);
}

export function turn(s, ui) {
  if (ui.drafts.tile && s.may.stand && pretend.stand) {
    return pretend.stand(s, ui);
  }
  const called = Boolean(s.may.call);
  const more = notices(s, ui);
  const asked = byHand(s) && s.devices.photographs;
  const tiny = asked && ui.height < 600;
  const refused = asked && ui.local.notice; // what was wrong with the photo comes first
  const crowded = tiny || (ui.height < 700 && s.placer && (more || standable(s).length > 6));
  const lead = s.supply.length === 0 ? "turn.lead_move" : called ? "turn.lead" : "turn.lead_first";
  return page(s, refused ? quietly(ui) : ui, {
    name: "turn",
    label: roundLabel(s, ui),
    body: html`${title(ui.t("turn.title", { name: nameOf(s, ui, s.you.seat) }), { names: true })}
      ${refused ? refusal(refused) : more || html`<p class="lead">${ui.t(lead)}</p>`}
      ${refused ? "" : rowStrip(s, ui, { ...mostOf(ui, more), choose: places(s, ui) })}`,
    act: s.placer ? html`<div class="dome-place">${callDome(s, ui, "small")}</div>` : "",
    shelf: supply(s, ui),
    foot: html`${crowded ? "" : html`<p class="hint">${ui.t(hint(s))}</p>`}
      ${byHand(s) && s.may.stand && (asked || !crowded) ? (pretend.photo?.(s, ui) ?? "") : ""}`,
  });
}
