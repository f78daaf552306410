/** Films of pushes: whether they are made, with names or without, and in whose words. */
import { html } from "../vendor/lit-html/lit-html.js";
import { LANGUAGES } from "../core/i18n.js";
import { key } from "../core/page.js";
import { choice, sheet } from "../core/sheet.js";

const pressed = (on) => ({ pressed: on ? "true" : "false" });

export function films(s, ui) {
  const { on, names, language, able } = s.films;
  const body = able
    ? html`${key(ui.t("films.on"), () => ui.send("set_films", { on: !on }), pressed(on))}
        <p class="hint">${ui.t(on ? "films.on.why" : "films.off.why")}</p>
        ${
          on
            ? html`${key(ui.t("films.names"), () => ui.send("set_films", { names: !names }), pressed(names))}
                <p class="hint">${ui.t(names ? "films.names.on" : "films.names.off")}</p>
                <p class="label" id="menu-film-language">${ui.t("films.language")}</p>
                ${choice("film-language", Object.entries(LANGUAGES), language, (to) => ui.send("set_films", { language: to }))}`
            : ""
        }`
    : html`<p class="hint">${ui.t("films.missing")}</p>`;
  return sheet(ui, { id: "films", heading: ui.t("drawer.films"), body });
}
