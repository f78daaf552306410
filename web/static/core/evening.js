/** The evening round a table: which game is played, how many each has won, and what comes next. */
import { html } from "../vendor/lit-html/lit-html.js";
import { rulesOf } from "../games/index.js";
import { capital, key, lamp } from "./page.js";

/** The name of the game that is played, in its own words; a game without any is called as its rules are. */
export function gameName(s, t, word = "game.name") {
  const words = t(word);
  return words === word ? capital(rulesOf(s).replaceAll("_", " ")) : words;
}

/** "2 of 3 won"; empty for whoever has not played a game to its end. */
export const total = (seat, t, word = "seat.won") => (seat.played ? t(word, { won: seat.won, count: seat.played }) : "");

/** The same as a line of its own. */
export const totalLine = (seat, ui) => (seat.played ? html`<span class="total">${total(seat, ui.t)}</span>` : "");

/** Whether this host may choose among games now. */
export const mayChoose = (s) => Boolean(s.may.choose_game && s.games);

/** The answers to the end of a game: a rematch in one tap, and for the host the way to another game. */
export function nextGame(s, ui) {
  const another = () => {
    ui.send("rematch");
    ui.set({ sheet: "games" }); // which opens as soon as there is a choice
  };
  return html`${lamp(ui.t("final.rematch"), () => ui.send("rematch"))}
    ${s.games ? key(ui.t("games.another"), another, { icon: "bone" }) : ""}`;
}
