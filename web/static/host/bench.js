/** The test bench: what hands would do to devices that nobody can touch, so that a loss can be tried. */
import { html } from "../vendor/lit-html/lit-html.js";
import { toggle } from "../core/objects/arm.js";
import { sheet } from "../core/sheet.js";

/** One thing with its switch; `on` is as it should be. */
function line(ui, word, on, flip) {
  const text = ui.t(`bench.${word}.${on ? "in" : "out"}`);
  return html`<li class=${on ? "is-met" : "is-open"}><span>${text}</span>
    ${toggle({ on, label: ui.t(`bench.${word}`), flip })}</li>`;
}

export function bench(s, ui) {
  const { camera = null, folder = null, hands = null } = s.bench ?? {};
  const put = (what, on) => () => ui.send("bench", { what, on });
  return sheet(ui, {
    id: "bench",
    heading: ui.t("drawer.bench"),
    body: html`<p>${ui.t("bench.lead")}</p>
      <ul class="conditions bench">
        ${camera === null ? "" : line(ui, "camera", camera, put("camera", !camera))}
        ${folder === null ? "" : line(ui, "folder", folder, put("folder", !folder))}
        ${
          hands &&
          html`${line(ui, "pusher", hands.plugged, put("pusher", !hands.plugged))}
            ${line(ui, "button", !hands.estop, () => ui.send("estop", { pressed: !hands.estop }))}
            ${hands.beams.map((broken, beam) =>
              line(ui, `beam${beam + 1}`, !broken, () => ui.send("beam", { beam, broken: !broken })),
            )}`
        }
      </ul>`,
  });
}
