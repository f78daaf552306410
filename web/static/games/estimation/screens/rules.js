/** The options of the rules by name: everybody reads them, the host chooses before the game. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { key } from "../../../core/page.js";
import { choice, sheet } from "../../../core/sheet.js";

/** Every option with what it can be; the first value is the rules as written. */
const OPTIONS = {
  first_player: ["pick", "random"],
  call_window: [0, 3, 5, 10],
  caller: ["free", "failure_only"],
  recall: ["once", "allowed"],
  ballot_timeout: [0, 30, 60, 120],
  toppler: ["placer", "caller", "next"],
  judge: ["camera", "people", "host"],
  wrong_end: ["accident", "stood"],
  accident: ["any_standing", "whole_row"],
  illegal: ["take_back", "stands"],
  max_gap: ["free", "tile_height"],
  next_first: ["toppler", "left_of_toppler"],
  extra_round: ["everyone", "tied_only"],
  chips: ["counter", "strict20"],
};
const USUAL = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const TILES = USUAL.length;

const isSeconds = (name) => typeof OPTIONS[name][0] === "number";

function word(ui, name, value) {
  if (isSeconds(name)) {
    return value ? ui.t("timers.seconds", { count: value }) : ui.t("timers.off");
  }
  return ui.t(`rule.${name}.${value}`);
}

function option(s, ui, name, may) {
  const now = s.options[name];
  const values = OPTIONS[name].includes(now) ? OPTIONS[name] : [...OPTIONS[name], now];
  const pick = (value) => ui.send("set_options", { options: { [name]: value } });
  return html`<section class="rule">
    <h3 id="menu-${name}">${ui.t(`rule.${name}`)}</h3>
    ${may ? choice(name, values.map((value) => [value, word(ui, name, value)]), now, pick) : html`<p>${word(ui, name, now)}</p>`}
  </section>`;
}

/** The eleven values printed on the tiles. */
function values(s, ui, may) {
  const now = s.options.tile_values;
  const usual = now.join() === USUAL.join();
  const set = (event) => {
    event.preventDefault();
    const given = new FormData(event.target).get("values").split(/[^0-9-]+/).filter(Boolean).map(Number);
    ui.send("set_options", { options: { tile_values: given } });
  };
  return html`<section class="rule">
    <h3>${may ? html`<label for="values">${ui.t("rule.tile_values")}</label>` : ui.t("rule.tile_values")}</h3>
    ${
      may
        ? html`<form class="pair pair-uneven" @submit=${set}>
            <input class="field" id="values" name="values" inputmode="numeric" required aria-describedby="values-how"
              .value=${now.join(" ")} />
            <button type="submit" class="key key-plain"><span>${ui.t("rule.set")}</span></button></form>
            <p class="hint" id="values-how">${ui.t("rule.tile_values.how", { count: TILES })}</p>`
        : html`<p>${usual ? ui.t("rule.tile_values.usual") : now.join(" ")}</p>`
    }
  </section>`;
}

export function rules(s, ui) {
  const may = Boolean(s.may.set_options);
  const usual = Object.entries(OPTIONS).every(([name, [first]]) => s.options[name] === first);
  const asWritten = { ...Object.fromEntries(Object.entries(OPTIONS).map(([name, [first]]) => [name, first])), tile_values: USUAL };
  return sheet(ui, {
    id: "rules",
    heading: ui.t("rules.title"),
    body: html`<p>${ui.t(may ? "rules.lead_host" : s.you.host ? "rules.lead_late" : "rules.lead")}</p>
      ${may ? key(ui.t("rules.usual"), () => ui.send("set_options", { options: asWritten }), { disabled: usual && s.options.tile_values.join() === USUAL.join() }) : ""}
      ${Object.keys(OPTIONS).map((name) => option(s, ui, name, may))} ${values(s, ui, may)}
      <p class="hint">${ui.t("seals.computer")}</p>`,
  });
}
