/** The ticks, the warning and the small signs on keys. */
import { html, svg } from "../../vendor/lit-html/lit-html.js";

/** A tick in its box: in, or still open. */
export function tick(on) {
  return html`<svg class="tick ${on ? "tick-on" : "tick-off"}" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
    <rect x="1.5" y="1.5" width="23" height="23" rx="6"></rect>
    ${on ? svg`<path d="M7 13.6L11.4 18L19.4 8.6"></path>` : ""}
  </svg>`;
}

/** The warning triangle of faults and advice. */
export function triangle(size = 34) {
  return html`<svg class="warning" width=${size} height=${size} viewBox="0 0 34 34" aria-hidden="true">
    <path d="M17 4L31.5 29.5H2.5Z" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linejoin="round"></path>
    <path d="M17 13V20.5M17 24.6V25" stroke="currentColor" stroke-width="3" stroke-linecap="round"></path>
  </svg>`;
}

const SIGNS = {
  dots: "M12 5V5.01M12 12V12.01M12 19V19.01",
  move: "M8 20V5M4.5 8.5L8 4.8L11.5 8.5M16 4V19M12.5 15.5L16 19.2L19.5 15.5",
  up: "M12 19V6M6.5 11L12 5.4L17.5 11",
  down: "M12 5V18M6.5 13L12 18.6L17.5 13",
  pause: "M8.5 5V19M15.5 5V19",
  play: "M7 5L18.5 12L7 19Z",
  bot: "M6 9H18V18H6ZM12 9V5.5M9.5 13V13.01M14.5 13V13.01",
  topple: "M4 19H20M6.5 18.5L12 5L16 8.5",
  void: "M4 8H20M7 8V18.5H17V8M9.5 8V5.5H14.5V8",
  remove: "M6 6L18 18M18 6L6 18",
  left: "M8 5.2A8 8 0 1 1 4.6 14M8.6 10.4V5H3.4",
  right: "M16 5.2A8 8 0 1 0 19.4 14M15.4 10.4V5H20.6",
  plus: "M12 5V19M5 12H19",
  minus: "M5 12H19",
  lock: "M6.5 11H17.5V19.5H6.5ZM8.5 11V8.5A3.5 3.5 0 0 1 15.5 8.5V11",
  grab: "M5 8H19M5 12H19M5 16H19",
  next: "M9 5L16 12L9 19",
  west: "M20 12H5M10 6.5L4.6 12L10 17.5",
  east: "M4 12H19M14 6.5L19.4 12L14 17.5",
  bone: "M3.5 7.5H20.5V16.5H3.5ZM12 7.5V16.5M7.8 12V12.01M15 10.2V10.21M17.6 13.8V13.81",
  book: "M5 5H10.5A1.5 1.5 0 0 1 12 6.5V19A1.5 1.5 0 0 0 10.5 17.5H5ZM19 5H13.5A1.5 1.5 0 0 0 12 6.5V19A1.5 1.5 0 0 1 13.5 17.5H19Z",
  clock: "M12 4A8 8 0 1 1 11.99 4ZM12 8V12.3L15 14",
  code: "M4 4H10V10H4ZM14 4H20V10H14ZM4 14H10V20H4ZM14 14H16.5V16.5M20 14V20H14V18.5",
  hand: "M12 4.2A3.4 3.4 0 1 1 11.99 4.2ZM5.5 20A6.5 6.5 0 0 1 18.5 20",
  scale: "M12 4V20M8 20H16M5 7H19M5 7L2.8 13H7.2ZM19 7L16.8 13H21.2Z",
  all: "M4 9V4H9M15 4H20V9M20 15V20H15M9 20H4V15",
};

/** A line drawing on a key, on a grid of 24. */
export function sign(name, size = 28) {
  return html`<svg class="sign" width=${size} height=${size} viewBox="0 0 24 24" aria-hidden="true">
    <path d=${SIGNS[name]} fill="none" stroke="currentColor" stroke-width=${name === "dots" ? 4.4 : 2} stroke-linecap="round"
      stroke-linejoin="round"></path>
  </svg>`;
}
