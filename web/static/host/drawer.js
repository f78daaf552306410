/** The host's drawer: six wooden keys, what else there is, the seats, and STOP at its foot. */
import { html } from "../vendor/lit-html/lit-html.js";
import { mark } from "../core/objects/marks.js";
import { sign, triangle } from "../core/objects/signs.js";
import { me, missing, nameOf } from "../core/page.js";
import { stopFoot } from "../core/stop.js";
import { firstTurn } from "../lobby/lobby.js";
import { close, sheet } from "../core/sheet.js";

/**
 * Everything that is not one of the six keys, a line each: the sheet it opens, its sign, and when it
 * is there. Its words are `drawer.<sheet>`; a line with `href` leads to a page instead.
 * A line may open another sheet than its own name, with something for it to know.
 * @type {{id: string, icon: string, sheet?: string, local?: object, shown?: (s: object, ui: object) => boolean, href?: string}[]}
 */
const ENTRIES = [
  { id: "unknock", icon: "left", sheet: "why", local: { why: "accident" }, shown: (s) => s.may.accident_undo },
  { id: "rules", icon: "book", shown: (s, ui) => ui.game?.hasRules !== false },
  { id: "lesson", icon: "all", shown: (s) => s.may.learn_table && s.devices.camera !== "virtual" },
  { id: "timers", icon: "clock" },
  { id: "films", icon: "play", shown: (s) => Boolean(s.films) },
  { id: "bench", icon: "topple", shown: (s) => Boolean(s.bench) },
  { id: "wayin", icon: "code" },
  { id: "doctor", icon: "all", href: "doctor" },
  { id: "past", icon: "left", href: "replay" },
];

/** One wooden key with its sign. */
function wood(ui, { icon, word, run, off = false, stays = false }) {
  const press = () => {
    run();
    if (!stays) {
      close(ui)();
    }
  };
  return html`<button type="button" class="wood-key" ?disabled=${off} @click=${press}>
    ${sign(icon, 30)}<span>${word}</span>
  </button>`;
}

function open(ui, id, local = {}) {
  return () => ui.set({ sheet: id, confirm: null, ...local });
}

function pauseKey(s, ui) {
  const paused = s.paused_by !== null;
  return wood(ui, {
    icon: paused ? "play" : "pause",
    word: ui.t(paused ? "drawer.resume" : "drawer.pause"),
    off: !s.may.pause,
    run: () => ui.send("pause", { on: !paused }),
  });
}

function before(s, ui) {
  return [
    { icon: "play", word: ui.t("drawer.start"), off: !s.may.start, run: () => ui.send("start", { first: firstTurn(s, ui) }) },
    { icon: "bot", word: ui.t("drawer.bot"), off: !s.may.add_bot, run: () => ui.send("add_bot") },
    { icon: "hand", word: ui.t("drawer.guest"), off: !s.may.add_player, stays: true, run: open(ui, "guest") },
    { icon: "left", word: ui.t("drawer.undo"), off: !s.may.undo, stays: true, run: open(ui, "why", { why: "undo" }) },
    { icon: "all", word: ui.t("drawer.seats"), off: s.seats.length < 2, run: () => ui.set({ moving: true }) },
  ];
}

/** A game in which nothing is pushed has no verdict, no accident and no arm. */
function during(s, ui) {
  const why = (kind) => ({ stays: true, run: open(ui, "why", { why: kind }) });
  const undo = { icon: "left", word: ui.t("drawer.undo"), off: !s.may.undo, ...why("undo") };
  const longer = { icon: "clock", word: ui.t("drawer.longer"), off: !s.may.longer, stays: true, run: () => ui.send("longer") };
  if (ui.game?.pushes === false) {
    return [undo, longer];
  }
  return [
    undo,
    { icon: "scale", word: ui.t("drawer.verdict"), off: !s.may.correct_verdict, ...why("verdict") },
    { icon: "topple", word: ui.t("drawer.knocked"), off: !s.may.accident, stays: true, run: open(ui, "accident") },
    { icon: "void", word: ui.t("drawer.void"), off: !s.may.void, ...why("void") },
    !s.may.clear_stop && (s.may.longer || s.devices?.pusher === "hand")
      ? longer
      : { icon: "up", word: ui.t("drawer.clear"), off: !s.may.clear_stop, run: () => ui.send("clear_stop") },
  ];
}

function keys(s, ui) {
  const rest = s.phase === "LOBBY" ? before(s, ui) : during(s, ui);
  return html`<div class="wood-keys">${pauseKey(s, ui)} ${rest.map((each) => wood(ui, each))}</div>`;
}

/** A line for every device that can be left out, or counted on again: the real ones, and any in trouble. */
function deviceLines(s, ui) {
  const { camera = "none", pusher = "hand", without = [] } = s.devices ?? {};
  const trouble = [...missing(s), ...(s.sight?.blind ? ["camera"] : []), ...(s.push?.state === "fault" ? ["pusher"] : [])];
  const there = { camera: camera !== "none", pusher: pusher !== "hand" };
  const real = { camera: camera !== "virtual", pusher: pusher !== "virtual" };
  const shown = s.may.without ? ["camera", "pusher"].filter((which) => there[which] && (real[which] || trouble.includes(which))) : [];
  return shown.map((which) => {
    const out = without.includes(which);
    const press = () => {
      ui.send("without", { which, on: !out });
      close(ui)();
    };
    return html`<li><button type="button" class="entry-line" @click=${press}>
      ${sign(which === "camera" ? "all" : "topple", 24)}<span>${ui.t(`without.${which}.${out ? "off" : "on"}`)}</span>
    </button></li>`;
  });
}

/** Any screen may say that it sounds, and then phones are quiet: the host can have them sound all the same. */
function soundLine(s, ui) {
  const { sound = null, phones = false } = s.table_screen ?? {};
  return sound || phones
    ? html`<li><button type="button" class="entry-line" @click=${() => ui.send("phones_sound", { on: !phones })}>
        ${sign("hand", 24)}<span>${ui.t(phones ? "drawer.phones_off" : "drawer.phones_on")}</span>
      </button></li>`
    : "";
}

function entries(s, ui) {
  const shown = ENTRIES.filter((entry) => !entry.shown || entry.shown(s, ui));
  return html`<ul class="entries">
    ${deviceLines(s, ui)} ${soundLine(s, ui)}
    ${shown.map(({ id, icon, href, sheet: to = id, local }) => {
      const inside = html`${sign(icon, 24)}<span>${ui.t(`drawer.${id}`)}</span>`;
      return html`<li>
        ${href
          ? html`<a class="entry-line" href=${href}>${inside}</a>`
          : html`<button type="button" class="entry-line" @click=${open(ui, to, local)}>${inside}</button>`}
      </li>`;
    })}
  </ul>`;
}

/** What is so with a seat, in a word or two. */
export function seatState(s, ui, seat) {
  const words = [];
  if (seat.host) {
    words.push(ui.t("seat.host"));
  }
  if (seat.bot) {
    words.push(ui.t(seat.character ? `seat.bot.${seat.character}` : "seat.bot"));
  } else if (!seat.phone) {
    words.push(ui.t("seat.no_phone"));
  } else {
    words.push(ui.t(seat.connected ? "seat.connected" : "seat.away"));
  }
  return words.join(" · ");
}

function people(s, ui) {
  return html`<h3 id="drawer-people">${ui.t("drawer.people")}</h3>
    <ul class="people" aria-labelledby="drawer-people">
      ${s.seats.map(
        (seat) => html`<li>
          <button type="button" class="seat-line seat-key" @click=${open(ui, "seat", { seat: seat.seat })}>
            ${mark(seat.mark, { size: 34 })}
            <span class="seat-text"><b>${nameOf(s, ui, seat.seat)}</b><span>${seatState(s, ui, seat)}</span></span>
            ${sign("next", 22)}
          </button>
        </li>`,
      )}
    </ul>`;
}

export function drawer(s, ui) {
  const fault = ui.game?.fault?.(s, ui);
  return sheet(ui, {
    id: "drawer",
    heading: ui.t("drawer.title"),
    body: html`${keys(s, ui)} ${people(s, ui)} ${entries(s, ui)}
      ${s.table_screen?.sound === false ? html`<p>${ui.t("drawer.table_sound")}</p>` : ""}
      ${fault ? html`<p class="card advice">${triangle(30)}<span>${fault}</span></p>` : ""}
      ${me(s) ? "" : html`<p class="hint">${ui.t("drawer.no_seat")}</p>`}`,
    foot: stopFoot(s, ui),
  });
}
