/** How the deal of a round is proved: this phone computes it again, with the share that it drew itself. */
import { html } from "../vendor/lit-html/lit-html.js";
import { loadCatalogue, translator } from "../core/i18n.js";
import { mark } from "../core/objects/marks.js";
import { names, nameOf, seatOf } from "../core/page.js";
import { sheet } from "../core/sheet.js";
import { checked as check } from "../core/shares.js";
import { more } from "./sheets.js";

/** What was checked last: to compute it takes a slow phone a while, and every snapshot brings it anew. */
let known = { of: "" };

/** What is wrong with a shuffle, and whether this phone's own share is in it. */
function checked(opened, game) {
  const of = JSON.stringify(opened);
  if (known.of !== of || known.game !== game) {
    known = { of, game, ...check(opened, game) };
  }
  return known;
}

function verdict(s, ui, t, opened) {
  const { wrong, own } = checked(opened, ui.game);
  if (wrong.length) {
    return html`<p class="notice" role="status">${t("deck.no", { round: opened.round })}</p>
      <ul class="deck-list">${wrong.map(({ fault, seat }) => html`<li>${t(`deck.fault.${fault}`, { name: nameOf(s, ui, seat) })}</li>`)}</ul>`;
  }
  return html`<p class="lead" role="status"><b>${t("deck.yes", { round: opened.round })}</b> ${t(own ? "deck.own" : "deck.others")}</p>`;
}

/** What became of a seat's share. */
const part = ({ shares, drawn }, seat) => (!(seat in shares) ? "none" : drawn.includes(seat) ? "table" : "phone");

const value = (name, text) => html`<dt>${name}</dt><dd><code>${text}</code></dd>`;

/** Every value, for whoever computes it elsewhere. */
const values = (s, ui, t, opened) => html`<details class="deck-values"><summary>${t("deck.values")}</summary>
  <dl>
    ${value(t("deck.value.game"), opened.game)}
    ${value(t("deck.value.round"), opened.round)}
    ${value(t("deck.value.commitment"), opened.commitment)}
    ${value(t("deck.value.secret"), opened.secret)}
    ${opened.seats.filter((seat) => seat in opened.shares).map((seat) => [
      value(t("deck.value.hash", { name: nameOf(s, ui, seat), seat }), opened.hashes[seat]),
      value(t("deck.value.share", { name: nameOf(s, ui, seat), seat }), opened.shares[seat]),
    ])}
    ${value(t("deck.value.order"), opened.order.join(" "))}
  </dl></details>`;

function body(s, ui, t) {
  const opened = s.shuffle_opened;
  if (!opened) {
    return html`<p class="lead">${t("deck.sealed")}</p><p>${t("deck.how")}</p>`;
  }
  return html`${verdict(s, ui, t, opened)}
    <ul class="deck-list">
      ${opened.seats.map((seat) => html`<li>${seatOf(s, seat) ? mark(seatOf(s, seat).mark, { size: 26 }) : ""}
        <span><b>${names(s, ui, [seat])}</b>: ${t(`deck.part.${part(opened, seat)}`)}</span></li>`)}
    </ul>
    <p>${t("deck.how")}</p>
    <p>${t("deck.not")}</p>
    ${values(s, ui, t, opened)}`;
}

/** The words of this sheet, which few ever open, by language; null while they come. */
const words = {};

/** Fetch them, and draw again. */
function fetchWords(ui) {
  words[ui.lang] = null;
  loadCatalogue(`${ui.lang}/deck`).then(
    (catalogue) => {
      words[ui.lang] = translator(catalogue, ui.lang);
      ui.set({});
    },
    () => {
      delete words[ui.lang];
      ui.set({ sheet: null, notice: ui.t("refused.offline") });
    },
  );
}

more.deck = (s, ui) => {
  if (words[ui.lang] === undefined) {
    fetchWords(ui);
  }
  const t = words[ui.lang];
  return sheet(ui, { id: "deck", heading: ui.t("deck.title"), body: t ? body(s, ui, t) : "" });
};
