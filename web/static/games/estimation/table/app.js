// Estimation Domino on the table screen: chooses the screen, and plays what happens between two snapshots.
import { Frame } from "../../../table/frame.js";
import { startScreen } from "../../../table/plain.js";
import { demoLobby } from "./between/demo.js";
import { finalScreen } from "./between/final.js";
import { overScreen } from "./between/over.js";
import { tableDefs } from "./defs.js";
import { accidentScreen } from "./moments/accident.js";
import { ballotScreen } from "./moments/ballot.js";
import { countdownScreen } from "./moments/countdown.js";
import { fallScreen } from "./moments/fall.js";
import { Hearing } from "./moments/hearing.js";
import { again, interrupts, momentBetween } from "./moments/moments.js";
import { pushScreen } from "./moments/push.js";
import { revealScreen } from "./moments/reveal.js";
import { shoutScreen } from "./moments/shout.js";
import { unsureScreen, verdictScreen } from "./moments/verdict.js";
import { plate } from "./plate.js";
import { Lens } from "./row/lens.js";
import { rowScreen, rowWithReading, standingRow } from "./row/row.js";
import { rowInWords } from "./words.js";

const MOMENT_SCREENS = {
  shout: shoutScreen,
  fall: fallScreen,
  again: fallScreen,
  reveal: revealScreen,
  doubtless: revealScreen,
};

const PHASE_SCREENS = {
  LOBBY: demoLobby,
  TURN: rowScreen,
  BALLOT: ballotScreen,
  COUNTDOWN: (ctx) => (ctx.snap.countdown ? countdownScreen(ctx) : ballotScreen(ctx)),
  REVEAL: (ctx) => (ctx.snap.reveal ? revealScreen(ctx) : ballotScreen(ctx)),
  // Where no camera watches a finger's push, a photo of what lies there is the first news of it.
  TOPPLE: (ctx) => (ctx.snap.push?.state === "report" || ctx.snap.push?.photo ? unsureScreen(ctx) : pushScreen(ctx)),
  JUDGE: (ctx) => (ctx.snap.verdict?.outcome ? verdictScreen(ctx) : unsureScreen(ctx)),
  ROUND_END: (ctx) => (ctx.snap.verdict?.outcome ? verdictScreen(ctx) : overScreen(ctx)),
  ACCIDENT: accidentScreen,
  GAME_OVER: (ctx) => (ctx.snap.final ? finalScreen(ctx) : overScreen(ctx)),
};

export class Table extends Frame {
  _standing = [];
  _moment = null;
  _lens = new Lens();
  _turn = 0;
  _fresh = null;

  /**
   * @param {Element} root where the screen is drawn
   * @param {object} with_ as for any frame; scene(number, what) hears that the first run of a fall began
   *   or ended on this screen; past: a game is looked back at, so nobody waits for that.
   */
  constructor(root, with_) {
    super(root, with_);
    const { sound, scene = () => {}, past = false } = with_;
    Object.assign(this, { tell: scene, past, hearing: new Hearing(sound) });
  }

  show(snap) {
    const begun = this._moment;
    super.show(snap);
    const moment = this._moment;
    if (moment !== begun && moment?.name === "fall") requestAnimationFrame(() => this._begins(moment.number));
  }

  took(before, snap) {
    const moment = momentBetween(before, snap, {
      standing: this._standing,
      moment: this._moment,
      past: this.past,
      now: this.now(),
    });
    this._fresh = this._arrived(before, snap);
    if (moment) this._moment = { ...moment, began: this.clock() };
    else if (this._moment && interrupts(this._moment, snap, this.past)) this._moment = null;
    if (snap.row.length && snap.row.every((tile) => tile.state === "standing")) this._standing = snap.row;
    this.hearing.changed(before, snap, this._moment);
  }

  // A picture that is asked for and never drawn is not seen: a fall begins as one is drawn.
  _begins(number) {
    if (this._moment?.name !== "fall" || this._moment.number !== number) return;
    this._moment.began = this.clock();
    this.tell(number, "began");
    this.draw();
  }

  // The tile that has just come into the row, so that it alone falls in.
  _arrived(before, snap) {
    if (!before || !before.row.length || this.still()) return null;
    const old = new Set(rowWithReading(before).row.map((tile) => tile.value));
    const fresh = rowWithReading(snap).row.find((tile) => !old.has(tile.value));
    const same = snap.row.length >= before.row.length && before.round === snap.round;
    return fresh ? (same ? fresh.value : null) : same ? this._fresh : null;
  }

  // In a past game the fall is told as soon as it is over.
  _after(time) {
    const { verdict } = this.snap;
    const told = this._moment.name === "fall" && verdict?.outcome && !this.still();
    return told ? { ...again(this._moment, verdict, 2 * this._moment.lasts), began: time } : null;
  }

  // The first run is over: the referee hears it once, whatever is drawn after.
  _runOver(time) {
    const moment = this._moment;
    if (moment?.name !== "fall" || moment.over || time - moment.began < moment.once_ms) return;
    moment.over = true;
    this.tell(moment.number, "ended");
  }

  moment(ctx) {
    return ctx.moment ? MOMENT_SCREENS[ctx.moment.name](ctx) : null;
  }

  scene(ctx) {
    return (PHASE_SCREENS[ctx.snap.phase] ?? startScreen)(ctx);
  }

  behind(ctx) {
    const { snap, say } = ctx;
    return { label: rowInWords(snap.row, say), art: snap.phase === "LOBBY" ? "" : standingRow(ctx) };
  }

  plate(ctx, seat) {
    return plate(ctx, seat);
  }

  defs() {
    return tableDefs();
  }

  chosen(ctx, time) {
    this._runOver(time);
    this.hearing.drawn(ctx);
  }

  drawn(ctx, time) {
    const lasts = this._moment?.once_ms && !this._moment.over ? this._moment.once_ms : this._moment?.lasts;
    if (lasts < Infinity) ctx.later(lasts - ctx.momentAge() + 5);
    if (this._lens.moving(time)) ctx.frame();
  }

  context(time) {
    this._turn += 1;
    if (this._moment && time - this._moment.began >= this._moment.lasts) this._moment = this._after(time);
    const moment = this._moment;
    const ctx = super.context(time);
    return {
      ...ctx,
      snap: moment?.snap ?? ctx.snap,
      moment,
      momentAge: () => time - moment.began,
      fresh: this._fresh,
      standing: this._standing,
      look: (row, name, extra) =>
        this._lens.look(row, this.snap?.tile, { mode: name, now: time, turn: this._turn, still: this.still(), extra }),
    };
  }
}
