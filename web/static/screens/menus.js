/** The sheets that a player opens now and then: they come when the first of them is asked for. */
import { html } from "../vendor/lit-html/lit-html.js";
import { LANGUAGES } from "../i18n.js";
import { mark, sign } from "../objects.js";
import { key, me } from "./common.js";
import { rowFix, takeBackIllegal } from "./rowfix.js";
import { rules } from "./rules.js";
import { sealed, seals } from "./seals.js";
import { choice, close, sheet } from "./sheet.js";
import { more } from "./sheets.js";
import { ticket } from "./ticket.js";

/** A lone tile fell over: no accident, it is just stood up again. */
function standUp(ui) {
  ui.send("lone_tile_fell");
  close(ui)();
}

/** The host's phone is long gone: somebody has to have the drawer. */
function takeHost(ui) {
  ui.send("take_host");
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
      ${seat && s.may.lone_tile && s.row.length === 1 ? key(ui.t("menu.lone", { value: s.row[0].value }), () => standUp(ui), { icon: "topple" }) : ""}
      ${seat && s.may.fix_row && s.row.length > 1 ? key(ui.t("menu.rowfix"), () => ui.set({ sheet: "rowfix", order: null, heldTile: null }), { icon: "move" }) : ""}
      ${seat && s.may.illegal ? key(ui.t("menu.illegal"), takeBackIllegal(ui), { icon: "left" }) : ""}
      ${seat && s.may.accident ? key(ui.t("menu.knocked"), () => ui.set({ sheet: "accident" }), { icon: "topple" }) : ""}
      ${seat && !s.acting ? key(ui.t("menu.ticket"), () => ui.ticket(seat.seat), { icon: "code" }) : ""}
      ${s.may.take_host ? key(ui.t("menu.take_host"), () => takeHost(ui)) : ""}
      ${s.options ? key(ui.t("rules.title"), () => ui.set({ sheet: "rules" }), { icon: "book" }) : ""}
      ${sealed(s) ? key(ui.t("seals.title"), () => ui.set({ sheet: "seals" }), { icon: "lock" }) : ""}
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
          ? html`<div class="menu-last">${key(ui.t(ui.local.confirm === "leave" ? "menu.leave_sure" : "menu.leave"), leave)}</div>`
          : html`<div class="menu-last">${key(ui.t("menu.join"), () => ui.set({ watching: false, waiting: false, sheet: null }))}</div>`
      }`,
  });
}

/** Who knocked the row over? */
function culprits(s, ui) {
  const claim = (culprit) => () => {
    ui.send("accident", { culprit });
    close(ui)();
  };
  const wrongEnd = () => {
    ui.send("wrong_end");
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
        ${s.may.wrong_end ? html`<li>${key(ui.t("claim.wrong_end"), wrongEnd)}</li>` : ""}
      </ul>`,
  });
}

Object.assign(more, { menu, accident: culprits, rowfix: rowFix, rules, seals, ticket });
