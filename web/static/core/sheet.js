/** A sheet that slides over a screen: the page behind it is inert, Escape and the way back close it. */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { key } from "./page.js";

export const close = (ui) => () => ui.set({ sheet: null, confirm: null });

/** Whether a step of the browser's history stands for what is open. */
let stepped = false;

/** Have the browser's way back close what is open, before it leaves the page. */
function backCloses(ui) {
  if (!stepped) {
    history.pushState("sheet", "");
    stepped = true;
  }
  window.onpopstate = () => {
    stepped = false;
    if (ui.local.sheet) {
      close(ui)();
    }
  };
}

/** @param {{id: string, heading: string, body: any, foot?: any}} parts */
export function sheet(ui, { id, heading, body, foot = "" }) {
  backCloses(ui);
  const escape = (event) => event.key === "Escape" && close(ui)();
  return html`<div class="veil" @click=${close(ui)}></div>
    <section class="sheet sheet-${id}" role="dialog" aria-modal="true" aria-labelledby="sheet-title" @keydown=${escape}>
      <header class="sheet-head">
        <h2 class="display" id="sheet-title">${heading}</h2>
        ${key(ui.t("close"), close(ui))}
      </header>
      <div class="sheet-body">${body}</div>
      ${foot}
    </section>`;
}

/** A key that asks once more before it acts: two quick taps are no answer. */
export function sure(ui, id, word, run, asks = "drawer.sure") {
  const { confirm, asked } = ui.local;
  const ask = () => ui.set({ confirm: id, asked: performance.now() });
  return confirm === id ? key(ui.t(asks), () => performance.now() - asked > 550 && run()) : key(word, ask);
}

/** One of a few, as plates to press; named by the text with the id `menu-<name>`. */
export function choice(name, options, chosen, pick) {
  return html`<div class="choices choices-${name}" role="radiogroup" aria-labelledby="menu-${name}">
    ${options.map(
      ([value, word, lang]) => html`<label class="choice">
        <input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => pick(value)} />
        <span lang=${lang ?? nothing}>${word}</span>
      </label>`,
    )}
  </div>`;
}
