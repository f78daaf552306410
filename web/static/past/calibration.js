// What a player said of rows beside what fell, in tiles that stand or lie: two lines for each of the model's chances.
import { html, svg } from "../vendor/lit-html/lit-html.js";

/** More rows than this are shown as so many parts of them. */
const MOST = 10;
const STEP = 30;
const HIGH = 30;

/** So many tiles, of which the first ones lie. */
function tiles(of, lying, kind) {
  return svg`${Array.from({ length: of }, (_, i) => {
    const x = i * STEP + 2;
    return i < lying
      ? svg`<rect class=${kind} x=${x} y=${HIGH - 9} width="24" height="7" rx="1.5"></rect>`
      : svg`<rect class="cal-up" x=${x + 8} y=${HIGH - 26} width="7" height="24" rx="1.5"></rect>`;
  })}`;
}

function line(word, of, lying, kind) {
  return html`<span class="cal-line"><span>${word}</span><svg viewBox="0 0 ${MOST * STEP} ${HIGH}" aria-hidden="true">${tiles(of, lying, kind)}</svg></span>`;
}

function band({ n, p, said, fell }, say) {
  const of = Math.min(n, MOST);
  const part = (count) => Math.round((count / n) * of);
  const percent = Math.round(100 * p);
  const words = say("past.figures.plot.band", { n, p: percent, said, fell });
  return html`<li><p>${say("past.cal.model", { p: percent })} · ${say("past.cal.rows", { count: n })}</p>
    <div class="cal-lines" role="img" aria-label=${words}>${line(say("past.cal.said"), of, part(said), "cal-said")}${line(say("past.cal.fell"), of, part(fell), "cal-fell")}</div></li>`;
}

/** The drawing; empty for whoever has nothing to be compared by. */
export function calibration({ bands }, say) {
  const filled = bands.filter((each) => each.n > 0);
  if (!filled.length) return "";
  return html`<figure class="cal"><figcaption><b>${say("past.cal")}</b> ${say("past.cal.why")}</figcaption>
    <ol>${filled.map((each) => band(each, say))}</ol></figure>`;
}
