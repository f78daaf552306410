/** What slides over a screen: the lost link, and whatever sheet is open. */
import { html } from "../vendor/lit-html/lit-html.js";
import { triangle } from "../core/objects/signs.js";
import { lamp } from "../core/page.js";

/** No link for ten seconds: what to check. */
function lost(ui) {
  return html`<div class="veil veil-lost"></div>
    <section class="sheet sheet-lost" role="alertdialog" aria-modal="true" aria-labelledby="sheet-title" aria-describedby="lost-what">
      <header class="sheet-head">${triangle(34)}<h2 class="display" id="sheet-title">${ui.t("lost.title")}</h2></header>
      <div class="sheet-body" id="lost-what">
        <p>${ui.t("lost.lead")}</p>
        <ol class="checks"><li>${ui.t("lost.wifi")}</li><li>${ui.t("lost.data")}</li><li>${ui.t("lost.table")}</li></ol>
        <p>${ui.t("lost.kept")}</p>
      </div>
      ${lamp(ui.t("lost.try"), ui.reconnect)}
    </section>`;
}

/** Sheets that not every phone needs: they come with `menus.js`, `host.js` and the game's own. */
export const more = {};

/** What the game adds to the menu: what may be done, what may be read, and what it means to leave. */
export const menuLines = {};

/** The names of the game's own sheets. */
let put = [];

/** Put the sheets of the game and its lines in the menu, in place of another game's. */
export function putSheets(sheets, { acts, papers, leaves } = {}) {
  put.forEach((name) => delete more[name]);
  put = Object.keys(sheets);
  Object.assign(more, sheets);
  Object.assign(menuLines, { acts, papers, leaves });
}

/** What lies over the screen now, if anything. */
export function overlay(s, ui) {
  if (ui.link === "lost") {
    return lost(ui);
  }
  return more[ui.local.sheet]?.(s, ui) ?? "";
}
