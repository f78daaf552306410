/** The pusher guided behind the row, and the finger that pushes where there is none: fetched when it is so. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { met, toggle } from "../../../../core/objects/arm.js";
import { triangle } from "../../../../core/objects/signs.js";
import { aimView, aimWords } from "../../objects/aimview.js";
import { key, nameOf, page, room, title } from "../../../../core/page.js";
import { stopKey } from "../../../../core/stop.js";
import { aim } from "./push.js";

const STEPS = 3;

/** How the pusher has to be moved, large enough to be read at arm's length. */
function guide(s, ui) {
  const { guide: told } = s.push;
  if (!told.seen) {
    return html`<div class="card advice">${triangle(28)}<p>${ui.t("aim.unseen")}</p></div>
      <ul class="conditions"><li><span>${ui.t("aim.by_eye", { value: s.push.value })}</span>
      ${toggle({ on: Boolean(ui.drafts.byEye), label: ui.t("aim.by_eye", { value: s.push.value }), flip: () => ui.draft({ byEye: !ui.drafts.byEye }) })}
      </li></ul>`;
  }
  const words = aimWords(told, (word, params) => ui.t(`aim.${word}`, params));
  if (told.right) {
    return html`<p class="card advice aim-right" role="status">${met(true)}<span>${words}</span></p>`;
  }
  return html`<div class="dome-place">${aimView(told, words, Math.min(room(ui) * 0.82, ui.height < 700 ? 180 : 250))}</div>
    <p class="title title-long display" role="status">${words}</p>
    ${s.may.aim ? key(ui.t("aim.put"), () => ui.send("aim")) : ""}`;
}

/** Three, two, one, now: by the table's clock, on every phone. */
function finger(s, ui) {
  const { now_ms: now, toppler, value } = s.push;
  const left = Math.ceil((now - ui.now()) / 800);
  const mine = toppler === s.you.seat;
  const count = left > 0 ? String(Math.min(left, STEPS)) : ui.t("finger.now");
  const line = mine ? ui.t(left > 0 ? "finger.wait" : "finger.push", { value }) : ui.t("handsoff.line", { name: nameOf(s, ui, toppler), value });
  return page(s, ui, {
    name: "finger",
    label: ui.t("push.rail"),
    body: html`<div class="middle">${mine ? "" : title(ui.t("handsoff.title"))}
      <div role="timer" aria-live="off" aria-label=${count}><svg class="display" width=${room(ui)} viewBox="0 0 320 110" aria-hidden="true">
        <text x="160" y="88" text-anchor="middle" fill="currentColor" font-size=${left > 0 ? 100 : 66}>${count}</text></svg></div>${mine ? title(line, { size: "title-s" }) : html`<p class="lead">${line}</p>`}</div>`,
    foot: html`${mine && left <= 0 && s.may.touch ? key(ui.t("finger.touch"), () => ui.send("touch")) : ""}
      ${s.may.stop ? stopKey(s, ui, "bar") : ""}`,
  });
}

Object.assign(aim, { guide, finger });
