/** The code that gives a seat to another phone: good once, for a short while. */
import { html } from "../vendor/lit-html/lit-html.js";
import { key, nameOf } from "../core/page.js";
import { sheet } from "../core/sheet.js";

export function ticket(s, ui) {
  const { seat, qr, url, until } = ui.local.ticket ?? {};
  const name = nameOf(s, ui, seat);
  const left = until ? Math.max(0, Math.ceil((until - ui.now()) / 1000)) : 0;
  const good = Boolean(qr) && left > 0;
  return sheet(ui, {
    id: "ticket",
    heading: ui.t("ticket.title", { name }),
    body: html`<p>${ui.t(seat === s.you.seat ? "ticket.lead_you" : "ticket.lead", { name })}</p>
      ${
        good
          ? html`<figure class="qr"><img src=${qr} alt=${ui.t("ticket.picture")} />
              <figcaption><span class="qr-url">${url}</span></figcaption></figure>
              <p class="hint" role="timer">${ui.t("ticket.left", { count: left })}</p>`
          : html`<p class="hint">${ui.t("ticket.over")}</p>`
      }
      ${key(ui.t("ticket.new"), () => ui.ticket(seat), { icon: "code" })}`,
  });
}
