/** Dominoes on a phone: what the phone's page asks of any game. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { nameOf, names } from "../../core/page.js";
import { did, final, roundEnd, roundWords, winnerWords } from "./screens/end.js";
import { isMine, play } from "./screens/play.js";

/** What not every phone needs: `sheets` come with the first sheet that is opened. */
export const PARTS = { sheets: () => import("./screens/sheets.js").then(({ put }) => put()) };
/** Nothing is pushed or knocked over here. */
export const pushes = false;
/** Who begins follows from the hands. */
export const picksFirst = false;
export const needs = () => [];
export const actedFor = (s) => s;
export const inName = () => ({});

/** In the lobby: which dominoes it is, and what is special about it. */
export const rulesInBrief = (s, ui) => html`<button type="button" class="brief" @click=${() => ui.set({ sheet: "rules" })}>
  <b>${ui.t(`preset.${s.options.preset}`)}</b> <small>${ui.t(`preset.${s.options.preset}.why`)}</small></button>`;

/** What everybody waits for a seat to do: the key behind "seatsheet.skip."; null where nobody does. */
export const waitedFor = (s, seat) => (s.active === seat.seat ? "move" : null);

/** ms between two bones that are drawn, so that everybody can follow. */
const DRAW_MS = 650;

/** Whether one's own hand is still what was dealt: nothing lies on the table yet. */
export const isAsDealt = (s) => s.phase === "LEAD" && s.line.length === 0;

/** All bones, in the order in which a shuffle numbers them. */
const SET = [0, 1, 2, 3, 4, 5, 6].flatMap((a) => [0, 1, 2, 3, 4, 5, 6].filter((b) => b >= a).map((b) => `${a}-${b}`));

/** What a seat is dealt in this order: so many in a row, seat after seat. */
export function dealt(order, seats, seat, count) {
  const at = seats.indexOf(seat) * count;
  return order.slice(at, at + count).map((n) => SET[n]);
}

/** Drawing goes on by itself, one bone after another, for as long as nothing fits and there are any. */
export function hands({ snapshot, set, draft, command }) {
  const pause = () => new Promise((done) => setTimeout(done, DRAW_MS));
  let drawing = false;
  return {
    async drawOn() {
      if (drawing) return;
      drawing = true;
      draft({ bone: null });
      set({ said: null });
      while (snapshot().may.draw && !snapshot().paused_by && (await command("draw")).ok) await pause();
      drawing = false;
    },
  };
}

export function moments(before, after, sound) {
  if (before?.phase !== after.phase && ["ROUND_END", "GAME_OVER"].includes(after.phase)) {
    sound.play(after.result?.how === "fish" ? "refused" : "accepted");
  } else if (before && !isMine(before) && isMine(after)) {
    sound.play("turn");
  } else if (before && before.line.length < after.line.length) {
    sound.play("accepted");
  }
}

const SCREENS = { ROUND_END: roundEnd, GAME_OVER: final };

export const screen = (s, ui) => (SCREENS[s.phase] ?? play)(s, ui);

/** What a screen reader hears: whose turn it is and what was done, or how a round ended. */
export function politeWords(s, ui) {
  if (s.phase === "GAME_OVER") {
    return winnerWords(s, ui);
  }
  if (s.phase === "ROUND_END") {
    return roundWords(s, ui).join(" ");
  }
  if (!s.active) {
    return "";
  }
  const whose = isMine(s) ? ui.t("turn.title", { name: nameOf(s, ui, s.you.seat) }) : ui.t("others.next", { name: nameOf(s, ui, s.active) });
  return [did(s, ui), whose].filter(Boolean).join(" ");
}

/** What must interrupt: somebody stakes the match. */
export const urgentWords = (s, ui) => (s.staker && !s.line.length ? ui.t("did.stake", { name: names(s, ui, [s.staker]) }) : "");
