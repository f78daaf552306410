// The entry of the table screen: words, theme, link and sound around the Table that draws.
import { render } from "./vendor/lit-html/lit-html.js";
import { pickLanguage, translator } from "./core/i18n.js";
import { Net } from "./core/net.js";
import { applyTheme, recall, remember, store } from "./core/settings.js";
import { Sound } from "./core/sound.js";
import { allWords, loadGame, rulesOf } from "./games/index.js";

const WORD_AFTER_MS = 1000;
const SHEET_AFTER_MS = 10000;
const GAME_RETRY_MS = 1500;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const asked = new URLSearchParams(location.search);

/** What the address asks for is remembered by this screen; `?theme=light` and `?lang=uk`. */
function wish(name) {
  const wanted = asked.get(name);
  if (wanted) remember(`table-${name}`, wanted);
  return wanted ?? recall(`table-${name}`);
}

/** The screen of a snapshot's game, and the words it is said in. */
async function gameOf(lang, snapshot = null) {
  const [words, { Table }] = await Promise.all([allWords(lang, "table", snapshot), loadGame("table", snapshot)]);
  return { say: translator(words, lang), Table };
}

/** Tell the table how long the link has been gone: a word after 1 s, a sheet after 10 s; at once if it closed. */
function watchLink(table) {
  let timers = [];
  return ({ live, closed }) => {
    timers.forEach(clearTimeout);
    timers = [];
    if (live) table.lost("");
    else if (closed) table.lost("closed");
    else {
      timers.push(setTimeout(() => table.lost("word"), WORD_AFTER_MS));
      timers.push(setTimeout(() => table.lost("sheet"), SHEET_AFTER_MS));
    }
  };
}

/**
 * Keep this screen on while it is in sight. A browser lets only pages over HTTPS or from its own computer ask for this,
 * and may refuse. It ends when the page is hidden, so the page asks again whenever it comes into sight.
 */
function keepAwake() {
  const ask = () => document.hidden || navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", ask);
  ask();
}

/** Put on the page what was chosen on this screen, by whoever can see it. */
function apply({ theme, size }) {
  applyTheme(theme);
  document.documentElement.dataset.size = size;
}

/** What was chosen on this screen or asked for by its address; "" is the table's own language. */
const chosenHere = () => ({
  theme: wish("theme") === "light" ? "light" : "dark",
  size: wish("size") ?? "100",
  lang: wish("lang") ?? "",
});

async function start() {
  keepAwake();
  const settings = chosenHere();
  const overlay = asked.has("overlay");
  apply(overlay ? { ...settings, theme: "dark" } : settings); // its words are light, on any picture
  if (overlay) document.documentElement.dataset.overlay = "";
  /** What this screen speaks: as chosen on it, else as its table, else as this browser. */
  const speaks = (snap) => pickLanguage(settings.lang || snap?.table_screen?.language || recall("language"), navigator.languages);
  let lang = speaks(null);
  document.documentElement.lang = lang;
  const { say, Table } = await gameOf(lang);
  const motion = matchMedia("(prefers-reduced-motion: reduce)");
  const sound = new Sound(store);
  let net = null;
  /** Tell the referee whether anybody can see this screen, and what of a scene it has shown. */
  const tell = (said = {}) => {
    // A stream is watched elsewhere: nobody at the table waits for it.
    if (!overlay) net.ask("api/screen", { visible: !document.hidden, sound: sounding, ...said });
  };
  let sounding = false;
  /** Whether somebody has said whether this screen sounds; until then a tap anywhere on the table does. */
  let soundChosen = false;
  const root = document.getElementById("app");
  const parts = {
    sound,
    settings,
    now: () => net.now(),
    send: (type, fields) => net.command(type, fields),
    still: () => motion.matches,
    scene: (number, what) => tell({ scene: number, what }),
    chosen: (name, value) => {
      if (name === "sound") {
        sounding = value;
        soundChosen = true;
        tell();
        return;
      }
      remember(`table-${name}`, value || null);
      apply(settings);
      if (newest) show(newest);
    },
  };
  let table = new Table(root, { ...parts, lang, say });
  let drawn = rulesOf(null);
  let newest = null;
  let loading = false;
  /** Another game or language than this page has is asked for until it is there; then the newest snapshot is drawn. */
  const show = async (snap) => {
    newest = snap;
    if (loading) return;
    loading = true;
    while (rulesOf(newest) !== drawn || speaks(newest) !== lang) {
      const [rules, wanted] = [rulesOf(newest), speaks(newest)];
      const other = await gameOf(wanted, newest).catch(() => pause(GAME_RETRY_MS));
      if (!other) continue;
      render("", root);
      const before = table;
      document.documentElement.lang = wanted;
      table = new other.Table(root, { ...parts, lang: wanted, say: other.say });
      table.takeOver(before);
      [drawn, lang] = [rules, wanted];
    }
    loading = false;
    table.show(newest);
  };
  const watch = watchLink({ lost: (level) => table.lost(level) });
  net = new Net({
    query: "?role=table",
    onSnapshot: show,
    onLink: (link) => {
      if (link.live) tell();
      watch(link);
    },
    onDenied: () => location.assign("./?as=table"),
  });
  table.draw();
  document.addEventListener("visibilitychange", () => tell());
  addEventListener("pointerdown", (event) => soundChosen || event.target.closest(".t-screen-key, .t-settings") || table.hear(true));
  net.start();
}

start();
