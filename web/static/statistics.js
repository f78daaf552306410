/** The page of statistics: what the games on this machine say of each player. */
import { html, render } from "./vendor/lit-html/lit-html.js";
import { loadCatalogue, pickLanguage, translator } from "./core/i18n.js";
import { card } from "./past/figures.js";
import { applyTheme, recall } from "./core/settings.js";

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

  foot() {
    const { say, told } = this;
    if (!told?.host) return "";
    return html`<footer class="figures-foot">
      ${
        told.on && told.players.length
          ? html`<button type="button" class="key key-plain" @click=${() => this.erase(null)}>${say(
              this.sure === "" ? "past.figures.erase.sure" : "past.figures.erase.all",
            )}</button>`
          : ""
      }
      <button type="button" class="key key-plain" @click=${() => this.wish({ on: !told.on })}>${say(
        told.on ? "past.figures.switch.off" : "past.figures.switch.on",
      )}</button>
    </footer>`;
  }

  cards() {
    const { say, told } = this;
    if (!told) return "";
    if (!told.on) return html`<p class="past-none">${say("past.figures.off")}</p>`;
    if (!told.players.length) return html`<p class="past-none">${say("past.figures.none")}</p>`;
    const players = [...told.players].sort((a, b) => (b.name === told.mine) - (a.name === told.mine));
    return html`<p class="figures-about">${say("past.figures.about")} ${this.table()}</p>
      <div class="figures">${players.map((player) => card(this, player))}</div>`;
  }

  /** What the model has learned of this table, where its own pushes have shown it something. */
  table() {
    const { say, told, lang } = this;
    if (!told.table) return "";
    const { pushes, before, after } = told.table;
    const brier = new Intl.NumberFormat(lang, { minimumFractionDigits: 3, maximumFractionDigits: 3 });
    return say("past.figures.table", {
      n: pushes,
      before: brier.format(before),
      after: brier.format(after),
    });
  }

  draw() {
    const { say } = this;
    render(
      html`<header class="past-head">
          <a class="key key-plain past-back" href="play">${say("past.back")}</a>
          <h1 class="display">${say("past.figures.title")}</h1>
        </header>
        ${this.trouble ? html`<p class="past-trouble" role="alert">${this.trouble}</p>` : ""}
        <main>${this.cards()}</main>
        ${this.foot()}`,
      root,
    );
    document.title = `${say("past.figures.title")} · ${say("past.page")}`;
    document.body.dataset.v = this.told ? "figures" : "";
  }
}

async function start() {
  applyTheme(recall("theme"));
  const lang = pickLanguage(recall("language"), navigator.languages ?? []);
  document.documentElement.lang = lang;
  const page = new Page(translator(await loadCatalogue(`${lang}/past`), lang), lang);
  await page.load();
}

start();
