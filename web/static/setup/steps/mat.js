/** Where the strips of the mat lie: four pictures, and what they told. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { anew, key, picture } from "../parts.js";
import { takeKey, viewKeys, views } from "../views.js";

function strips(page) {
  const { say, told } = page;
  const { strips: found } = told.camera;
  if (!found.length) return "";
  const signed = (mm) => `${mm > 0 ? "+" : ""}${mm.toFixed(1)}`.replace("-", "−");
  return html`<ul class="card setup-strips">${found.map(
    (strip) => html`<li><b>${say("setup.mat.strip", { from: strip.ids[0], to: strip.ids[1] })}</b>
      <span>${say("setup.mat.off", { right: signed(strip.right_mm), away: signed(strip.away_mm) })}${
        strip.flat ? "" : html`, <em>${say("setup.mat.flat")}</em>`
      }</span></li>`,
  )}</ul>`;
}

export function mat(page, step) {
  const { told } = page;
  const key0 = step.points[0].key;
  if (step.mark === "off" || key0 === "mat.lens") return { left: picture(page) };
  const done = step.mark === "fine";
  const ready = told.camera.views >= told.camera.of && !done;
  return {
    left: html`${picture(page)}${done ? strips(page) : ""}`,
    right: done || ready ? "" : views(page),
    main: done ? "" : ready ? key(page, "setup.views.same", { do: "survey" }, { lamp: true, off: told.playing }) : takeKey(page),
    keys: done ? anew(page) : html`${ready ? takeKey(page, { lamp: false }) : ""}${viewKeys(page)}`,
  };
}
