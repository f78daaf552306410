/**
 * What every phone screen is made of. A screen is a pure function of a snapshot and a `ui`:
 *
 * @typedef {object} Ui
 * @property {(key: string, params?: object) => string} t words
 * @property {string} lang
 * @property {number} width px of the phone
 * @property {number} height
 * @property {number} rem root font size in px
 * @property {"live"|"late"|"lost"} link late: gone for a second; lost: gone for ten
 * @property {() => number} now the server's clock, epoch ms
 * @property {Record<string, any>} local what is open on this page, and who sits before it
 * @property {(patch: object) => void} set change `local` and draw again
 * @property {Record<string, any>} drafts what is in somebody's hand and not sent yet
 * @property {(patch: object) => void} draft change `drafts` and draw again
 * @property {(type: string, seat: string) => object} pending what is sent, and nobody has shown yet
 * @property {(type: string, seat: string) => object} taken the last of a kind that was taken in this phase
 * @property {(type: string, fields?: object) => void} send a command
 * @property {any} [overlay] what lies over the screen
 * @property {any} [told] what the table says over the answers
 * @property {(seat: string) => void} ticket draw the code that gives a seat to another phone
 * @property {() => void} reconnect try the link at once
 * @property {any} [game] what the page asks of the game, whose `hands` are in the `ui` too
 * @property {{sound: boolean, theme: string}} settings
 * @property {(name: string, value: any) => void} setting
 * @property {(step: string) => boolean} [first] whether this is the first moment of a kind for whoever has the phone
 * @property {string} suggested a name for whoever has none yet
 */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { eye, mark } from "./objects/marks.js";
import { sign, triangle } from "./objects/signs.js";
import { list } from "./i18n.js";

/** Letters of the longest word of a name that needs no dividing. */
const LONG_WORD = 12;
const LONG_TITLE = 24;
const MARGIN = 18;
/** As in `any_way.css`: two columns, the left one of which reads. */
const WIDE_BELOW = 480;
const WIDE_MARGIN = 20;
const WIDE_GAP = 24;
const READ = 0.56;
const LARGE_REM = 20;
const SHORT_BELOW = 700;
const TINY_BELOW = 600;

/** The seat of this phone, or undefined for a watcher or guest. */
export function me(s) {
  return seatOf(s, s.you.seat);
}

export function seatOf(s, id) {
  return s.seats.find((seat) => seat.seat === id);
}

/** The seats in the order of turns, from the first one; snapshots name them clockwise. */
export function inPlayOrder(s) {
  const [first, ...rest] = s.seats;
  return s.play_order === "counter-clockwise" && first ? [first, ...rest.reverse()] : s.seats;
}

/** The seats that play together with this one. */
export function partners(s, id) {
  return (s.teams ?? []).find((team) => team.includes(id))?.filter((seat) => seat !== id) ?? [];
}

const SYLLABLE = /(..)(?=[^aeiouyà-æè-ïò-öù-üаеёиоуыэюяєіїъh\P{L}][aeiouyà-æè-ïò-öù-üаеёиоуыэюяєіїъ].)/giu;

/** A name whose words of more than `most` letters may be divided where a syllable begins. */
export const divided = (name, most) =>
  name.replace(/[^\s-]+/g, (word) => (word.length > most ? word.replace(SYLLABLE, "$1\u00ad") : word));

/** With a capital: for words that begin a line. */
export function capital(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** The name of a seat, or "you"; in a narrow column words of more than `most` letters may be divided. */
export function called(s, ui, id, most) {
  if (id === "host") {
    return ui.t("the_host");
  }
  return id === s.you.seat ? ui.t("you") : nameOf(s, ui, id, most);
}

export function nameOf(s, ui, id, most = LONG_WORD) {
  return divided(seatOf(s, id)?.name ?? ui.t("somebody"), most);
}

/** "you, Olena and Petro" */
export function names(s, ui, ids) {
  const mine = ids.filter((id) => id === s.you.seat);
  const others = ids.filter((id) => id !== s.you.seat);
  return list(ui.lang, [...mine, ...others].map((id) => called(s, ui, id)));
}

/** Whether the page has two columns: a phone held sideways, unless its text is large. */
export function isWide(ui) {
  return ui.width > ui.height && ui.height < WIDE_BELOW && !isLarge(ui);
}

/** Whether text is so large that the page scrolls and nothing stands still. */
function isLarge(ui) {
  return ui.rem > LARGE_REM;
}

/** Width of what is read, between the margins; in two columns that of the left one. */
export function room(ui) {
  return isWide(ui) ? Math.floor((ui.width - 2 * WIDE_MARGIN - WIDE_GAP) * READ) : Math.min(ui.width, 560) - 2 * MARGIN;
}

/** Width for what is done: in two columns that of the right one. */
export function actRoom(ui) {
  return isWide(ui) ? ui.width - 2 * WIDE_MARGIN - WIDE_GAP - room(ui) : room(ui);
}

/** A title; long ones go down one step, and wrap. One with a name takes two lines of a small screen at most. */
export function title(text, { size = "", id = nothing, names = false } = {}) {
  const long = text.length > LONG_TITLE ? "title-long" : "";
  return html`<h1 class="title display ${size} ${long} ${names ? "title-names" : ""}" id=${id}>${capital(text)}</h1>`;
}

/** The main answer: the one lamp on the screen. */
export function lamp(label, press, { disabled = false } = {}) {
  return html`<button type="button" class="key key-lamp" ?disabled=${disabled} @click=${press}>${label}</button>`;
}

/** Any other answer. */
export function key(label, press, { icon = "", disabled = false, pressed = nothing } = {}) {
  return html`<button type="button" class="key key-plain" ?disabled=${disabled} aria-pressed=${pressed} @click=${press}>
    ${icon ? sign(icon, 24) : ""}<span>${label}</span>
  </button>`;
}

/** Words in running text that may be pressed. */
export function quiet(label, press) {
  return html`<button type="button" class="quiet" @click=${press}>${label}</button>`;
}

/** "round 2 of 3", or the extra one. */
export function roundLabel(s, ui) {
  return s.round > s.rounds ? ui.t("rail.extra") : ui.t("rail.round", { round: s.round, rounds: s.rounds });
}

/** Of camera and pusher what the table has and goes on without, as it is lost or left out. */
export function missing(s) {
  const { lost = [], without = [] } = s.devices ?? {};
  return ["camera", "pusher"].filter((which) => lost.includes(which) || without.includes(which));
}

/** What a shuffle has to tell: a word for each, and its seats; nothing most of the time. */
export function shuffleNews({ shuffle }) {
  const { void: broken = [], left_out: without = [], missing: late = [] } = shuffle ?? {};
  return Object.entries({ void: broken, left_out: without, waits: late }).filter(([, seats]) => seats.length);
}

/** Whether real tiles stand there and no camera sees them: people show here where they do. */
export const byHand = (s) => s.devices?.sees === false && s.devices.camera !== "virtual";

/** The host's way on without a device at once; nothing for anybody else. */
export function withoutKey(s, ui, which) {
  return s.may.without ? key(ui.t(`without.${which}.on`), () => ui.send("without", { which, on: true })) : "";
}

/** That the journal is damaged, or its hands are locked: there is only something to look at, and everybody should know. */
function damageLine(s, ui) {
  const why = s.damaged ? "damaged" : s.key_missing ? "locked" : "";
  return why ? html`<p class="camera-line is-blind" role="status">${triangle(24)}<span>${ui.t(why)}</span></p>` : "";
}

/** The classes that say how much room there is. */
export function sizes(ui) {
  const wide = isWide(ui);
  const all = { "is-short": ui.height < SHORT_BELOW, "is-tiny": ui.height < TINY_BELOW && !wide, "is-wide": wide, "is-large": isLarge(ui) };
  return Object.keys(all).filter((name) => all[name]).join(" ");
}

function rail(s, ui, label) {
  const seat = me(s);
  return html`<header class="rail">
    <span class="rail-mark">${seat ? mark(seat.mark, { size: 30 }) : eye({ size: 30 })}</span>
    <span class="rail-name">${s.acting ? ui.t("acting.for", { name: seat.name }) : seat ? seat.name : ui.t("rail.watching")}</span>
    ${
      s.acting && ui.link === "live"
        ? html`<button type="button" class="small-key" @click=${() => ui.set({ acting: null, deed: null, sheet: null })}>${ui.t("acting.done")}</button>`
        : html`<span class="rail-word">${ui.link === "live" ? label : ui.t("link.word")}</span>`
    }
    ${
      s.you.host
        ? html`<button type="button" class="rail-grip" aria-label=${ui.t("drawer.title")} aria-haspopup="dialog"
            @click=${() => ui.set({ sheet: "drawer" })}><span class="grip">${sign("up", 18)}</span></button>`
        : ""
    }
    <button type="button" class="rail-menu" aria-label=${ui.t("menu.open")} aria-haspopup="dialog"
      @click=${() => ui.set({ sheet: "menu" })}>${sign("dots", 26)}</button>
  </header>`;
}

/** Out of what lies under a sheet, in a browser that does not know `inert`. */
const away = (event) => event.target.blur();

/** What came of the last thing done; what a screen reader hears of it stands at the end of the page. */
export const noticed = (ui) => ui.local.notice && html`<p class="notice">${ui.local.notice}</p>`;

/**
 * One screen: the rail, what it says, what is done, and the answers at its foot. A phone held sideways
 * has what it says on its left and the rest on its right; the shelf stands lowest either way.
 * @param {object} s snapshot
 * @param {Ui} ui
 * @param {object} parts
 * @param {string} parts.name
 * @param {string} [parts.label] the word in the rail, the round unless given
 * @param {any} parts.body
 * @param {any} [parts.act] the one thing that is pressed or held here
 * @param {any} [parts.shelf] what is taken from
 * @param {any} [parts.foot]
 * @param {boolean} [parts.dark] the lamp is low: countdown
 * @param {boolean} [parts.bare] no rail
 */
export function page(s, ui, { name, label, body, act = "", shelf = "", foot = "", dark = false, bare = false }) {
  const covered = Boolean(ui.overlay) || ui.link === "lost";
  const wide = isWide(ui);
  // In two columns these are read beside what is done, unless the shelf needs the room.
  const beside = wide && !shelf;
  const lines = html`${damageLine(s, ui)} ${ui.game?.deviceLines?.(s, ui, name) ?? ""}
    ${s.paused_by ? html`<p class="notice">${ui.t("paused.line", { name: called(s, ui, s.paused_by) })}</p>` : ""}
    ${ui.told ?? ""}
    ${noticed(ui) || (ui.game?.hint?.(s, ui) ?? "")}`;
  return html`<div class="pad ${sizes(ui)} ${dark ? "is-dark" : ""} ${s.paused_by ? "is-paused" : ""}" data-screen=${name}>
    <div class="under" ?inert=${covered} aria-hidden=${covered} @focusin=${covered ? away : null}>
      ${bare ? "" : rail(s, ui, label ?? roundLabel(s, ui))}
      <main class="screen screen-${name}${bare ? " bare" : ""}">
        <div class="body">${body}${beside ? lines : ""}</div>
        ${shelf ? html`<div class="shelf">${shelf}</div>` : ""}
        <div class="side">
          ${act ? html`<div class="act">${act}</div>` : ""}
          <div class="foot">${beside ? "" : lines} ${foot}</div>
        </div>
      </main>
    </div>
    ${ui.overlay ?? ""}
  </div>`;
}
