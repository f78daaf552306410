/** A sheet that slides over a screen: the page behind it is inert, Escape closes it. */
import { html } from "../vendor/lit-html/lit-html.js";
import { key } from "./common.js";

export const close = (ui) => () => ui.set({ sheet: null, confirm: null });

/** @param {{id: string, heading: string, body: any, foot?: any, grip?: boolean}} parts */
export function sheet(ui, { id, heading, body, foot = "", grip = false }) {
  const escape = (event) => event.key === "Escape" && close(ui)();
  return html`<div class="veil" @click=${close(ui)}></div>
    <section class="sheet sheet-${id}" role="dialog" aria-modal="true" aria-labelledby="sheet-title" @keydown=${escape}>
      ${grip ? html`<span class="grip" aria-hidden="true"></span>` : ""}
      <header class="sheet-head">
        <h2 class="display" id="sheet-title">${heading}</h2>
        ${key(ui.t("close"), close(ui))}
      </header>
      <div class="sheet-body">${body}</div>
      ${foot}
    </section>`;
}
