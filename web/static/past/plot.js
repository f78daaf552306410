// Rows by the model's chance: how many of them the player said would fall, and how many did.
import { html, svg } from "../vendor/lit-html/lit-html.js";

/** As wide as it is on the smallest phone, where its letters are the smallest. */
const WIDTH = 240;
const LEFT = 36;
const RIGHT = 225;
const TOP = 12;
const BOTTOM = 162;
const TICKS = [0, 25, 50, 75, 100];

const x = (share) => LEFT + (RIGHT - LEFT) * share;
const y = (share) => BOTTOM - (BOTTOM - TOP) * share;

/** What the player said: a full disc. */
export const dot = (cx, cy) => svg`<circle class="plot-said" cx=${cx} cy=${cy} r="7"></circle>`;

/** What fell: an empty diamond. */
export const diamond = (cx, cy) =>
  svg`<path class="plot-fell" d="M${cx} ${cy - 8}L${cx + 8} ${cy}L${cx} ${cy + 8}L${cx - 8} ${cy}Z"></path>`;

function axes() {
  return svg`${TICKS.map(
    (tick) => svg`<line class="plot-line" x1=${LEFT} x2=${RIGHT} y1=${y(tick / 100)} y2=${y(tick / 100)}></line>
      <text x=${LEFT - 8} y=${y(tick / 100) + 5} text-anchor="end">${tick}</text>
      <text x=${x(tick / 100)} y=${BOTTOM + 22} text-anchor="middle">${tick}</text>`,
  )}
    <line class="plot-model" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)}></line>`;
}

/** The plot; only bands with a push in them have a place. */
export function plot(bands, say) {
  const filled = bands.filter((band) => band.n > 0);
  const words = filled.map((band) => say("past.figures.plot.band", { ...band, p: Math.round(100 * band.p) })).join(" ");
  return html`<p class="plot-axis">${say("past.figures.plot.y")}</p>
    <svg class="figures-plot" viewBox="0 0 ${WIDTH} ${BOTTOM + 30}" role="img" aria-label=${words}>
      ${axes()}
      ${filled.map(({ n, p, said, fell }) => {
        const at = x(p);
        return svg`<line class="plot-line" x1=${at} x2=${at} y1=${y(said / n)} y2=${y(fell / n)}></line>
          ${diamond(at, y(fell / n))}${dot(at, y(said / n))}`;
      })}
    </svg>
    <p class="plot-axis plot-below">${say("past.figures.plot.x")}</p>`;
}
