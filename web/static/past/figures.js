// What the statistics look like: a card a player, with what they called, bluffed and voted, and their eye beside the model's.
import { html, render } from "../vendor/lit-html/lit-html.js";
import { translator } from "../core/i18n.js";
import { reckoning, spoken } from "../core/spoken.js";
import { calibration } from "./calibration.js";
import { diamond, dot, plot } from "./plot.js";

const F = "past.figures";

function row(label, value, why = "") {
  return html`<div><dt>${label}</dt><dd>${value}</dd>${why ? html`<dd class="figures-why">${why}</dd>` : ""}</div>`;
}

function eye(page, player) {
  const { say, lang } = page;
  if (player.brier === null) return "";
  const number = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return html`<dl>${row(
      say(`${F}.eye`),
      say(`${F}.eye.value`, { brier: number.format(player.brier), model: number.format(player.model_brier) }),
      say(`${F}.eye.why`, { count: player.compared }),
    )}</dl>
    <figure class="figures-eye">
      <figcaption>${say(`${F}.plot`)}</figcaption>
      ${plot(player.bands, say)}
      <ul class="figures-legend">
        <li><svg class="figures-sign" viewBox="0 0 18 18" aria-hidden="true">${dot(9, 9)}</svg>${say(`${F}.plot.said`)}</li>
        <li><svg class="figures-sign" viewBox="0 0 18 18" aria-hidden="true">${diamond(9, 9)}</svg>${say(`${F}.plot.fell`)}</li>
        <li><svg class="figures-sign" viewBox="0 0 18 18" aria-hidden="true"><path class="plot-model" d="M1 17L17 1"></path></svg>${say(`${F}.plot.model`)}</li>
      </ul>
    </figure>`;
}

/** All figures with what each one means. */
function figures(page, player) {
  const { say } = page;
  const share = (right, all) => (all ? say(`${F}.of`, { right, all }) : "–");
  return html`<dl>
      ${row(say(`${F}.games`), say(`${F}.games.value`, { games: player.games, wins: player.wins }))}
      ${row(say(`${F}.chips`), player.chips, say(`${F}.chips.why`))}
      ${row(say(`${F}.calls`), share(player.right_calls, player.pushed), say(`${F}.calls.why`, { calls: player.calls }))}
      ${row(say(`${F}.held`), share(player.held, player.doubted), say(`${F}.held.why`))}
      ${row(say(`${F}.right`), share(player.right, player.votes), say(`${F}.right.why`))}
    </dl>
    ${eye(page, player)}`;
}

/** The card of one player: to its owner it speaks, and has the figures behind a tap. */
function card(page, player) {
  const { say, told, lang } = page;
  const mine = player.name === told.mine;
  const t = (key, params) => say(`say.${key}`, params);
  const badge = player.badge ? html`<span class="figures-badge">${say("badge.eye")}</span>` : "";
  return html`<section class="figures-card ${mine ? "figures-mine" : ""}">
    <h2>${player.name} ${mine ? html`<span>${say(`${F}.mine`)}</span>` : ""} ${badge}</h2>
    ${
      mine
        ? html`${spoken(player, t).map((sentence) => html`<p class="figures-spoken">${sentence}</p>`)}
            ${calibration(player, say)}
            <details class="figures-how"><summary>${say("say.how")}</summary>
              ${reckoning(player, t, lang).map((line) => html`<p>${line}</p>`)}${figures(page, player)}</details>`
        : html`${calibration(player, say)}
            <details class="figures-how"><summary>${say("say.how")}</summary>${figures(page, player)}</details>`
    }
    ${
      mine || told.host
        ? html`<button type="button" class="key key-plain" @click=${() => page.erase(player.name)}>${
            page.sure === player.name ? say(`${F}.erase.sure`) : say(`${F}.erase`, { name: player.name })
          }</button>`
        : ""
    }
  </section>`;
}

/** What the model has learned of this table, where its own pushes have shown it something. */
function table({ say, told, lang }) {
  if (!told.table) return "";
  const { pushes, before, after } = told.table;
  const brier = new Intl.NumberFormat(lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
  return say(`${F}.table`, { n: pushes, before: brier.format(before), after: brier.format(after) });
}

function cards(page) {
  const { say, told } = page;
  if (!told) return "";
  if (!told.on) return html`<p class="past-none">${say(`${F}.off`)}</p>`;
  if (!told.players.length) return html`<p class="past-none">${say(`${F}.none`)}</p>`;
  const players = [...told.players].sort((a, b) => (b.name === told.mine) - (a.name === told.mine));
  return html`<p class="figures-about">${say(`${F}.about`)} ${table(page)}</p>
    <div class="figures">${players.map((player) => card(page, player))}</div>`;
}

/** What only the host may do. */
function foot(page) {
  const { say, told, sure } = page;
  if (!told?.host) return "";
  return html`<footer class="figures-foot">
    ${
      told.on && told.players.length
        ? html`<button type="button" class="key key-plain" @click=${() => page.erase(null)}>${say(
            sure === "" ? `${F}.erase.sure.all` : `${F}.erase.all`,
          )}</button>`
        : ""
    }
    <button type="button" class="key key-plain" @click=${() => page.wish({ on: !told.on })}>${say(
      told.on ? `${F}.switch.off` : `${F}.switch.on`,
    )}</button>
  </footer>`;
}

/** @param {object} page {say, lang, told, trouble, sure, erase(name), wish(wish)}; `sure` is whom the next tap erases, "" for all */
export function view(page) {
  const { say, trouble } = page;
  return html`<header class="past-head">
      <a class="key key-plain past-back" href="play">${say("past.back")}</a>
      <h1 class="display">${say(`${F}.title`)}</h1>
    </header>
    ${trouble ? html`<p class="past-trouble" role="alert">${trouble}</p>` : ""}
    <main>${cards(page)}</main>
    ${foot(page)}`;
}

/** One saved state drawn into a place on another page, for the gallery; its `ui` says what the page alone knows. */
export function preview(root, told, { catalogue, lang }) {
  const say = translator(catalogue, lang);
  const { sure = null, trouble = "", open = false } = told.ui ?? {};
  const said = trouble && say(`past.refused.${trouble}`);
  render(view({ say, lang, told: "on" in told ? told : null, sure, trouble: said, erase() {}, wish() {} }), root);
  root.querySelectorAll("details").forEach((each) => (each.open = open));
}
