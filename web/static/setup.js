/** The page of the first evening: asks how everything stands, and says what people want. */
import { render } from "./vendor/lit-html/lit-html.js";
import { loadCatalogue, pickLanguage, translator } from "./core/i18n.js";
import { settle, view } from "./setup/view.js";
import { Thumb } from "./setup/thumb.js";
import { applyTheme, recall } from "./core/settings.js";

const ASK_MS = 700;
const root = document.getElementById("app");

class Page {
  constructor(say, lang) {
    Object.assign(this, { say, lang, told: null, said: null, lost: false, denied: false, drafts: {}, choosing: false, inside: false });
    Object.assign(this, { sending: 0, asked: 0, heard: 0 });
    this.thumb = new Thumb({ wish: (wish) => this.wish(wish), draw: () => this.draw() });
  }

  /** Ask the table; null where it does not answer. */
  async fetch(options) {
    const reply = await fetch(`api/setup?lang=${this.lang}`, { cache: "no-store", ...options }).catch(() => null);
    const told = await reply?.json().catch(() => null);
    this.lost = !told;
    this.denied = reply?.status === 401 || reply?.status === 403;
    return told;
  }

  async load() {
    const turn = ++this.asked;
    const told = await this.fetch();
    // What was asked before a wish may be answered after it, and is old by then.
    if (told?.steps && turn > this.heard) {
      this.heard = turn;
      this.told = told;
    }
    this.draw();
  }

  /** Say what is wanted; what was refused stands on the page until the next wish. */
  async wish(wish) {
    const quiet = wish.do === "still" || wish.do === "release";
    if (!quiet) {
      this.said = null;
      this.sending += 1;
      this.draw();
    }
    const headers = { "Content-Type": "application/json" };
    const reply = await this.fetch({ method: "POST", headers, body: JSON.stringify(wish) });
    if (reply && !reply.ok && !quiet) {
      this.said = { mark: "failed", key: reply.reason, of: reply.of ?? {}, detail: reply.detail ?? "" };
    }
    if (!quiet) {
      await this.load();
      this.sending -= 1;
      this.draw();
    }
    return reply ?? { ok: false };
  }

  go(step) {
    this.drafts = {};
    this.choosing = false;
    this.inside = true;
    scrollTo(0, 0);
    return this.wish({ do: "go", step });
  }

  draft(name, value) {
    this.drafts[name] = value;
  }

  choose(on) {
    this.choosing = on;
    this.draw();
  }

  draw() {
    render(view(this), root);
    settle();
    const at = this.told?.at;
    document.title = `${this.say("setup.page")} · ${at ? this.say(`setup.name.${at}`) : ""}`;
    document.body.dataset.v = this.told ? `${at}-${this.told.camera.shot}` : this.denied ? "denied" : "";
    document.body.dataset.busy = this.told?.busy ?? "";
  }
}

async function start() {
  applyTheme(recall("theme"));
  const lang = pickLanguage(recall("language"), navigator.languages ?? []);
  document.documentElement.lang = lang;
  const page = new Page(translator(await loadCatalogue(`${lang}/setup`), lang), lang);
  await page.load();
  const again = async () => {
    if (!document.hidden && !page.denied) {
      await page.load();
    }
    setTimeout(again, ASK_MS);
  };
  setTimeout(again, ASK_MS);
  addEventListener("scroll", settle, { passive: true });
  addEventListener("resize", settle);
}

start();
