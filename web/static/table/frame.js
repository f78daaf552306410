// The table screen of any game: takes snapshots, and draws the game's scene in the frame that all have.
import { render } from "../vendor/lit-html/lit-html.js";
import { oldPageScreen, pausedScreen, startScreen } from "./plain.js";
import { stage } from "./stage.js";

const PROTO = 1;

/**
 * What a game's table screen extends. The game gives `scene(ctx)`, a screen as in stage.js; where it
 * wants to, `moment(ctx)`, a screen that goes before all others while it plays, `behind(ctx)`, what is
 * seen behind a pause, and `plate(ctx, seat)`, what the rail shows of a seat.
 */
export class Frame {
  _lost = "";
  _sounding = false;
  _way = "";
  _frame = 0;
  _timer = 0;
  _live = false;
  _snap = null;
  _choosing = false;
  _setting = false;

  /**
   * @param {Element} root where the screen is drawn
   * @param {object} with_ {say, lang, now, send, sound, still}: now() is the server's clock in ms,
   *   send(type, fields) gives a command, still() says whether motion is unwanted; clock() runs the
   *   moments, in ms; settings are what was chosen on this screen, and chosen(name, value) hears what is.
   */
  constructor(root, { say, lang, now, send, sound, still, clock = () => performance.now(), settings = {}, chosen = () => {} }) {
    Object.assign(this, { root, say, lang, now, send, sound, still, clock, settings, tellChosen: chosen });
  }

  /** The newest snapshot. */
  get snap() {
    return this._snap;
  }

  /** Take the newest snapshot. */
  show(snap) {
    const before = this._snap?.proto === PROTO ? this._snap : null;
    this._live ||= before !== null && before.phase !== snap.phase;
    this._snap = snap;
    this.took(before, snap);
    this.draw();
  }

  /** A snapshot came after another, or null; before it is drawn. */
  took() {}

  /** How long the link has been gone: "", "word" or "sheet"; "closed" if the table was closed. */
  lost(level) {
    if (level === this._lost) return;
    this._lost = level;
    this.draw();
  }

  /** Let this screen sound or not; only a tap may switch it on. */
  hear(on) {
    this._sounding = on;
    this.sound.mute(!on);
    if (on) this.sound.wake();
    this.tellChosen("sound", on);
    this.draw();
  }

  /** Open or close what can be chosen on this screen. */
  openSettings(on) {
    this._setting = on;
    this.draw();
  }

  _set(name, value) {
    if (name === "sound") this.hear(value);
    else {
      this.settings[name] = value;
      this.tellChosen(name, value);
      this.draw();
    }
  }

  /** Keep what people have set on the screen of another game, in whose place this one comes. */
  takeOver(before) {
    this._way = before._way;
    this._setting = before._setting;
    if (before._sounding) this.hear(true);
  }

  /** Open or close the choice of games. Once a game is over it takes a rematch first, and opens then. */
  choose(on) {
    this._choosing = on;
    if (on && this._snap.phase === "GAME_OVER") this.send("rematch");
    this.draw();
  }

  moment() {
    return null;
  }

  behind() {
    return {};
  }

  plate(ctx, seat) {
    return { active: (ctx.snap.asked ?? []).some((each) => each.seat === seat.seat), holds: "" };
  }

  /** Shared drawings that the game's art names. */
  defs() {
    return "";
  }

  _choose(ctx) {
    const { snap } = ctx;
    if (!snap) return startScreen(ctx);
    if (snap.proto !== PROTO) return oldPageScreen(ctx);
    return this.moment(ctx) ?? (snap.paused_by ? pausedScreen(ctx, this.behind(ctx)) : this.scene(ctx));
  }

  draw() {
    cancelAnimationFrame(this._frame);
    clearTimeout(this._timer);
    const time = this.clock();
    const ctx = this.context(time);
    const screen = this._choose(ctx);
    this.chosen(ctx, time);
    render(stage(ctx, screen), this.root);
    document.title = `${screen.title} · ${this.say("table.page")}`;
    // In a part of another page, that page says what is shown.
    if (this._snap && this.root.id === "app") document.body.dataset.v = String(this._snap.v);
    this.drawn(ctx, time);
  }

  /** A screen was chosen, and is drawn next. */
  chosen() {}

  /** A screen is drawn; what moves asks for the next one. */
  drawn() {}

  /** What a screen is made from, at a moment of the clock in ms. */
  context(_time) {
    let soonest = Infinity;
    const snap = this._snap;
    return {
      snap,
      way: snap?.net?.others?.find((way) => way.url === this._way) ?? snap?.net,
      choose: (url) => {
        this._way = url;
        this.draw();
      },
      say: this.say,
      lang: this.lang,
      send: this.send,
      now: this.now,
      still: this.still(),
      live: this._live && !this.still(),
      lost: this._lost,
      plate: (ctx, seat) => this.plate(ctx, seat),
      defs: () => this.defs(),
      sounding: this._sounding,
      choosing: this._choosing,
      chooseGame: (on) => this.choose(on),
      redraw: () => this.draw(),
      setting: this._setting,
      settings: { theme: "dark", size: "100", lang: "", ...this.settings, sound: this._sounding },
      set: (name, value) => this._set(name, value),
      openSettings: (on) => this.openSettings(on),
      frame: () => {
        cancelAnimationFrame(this._frame);
        this._frame = requestAnimationFrame(() => this.draw());
      },
      later: (ms) => {
        if (ms >= soonest) return;
        soonest = ms;
        clearTimeout(this._timer);
        this._timer = setTimeout(() => this.draw(), Math.max(0, ms));
      },
    };
  }
}
