// The table screen: takes snapshots, chooses the screen, and draws again only when there is cause.
import { render } from "../../../vendor/lit-html/lit-html.js";
import { accidentScreen } from "./moments/accident.js";
import { ballotScreen } from "./moments/ballot.js";
import { countdownScreen } from "./moments/countdown.js";
import { fallScreen } from "./moments/fall.js";
import { finalScreen } from "./between/final.js";
import { Hearing } from "./moments/hearing.js";
import { Lens } from "./row/lens.js";
import { lobbyScreen } from "./between/lobby.js";
import { again, interrupts, momentBetween } from "./moments/moments.js";
import { oldPageScreen, overScreen, pausedScreen, startScreen } from "./between/plain.js";
import { pushScreen } from "./moments/push.js";
import { revealScreen } from "./moments/reveal.js";
import { rowScreen, rowWithReading } from "./row/row.js";
import { shoutScreen } from "./moments/shout.js";
import { stage } from "./stage.js";
import { unsureScreen, verdictScreen } from "./moments/verdict.js";

const PROTO = 1;

const MOMENT_SCREENS = {
  shout: shoutScreen,
  fall: fallScreen,
  again: fallScreen,
  reveal: revealScreen,
  doubtless: revealScreen,
};

const PHASE_SCREENS = {
  LOBBY: lobbyScreen,
  TURN: rowScreen,
  BALLOT: ballotScreen,
  COUNTDOWN: (ctx) => (ctx.snap.countdown ? countdownScreen(ctx) : ballotScreen(ctx)),
  REVEAL: (ctx) => (ctx.snap.reveal ? revealScreen(ctx) : ballotScreen(ctx)),
  TOPPLE: (ctx) => (ctx.snap.push?.state === "report" ? unsureScreen(ctx) : pushScreen(ctx)),
  JUDGE: (ctx) => (ctx.snap.verdict?.outcome ? verdictScreen(ctx) : unsureScreen(ctx)),
  ROUND_END: (ctx) => (ctx.snap.verdict?.outcome ? verdictScreen(ctx) : overScreen(ctx)),
  ACCIDENT: accidentScreen,
  GAME_OVER: (ctx) => (ctx.snap.final ? finalScreen(ctx) : overScreen(ctx)),
};

export class Table {
  #snap = null;
  #standing = [];
  #moment = null;
  #lens = new Lens();
  #turn = 0;
  #fresh = null;
  #live = false;
  #lost = "";
  #sounding = false;
  #way = "";
  #frame = 0;
  #timer = 0;

  /**
   * @param {Element} root where the screen is drawn
   * @param {object} with_ {say, lang, now, send, sound, still}: now() is the server's clock in ms,
   *   send(type, fields) gives a command, still() says whether motion is unwanted; clock() runs the
   *   moments, in ms; scene(number, what) hears that the first run of a fall began or ended on this
   *   screen; past: a game is looked back at, so nobody waits for that.
   */
  constructor(root, { say, lang, now, send, sound, still, clock = () => performance.now(), scene = () => {}, past = false }) {
    Object.assign(this, { root, say, lang, now, send, still, clock, scene, past });
    this.hearing = new Hearing(sound);
    this.sound = sound;
  }

  /** Take the newest snapshot. */
  show(snap) {
    const before = this.#snap?.proto === PROTO ? this.#snap : null;
    const moment = momentBetween(before, snap, {
      standing: this.#standing,
      moment: this.#moment,
      past: this.past,
      now: this.now(),
    });
    this.#live ||= before !== null && before.phase !== snap.phase;
    this.#fresh = this.#arrived(before, snap);
    this.#snap = snap;
    if (moment) this.#moment = { ...moment, began: this.clock() };
    else if (this.#moment && interrupts(this.#moment, snap, this.past)) this.#moment = null;
    if (snap.row.length && snap.row.every((tile) => tile.state === "standing")) this.#standing = snap.row;
    this.hearing.changed(before, snap, this.#moment);
    this.draw();
    if (moment?.name === "fall") requestAnimationFrame(() => this.#begins(moment.number));
  }

  // A picture that is asked for and never drawn is not seen: a fall begins as one is drawn.
  #begins(number) {
    if (this.#moment?.name !== "fall" || this.#moment.number !== number) return;
    this.#moment.began = this.clock();
    this.scene(number, "began");
    this.draw();
  }

  /** How long the link has been gone: "", "word" or "sheet". */
  lost(level) {
    if (level === this.#lost) return;
    this.#lost = level;
    this.draw();
  }

  // The tile that has just come into the row, so that it alone falls in.
  #arrived(before, snap) {
    if (!before || !before.row.length || this.still()) return null;
    const old = new Set(rowWithReading(before).row.map((tile) => tile.value));
    const fresh = rowWithReading(snap).row.find((tile) => !old.has(tile.value));
    const same = snap.row.length >= before.row.length && before.round === snap.round;
    return fresh ? (same ? fresh.value : null) : same ? this.#fresh : null;
  }

  // In a past game the fall is told as soon as it is over.
  #after(time) {
    const { verdict } = this.#snap;
    const told = this.#moment.name === "fall" && verdict?.outcome && !this.still();
    return told ? { ...again(this.#moment, verdict, 2 * this.#moment.lasts), began: time } : null;
  }

  // The first run is over: the referee hears it once, whatever is drawn after.
  #runOver(time) {
    const moment = this.#moment;
    if (moment?.name !== "fall" || moment.over || time - moment.began < moment.once_ms) return;
    moment.over = true;
    this.scene(moment.number, "ended");
  }

  #choose(ctx) {
    const { snap, moment } = ctx;
    if (snap.proto !== PROTO) return oldPageScreen(ctx);
    if (moment) return MOMENT_SCREENS[moment.name](ctx);
    if (snap.paused_by) return pausedScreen(ctx);
    return (PHASE_SCREENS[snap.phase] ?? startScreen)(ctx);
  }

  draw() {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#turn += 1;
    const time = this.clock();
    if (this.#moment && time - this.#moment.began >= this.#moment.lasts) this.#moment = this.#after(time);
    const ctx = this.#context(time);
    const screen = ctx.snap ? this.#choose(ctx) : startScreen(ctx);
    this.#runOver(time);
    this.hearing.drawn(ctx);
    render(stage(ctx, screen), this.root);
    document.title = `${screen.title} · ${this.say("table.page")}`;
    // In a part of another page, that page says what is shown.
    if (this.#snap && this.root.id === "app") document.body.dataset.v = String(this.#snap.v);
    const lasts = this.#moment?.once_ms && !this.#moment.over ? this.#moment.once_ms : this.#moment?.lasts;
    if (lasts < Infinity) ctx.later(lasts - ctx.momentAge() + 5);
    if (this.#lens.moving(time)) ctx.frame();
  }

  #context(time) {
    const moment = this.#moment;
    const spec = this.#snap?.tile;
    const mode = (row, name, extra) =>
      this.#lens.look(row, spec, { mode: name, now: time, turn: this.#turn, still: this.still(), extra });
    let soonest = Infinity;
    const snap = moment?.snap ?? this.#snap;
    return {
      snap,
      way: snap?.net?.others?.find((way) => way.url === this.#way) ?? snap?.net,
      choose: (url) => {
        this.#way = url;
        this.draw();
      },
      say: this.say,
      lang: this.lang,
      send: this.send,
      now: this.now,
      moment,
      momentAge: () => time - moment.began,
      still: this.still(),
      live: this.#live && !this.still(),
      lost: this.#lost,
      fresh: this.#fresh,
      standing: this.#standing,
      look: mode,
      sounding: this.#sounding,
      toggleSound: () => this.hear(!this.#sounding),
      frame: () => {
        cancelAnimationFrame(this.#frame);
        this.#frame = requestAnimationFrame(() => this.draw());
      },
      later: (ms) => {
        if (ms >= soonest) return;
        soonest = ms;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.draw(), Math.max(0, ms));
      },
    };
  }

  /** Let this screen sound or not; only a tap may switch it on. */
  hear(on) {
    this.#sounding = on;
    this.sound.mute(!on);
    if (on) this.sound.wake();
    this.draw();
  }
}
