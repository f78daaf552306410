/** STOP on a phone: it comes with the screens that have it. */
import { html } from "../vendor/lit-html/lit-html.js";

/**
 * STOP: the only red and the only eight-sided thing. Acts on pointerdown, without asking.
 * @param {{word: string, line?: string, press: () => void, shape: "sign"|"bar"}} look
 */
function stop({ word, line = "", press, shape }) {
  return html`<button type="button" class="stop stop-${shape}"
    @pointerdown=${press} @click=${(event) => event.detail === 0 && press()}>
    <span class="stop-face">${
      shape === "sign"
        ? html`<svg class="stop-inner" viewBox="0 0 100 100" aria-hidden="true">
            <path d="M29.3 0H70.7L100 29.3V70.7L70.7 100H29.3L0 70.7V29.3Z" vector-effect="non-scaling-stroke" stroke-width="2"></path>
          </svg>`
        : ""
    }<span class="stop-word">${word}</span>${line ? html`<span class="stop-line">${line}</span>` : ""}</span>
  </button>`;
}

/** STOP at the foot of the menu and the drawer. */
export const stopFoot = (s, ui) => (s.may.stop ? html`<div class="drawer-stop">${stopKey(s, ui, "bar")}</div>` : "");

/** STOP, to be pressed. */
export function stopKey(s, ui, shape) {
  return stop({
    shape,
    word: ui.t("stop.word"),
    line: ui.t(shape === "sign" ? "stop.line" : "stop.line_long"),
    press: () => ui.send("stop"),
  });
}
