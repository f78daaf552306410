/** Somebody knocked the row over: who claims it, who says so, what follows. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../../core/objects/marks.js";
import { called, capital, key, lamp, nameOf, page, seatOf, title } from "../../../../core/page.js";
import { rowStrip, tileNames } from "../row.js";

export function accident(s, ui) {
  const { culprit, by, denied, kind, seen = [], all_up: allUp } = s.accident;
  const wrongEnd = kind === "wrong_end";
  const stood = wrongEnd && s.options?.wrong_end === "stood";
  const mine = culprit !== null && culprit === s.you.seat;
  const params = { name: culprit ? nameOf(s, ui, culprit) : "", by: called(s, ui, by), count: s.seats.length - 1 };
  const who = culprit === null ? "nobody" : mine ? "you" : "title";
  const heading = culprit !== null && wrongEnd ? `accident.end.${who}` : `accident.${who}`;
  const claim = by === s.you.seat ? "accident.by_you" : "accident.by";
  // What the camera has noticed is a question to people, and nobody has said it yet.
  const kicker = seen.length
    ? ui.t("accident.seen", { values: tileNames(ui, seen), count: seen.length })
    : capital(ui.t(claim, params));
  const lead = stood ? "accident.lead_stood" : culprit === null ? "accident.lead_nobody" : mine ? "accident.lead_you" : "accident.lead";
  const yes = s.may.accident_confirm
    ? lamp(ui.t(mine ? "accident.yes_you" : "accident.yes"), () => ui.send("accident_confirm"))
    : "";
  const no = s.may.accident_reject ? key(ui.t("accident.no"), () => ui.send("accident_reject")) : "";
  const back = s.may.accident_withdraw ? key(ui.t("accident.withdraw"), () => ui.send("accident_withdraw")) : "";
  return page(s, ui, {
    name: "accident",
    body: html`<p class="kicker">${kicker}</p>
      ${title(ui.t(seen.length ? `accident.ask.${wrongEnd ? "end." : ""}${who}` : heading, params))}
      ${culprit ? html`<div class="big-mark">${mark(seatOf(s, culprit)?.mark, { size: 96 })}</div>` : ""}
      ${allUp ? html`<p class="lead"><b>${ui.t("accident.all_up")}</b></p>` : ""}
      <p class="lead">${ui.t(lead, params)}</p>
      ${denied ? html`<p class="lead">${ui.t("accident.denied", params)}</p>` : ""} ${rowStrip(s, ui)}`,
    foot: yes || no || back ? html`${yes} ${no} ${back}` : html`<p class="hint">${ui.t("accident.wait")}</p>`,
  });
}
