// Three, two, one, domino: by the server's time, so that all screens agree.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { numeral } from "../../../../core/objects/numerals.js";
import { wordWidth } from "../../../../table/width.js";

const WORDS = ["three", "two", "one", "domino"];
const RADIUS = 235;
const ROUND = 2 * Math.PI * RADIUS;
const GAP = 56;

/** Which step runs (0 to steps; steps is "domino!") and how far it has come, 0 to 1. */
export function countAt({ from_ms, step_ms, steps }, now) {
  const passed = Math.max(0, (now - from_ms) / step_ms);
  const step = Math.min(steps, Math.floor(passed));
  return { step, share: step === steps ? 1 : passed - step };
}

// The four words in one line round the middle; the one that is said now is larger.
function words(say, step) {
  const said = WORDS.map((name) => say(`table.count.${name}`));
  const widths = said.map((word, i) => 1.1 * wordWidth(word, i === step ? 84 : 62));
  let left = 960 - (widths.reduce((sum, w) => sum + w, 0) + GAP * (said.length - 1)) / 2;
  return said.map((word, i) => {
    const x = left + widths[i] / 2;
    left += widths[i] + GAP;
    return svg`<text x=${x} y="942" text-anchor="middle"
      class="t-count-word ${i < step ? "t-said" : i === step ? "t-now" : ""}">${word}</text>`;
  });
}

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
    mood: "t-night",
    label: left > 0 ? String(left) : say("table.count.domino"),
    art: svg`<circle cx="960" cy="560" r="640" fill="url(#t-spot)"></circle>
      ${
        left > 0
          ? svg`<circle cx="960" cy="560" r=${RADIUS} class="t-count-track"></circle>
            <circle cx="960" cy="560" r=${RADIUS} class="t-count-ring" transform="rotate(-90 960 560)"
              stroke-dasharray="${ring * ROUND} ${ROUND}"></circle>
            ${numeral(left, { x: 960, y: 560, height: 270 })}
            ${words(say, step)}`
          : svg`<text x="960" y="606" text-anchor="middle" class="t-count-domino">${say("table.count.domino")}</text>`
      }`,
    quiet: true,
  };
}
