/** The page of a phone: takes snapshots, draws the screen that fits, and sends what is pressed. */
import { html, render } from "./vendor/lit-html/lit-html.js";
import { gameName } from "./core/evening.js";
import { loadCatalogue, pickLanguage, translator } from "./core/i18n.js";
import { gameSheetWords, gameWords, loadGame, pageSheetWords, putAway, rulesOf } from "./games/index.js";
import { Net } from "./core/net.js";
import { defs } from "./core/objects/defs.js";
import { Pending } from "./core/pending.js";
import { app } from "./lobby/app.js";
import { message } from "./lobby/messages.js";
import { putSheets } from "./lobby/sheets.js";
import { holdBack, pageSize, settle } from "./core/settle.js";
import { applyTheme, recall, remember, store } from "./core/settings.js";
import { Sound } from "./core/sound.js";

const LATE_MS = 1000;
const LOST_MS = 10000;
const AFTERWARDS_MS = 900;
const TICK_MS = 250;
const LIT_MS = 150;
const WORDS_RETRY_MS = 1500;

/** What survives a change of phase on this phone. */
const KEPT = ["name", "mark", "watching", "waiting", "sheet", "seat", "why", "ticket", "acting", "deed", "way"];

/** What of it survives a change of game. */
const LASTING = ["name", "mark", "watching", "waiting", "joining", "why", "ticket", "way", "notice"];

/** Parts of the app that not every phone needs; the game has some of its own. */
const MORE = {
  deck: () => import("./lobby/deck.js"),
  host: () => import("./host/host.js"),
  menus: () => import("./lobby/menus.js"),
};

/** Those that come with the words of sheets and refusals; so do the game's parts of these names. */
const SHEETS = [...Object.keys(MORE), "photo", "sheets"];

/** Catalogues that are still on their way, as one; what is not there is left out. */
const joined = async (catalogues) => Object.assign({}, ...(await Promise.all(catalogues)));

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

class Phone {
  constructor(root) {
    this.root = root;
    this.snapshot = null;
    this.game = null;
    this.rules = null;
    this.ended = null;
    /** What is open on this page, and who sits before it. */
    this.local = {
      watching: recall("watching") === "1",
      waiting: recall("waiting") === "1",
      name: recall("name") ?? undefined,
    };
    /** What is in somebody's hand and not sent: a tile, an order, a choice. */
    this.drafts = {};
    /** What is sent. */
    this.pending = new Pending();
    this.sound = new Sound(store);
    this.motion = matchMedia("(prefers-reduced-motion: reduce)");
    this.link = { live: false, since: Date.now() };
    this.step = -1;
    this.firsts = {};
    this.fetched = {};
    this.net = new Net({
      onSnapshot: (snapshot) => {
        // The words and the first snapshot come side by side.
        if (this.t) {
          this.take(snapshot);
        } else {
          this.early = snapshot;
        }
      },
      onLink: (link) => {
        this.link = link;
        this.toldLanguage = link.live ? this.toldLanguage : null;
        this.draw();
      },
      onDenied: (why) => {
        this.ended = why;
        this.draw();
      },
      once: (type) => Boolean(this.game?.ONCE?.includes(type)),
    });
  }

  async start() {
    applyTheme(recall("theme"));
    document.documentElement.dataset.hand = recall("hand") ?? "right";
    const language = pickLanguage(recall("language"), navigator.languages ?? []);
    this.net.start();
    while (!this.t) {
      await this.speak(language).catch(() => pause(WORDS_RETRY_MS));
    }
    if (this.early) {
      this.take(this.early);
    }
    addEventListener("resize", () => this.draw());
    document.addEventListener("pointerdown", (event) => this.touched(event), { capture: true });
    setInterval(() => this.tick(), TICK_MS);
    this.draw();
  }

  /** Speak a language: in the words of the page, and of the game once it is there. */
  async speak(language) {
    const { game, sheetsSpeak: sheets, snapshot } = this;
    const [own, its] = await Promise.all([
      joined([loadCatalogue(`${language}/phone`), sheets && pageSheetWords(language)]),
      joined([game && gameWords(language, "phone", snapshot), game && sheets && gameSheetWords(language, snapshot)]),
    ]);
    this.language = language;
    this.learn(own, its);
    document.documentElement.lang = language;
    const names = this.t("join.names").split(" ");
    this.suggested = names[Math.floor(Math.random() * names.length)];
  }

  /** Take words in: the page's own, and the game's, which go when the game does. */
  learn(own, its) {
    this.words = { own, its };
    this.t = translator({ ...own, ...its }, this.language);
    document.title = this.game ? gameName(this.snapshot, this.t) : this.t("page.title");
  }

  /** The words of all sheets, before the first of them is drawn, and of refusals. */
  speakSheets() {
    const rules = rulesOf(this.snapshot);
    this.sheetsSpeak ??= Promise.all([pageSheetWords(this.language), gameSheetWords(this.language, this.snapshot)]).then(
      ([own, its]) => this.learn({ ...this.words.own, ...own }, { ...this.words.its, ...(rules === rulesOf(this.snapshot) && its) }),
      (error) => {
        this.sheetsSpeak = null;
        throw error;
      },
    );
    return this.sheetsSpeak;
  }

  /** The first touch wakes the sound; where nothing vibrates, what is pressed lights up once. */
  touched(event) {
    this.sound.wake();
    this.light(event.target.closest?.("button, label"));
  }

  light(lit) {
    if (lit && !navigator.vibrate) {
      lit.classList.add("is-lit");
      setTimeout(() => lit.classList.remove("is-lit"), LIT_MS);
    }
  }

  take(snapshot) {
    if (this.game && rulesOf(snapshot) !== this.rules) {
      this.putGameAway();
    }
    const before = this.snapshot;
    const { sound, phones } = snapshot.table_screen ?? {};
    this.sound.hush(sound === true && !phones);
    this.tellLanguage(snapshot);
    const leaving = this.pending.has("leave");
    const afterwards = this.game?.afterwards?.(snapshot);
    this.snapshot = snapshot;
    this.pending.shown(snapshot, this.net.now(), this.game?.LASTS);
    this.ended = null;
    if (before && before.phase_id !== snapshot.phase_id) {
      this.local = Object.fromEntries(KEPT.map((name) => [name, this.local[name]]));
      this.drafts = {};
      if (afterwards) {
        // By this timer alone: the table's clock may be set back meanwhile.
        Object.assign(this.local, afterwards);
        const over = Object.fromEntries(Object.keys(afterwards).map((name) => [name, false]));
        setTimeout(() => this.set(over), AFTERWARDS_MS);
      }
    }
    if (before?.stopped_by && !snapshot.stopped_by) this.local.notice = null;
    if (before?.you.seat && !snapshot.you.seat && !leaving) {
      const moved = snapshot.seats.some((seat) => seat.seat === before.you.seat);
      this.local = { ...this.local, sheet: null, watching: moved, notice: this.t(moved ? "message.moved" : "message.empty") };
    }
    if (this.local.acting && !snapshot.for?.[this.local.acting]) {
      const name = snapshot.seats.find((seat) => seat.seat === this.local.acting)?.name ?? this.t("somebody");
      this.local = { ...this.local, acting: null, notice: this.t("acting.over", { name }) };
    }
    if (before?.you.host && !snapshot.you.host && snapshot.you.seat) {
      const name = snapshot.seats.find((seat) => seat.host)?.name ?? this.t("somebody");
      this.local = { ...this.local, sheet: null, notice: this.t("message.drawer", { name }) };
    }
    if (this.local.acting && this.game?.isDone?.(snapshot, this.local)) {
      this.local = { ...this.local, acting: null, deed: null, handed: false };
      this.drafts = {};
    }
    if (this.game) {
      this.game.needs(snapshot).forEach((part) => this.fetchMore(part).catch(() => {}));
      this.game.moments(before, snapshot, this.sound);
    } else if (snapshot.phase !== "LOBBY") {
      this.fetchGame();
    }
    if (snapshot.shuffle || snapshot.shuffle_opened || snapshot.key_missing) {
      this.shuffle(snapshot);
    }
    if (snapshot.push?.state === "looking") {
      this.local.lookingSince ??= this.net.now();
    }
    const shouted = before && !before.shout && snapshot.shout && snapshot.shout.caller !== snapshot.you.seat;
    if (shouted && !this.motion.matches) {
      this.light(this.root.querySelector(".under"));
    }
    this.draw();
  }

  /** Once a tick, redraw what depends on time alone. */
  tick() {
    const s = this.snapshot;
    const runs = s && (s.timer || this.game?.runs?.(s) || this.local.sheet === "ticket");
    const lasts = Object.keys(this.game?.LASTS ?? {}).some((type) => this.pending.has(type));
    if (s) {
      this.pending.shown(s, this.net.now(), this.game?.LASTS);
    }
    if (!this.link.live || runs || lasts || this.local.lookingSince) {
      this.draw();
    }
  }

  /** A table screen speaks as the host does; said once, so that two of the host's devices do not argue. */
  tellLanguage({ you, table_screen: screen } = this.snapshot) {
    const { language, toldLanguage } = this;
    if (you.host && screen && screen.language !== language && toldLanguage !== language) {
      this.toldLanguage = language;
      this.net.ask("api/screen", { language });
    }
  }

  linkState() {
    const gone = Date.now() - this.link.since;
    return this.link.live || gone < LATE_MS ? "live" : gone < LOST_MS ? "late" : "lost";
  }

  set(patch) {
    this.local = { ...this.local, ...patch };
    if (patch.sheet) {
      const host = this.snapshot?.you.host ? ["host"] : [];
      const parts = ["menus", "sheets", ...host, ...(patch.sheet === "deck" ? ["deck"] : [])];
      Promise.all(parts.map((part) => this.fetchMore(part))).catch(() => this.set({ sheet: null, notice: this.t("refused.offline") }));
    }
    if ("watching" in patch) {
      remember("watching", patch.watching ? "1" : null);
    }
    if ("waiting" in patch) {
      remember("waiting", patch.waiting ? "1" : null);
    }
    if ("name" in patch) {
      remember("name", patch.name);
    }
    this.draw();
  }

  /** Take something in the hand, or put it back with null. */
  draft(patch) {
    this.drafts = { ...this.drafts, ...patch };
    if (patch.fix) {
      this.fetchMore("mend").catch(() => {
        this.drafts.fix = null;
        this.set({ notice: this.t("refused.offline") });
      });
    }
    this.draw();
  }

  /** Do what a phone owes to a shuffle: it sends its hash and its share by itself, and keeps the key of the round. */
  async shuffle(snapshot) {
    const send = (type, fields) => this.net.command(type, fields);
    this.shares ??= Promise.all([import("./core/shares.js"), import("./core/round_key.js")]).then(([{ Shares, checked }, { RoundKeys }]) => ({
      each: [new Shares(store, send), new RoundKeys(store, send)],
      checked,
    }));
    const asDealt = this.game?.isAsDealt?.(snapshot);
    await this.shares.then(
      ({ each, checked }) => {
        each.forEach((one) => one.take({ ...snapshot, hand: asDealt ? snapshot.hand : null }));
        this.checkDeal(snapshot.shuffle_opened, checked);
      },
      () => {
        this.shares = null;
      },
    );
  }

  /** Compute a deal that lies open again, once, and say so where something is wrong with it. */
  checkDeal(opened, checked) {
    if (opened && this.game && this.deal?.commitment !== opened.commitment) {
      this.deal = { commitment: opened.commitment, isWrong: checked(opened, this.game).wrong.length > 0 };
      this.draw();
    }
  }

  /** What not every phone needs is fetched when one does. */
  fetchMore(what) {
    const load = MORE[what] ?? (() => this.fetchGame().then((game) => game.PARTS[what]()));
    this.fetched[what] ??= Promise.resolve(SHEETS.includes(what) && this.speakSheets()).then(load).then(
      () => this.draw(),
      (error) => {
        this.fetched[what] = null;
        throw error;
      },
    );
    return this.fetched[what];
  }

  /** The game comes when it begins, or behind the first title, and is asked for until it is there. */
  fetchGame() {
    this.coming ??= this.loadGame();
    return this.coming;
  }

  /**
   * The table goes on with another game: the one before is forgotten, and the other one fetched. The page
   * stays, for a load that fails here leaves a phone with nothing, and sound would have to be woken anew.
   */
  putGameAway() {
    this.game = null;
    this.hands = {};
    this.coming = null;
    this.fetched = Object.fromEntries(Object.keys(MORE).map((part) => [part, this.fetched[part]]));
    this.pending = new Pending();
    this.local = Object.fromEntries(LASTING.map((name) => [name, this.local[name]]));
    this.learn(this.words.own, {});
    putSheets({});
    putAway("phone");
  }

  async loadGame() {
    document.head.append(document.getElementById("later")?.content ?? "");
    while (!this.game) {
      const { snapshot, language } = this;
      const words = joined([gameWords(language, "phone", snapshot), this.sheetsSpeak && gameSheetWords(language, snapshot)]);
      const [game, its] = await Promise.all([loadGame("phone", snapshot), words]).catch(() => pause(WORDS_RETRY_MS)) ?? [];
      if (game && rulesOf(this.snapshot) === rulesOf(snapshot)) {
        this.game = game;
        this.rules = rulesOf(snapshot);
        this.hands = game.hands?.({
          snapshot: () => this.snapshot,
          drafts: () => this.drafts,
          now: () => this.net.now(),
          set: (patch) => this.set(patch),
          draft: (patch) => this.draft(patch),
          command: (type, fields) => this.command(type, fields),
        });
        document.body.dataset.game = this.rules;
        this.learn(this.words.own, { ...this.words.its, ...its });
      }
    }
    this.take(this.snapshot);
    return this.game;
  }

  /** All that is sent with a command, and for which seat. */
  inFull(type, fields) {
    const all = { ...this.game?.inName(this.snapshot, this.local, type), ...fields };
    return { all, seat: all.for ?? this.snapshot?.you.seat };
  }

  /** Send, and say in words why not. */
  async command(type, fields, { all, seat } = this.inFull(type, fields)) {
    this.local.notice = null;
    const sent = this.pending.begin(type, seat, all, this.snapshot?.phase_id, this.drafts.tile);
    this.draw();
    const reply = await this.net.command(type, all);
    this.pending.answered(sent, reply, this.net.now(), this.game?.LASTS);
    this.refuse(reply);
    this.draw();
    return reply;
  }

  /** Why not, in this phone's language; a game may say it otherwise by what the table is at now. */
  why({ reason }, other = "refused.other") {
    const keys = [`refused.${reason}.${this.snapshot?.phase}`, `refused.${reason}`];
    return this.t(keys.find((key) => this.t(key) !== key) ?? other);
  }

  /** Most words for this come with those of the sheets: they are rarely needed, and a dead net does not bring them. */
  async refuse(reply) {
    if (!reply.ok && reply.reason !== "stale") {
      this.sound.play("refused");
      if (!this.why(reply, "")) {
        await Promise.race([this.speakSheets(), pause(2 * WORDS_RETRY_MS)]).catch(() => {});
      }
      this.set({ notice: this.why(reply) });
    }
  }

  /** STOP, and what the pusher said to it. */
  async stop() {
    const tell = ({ stopped }) =>
      stopped && this.snapshot?.devices?.pushes !== false && this.set({ notice: this.t(`stop.${stopped}`) });
    if (!this.link.live) {
      tell({ stopped: "not_sent" });
    }
    const reply = await this.net.stop();
    this.refuse(reply);
    tell(reply);
  }

  async send(type, fields) {
    if (type === "watch") {
      this.set({ watching: true, waiting: Boolean(fields?.waiting), joining: false, notice: null });
      return;
    }
    const heard = this.game?.SOUNDS?.[type];
    this.sound.play(heard ?? (type === "stop" ? "stop" : "tap"));
    if (type === "stop") {
      await this.stop();
      return;
    }
    if (type === "solo") {
      const begun = this.pending.begin("solo", null, fields);
      this.set({ joining: false, watching: false, waiting: false });
      await import("./lobby/solo.js").then(({ solo }) => solo(this, fields)).catch(() => this.set({ notice: this.t("refused.offline") }));
      this.pending.forget((each) => each === begun);
      this.draw();
      return;
    }
    const full = this.inFull(type, fields);
    if (this.pending.repeats(type, full.seat, full.all)) {
      return;
    }
    const reply = await this.command(type, fields, full);
    if (reply.ok && type === "sit") {
      this.set({ joining: false, watching: false, waiting: false });
    } else if (reply.ok && type === "leave") {
      this.set({ sheet: null });
    } else if (reply.ok) {
      this.draft(this.game?.taken?.(type, full.seat, this.pending) ?? {});
    }
  }

  /** Draw the code that gives a seat to another phone, and show it. */
  async ticket(seat) {
    this.set({ sheet: "ticket", ticket: { seat }, notice: null });
    const reply = await this.net.ask("api/handover", { seat });
    if (reply.ok) {
      this.set({ ticket: { seat, qr: reply.qr, url: reply.url, until: this.net.now() + reply.life_ms } });
    } else {
      this.set({ sheet: null, notice: this.why(reply) });
    }
  }

  async setting(name, value) {
    if (name === "sound") {
      this.sound.mute(!value);
      this.sound.wake();
    } else if (name === "theme") {
      remember("theme", value === "system" ? null : value);
      applyTheme(value);
    } else if (name === "hand") {
      remember("hand", value === "right" ? null : value);
      document.documentElement.dataset.hand = value;
    } else {
      // The game's words come with the game: not those of one language into another.
      await this.fetchGame();
      await this.speak(value).then(
        () => {
          remember("language", value);
          this.tellLanguage();
        },
        () => this.set({ notice: this.t("refused.offline") }),
      );
    }
    this.draw();
  }

  ui() {
    return {
      t: this.t,
      game: this.game,
      lang: this.language,
      ...pageSize(),
      rem: parseFloat(getComputedStyle(document.documentElement).fontSize),
      link: this.linkState(),
      now: () => this.net.now(),
      local: this.local,
      drafts: this.drafts,
      pending: (type, seat) => this.pending.of(type, seat),
      taken: (type, seat) => this.pending.taken(type, seat),
      set: (patch) => this.set(patch),
      draft: (patch) => this.draft(patch),
      send: (type, fields) => this.send(type, fields),
      ticket: (seat) => this.ticket(seat),
      ...this.hands,
      still: this.motion.matches,
      settings: { sound: !this.sound.muted, theme: recall("theme") ?? "system", hand: recall("hand") ?? "right" },
      setting: (name, value) => this.setting(name, value),
      first: (step) => this.first(step),
      suggested: this.suggested,
      deal: this.deal,
      reconnect: () => {
        this.ended = null;
        this.net.reopen();
        this.draw();
      },
      leave: () => location.assign("./"),
      reload: () => location.reload(),
    };
  }

  /** Whether this is the first moment of a kind for whoever sits here: for as long as it lasts. */
  first(step) {
    const { phase_id: now, seats, you } = this.snapshot;
    const name = seats.find(({ seat }) => seat === you.seat)?.name ?? "";
    if (recall(`first-${step}`) !== name) {
      this.firsts[step] = now;
      remember(`first-${step}`, name);
    }
    return this.firsts[step] === now;
  }

  /** What is on its way, or else that the link is gone. */
  underWay(ui) {
    const { game, link, t } = ui;
    return game?.statusWords?.(game.actedFor(this.snapshot, ui), ui) || (link === "live" ? "" : t("link.word"));
  }

  draw() {
    if (!this.t || this.drawing) {
      return;
    }
    this.drawing = true;
    requestAnimationFrame(() => {
      this.drawing = false;
      this.paint();
    });
  }

  paint() {
    const s = this.snapshot;
    const ui = this.ui();
    const waiting = ui.link === "lost" ? "late" : "wait";
    // What is wrong with words that are only heard keeps nothing from being seen.
    const heard = (words) => {
      try {
        return (s && words()) ?? "";
      } catch (error) {
        Promise.reject(error); // told to whoever listens
        return "";
      }
    };
    const ended = this.ended ?? (this.link.closed ? "closed" : null);
    const screen = ended ? message(ended, ui) : s ? app(s, ui) : message(waiting, ui);
    render(
      html`${defs()}${screen}
        <div class="unseen" aria-live="polite"><p>${ui.local.notice || ui.local.said}</p><p>${heard(() => this.underWay(ui))}</p></div>
        <div class="unseen" aria-live="polite">${heard(() => ui.game?.politeWords(s, ui))}</div>
        <div class="unseen" role="alert">${heard(() => ui.game?.urgentWords(s, ui))}</div>`,
      this.root,
    );
    settle(this.root);
    if (s && ui.game) {
      holdBack(this.root, () => this.draw());
    }
    if (s) {
      document.body.dataset.v = s.v;
      document.body.dataset.phase = s.phase;
      // After the frame that shows the title: to ask for so many files takes a slow phone a while.
      this.coming ?? requestAnimationFrame(() => requestAnimationFrame(() => this.fetchGame()));
    }
    if (s && ui.link === "live" && this.game?.counts?.(s)) {
      this.step = this.game.countBuzz(s.countdown, ui.now(), this.step, this.sound);
      this.draw();
    } else {
      this.step = -1;
    }
    if (s && this.game?.moves?.(s, ui)) {
      this.draw();
    }
  }
}

new Phone(document.getElementById("app")).start();
