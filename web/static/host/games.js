/** Which game comes next: all that this table can play, a card each, and one tap chooses. */
import { html } from "../vendor/lit-html/lit-html.js";
import { gameName, mayChoose } from "../core/evening.js";
import { wordsOf } from "../core/game_names.js";
import { close, sheet } from "../core/sheet.js";
import { rulesOf } from "../games/index.js";

function card(s, ui, game) {
  const now = game === rulesOf(s);
  const t = wordsOf(ui.lang, game, () => ui.set({}));
  if (!t) {
    return "";
  }
  const said = (word) => (t(word) === word ? "" : t(word));
  const choose = () => {
    if (!now) {
      ui.send("choose_game", { game });
    }
    close(ui)();
  };
  return html`<li><button type="button" class="game-card" aria-pressed=${now ? "true" : "false"} @click=${choose}>
    <b>${gameName({ rules: game }, t)}</b><span>${said("game.why")}</span><small>${said("game.people")}</small>
  </button></li>`;
}

export const games = (s, ui) =>
  mayChoose(s)
    ? sheet(ui, {
        id: "games",
        heading: ui.t("games.title"),
        body: html`<p>${ui.t("games.lead")}</p><ul class="stack">${s.games.map((game) => card(s, ui, game))}</ul>`,
      })
    : "";
