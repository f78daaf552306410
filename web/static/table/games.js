// The games of an evening on the table screen: which is played, who has won how many, and which comes next.
import { html } from "../vendor/lit-html/lit-html.js";
import { gameName, mayChoose, total } from "../core/evening.js";
import { wordsOf } from "../core/game_names.js";
import { rulesOf } from "../games/index.js";

/** Words that no line is broken between. */
const together = (words) => words.replaceAll(" ", "\u00a0");

export const game = ({ snap, say }) => gameName(snap, say, "table.game");

/** "2 of 3 won"; empty for whoever has not played a game to its end. */
export const won = ({ say }, seat) => total(seat, say, "table.seat.won");

/** The same of everybody in one line, those who have won most first; empty until a game is over. */
export function totals({ snap, say }) {
  const seats = snap.seats.filter((seat) => seat.played).sort((a, b) => b.won - a.won);
  const said = seats.map((seat) => together(say("table.totals.seat", { name: seat.name, won: seat.won, count: seat.played })));
  return seats.length ? say("table.totals", { seats: said.join(", ") }) : "";
}

/** The host's answers to the end of a game on this screen. */
export function againKeys({ snap, say, send, chooseGame }) {
  if (!snap.you.host) return "";
  return html`<div class="t-again">
    <button type="button" class="t-key t-main" @click=${() => send("rematch")}>${say("table.again")}</button>
    ${snap.games ? html`<button type="button" class="t-key" @click=${() => chooseGame(true)}>${say("table.another")}</button>` : ""}
  </div>`;
}

export const anotherKey = ({ snap, say, chooseGame }) =>
  mayChoose(snap) ? html`<button type="button" class="t-key" @click=${() => chooseGame(true)}>${say("table.another")}</button>` : "";

function card(ctx, name) {
  const { snap, lang, send, chooseGame, redraw } = ctx;
  const t = wordsOf(lang, name, redraw);
  if (!t) return "";
  const now = name === rulesOf(snap);
  const choose = () => {
    if (!now) send("choose_game", { game: name });
    chooseGame(false);
  };
  return html`<button type="button" class="t-key t-card" aria-pressed=${now ? "true" : "false"} @click=${choose}>
    <b>${gameName({ rules: name }, t)}</b> <span>${t("game.people") === "game.people" ? "" : t("game.people")}</span></button>`;
}

/** The sheet on which the host chooses the next game. */
export function gamesSheet(ctx) {
  const { snap, say, choosing, chooseGame } = ctx;
  if (!choosing || !mayChoose(snap)) return "";
  return html`<div class="t-veil"></div>
    <section class="t-sheet t-games" role="dialog" aria-modal="true" aria-labelledby="t-games" @keydown=${(event) => event.key === "Escape" && chooseGame(false)}>
      <h2 class="display" id="t-games">${say("table.games")}</h2>
      ${snap.games.map((name) => card(ctx, name))}
      <button type="button" class="t-key" @click=${() => chooseGame(false)}>${say("table.close")}</button>
    </section>`;
}
