// Rows by the model's chance: how many of them the player said would fall, and how many did.
import { html, svg } from "../vendor/lit-html/lit-html.js";

const LEFT = 52;
const RIGHT = 348;
const TOP = 14;
const BOTTOM = 214;
const TICKS = [0, 25, 50, 75, 100];

const x = (share) => LEFT + (RIGHT - LEFT) * share;
const y = (share) => BOTTOM - (BOTTOM - TOP) * share;

/** What the player said: a full disc. */
export const dot = (cx, cy) => svg`<circle class="plot-said" cx=${cx} cy=${cy} r="7"></circle>`;

/** What fell: an empty diamond. */
export const diamond = (cx, cy) =>
  svg`<path class="plot-fell" d="M${cx} ${cy - 8}L${cx + 8} ${cy}L${cx} ${cy + 8}L${cx - 8} ${cy}Z"></path>`;

function axes(say) {
  return svg`${TICKS.map(
    (tick) => svg`<line class="plot-line" x1=${LEFT} x2=${RIGHT} y1=${y(tick / 100)} y2=${y(tick / 100)}></line>
      <text x=${LEFT - 8} y=${y(tick / 100) + 4} text-anchor="end">${tick}</text>
      <text x=${x(tick / 100)} y=${BOTTOM + 20} text-anchor="middle">${tick}</text>`,
  )}
    <line class="plot-model" x1=${x(0)} y1=${y(0)} x2=${x(1)} y2=${y(1)}></line>
    <text x=${(LEFT + RIGHT) / 2} y=${BOTTOM + 58} text-anchor="middle">${say("past.figures.plot.x")}</text>
    <text transform="translate(14 ${(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${say("past.figures.plot.y")}</text>`;
}

/** The plot; only bands with a push in them have a place. */
export function plot(bands, say) {
  const filled = bands.filter((band) => band.n > 0);
  const words = filled.map((band) => say("past.figures.plot.band", { ...band, p: Math.round(100 * band.p) })).join(" ");
  return html`<svg class="figures-plot" viewBox="0 0 360 280" role="img" aria-label=${words}>
    ${axes(say)}
    ${filled.map(({ n, p, said, fell }) => {
      const at = x(p);
      return svg`<line class="plot-line" x1=${at} x2=${at} y1=${y(said / n)} y2=${y(fell / n)}></line>
        ${diamond(at, y(fell / n))}${dot(at, y(said / n))}
        <text x=${at} y=${BOTTOM + 38} text-anchor="middle">n ${n}</text>`;
    })}
  </svg>`;
}
