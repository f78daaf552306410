/**
 * What may be done and seen in a game without screens of its own: a key for every legal command, and a
 * line for all that the rules let a seat see.
 *
 * A game's catalogue gives the words: `command.NAME` with the command's fields as places, `field.NAME.VALUE`
 * for a value that has a name, `view.NAME` for what is seen. Without them the game's own names are shown.
 */
import { html } from "../../vendor/lit-html/lit-html.js";
import { list } from "../../core/i18n.js";
import { capital, key, nameOf, seatOf } from "../../core/page.js";

/** So many keys of one command are offered side by side; of more, one is picked from a list. */
const MOST_KEYS = 12;

/** What every screen shows anyhow. */
const KNOWN = ["phase", "active"];

const bare = (name) => name.replaceAll("_", " ");

/** The words of the catalogue; where it has none, these. */
function said(ui, name, otherwise, params) {
  const words = ui.t(name, params);
  return words === name ? otherwise : words;
}

/** A value of a command or of a view in words; empty for nothing. */
function value(s, ui, name, it) {
  if (it === null || it === undefined) {
    return "";
  }
  if (typeof it === "boolean") {
    return ui.t(it ? "plain.yes" : "plain.no");
  }
  if (Array.isArray(it)) {
    return list(ui.lang, it.map((each) => value(s, ui, name, each)).filter(Boolean));
  }
  if (typeof it === "object") {
    const pairs = Object.entries(it).map(([of, each]) => [value(s, ui, name, of), value(s, ui, name, each)]);
    return pairs.filter(([, words]) => words).map(([of, words]) => `${of}: ${words}`).join("; ");
  }
  return seatOf(s, it) ? nameOf(s, ui, it) : said(ui, `field.${name}.${it}`, String(it));
}

function label(s, ui, { type, fields }) {
  const words = Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, value(s, ui, name, it)]));
  return capital(said(ui, `command.${type}`, [bare(type), ...Object.values(words)].filter(Boolean).join(" "), words));
}

/** What a command must name besides its own fields, in case it is meant for this trick. */
const send = (s, ui, { type, fields }) => ui.send(type, { ...fields, trick_id: s.trick_id });

function form(s, ui, type, legal) {
  const name = said(ui, `command.${type}.name`, capital(bare(type)));
  const submit = (event) => {
    event.preventDefault();
    send(s, ui, legal[Number(new FormData(event.target).get("which"))]);
  };
  return html`<form class="stack" @submit=${submit}>
    <label class="label" for=${`legal-${type}`}>${ui.t("plain.pick", { name })}</label>
    <select class="field" id=${`legal-${type}`} name="which">
      ${legal.map((each, at) => html`<option value=${at}>${label(s, ui, each)}</option>`)}
    </select>
    <button type="submit" class="key key-plain"><span>${ui.t("plain.do")}</span></button>
  </form>`;
}

/** A key for each legal command of this seat, or a list to pick from where there are many of a kind. */
export function answers(s, ui) {
  const kinds = [...new Set((s.legal ?? []).map((each) => each.type))];
  return kinds.map((type) => {
    const legal = s.legal.filter((each) => each.type === type);
    return legal.length > MOST_KEYS
      ? form(s, ui, type, legal)
      : html`<div class="inline-keys">
          ${legal.map((each) => key(label(s, ui, each), () => send(s, ui, each), { disabled: Boolean(s.paused_by) }))}
        </div>`;
  });
}

/** What the rules let this seat see, a line each. */
export function view(s, ui) {
  const lines = (s.shown ?? [])
    .filter((name) => !KNOWN.includes(name))
    .map((name) => [said(ui, `view.${name}`, capital(bare(name))), value(s, ui, name, s[name])])
    .filter(([, words]) => words);
  return lines.length ? html`<dl class="card plain-view">${lines.map(([name, words]) => html`<div><dt class="label">${name}</dt><dd>${words}</dd></div>`)}</dl>` : "";
}
