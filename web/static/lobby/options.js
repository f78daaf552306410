/**
 * The options of any game by name: everybody reads them, the host chooses before the game.
 *
 * The rules say which presets there are and what an option can be; the game's catalogue has the words:
 * `preset.NAME`, `option.NAME`, `option.NAME.VALUE`, and `.why` of each preset and option, one sentence.
 */
import { html } from "../vendor/lit-html/lit-html.js";
import { noticed } from "../core/page.js";
import { choice, sheet } from "../core/sheet.js";

/** Ask for another value; a refusal is shown beside it, as the sheet covers the page. */
const send = (ui, name) => (value) => {
  ui.set({ asked: name });
  ui.send("set_options", { options: { [name]: value } });
};

const refusal = (ui, name) => (ui.local.asked === name && noticed(ui)) || "";

/** A value in words. */
function word(ui, name, value) {
  if (typeof value === "boolean") {
    return ui.t(`rules.${value}`);
  }
  return typeof value === "number" ? String(value) : value === null || value === undefined ? ui.t("rules.usual") : ui.t(`option.${name}.${value}`);
}

function number(ui, name, { least, most }, now) {
  const set = (event) => {
    event.preventDefault();
    const given = new FormData(event.target).get(name);
    send(ui, name)(given === "" ? null : Number(given));
  };
  return html`<form class="pair pair-uneven" @submit=${set}>
    <input class="field" type="number" inputmode="numeric" id="rule-${name}" name=${name} min=${least} max=${most} aria-labelledby="menu-${name}"
      placeholder=${ui.t("rules.usual")} .value=${String(now ?? "")} />
    <button type="submit" class="key key-plain"><span>${ui.t("rules.set")}</span></button>
  </form>`;
}

/** An option with its reason, and what it can be; `null` is what preset and number of players say. */
function option(s, ui, name, may) {
  const now = s.options[name] ?? null;
  const can = s.choices?.[name];
  const pick = () => (can.values ? choice(name, can.values.map((value) => [value, word(ui, name, value)]), now, send(ui, name)) : number(ui, name, can, now));
  return html`<section class="rule">
    <h3 id="menu-${name}">${ui.t(`option.${name}`)}</h3>
    <p>${ui.t(`option.${name}.why`)}</p>
    ${may ? pick() : html`<p><b>${word(ui, name, now)}</b></p>`} ${refusal(ui, name)}
  </section>`;
}

/** The sheet of all of them. */
export function options(s, ui) {
  const may = Boolean(s.may.set_options && s.choices);
  const { preset } = s.options;
  const matters = (name) => name !== "preset" && (s.choices?.[name].presets ?? [preset]).includes(preset);
  const names = Object.keys(s.choices ?? s.options).filter(matters);
  const presets = may ? [...new Set([...s.presets, preset])] : [preset];
  return sheet(ui, {
    id: "rules",
    heading: ui.t("rules.title"),
    body: html`<p>${ui.t(may ? "rules.lead_host" : s.you.host ? "rules.lead_late" : "rules.lead")}</p>
      <div class="rule" role=${may ? "radiogroup" : "group"} aria-labelledby="menu-preset">
        <h3 id="menu-preset">${ui.t("rules.preset")}</h3>
        ${presets.map((name) => html`<label class=${may ? "choice preset" : "preset"}>
          ${may ? html`<input type="radio" name="preset" .checked=${name === preset} @change=${() => send(ui, "preset")(name)} />` : ""}
          <span><b>${ui.t(`preset.${name}`)}</b> <small>${ui.t(`preset.${name}.why`)}</small></span>
        </label>`)} ${refusal(ui, "preset")}
      </div>
      <details>
        <summary class="display">${ui.t("rules.more")}</summary>
        ${names.map((name) => option(s, ui, name, may))}
      </details>`,
  });
}
