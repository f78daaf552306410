/** STOP on a phone: it comes with the screens that have it. */
import { html } from "../vendor/lit-html/lit-html.js";
import { noticed } from "./page.js";

/**
 * STOP, to be pressed: the only red and the only eight-sided thing. Acts on pointerdown, without asking.
 * @param {"sign"|"bar"} shape
 */
export function stopKey(s, ui, shape) {
  const press = () => ui.send("stop");
  const sign = shape === "sign";
  return html`<button type="button" class="stop stop-${shape}"
    @pointerdown=${press} @click=${(event) => event.detail === 0 && press()}>
    <span class="stop-face">${
      sign
        ? html`<svg class="stop-inner" viewBox="0 0 100 100" aria-hidden="true">
            <path d="M29.3 0H70.7L100 29.3V70.7L70.7 100H29.3L0 70.7V29.3Z" vector-effect="non-scaling-stroke" stroke-width="2"></path>
          </svg>`
        : ""
    }<span class="stop-word">${ui.t("stop.word")}</span><span class="stop-line">${ui.t(sign ? "stop.line" : "stop.line_long")}</span></span>
  </button>`;
}

/** STOP at the foot of the menu and the drawer, which hide the notice that a screen shows. */
export const stopFoot = (s, ui) =>
  s.may.stop ? html`<div class="drawer-stop stack">${noticed(ui)}${stopKey(s, ui, "bar")}</div>` : "";
