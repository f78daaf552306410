/** The sheets that a player opens now and then: they come when the first of them is asked for. */
import { html } from "../vendor/lit-html/lit-html.js";
import { LANGUAGES } from "../core/i18n.js";
import { sign } from "../core/objects/signs.js";
import { key, me } from "../core/page.js";
import { choice, close, sheet, sure } from "../core/sheet.js";
import { stopFoot } from "../core/stop.js";
import { menuLines, more } from "./sheets.js";
import { ticket } from "./ticket.js";

/** The host's phone is long gone: somebody has to have the drawer. */
function takeHost(ui) {
  ui.send("take_host");
  close(ui)();
}

function menu(s, ui) {
  const seat = me(s);
  const rename = (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get("name").trim();
    ui.send("rename", { name });
    ui.set({ name, sheet: null, confirm: null });
  };
  return sheet(ui, {
    id: "menu",
    heading: ui.t("menu.title"),
    body: html`${
        seat && !s.acting
          ? html`<form class="rename" @submit=${rename}>
              <label class="label" for="rename">${ui.t("menu.name")}</label>
              <div class="pair pair-uneven">
                <input class="field" id="rename" name="name" maxlength="20" required autocomplete="off" .value=${seat.name} />
                <button type="submit" class="key key-plain"><span>${ui.t("menu.rename")}</span></button>
              </div>
            </form>`
          : ""
      }
      ${menuLines.acts?.(s, ui) ?? ""}
      ${seat && !s.acting ? key(ui.t("menu.ticket"), () => ui.ticket(seat.seat), { icon: "code" }) : ""}
      ${s.may.take_host ? key(ui.t("menu.take_host"), () => takeHost(ui)) : ""}
      ${menuLines.papers?.(s, ui) ?? ""}
      ${s.shuffle ? key(ui.t("deck.title"), () => ui.set({ sheet: "deck" })) : ""}
      ${
        seat || s.you.host
          ? html`<p class="pair menu-pages"><a class="key key-plain" href="statistics">${sign("scale", 24)}<span>${ui.t("menu.figures")}</span></a>
              <a class="key key-plain" href="replay">${sign("left", 24)}<span>${ui.t("menu.past")}</span></a></p>`
          : ""
      }
      <p class="label" id="menu-sound">${ui.t("menu.sound")}</p>
      ${choice("sound", [[true, ui.t("word.on")], [false, ui.t("word.off")]], ui.settings.sound, (on) => ui.setting("sound", on))}
      <p class="label" id="menu-theme">${ui.t("menu.theme")}</p>
      ${choice(
        "theme",
        ["system", "light", "dark"].map((value) => [value, ui.t(`theme.${value}`)]),
        ui.settings.theme,
        (value) => ui.setting("theme", value),
      )}
      <p class="label" id="menu-hand">${ui.t("menu.hand")}</p>
      ${choice("hand", ["right", "left"].map((side) => [side, ui.t(`hand.${side}`)]), ui.settings.hand, (side) => ui.setting("hand", side))}
      <p class="label" id="menu-language">${ui.t("menu.language")}</p>
      ${choice(
        "language",
        Object.entries(LANGUAGES).map(([tag, word]) => [tag, word, tag]),
        ui.lang,
        (value) => ui.setting("language", value),
      )}
      ${
        s.acting
          ? ""
          : seat
          ? html`<div class="menu-last">${sure(ui, "leave", ui.t("menu.leave"), () => ui.send("leave"), menuLines.leaves?.(s) ?? "menu.leave_sure")}</div>`
          : html`<div class="menu-last">${key(ui.t("menu.join"), () => ui.set({ watching: false, waiting: false, sheet: null }))}</div>`
      }`,
    foot: stopFoot(s, ui),
  });
}

Object.assign(more, { menu, ticket });
