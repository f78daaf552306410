/** Somebody knocked the row over: who claims it, who says so, what follows. */
import { html } from "../vendor/lit-html/lit-html.js";
import { mark } from "../objects.js";
import { called, capital, key, lamp, nameOf, page, rowStrip, seatOf, title } from "./common.js";

export function accident(s, ui) {
  const { culprit, by, denied } = s.accident;
  const mine = culprit !== null && culprit === s.you.seat;
  const params = { name: culprit ? nameOf(s, ui, culprit) : "", by: called(s, ui, by), count: s.seats.length - 1 };
  const heading = culprit === null ? "accident.nobody" : mine ? "accident.you" : "accident.title";
  const claim = by === s.you.seat ? "accident.by_you" : "accident.by";
  const lead = culprit === null ? "accident.lead_nobody" : mine ? "accident.lead_you" : "accident.lead";
  const yes = s.may.accident_confirm
    ? lamp(ui.t(mine ? "accident.yes_you" : "accident.yes"), () => ui.send("accident_confirm"))
    : "";
  const no = s.may.accident_reject ? key(ui.t("accident.no"), () => ui.send("accident_reject")) : "";
  return page(s, ui, {
    name: "accident",
    body: html`<p class="kicker">${capital(ui.t(claim, params))}</p>
      ${title(ui.t(heading, params))}
      ${culprit ? html`<div class="big-mark">${mark(seatOf(s, culprit)?.mark, { size: 96 })}</div>` : ""}
      <p class="lead">${ui.t(lead, params)}</p>
      ${denied ? html`<p class="lead">${ui.t("accident.denied", params)}</p>` : ""} ${rowStrip(s, ui)}`,
    foot: yes || no ? html`${yes} ${no}` : html`<p class="hint">${ui.t("accident.wait")}</p>`,
  });
}
