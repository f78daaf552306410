/** Pages without a table behind them: put out, opened elsewhere, another version, not yet there. */
import { html } from "../vendor/lit-html/lit-html.js";
import { tilePicture } from "../core/objects/tile.js";
import { lamp, sizes, title } from "../core/page.js";

/**
 * @param {"gone"|"elsewhere"|"closed"|"version"|"wait"|"late"} kind
 * @param {import("../core/page.js").Ui & {leave: () => void, reload: () => void}} ui
 */
export function message(kind, ui) {
  const act = { gone: ui.leave, elsewhere: ui.reconnect, version: ui.reload, late: ui.reconnect }[kind];
  return html`<div class="pad ${sizes(ui)}" data-screen=${kind}>
    <div class="under">
      <main class="screen screen-message">
        <div class="body">
          <div class="lying-tile">${tilePicture(6, { height: 150, low: true })}</div>
          ${title(ui.t(`message.${kind}`))}
          <p class="lead">${ui.t(`message.${kind}.lead`)}</p>
        </div>
        <div class="side"><div class="foot">${act ? lamp(ui.t(`message.${kind}.act`), act) : ""}</div></div>
      </main>
    </div>
  </div>`;
}
