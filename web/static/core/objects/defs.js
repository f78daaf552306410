/** Gradients that the drawn objects share; a page renders this once, anywhere. */
import { html, svg } from "../../vendor/lit-html/lit-html.js";

/** @param {Array<[number|string, string, (number|string)?]>} stops */
function steps(stops) {
  return stops.map(
    ([at, colour, opacity]) => svg`<stop offset=${at} stop-color=${colour} stop-opacity=${opacity ?? 1}></stop>`,
  );
}

/** The lamp stands upper left: every slope runs from there to the lower right. */
function slope(id, stops, x2 = 0.55, y2 = 1) {
  return svg`<linearGradient id=${id} x1="0" y1="0" x2=${x2} y2=${y2}>${steps(stops)}</linearGradient>`;
}

function ball(id, stops, cx = 0.38, cy = 0.32, r = 0.75) {
  return svg`<radialGradient id=${id} cx=${cx} cy=${cy} r=${r}>${steps(stops)}</radialGradient>`;
}

/** Render once a page, before any object that refers to it. */
export function defs() {
  return html`<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false">
    <defs>
      ${slope("g-wood", [[0, "#f6d9a4"], [0.55, "#e3b870"], [1, "#c8924a"]])}
      ${slope("g-walnut", [[0, "#7a4b2a"], [0.5, "#593319"], [1, "#3f220f"]], 0.8)}
      ${slope("g-success", [[0, "#ffdf9e"], [0.5, "#f2b653"], [1, "#d58f2f"]], 0.8)}
      ${slope("g-failure", [[0, "#6f8fe0"], [0.5, "#3d5fb4"], [1, "#263f86"]], 0.8)}
      ${slope("g-frame", [[0, "#a9764a"], [0.3, "#6d4424"], [1, "#3f240f"]], 1)}
      ${slope("g-sent", [[0, "#e8a030"], [1, "#b4690f"]], 0.6)}
      ${slope("g-recorded", [[0, "#ffe3a6"], [1, "#ffc04d"]], 0.8)}
      ${slope("g-early", [[0, "#5a3820"], [1, "#341c0c"]], 0.6)}
      ${slope("g-nolink", [[0, "#3c3a36"], [1, "#232120"]], 0.6)}
      ${slope("g-ring", [[0, "#8d5f3a"], [0.45, "#5b351b"], [1, "#2c1509"]], 0.8)}
      ${slope("g-metal", [[0, "#f4f1ea"], [1, "#b9b3a6"]], 0.8)}
      ${ball("g-brass", [[0, "#fff0c4"], [0.3, "#ffd783"], [0.62, "#ffc04d"], [1, "#d98a16"]], 0.36, 0.28, 0.86)}
      ${ball("g-sheen", [[0, "#ffffff", 0.5], [0.55, "#ffffff", 0.05], [1, "#000000", 0.2]], 0.32, 0.26, 0.85)}
      ${ball("g-chip", [[0, "#f4c268"], [0.7, "#e8a941"], [1, "#c9882a"]], 0.36, 0.3, 0.8)}
      ${ball("g-pool", [[0, "#ffd98a", 0.55], [1, "#ffd98a", 0.18]], 0.5, 0.5, 0.6)}
      ${ball("g-countdown", [[0, "#4f8c69"], [1, "#4f8c69", 0]], 0.5, 0.5, 0.5)}
    </defs>
  </svg>`;
}
