/** Every screen in every state, from the saved snapshots; only in development. */
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { LANGUAGES, loadCatalogue } from "./core/i18n.js";
import { defs } from "./core/objects/defs.js";
import { prepare, preview } from "./lobby/preview.js";
import { applyTheme } from "./core/settings.js";
import { MIX, Sound } from "./core/sound.js";
import { preview as statisticsPreview } from "./past/figures.js";
import { preview as setupPreview } from "./setup/preview.js";
import { allWords, gameWords, loadGame, rulesOf, sheetWords } from "./games/index.js";

const SIZES = { "390 × 844": [390, 844], "360 × 640": [360, 640], "320 × 640": [320, 640], "820 × 1180, larger": [607, 874] };
/** Pages that are no screens of a game: shown as they are, with what this table has. */
const PAGES = { "past games": "/replay", statistics: "/statistics", "set-up": "/setup", doctor: "/doctor", trust: "/trust", tables: "/tables" };
const KINDS = { "phone-": "phones", "table-": "table screens", "overlay-": "stream", "statistics-": "statistics", "setup-": "set-up", "sound-": "sounds" };
/** What a stream shows is the table screen, for `?overlay`. */
const fileOf = (name) => name.replace(/^overlay-/, "table-");

/** The hum of an armed pusher has no end of its own. */
const HUM_MS = 1500;

const root = document.getElementById("app");
const wanted = new URLSearchParams(location.search);
const state = {
  lang: wanted.get("lang") ?? "en",
  theme: wanted.get("theme") ?? "system",
  size: "390 × 844",
  kind: Object.keys(KINDS).find((kind) => wanted.get("only")?.startsWith(kind)) ?? "phone-",
  only: wanted.get("only") ?? "",
};

const isTable = () => fileOf(state.kind) === "table-";

function choice(label, options, key) {
  const pick = (event) => {
    state[key] = event.target.value;
    state.only = key === "kind" ? "" : state.only;
    show();
  };
  return html`<label>${label} <select @change=${pick}>
    ${options.map(([value, word]) => html`<option value=${value} ?selected=${value === state[key]}>${word}</option>`)}
  </select></label>`;
}

function page(names, width) {
  const size = isTable() ? "gallery-table" : `phone-${width}`;
  return html`${defs()}
    <form class="gallery-bar">
      ${choice("Screens", Object.entries(KINDS), "kind")}
      ${choice("Language", Object.entries(LANGUAGES), "lang")}
      ${choice("Theme", ["system", "light", "dark"].map((theme) => [theme, theme]), "theme")}
      ${choice("Size", Object.keys(SIZES).map((name) => [name, name]), "size")}
      <nav aria-label="Pages">${Object.entries(PAGES).map(([name, path]) => html`<a href=${path}>${name}</a>`)}</nav>
    </form>
    <div class="gallery-phones">
      ${names.map((name) => html`<figure class="gallery-phone ${size}"><figcaption>${name}</figcaption>
        <div class="gallery-glass" id=${name} data-overlay=${state.kind === "overlay-" ? "" : nothing}></div></figure>`)}
    </div>`;
}

/** Every sound that there is, each behind a key. */
function sounds() {
  const sound = new Sound(null);
  const hear = (moment) => {
    sound.wake();
    moment === "tile" ? sound.tile(0, false) : sound.play(moment);
    if (moment === "armed") setTimeout(() => sound.disarmed(), HUM_MS);
  };
  return html`<form class="gallery-bar">${choice("Screens", Object.entries(KINDS), "kind")}</form>
    <div class="gallery-phones">${Object.keys(MIX).map(
      (moment) => html`<button type="button" class="gallery-sound" @click=${() => hear(moment)}>${moment}</button>`,
    )}</div>`;
}

/** Which time `show` was called last: whoever chooses anew ends the drawing before. */
let latest = 0;

async function show() {
  const turn = ++latest;
  if (state.kind === "sound-") {
    render(nothing, root);
    render(sounds(), root);
    document.body.dataset.v = "sounds";
    return;
  }
  const [snapshots, setupCatalogue, pastCatalogue, said] = await Promise.all([
    fetch("/dev/snapshots.json").then((reply) => reply.json()),
    loadCatalogue(`${state.lang}/setup`),
    loadCatalogue(`${state.lang}/past`),
    gameWords(state.lang, "phone"),
  ]);
  if (turn !== latest) return;
  const known = {};
  /** The words of a page and of a snapshot's game. */
  const wordsOf = (snapshot, page) => (known[page + rulesOf(snapshot)] ??= allWords(state.lang, page, snapshot));
  applyTheme(state.kind === "overlay-" ? "dark" : state.theme);
  document.documentElement.lang = state.lang;
  const listed = (name) => name.startsWith(fileOf(state.kind)) && name.startsWith(fileOf(state.only));
  const shownAs = (name) => state.kind + name.slice(fileOf(state.kind).length);
  const names = Object.keys(snapshots).filter(listed).map(shownAs).sort();
  const [width, height] = SIZES[state.size];
  // Another screen in the same glass would be drawn over the one before.
  render(nothing, root);
  render(page(names, width), root);
  const { lang } = state;
  /** Give what draws a screen into its glass, once all that it needs is there. */
  const drawing = async (name) => {
    const snapshot = snapshots[fileOf(name)];
    if (isTable()) {
      const { preview: tablePreview } = await loadGame("table", snapshot);
      const catalogue = await wordsOf(snapshot, "table");
      return (glass) => tablePreview(glass, snapshot, { catalogue, lang });
    }
    if (state.kind === "statistics-") {
      return (glass) => {
        glass.classList.add("past");
        statisticsPreview(glass, snapshot, { catalogue: { ...pastCatalogue, ...said }, lang });
      };
    }
    if (state.kind === "setup-") {
      return (glass) => setupPreview(glass, snapshot, { catalogue: setupCatalogue, lang });
    }
    await prepare(snapshot);
    const catalogue = { ...(await wordsOf(snapshot, "phone")), ...(await sheetWords(lang, snapshot)) };
    return (glass) => preview(glass, snapshot, { catalogue, lang, width, height });
  };
  for (const name of names) {
    const draw = await drawing(name);
    if (turn !== latest) return;
    draw(document.getElementById(name));
  }
  document.body.dataset.v = String(names.length);
}

show();
