/** The evening as a row of tiles on a shelf: what is done lies, what is to do stands. */
import { html, svg } from "../../vendor/lit-html/lit-html.js";
import { numeral } from "../../core/objects/numerals.js";

const WIDTH = 44;
const HEIGHT = 64;

function upright(number, now) {
  const [w, h] = now ? [26, 50] : [20, 38];
  const x = (WIDTH - w) / 2;
  const y = HEIGHT - 6 - h;
  return svg`<rect x=${x} y=${y} width=${w} height=${h} rx="3" class=${now ? "shelf-now" : "shelf-tile"}></rect>
    ${numeral(number, { x: WIDTH / 2, y: y + h / 2, height: now ? 17 : 13, ink: "#3a2210", glint: true })}
    ${now ? svg`<path d="M${WIDTH / 2 - 7} 0H${WIDTH / 2 + 7}L${WIDTH / 2} 7Z" class="shelf-wedge"></path>` : ""}`;
}

function lying(now) {
  const w = now ? 40 : 36;
  return svg`<rect x=${(WIDTH - w) / 2} y=${HEIGHT - 17} width=${w} height="11" rx="2.5" class=${now ? "shelf-now" : "shelf-tile"}></rect>
    ${now ? svg`<path d="M${WIDTH / 2 - 7} 30H${WIDTH / 2 + 7}L${WIDTH / 2} 38Z" class="shelf-wedge"></path>` : ""}`;
}

/** @param {object} page */
export function shelf(page) {
  const { say, told } = page;
  return html`<nav class="setup-shelf" aria-label=${say("setup.page")}><ol>${told.steps.map((step, at) => {
    const done = step.mark === "fine" || step.mark === "off";
    const now = step.name === told.at;
    const name = say("setup.step", { n: at + 1, of: told.steps.length, name: say(`setup.name.${step.name}`) });
    return html`<li><button type="button" class="shelf-key shelf-${step.mark}" aria-current=${now ? "step" : "false"}
      aria-label="${name}: ${say(`setup.mark.${step.mark}`)}" @click=${() => page.go(step.name)}>
      <svg width=${WIDTH} height=${HEIGHT} viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-hidden="true">
        ${done ? lying(now) : upright(at + 1, now)}
        ${step.mark === "failed" ? svg`<circle cx=${WIDTH - 8} cy="12" r="6" class="shelf-fault"></circle>` : ""}
      </svg></button></li>`;
  })}</ol></nav>`;
}
