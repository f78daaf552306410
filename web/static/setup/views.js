/** Pictures from four sides: how to hold the camera for the next one. */
import { html, svg } from "../vendor/lit-html/lit-html.js";
import { anew, key } from "./parts.js";

const SIDES = [
  [100, 150],
  [178, 92],
  [100, 34],
  [22, 92],
];

/** The table from above with the camera beside it, looking at the middle. */
function hold(n) {
  const [x, y] = SIDES[(n - 1) % 4];
  const turn = [180, 90, 0, 270][(n - 1) % 4];
  return html`<svg class="setup-hold" viewBox="0 12 200 160" aria-hidden="true">
    <rect class="hold-mat" x="44" y="50" width="112" height="84" rx="3"></rect>
    <rect class="hold-area" x="54" y="60" width="92" height="64"></rect>
    <path class="hold-look" d="M${x} ${y}L62 66L138 66L138 118L62 118Z"></path>
    ${SIDES.map(([cx, cy], at) => (at + 1 < n ? svg`<circle class="hold-done" cx=${cx} cy=${cy} r="7"></circle>` : ""))}
    <g transform="translate(${x} ${y}) rotate(${turn})"><rect class="hold-body" x="-15" y="-10" width="30" height="18" rx="4"></rect>
      <rect class="hold-body" x="-6" y="7" width="12" height="8" rx="2"></rect></g></svg>`;
}

export function views(page) {
  const { say, told } = page;
  const { views: taken, of } = told.camera;
  const next = taken + 1;
  const how = next <= of ? `setup.views.hold.${next}` : "setup.views.hold.more";
  return html`<section class="card setup-views">${hold(next)}
    <div><h2>${next <= of ? say("setup.views.hold", { n: next, of }) : say("setup.views.hold.more")}</h2>
    ${next <= of ? html`<p>${say(how)}</p>` : ""}</div></section>`;
}

export function takeKey(page, { lamp = true } = {}) {
  return key(page, "setup.views.take", { do: "take" }, { lamp, off: page.told.playing });
}

export function viewKeys(page) {
  const { camera } = page.told;
  return html`${camera.virtual ? key(page, "setup.views.tilt", { do: "tilt" }) : ""}
    ${camera.views ? anew(page) : ""}`;
}
