/** Three, two, one: by the server's clock, the same on every screen. */
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { numeral } from "../../../../core/objects/numerals.js";
import { actRoom, isWide, page } from "../../../../core/page.js";
import { sealed, sealTicks } from "./seals.js";

const RADIUS = 138;
const LEAST_PX = 120;
const WORDS = ["three", "two", "one", "domino"];

/** How far the count is: the step (0 is "three"), and the part of the whole that has run. */
export function countAt(countdown, now) {
  const { from_ms: from, step_ms: step, steps } = countdown;
  const gone = Math.max(0, now - from);
  return { step: Math.min(steps, Math.floor(gone / step)), part: Math.min(1, gone / (step * steps)) };
}

export function countdown(s, ui) {
  const { step, part } = countAt(s.countdown, ui.now());
  const left = s.countdown.steps - step;
  const round = 2 * Math.PI * RADIUS;
  const size = Math.max(LEAST_PX, Math.min(300, actRoom(ui) - 50, ui.height - (isWide(ui) ? 110 : sealed(s) ? 420 : 320)));
  return page(s, ui, {
    name: "countdown",
    bare: true,
    body: html`<h1 class="count-title">${ui.t("countdown.title")}</h1>
      <svg class="count" width=${size} height=${size} viewBox="-150 -150 300 300" aria-hidden="true">
        <circle r="150" fill="url(#g-countdown)"></circle>
        <circle class="count-track" r=${RADIUS}></circle>
        <circle class="count-ring" r=${RADIUS} transform="rotate(-90)" stroke-dasharray=${round}
          stroke-dashoffset=${round * (1 - part)}></circle>
        ${
          left > 0
            ? numeral(left, { x: 0, y: 0, height: 162, ink: "#fff3da" })
            : svg`<text class="count-bang display" y="52" text-anchor="middle">!</text>`
        }
      </svg>`,
    foot: html`<ol class="count-words display" aria-hidden="true">
        ${WORDS.map(
          (word, i) => html`<li class=${i < step ? "is-gone" : i === step ? "is-now" : ""}>${ui.t(`count.${word}`)}</li>`,
        )}
      </ol>
      ${sealed(s) ? sealTicks(s, ui) : ""}<p class="hint">${ui.t("countdown.hint")}</p>`,
    dark: true,
  });
}
