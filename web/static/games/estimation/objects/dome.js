/** The Domino! dome: raised when it may be pressed, a flat disc with its own words in every other state. */
import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";

/** The raised brass dome in its walnut ring. */
export const raised = svg`
  <ellipse cx="176" cy="184" rx="171" ry="171" fill="#000" fill-opacity=".36"></ellipse>
  <circle cx="172" cy="172" r="170" fill="url(#g-ring)" stroke="#22110a" stroke-width="2.4"></circle>
  <circle cx="172" cy="172" r="160" fill="none" stroke="#c9965f" stroke-opacity=".55" stroke-width="1.4"></circle>
  <circle cx="172" cy="177" r="152" fill="#7d4b10"></circle>
  <circle cx="172" cy="172" r="152" fill="url(#g-brass)" stroke="#5b3407" stroke-width="1.6"></circle>
  <path d="M60 110A132 132 0 0 1 190 38" fill="none" stroke="#fff7e1" stroke-opacity=".75" stroke-width="7"
    stroke-linecap="round"></path>`;

const DISCS = {
  sent: { fill: "url(#g-sent)", line: "#ffdf9e" },
  recorded: { fill: "url(#g-recorded)", line: "#5b3407" },
  early: { fill: "url(#g-early)", line: "#e9c58d" },
  yours: { fill: "url(#g-early)", line: "#e9c58d", dashed: true },
  wait: { fill: "url(#g-early)", line: "#e9c58d", dashed: true },
  nolink: { fill: "url(#g-nolink)", line: "#f3efe6", dashed: true },
};

function flat(state) {
  const { fill, line, dashed } = DISCS[state];
  return svg`<circle cx="172" cy="172" r="168" fill=${fill} stroke=${line} stroke-width="4.5"
    stroke-dasharray=${dashed ? "17 12" : nothing}></circle>`;
}

/**
 * @param {object} look
 * @param {"ready"|"sent"|"recorded"|"early"|"yours"|"wait"|"nolink"} look.state
 * @param {string} look.word the one large word
 * @param {string} look.line the small line under it
 * @param {"large"|"small"} [look.size] small where the supply needs room too
 * @param {() => void} look.press runs on pointerdown, or on Enter and Space
 */
export function dome({ state, word, line, size = "large", press }) {
  const ready = state === "ready";
  const down = (event) => {
    if (ready && event.button === 0) {
      press();
    }
  };
  const click = (event) => {
    if (ready && event.detail === 0) {
      press();
    }
  };
  return html`<button type="button" class="dome dome-${state} dome-${size}" aria-disabled=${ready ? nothing : "true"}
    @pointerdown=${down} @click=${click}>
    <svg viewBox="0 0 344 344" aria-hidden="true">${ready ? raised : flat(state)}</svg>
    <span class="dome-text">
      <span class="dome-word display">${word}</span>
      <span class="dome-line">${line}</span>
    </span>
  </button>`;
}
