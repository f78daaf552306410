/**
 * Estimation Domino on a phone: what the phone's page asks of any game.
 *
 * `screen` draws a phase, `asks` and `deviceLines` stand over the answers of any screen, `politeWords`,
 * `statusWords` and `urgentWords` are heard, `moments` and `countBuzz` sound and buzz, `actedFor`, `inName` and
 * `isDone` let the host act for a seat, `waitedFor` says what for; `counts`, `moves` and `runs` say what
 * a snapshot is like, `fault` what the host does about a device, `needs` which of the `PARTS` it is shown
 * with, `beside` what is in the lobby besides. Of commands, `hands` gives what is more than a press, `LASTS`
 * what is on its way for longer than until it is answered, `ONCE`, `SOUNDS` and `taken` how they are sent;
 * `afterwards` is what everybody sees for a moment as a phase begins.
 */
import { html } from "../../vendor/lit-html/lit-html.js";
import { byHand, capital, me, nameOf } from "../../core/page.js";
import { UNSEEN_MS } from "../../core/pending.js";
import { message } from "../../lobby/messages.js";
import { deed, deedDue, handOn, mustHandOn } from "./screens/acting.js";
import { final } from "./screens/final.js";
import { push, stopper, whoPushes } from "./screens/push/push.js";
import { headline, report, roundEnd, verdict } from "./screens/push/verdict.js";
import { others } from "./screens/turn/others.js";
import { mend, reading, readingWords } from "./screens/turn/reading.js";
import { isFree, turn } from "./screens/turn/turn.js";
import { ballot, callerLine, unsafe } from "./screens/vote/ballot.js";
import { countdown } from "./screens/vote/countdown.js";
import { reveal } from "./screens/vote/reveal.js";

export { actedFor, inName, isDone } from "./screens/acting.js";
export { deviceLines } from "./screens/devices.js";
export { hands, ONCE, SOUNDS, taken } from "./screens/hands.js";
export { hint } from "./screens/hints.js";
export { countBuzz, moments } from "./screens/moments.js";

/** Screens of parts that have been fetched. */
const come = {};

const coming = (s, ui) => message("wait", ui);

/** What not every phone needs; `sheets` come with the first sheet that is opened. */
export const PARTS = {
  aim: () => import("./screens/push/aim.js"),
  end: () => import("./screens/push/chooseend.js").then((part) => Object.assign(come, part)),
  fall: () => import("./screens/push/fall.js"),
  mend: () => import("./screens/turn/mend.js"),
  photo: () => import("./screens/turn/photo.js"),
  sheets: () => import("./screens/sheets.js").then(({ put }) => put()),
  virtual: () => import("./screens/turn/virtual.js"),
};

/** In the lobby: the row that somebody has given to the table. */
export const beside = ({ puzzle, ...s }, ui) =>
  puzzle ? html`<a class="key key-plain" href="bench"><span>${ui.t(puzzle.told ? "puzzle.told" : "puzzle.asks", { name: nameOf(s, ui, puzzle.by) })}</span></a>` : "";

/** Readings that are not as they should be. */
const WRONG = ["unsure", "wrong", "several", "exchanged", "gone", "down"];

/** Which parts a snapshot is shown with. */
export function needs(s) {
  const wrong = s.stopped_by || s.differs || s.row_fix || s.phase === "ACCIDENT" || s.sight?.blind || WRONG.includes(s.reading?.state);
  return [
    ...(s.push?.guide || s.push?.kind === "finger" ? ["aim"] : []),
    ...(s.push?.end === null ? ["end"] : []),
    ...(s.virtual ? ["virtual"] : []),
    ...(byHand(s) ? ["photo"] : []),
    ...(s.virtual && s.phase === "TOPPLE" ? ["fall"] : []),
    ...(wrong ? ["mend"] : []),
  ];
}

function turnScreen(s, ui) {
  if (s.active !== s.you.seat || !me(s)) {
    return others;
  }
  return !ui.drafts.fix && !s.sight?.blind && isFree(s, ui) ? turn : reading;
}

/** Whether the table knows of the push: the arm makes it, or the camera films a finger. */
const pushes = (s) => s.push?.machine || s.push?.kind === "finger";

function toppleScreen(s, ui) {
  if (s.push?.end === null) {
    return come.chooseEnd ?? coming;
  }
  const waits = ["switch", "ready", "armed"].includes(s.push?.state);
  if (mend.differs && waits && me(s) && s.differs?.keeper === s.you.seat) {
    return reading;
  }
  return !pushes(s) || s.push.state === "report" || ui.local.report ? report : push;
}

/** Before a ballot everybody sees for a moment who called: a finger may be on its way to the dome. */
function ballotScreen(s, ui) {
  return ui.local.afterCall ? others : ballot;
}

const SCREENS = {
  TURN: turnScreen,
  BALLOT: ballotScreen,
  COUNTDOWN: () => countdown,
  REVEAL: () => reveal,
  TOPPLE: toppleScreen,
  JUDGE: (s) => (s.verdict ? verdict : report),
  ROUND_END: () => roundEnd,
  ACCIDENT: () => mend.accident ?? coming,
  GAME_OVER: () => final,
};

/** The screen of a phase, but for the lobby's. */
export function screen(s, ui) {
  return (mustHandOn(s, ui) ? handOn : deedDue(s, ui) ? deed : SCREENS[s.phase](s, ui))(s, ui);
}

/** Whether something on the screen moves by itself now. */
export const moves = (s, ui) =>
  s.push?.now_ms > ui.now() || (!ui.still && ui.now() < s.fall?.from_ms + s.fall?.once_ms);

/** Whether something on the screen depends on the time. */
export const runs = (s) => Boolean(s.verdict?.stands_ms || s.fall || s.reading?.until_ms);

/** Whether seconds are counted down on every screen. */
export const counts = (s) => s.phase === "COUNTDOWN";

/**
 * What counts as on its way for longer than until the table shows the answer: a call until it is
 * known who was first, a tile until the camera has read it or has had time to.
 */
export const LASTS = {
  call: (sent, s) => sent.phaseId === s.phase_id,
  stand: (sent, s, nowMs) => sent.phaseId === s.phase_id && s.reading?.state !== "proposal" && nowMs < sent.answeredMs + UNSEEN_MS,
};

/** What everybody sees for a moment as a phase begins. */
export const afterwards = (s) => (s.phase === "BALLOT" ? { afterCall: true } : null);

/** What everybody waits for this seat to do: the key behind "seatsheet.skip."; null where nobody does. */
export function waitedFor(s, seat) {
  if (s.phase === "TURN" && s.active === seat.seat) {
    return "turn";
  }
  return s.phase === "BALLOT" && s.playing.includes(seat.seat) && !seat.in ? "ballot" : null;
}

/** The row stands otherwise than it did; whoever has to say what is so has a screen for it. */
function differs(s, ui) {
  const own = s.phase !== "BALLOT" && s.differs?.keeper === s.you.seat;
  return s.differs && !own ? (mend.card?.(s, ui) ?? "") : "";
}

/** What the host is told to do about a device in trouble, in the drawer; nothing while all is well. */
export const fault = (s, ui) => s.fault && ui.t(s.sight?.blind ? `sight.${s.sight.kind}.do` : "fault.title");

/** What the game asks over the answers of any screen: before a ruling, and after it. */
export const asks = {
  before: (s, ui) => html`${mend.stopped?.(s, ui)} ${differs(s, ui)}`,
  after: (s, ui) => (s.row_fix ? (mend.rowFixAsked?.(s, ui) ?? "") : ""),
};

/** What a screen reader hears when the phase changes, or a tile has been read. */
export function politeWords(s, ui) {
  const mine = s.active === s.you.seat && me(s);
  switch (s.phase) {
    case "TURN": {
      const read = readingWords(s, ui);
      if (read) {
        return read;
      }
      return mine ? ui.t("turn.title", { name: nameOf(s, ui, s.you.seat) }) : ui.t("others.next", { name: nameOf(s, ui, s.active) });
    }
    case "COUNTDOWN":
      return ui.t("countdown.title");
    case "REVEAL":
      return ui.t(s.reveal.push ? "reveal.push" : "reveal.nobody");
    case "TOPPLE":
      return s.push?.kind === "hand" && s.push.end !== null ? whoPushes(s, ui) : ui.t("handsoff.title");
    case "JUDGE":
    case "ROUND_END":
      return s.verdict ? headline(s, ui) : ui.t("report.title");
    case "GAME_OVER":
      return ui.t("final.rail");
    default:
      return "";
  }
}

/** What a screen reader hears of what is on its way. */
export function statusWords(s, ui) {
  const word = s.phase === "BALLOT" ? unsafe(s, ui) : ui.pending("call", s.you.seat) ? "dome.sent" : "";
  return word && ui.t(word);
}

/** What must interrupt: a call, and STOP. */
export function urgentWords(s, ui) {
  if (s.phase === "BALLOT") {
    return callerLine(s, ui);
  }
  if (s.sight?.blind && (s.you.host || s.active === s.you.seat)) {
    return capital(`${ui.t(`sight.${s.sight.kind}`)}. ${ui.t(`sight.${s.sight.kind}.do`)}`);
  }
  if (s.stopped_by || s.push?.state === "stopped") {
    return stopper(s, ui);
  }
  return "";
}
