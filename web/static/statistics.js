/** The page of statistics: what the games on this machine say of each player. */
import { render } from "./vendor/lit-html/lit-html.js";
import { loadCatalogue, pickLanguage, translator } from "./core/i18n.js";
import { view } from "./past/figures.js";
import { applyTheme, recall } from "./core/settings.js";
import { gameWords } from "./games/index.js";

const root = document.getElementById("app");

class Page {
  constructor(say, lang) {
    Object.assign(this, { say, lang, told: null, trouble: "", sure: null });
  }

  async ask(options) {
    const reply = await fetch("api/statistics", { cache: "no-store", ...options }).catch(() => null);
    const told = await reply?.json().catch(() => null);
    this.trouble = "";
    if (reply?.ok && told) return told;
    const key = `past.refused.${told?.reason ?? "offline"}`;
    const words = this.say(key);
    this.trouble = words === key ? (told?.message ?? "") : words;
    return null;
  }

  async load() {
    this.told = (await this.ask()) ?? this.told;
    this.draw();
  }

  async wish(wish) {
    this.sure = null;
    const headers = { "Content-Type": "application/json" };
    const done = await this.ask({ method: "POST", headers, body: JSON.stringify(wish) });
    if (done) await this.load();
    else this.draw();
  }

  /** What cannot be taken back is asked twice, on the same key. */
  erase(name) {
    const key = name ?? "";
    if (this.sure === key) {
      this.wish({ erase: name });
    } else {
      this.sure = key;
      this.draw();
    }
  }

  draw() {
    render(view(this), root);
    document.title = `${this.say("past.figures.title")} · ${this.say("past.page")}`;
    document.body.dataset.v = this.told ? "figures" : "";
  }
}

async function start() {
  applyTheme(recall("theme"));
  const lang = pickLanguage(recall("language"), navigator.languages ?? []);
  document.documentElement.lang = lang;
  // What is said of a player is said on the phones, too.
  const words = await Promise.all([loadCatalogue(`${lang}/past`), gameWords(lang, "phone")]);
  const page = new Page(translator(Object.assign({}, ...words), lang), lang);
  await page.load();
}

start();
