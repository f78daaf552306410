/** What slides over a screen: the menu, the claim of an accident, the host's drawer, the lost link. */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { LANGUAGES } from "../i18n.js";
import { mark, triangle } from "../objects.js";
import { key, lamp, me } from "./common.js";
import { drawer } from "./drawer.js";
import { close, sheet } from "./sheet.js";

function choice(name, options, chosen, pick) {
  return html`<div class="choices choices-${name}" role="radiogroup" aria-labelledby="menu-${name}">
    ${options.map(
      ([value, word, lang]) => html`<label class="choice">
        <input type="radio" name=${name} .checked=${live(value === chosen)} @change=${() => pick(value)} />
        <span lang=${lang ?? nothing}>${word}</span>
      </label>`,
    )}
  </div>`;
}

/** A lone tile fell over: no accident, it is just stood up again. */
function standUp(ui) {
  ui.send("lone_tile_fell");
  close(ui)();
}

function menu(s, ui) {
  const seat = me(s);
  const rename = (event) => {
    event.preventDefault();
    ui.send("rename", { name: new FormData(event.target).get("name").trim() });
    close(ui)();
  };
  const leave = () => (ui.local.confirm === "leave" ? ui.send("leave") : ui.set({ confirm: "leave" }));
  return sheet(ui, {
    id: "menu",
    heading: ui.t("menu.title"),
    body: html`${
        seat
          ? html`<form class="rename" @submit=${rename}>
              <label class="label" for="rename">${ui.t("menu.name")}</label>
              <div class="pair pair-uneven">
                <input class="field" id="rename" name="name" maxlength="20" required autocomplete="off" .value=${live(seat.name)} />
                <button type="submit" class="key key-plain"><span>${ui.t("menu.rename")}</span></button>
              </div>
            </form>`
          : ""
      }
      ${seat && s.may.lone_tile && s.row.length === 1 ? key(ui.t("menu.lone", { value: s.row[0].value }), () => standUp(ui), { icon: "topple" }) : ""}
      ${seat && s.may.accident ? key(ui.t("menu.knocked"), () => ui.set({ sheet: "accident" }), { icon: "topple" }) : ""}
      <p class="label" id="menu-sound">${ui.t("menu.sound")}</p>
      ${choice("sound", [[true, ui.t("word.on")], [false, ui.t("word.off")]], ui.settings.sound, (on) => ui.setting("sound", on))}
      <p class="label" id="menu-theme">${ui.t("menu.theme")}</p>
      ${choice(
        "theme",
        ["system", "light", "dark"].map((value) => [value, ui.t(`theme.${value}`)]),
        ui.settings.theme,
        (value) => ui.setting("theme", value),
      )}
      <p class="label" id="menu-language">${ui.t("menu.language")}</p>
      ${choice(
        "language",
        Object.entries(LANGUAGES).map(([tag, word]) => [tag, word, tag]),
        ui.lang,
        (value) => ui.setting("language", value),
      )}
      ${
        seat
          ? html`<div class="menu-last">${key(ui.t(ui.local.confirm === "leave" ? "menu.leave_sure" : "menu.leave"), leave)}</div>`
          : html`<div class="menu-last">${key(ui.t("menu.join"), () => ui.set({ watching: false, sheet: null }))}</div>`
      }`,
  });
}

/** Who knocked the row over? */
function culprits(s, ui) {
  const claim = (culprit) => () => {
    ui.send("accident", { culprit });
    close(ui)();
  };
  return sheet(ui, {
    id: "accident",
    heading: ui.t("claim.title"),
    body: html`<p>${ui.t("claim.lead")}</p>
      <ul class="culprits">
        ${s.seats.map(
          (seat) => html`<li><button type="button" class="key key-plain" @click=${claim(seat.seat)}>
            ${mark(seat.mark, { size: 28 })}<span>${seat.seat === s.you.seat ? ui.t("claim.me") : seat.name}</span>
          </button></li>`,
        )}
        <li>${key(ui.t("claim.nobody"), claim(null))}</li>
      </ul>`,
  });
}

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

/** What lies over the screen now, if anything. */
export function overlay(s, ui) {
  if (ui.link === "lost") {
    return lost(ui);
  }
  const sheets = { menu, accident: culprits, drawer };
  return ui.local.sheet ? sheets[ui.local.sheet](s, ui) : "";
}

