// Three, two, one, domino: by the server's time, so that all screens agree.
import { svg } from "../vendor/lit-html/lit-html.js";
import { numeral } from "../objects.js";

const WORDS = ["three", "two", "one", "domino"];
const RADIUS = 235;
const ROUND = 2 * Math.PI * RADIUS;
const WORD_X = [600, 830, 1050, 1330];

/** Which step runs (0 to steps; steps is "domino!") and how far it has come, 0 to 1. */
export function countAt({ from_ms, step_ms, steps }, now) {
  const passed = Math.max(0, (now - from_ms) / step_ms);
  const step = Math.min(steps, Math.floor(passed));
  return { step, share: step === steps ? 1 : passed - step };
}

const word = (say, step) => (name, i) => svg`<text x=${WORD_X[i]} y="942" text-anchor="middle"
  class="count-word ${i < step ? "said" : i === step ? "now" : ""}">${say(`table.count.${name}`)}</text>`;

export function countdownScreen(ctx) {
  const { snap, say } = ctx;
  const { step, share } = countAt(snap.countdown, ctx.now());
  const left = snap.countdown.steps - step;
  if (left > 0) ctx.frame();
  const ring = ctx.still ? 1 : share;
  return {
    name: "countdown",
    title: say("table.count.title"),
    line: say("table.count.line"),
    mood: "night",
    label: left > 0 ? String(left) : say("table.count.domino"),
    art: svg`<circle cx="960" cy="560" r="430" fill="url(#t-spot)"></circle>
      <circle cx="960" cy="560" r=${RADIUS} class="count-track"></circle>
      ${
        left > 0
          ? svg`<circle cx="960" cy="560" r=${RADIUS} class="count-ring" transform="rotate(-90 960 560)"
              stroke-dasharray="${ring * ROUND} ${ROUND}"></circle>
            ${numeral(left, { x: 960, y: 560, height: 270 })}`
          : svg`<text x="960" y="606" text-anchor="middle" class="count-domino">${say("table.count.domino")}</text>`
      }
      ${WORDS.map(word(say, step))}`,
    quiet: true,
  };
}
