/** The page of past games: choose one, or bring a file, and look at it moment by moment. */
import { html, render } from "./vendor/lit-html/lit-html.js";
import { loadCatalogue, pickLanguage, translator } from "./core/i18n.js";
import { gameWords, loadGame } from "./games/index.js";
import { list } from "./past/list.js";
import { Player } from "./past/player.js";
import { applyTheme, recall } from "./core/settings.js";

const MOST_CHARACTERS = 2e6;

/** A phone comes from the end of a game with this, and wants to see that one. */
const NEWEST = "#newest";

/** Whoever comes from the big screen goes back to it. */
const BACK = new URL(document.referrer || location.href).pathname.endsWith("/table") ? "table" : "play";

const root = document.getElementById("app");

class Page {
  constructor(words, lang) {
    Object.assign(this, { words, say: translator(words, lang), lang, games: null, host: false, whole: false, trouble: "", busy: false, player: null });
  }

  async start() {
    const told = await this.ask("api/games");
    if (told) {
      this.games = told.games.reverse();
      this.host = told.host;
      this.whole = told.whole;
    }
    this.draw();
    if (location.hash === NEWEST && this.games?.length) await this.open(this.games[0].number);
  }

  /** Fetch something of this table; null and a sentence on the page where it does not come. */
  async ask(address, options) {
    this.trouble = "";
    this.busy = true;
    this.draw();
    const reply = await fetch(address, { cache: "no-store", ...options }).catch(() => null);
    const told = await reply?.json().catch(() => null);
    this.busy = false;
    if (reply?.ok && told) return told;
    const key = `past.refused.${told?.reason ?? "offline"}`;
    const words = this.say(key);
    this.trouble = words === key ? this.say(`past.refused.${told ? "other" : "offline"}`) : words;
    this.draw();
    return null;
  }

  async open(number) {
    const told = await this.ask(`api/games/${number}`);
    if (told) await this.show(told, { hindsight: (round) => fetch(`api/games/${number}/rounds/${round}`, { cache: "no-store" }) });
  }

  /** Bring a file: the referee reads it and forgets it; its pictures are shown by this browser. */
  async bring(file) {
    const text = await file.text().catch(() => "");
    const at = text.lastIndexOf('"pictures":');
    const given = {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: text.length > MOST_CHARACTERS && at > 0 ? `${text.slice(0, at)}"pictures":{}}` : text,
    };
    const told = await this.ask("api/replay", given);
    if (!told) return;
    await this.show(told, {
      pictures: JSON.parse(text).pictures ?? {},
      hindsight: (round) => fetch(`api/replay?round=${round}`, given),
    });
  }

  async show(told, { pictures, hindsight }) {
    const first = told.moments[0]?.changes;
    const [game, ...more] = await Promise.all([
      loadGame("table", first),
      gameWords(this.lang, "table", first),
      gameWords(this.lang, "past", first),
    ]);
    this.player = new Player(told, {
      say: translator(Object.assign({}, this.words, ...more), this.lang),
      lang: this.lang,
      game,
      pictures,
      hindsight,
      draw: () => this.draw(),
      still: () => matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
    this.draw();
    this.player.begin();
    document.getElementById("past-slider")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  close() {
    this.player.stop();
    this.player = null;
    this.draw();
  }

  draw() {
    const { say } = this;
    const body = this.player ? this.player.page() : list(this);
    render(
      html`<header class="past-head">
          ${
            this.player
              ? html`<button type="button" class="key key-plain past-back" @click=${() => this.close()}>${say("past.games")}</button>`
              : html`<a class="key key-plain past-back" href=${BACK}>${say("past.back")}</a>`
          }
          <h1 class="display">${say("past.title")}</h1>
        </header>
        ${this.trouble ? html`<p class="past-trouble" role="alert">${this.trouble}</p>` : ""}
        ${body}`,
      root,
    );
    document.title = `${say("past.title")} · ${say("past.page")}`;
    document.body.dataset.v = this.player ? `game-${this.player.at}` : this.games ? "list" : "";
  }
}

async function start() {
  applyTheme(recall("theme"));
  const lang = pickLanguage(recall("language"), navigator.languages ?? []);
  document.documentElement.lang = lang;
  const [past, table] = await Promise.all([loadCatalogue(`${lang}/past`), loadCatalogue(`${lang}/table`)]);
  const page = new Page({ ...table, ...past }, lang);
  await page.start();
}

start();
