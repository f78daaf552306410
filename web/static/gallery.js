/** Every screen in every state, from the saved snapshots; only in development. */
import { html, render } from "./vendor/lit-html/lit-html.js";
import { LANGUAGES, loadCatalogue } from "./i18n.js";
import { defs } from "./objects.js";
import { preview } from "./preview.js";
import { applyTheme } from "./settings.js";

const SIZES = { "390 × 844": [390, 844], "360 × 640": [360, 640], "320 × 640": [320, 640], "768 × 1024": [768, 1024] };

/** The gallery's own style is nobody else's business. */
function style() {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/static/gallery.css" });
  document.head.append(link);
}

const root = document.getElementById("app");
const wanted = new URLSearchParams(location.search);
const state = {
  lang: wanted.get("lang") ?? "en",
  theme: wanted.get("theme") ?? "system",
  size: "390 × 844",
  only: wanted.get("only") ?? "phone-",
};

function choice(label, options, key) {
  const pick = (event) => {
    state[key] = event.target.value;
    show();
  };
  return html`<label>${label} <select @change=${pick}>
    ${options.map(([value, word]) => html`<option value=${value} ?selected=${value === state[key]}>${word}</option>`)}
  </select></label>`;
}

function page(names, [width, height]) {
  const size = `phone-${width}`;
  return html`${defs()}
    <form class="gallery-bar">
      ${choice("Language", Object.entries(LANGUAGES), "lang")}
      ${choice("Theme", ["system", "light", "dark"].map((theme) => [theme, theme]), "theme")}
      ${choice("Size", Object.keys(SIZES).map((name) => [name, name]), "size")}
    </form>
    <div class="gallery-phones">
      ${names.map((name) => html`<figure class="gallery-phone ${size}"><figcaption>${name}</figcaption>
        <div class="gallery-glass" id=${name}></div></figure>`)}
    </div>`;
}

async function show() {
  const [snapshots, catalogue] = await Promise.all([
    fetch("/dev/snapshots.json").then((reply) => reply.json()),
    loadCatalogue(state.lang),
  ]);
  applyTheme(state.theme);
  document.documentElement.lang = state.lang;
  const names = Object.keys(snapshots).filter((name) => name.startsWith(state.only)).sort();
  const [width, height] = SIZES[state.size];
  render(page(names, SIZES[state.size]), root);
  for (const name of names) {
    preview(document.getElementById(name), snapshots[name], { catalogue, lang: state.lang, width, height });
  }
  document.body.dataset.v = String(names.length);
}

style();
show();
