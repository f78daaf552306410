/** Which screen a phone shows for a snapshot, and what is said aloud about it. */
import { actedFor, handOn, mustHandOn } from "./acting.js";
import { ballot, callerLine } from "./ballot.js";
import { chooseEnd } from "./chooseend.js";
import { capital, me, nameOf, short } from "./common.js";
import { countdown } from "./countdown.js";
import { final } from "./final.js";
import { join } from "./join.js";
import { lobby } from "./lobby.js";
import { message } from "./messages.js";
import { others } from "./others.js";
import { push, stopper } from "./push.js";
import { mend, reading } from "./reading.js";
import { reveal } from "./reveal.js";
import { overlay } from "./sheets.js";
import { told } from "./told.js";
import { turn } from "./turn.js";
import { headline, report, roundEnd, verdict } from "./verdict.js";

const PROTO = 1;

function turnScreen(s, ui) {
  if (s.active !== s.you.seat || !me(s)) {
    return others;
  }
  const state = s.reading?.state ?? "waiting";
  if (ui.local.fix || s.sight?.blind) {
    return reading;
  }
  const free = state === "waiting" || (state === "looking" && s.may.stand);
  return free && !(ui.local.stood > ui.now()) ? turn : reading;
}

/** Whether the table knows of the push: the arm makes it, or the camera films a finger. */
const pushes = (s) => s.push?.machine || s.push?.kind === "finger";

function toppleScreen(s, ui) {
  if (s.push && s.push.end === null) {
    return chooseEnd;
  }
  const waits = ["switch", "ready", "armed"].includes(s.push?.state);
  if (mend.differs && waits && me(s) && s.differs?.keeper === s.you.seat) {
    return reading;
  }
  return !pushes(s) || s.push.state === "report" || ui.local.report ? report : push;
}

/** Whoever has just pressed sees for a moment what became of it. */
function ballotScreen(s, ui) {
  return ui.local.afterCall ? others : ballot;
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
  ACCIDENT: () => mend.accident ?? ((s, ui) => message("wait", ui)),
  GAME_OVER: () => final,
};

/** Whether this phone asks its holder to sit down. */
function sitsDown(s, ui) {
  if (me(s)) {
    return false;
  }
  return !ui.local.watching || ui.local.joining || (ui.local.waiting && Boolean(s.may.sit));
}

/** Draw a snapshot: the whole page of a phone. */
export function app(snapshot, plain) {
  if (snapshot.proto !== PROTO) {
    return message("version", plain);
  }
  const s = actedFor(snapshot, plain);
  const ui = { ...plain, overlay: overlay(s, plain), told: told(s, plain) };
  if (sitsDown(s, ui)) {
    return join(s, ui);
  }
  return (mustHandOn(s, ui) ? handOn : SCREENS[s.phase](s, ui))(s, ui);
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
  if (s.sight?.blind && (s.you.host || s.active === s.you.seat)) {
    return capital(`${ui.t(`sight.${s.sight.kind}`)}. ${ui.t(`sight.${s.sight.kind}.do`)}`);
  }
  if (s.push?.stopped_by || s.push?.state === "stopped") {
    return stopper(s, ui);
  }
  return "";
}
