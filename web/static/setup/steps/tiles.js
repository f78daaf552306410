/** One tile of the set, measured. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { field, key, number } from "../parts.js";

const SIDES = ["length", "width", "thickness", "weight"];
const STANDARD = { length: 48, width: 24, thickness: 7.5, weight: 8 };

/** A tile lying in space, its three sides named as their fields are. */
function drawing(page) {
  const { say } = page;
  return html`<svg class="setup-tile" viewBox="0 16 376 142" aria-hidden="true">
    <path class="tile-top" d="M40 60L190 30L262 62L112 96Z"></path>
    <path class="tile-front" d="M40 60L112 96V122L40 84Z"></path>
    <path class="tile-side" d="M112 96L262 62V88L112 122Z"></path>
    <path class="tile-line" d="M118 138L268 104M28 68L100 106M276 62V88"></path>
    <text x="204" y="146">${say("setup.tiles.length").split(",")[0]}</text>
    <text x="6" y="112">${say("setup.tiles.width").split(",")[0]}</text>
    <text x="284" y="80">${say("setup.tiles.thickness").split(",")[0]}</text></svg>`;
}

export function tiles(page, step) {
  if (step.mark === "off") return {};
  const { told } = page;
  const measured = () => Object.fromEntries(SIDES.map((side) => [side, number(page, side, told.tile[side])]));
  const keep = (tile) => page.wish({ do: "tile", ...tile });
  const done = step.mark === "fine";
  const standard = SIDES.every((side) => told.tile[side] === STANDARD[side]);
  const save = key(page, "setup.keep", () => keep(measured()), { lamp: !done, off: told.playing });
  return {
    left: html`<figure class="card setup-drawing">${drawing(page)}</figure>`,
    right: html`<section class="card setup-form setup-pair">${SIDES.map((side) =>
      field(page, side, `setup.tiles.${side}`, told.tile[side]),
    )}</section>`,
    main: done ? "" : save,
    keys: html`${done ? save : ""} ${done && standard ? "" : key(page, "setup.tiles.standard", () => { page.drafts = {}; keep(STANDARD); }, { off: told.playing })}`,
  };
}
