/** The seals of the ballots: a tick for each, and how they prove it in a sheet. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../../core/objects/marks.js";
import { tick } from "../../../../core/objects/signs.js";
import { called, seatOf } from "../../../../core/page.js";
import { sheet } from "../../../../core/sheet.js";

/** Whether there are seals to be seen now. */
export const sealed = (s) => Object.keys(s.seals ?? {}).length > 0;

const inFours = (digits) => digits.match(/.{4}/g).join(" ");

/** Everybody's tick: nothing that only a computer could read belongs beside a countdown. */
export function sealTicks(s, ui) {
  return html`<ul class="ticks ticks-sealed">
    ${s.seats
      .filter((seat) => seat.seat in s.seals)
      .map(
        (seat) => html`<li>${mark(seat.mark, { size: 26 })}${tick(true)}
          <span class="unseen">${called(s, ui, seat.seat)}</span></li>`,
      )}
  </ul>`;
}

function one(s, ui, seat, seal) {
  const side = s.reveal?.ballots[seat];
  const salt = s.reveal?.salts?.[seat];
  const words = ["domino-rig-ballot/1", s.game, s.round, seat, side, salt].join(" ");
  return html`<li class="seal">
    <b>${mark(seatOf(s, seat)?.mark ?? "circle", { size: 24 })} ${called(s, ui, seat)}${side ? html` · ${ui.t(`side.${side}`)}` : ""}</b>
    <code>${inFours(seal)}</code>
    ${salt ? html`<span class="hint">${ui.t("seals.of")}</span><code>${words}</code>` : ""}
  </li>`;
}

/** Every seal in full; once the ballots are shown, what it is the seal of. */
export function seals(s, ui) {
  const shown = Boolean(s.reveal?.salts);
  return sheet(ui, {
    id: "seals",
    heading: ui.t("seals.title"),
    body: html`<p>${ui.t("seals.lead")}</p>
      <p>${ui.t(shown ? "seals.shown" : "seals.later")}</p>
      <p class="hint">${ui.t("seals.computer")}</p>
      <ul class="seals">${Object.entries(s.seals).map(([seat, seal]) => one(s, ui, seat, seal))}</ul>`,
  });
}
