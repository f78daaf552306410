/** Which screen a phone shows for a snapshot, and what is said aloud about it. */
import { accident } from "./accident.js";
import { ballot, callerLine } from "./ballot.js";
import { called, me, nameOf, short } from "./common.js";
import { countdown } from "./countdown.js";
import { final } from "./final.js";
import { join } from "./join.js";
import { lobby } from "./lobby.js";
import { message } from "./messages.js";
import { others } from "./others.js";
import { push } from "./push.js";
import { reading } from "./reading.js";
import { reveal } from "./reveal.js";
import { overlay } from "./sheets.js";
import { turn } from "./turn.js";
import { headline, report, roundEnd, verdict } from "./verdict.js";

const PROTO = 1;

function turnScreen(s, ui) {
  if (s.active !== s.you.seat || !me(s)) {
    return others;
  }
  const state = s.reading?.state ?? "waiting";
  if (ui.local.fix) {
    return reading;
  }
  const free = state === "waiting" || (state === "looking" && s.may.stand);
  return free && !(ui.local.stood > ui.now()) ? turn : reading;
}

function toppleScreen(s, ui) {
  return !s.push?.machine || s.push.state === "report" || ui.local.report ? report : push;
}

/** Whoever has just pressed sees for a moment what became of it. */
function ballotScreen(s, ui) {
  return ui.local.afterCall > ui.now() ? others : ballot;
}

const SCREENS = {
  LOBBY: () => lobby,
  TURN: turnScreen,
  BALLOT: ballotScreen,
  COUNTDOWN: () => countdown,
  REVEAL: () => reveal,
  TOPPLE: toppleScreen,
  JUDGE: (s) => (s.verdict ? verdict : report),
  ROUND_END: () => roundEnd,
  ACCIDENT: () => accident,
  GAME_OVER: () => final,
};

/** Draw a snapshot: the whole page of a phone. */
export function app(s, plain) {
  if (s.proto !== PROTO) {
    return message("version", plain);
  }
  const ui = { ...plain, overlay: overlay(s, plain) };
  const joining = !me(s) && (!ui.local.watching || ui.local.joining);
  return (joining ? join : SCREENS[s.phase](s, ui))(s, ui);
}

/** What a screen reader hears when the phase changes. */
export function politeWords(s, ui) {
  const mine = s.active === s.you.seat && me(s);
  switch (s.phase) {
    case "TURN":
      return mine ? ui.t("turn.title", { name: short(me(s).name) }) : ui.t("others.next", { name: nameOf(s, ui, s.active) });
    case "BALLOT":
      return ui.t("ballot.title");
    case "COUNTDOWN":
      return ui.t("countdown.title");
    case "REVEAL":
      return ui.t(s.reveal.push ? "reveal.push" : "reveal.nobody");
    case "TOPPLE":
      return ui.t("handsoff.title");
    case "JUDGE":
    case "ROUND_END":
      return s.verdict ? headline(s, ui) : ui.t("report.title");
    case "GAME_OVER":
      return ui.t("final.rail");
    default:
      return "";
  }
}

/** What must interrupt: a call, and STOP. */
export function urgentWords(s, ui) {
  if (s.phase === "BALLOT") {
    return callerLine(s, ui);
  }
  if (s.push?.stopped_by) {
    return ui.t("stopped.title", { name: called(s, ui, s.push.stopped_by) });
  }
  return "";
}
