/**
 * A game that has no screens of its own here: who sits where, whose turn it is, what may be done and
 * seen. It is all that the port of a game tells of any.
 */
import { html } from "../../vendor/lit-html/lit-html.js";
import { nextGame, totalLine } from "../../core/evening.js";
import { mark } from "../../core/objects/marks.js";
import { inPlayOrder, me, names, page, partners, title } from "../../core/page.js";
import { answers, view } from "./answers.js";

export const PARTS = { sheets: async () => {} };
/** Nothing is pushed or knocked over here. */
export const pushes = false;
/** There is no sheet that says how it goes. */
export const hasRules = false;
export const needs = () => [];
export const actedFor = (s) => s;
export const inName = () => ({});
export const moments = (before, after, sound) => {
  if (before && !mine(before) && mine(after)) {
    sound.play("turn");
  }
};
export const waitedFor = () => null;
export const urgentWords = () => "";

/** The seats that the table waits for. */
const asked = (s) => (s.asked ?? []).map((each) => each.seat);

const mine = (s) => Boolean(me(s)) && asked(s).includes(s.you.seat);

/** What goes on, in one line. */
export function politeWords(s, ui) {
  if (s.phase === "GAME_OVER") {
    return ui.t("plain.over");
  }
  const waited = asked(s);
  return mine(s) ? ui.t("plain.mine") : waited.length ? ui.t("plain.waits", { names: names(s, ui, waited) }) : ui.t("plain.goes_on");
}

function line(s, ui, seat) {
  const team = partners(s, seat.seat);
  return html`<li class="seat-line ${asked(s).includes(seat.seat) ? "is-asked" : ""}">
    ${mark(seat.mark, { size: 34 })}
    <span class="seat-text"><b>${seat.name}</b>${s.phase === "GAME_OVER" ? totalLine(seat, ui) : ""}${team.length ? html`<span>${ui.t("seat.with", { names: names(s, ui, team) })}</span>` : ""}</span>
    ${s.over ? html`<b>${s.over[seat.seat] ?? ""}</b>` : ""}
  </li>`;
}

export function screen(s, ui) {
  return page(s, ui, {
    name: "plain",
    label: ui.t("rail.seats", { count: s.seats.length }),
    body: html`${title(politeWords(s, ui))}
      <p class="lead">${ui.t("plain.lead")}</p>
      ${view(s, ui)}
      <ol class="card seats">${inPlayOrder(s).map((seat) => line(s, ui, seat))}</ol>`,
    foot: s.may.rematch ? nextGame(s, ui) : answers(s, ui),
  });
}
