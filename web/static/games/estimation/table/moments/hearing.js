// What the table screen lets hear: every moment once, and each tile as it tips.
import { BEFORE_MS, falls } from "../row/tipping.js";
import { countAt } from "./countdown.js";
import { winnings } from "./verdict.js";

const CHIP_STEP_MS = 110;
const MOST_CHIPS = 12;

export class Hearing {
  _sound;
  _step = -1;
  _fall = null;

  constructor(sound) {
    this._sound = sound;
  }

  /** A new snapshot came; `moment` is what plays because of it. */
  changed(before, snap, moment) {
    if (moment?.name === "fall" && this._fall?.tips !== moment.tips) {
      this._fall = { tips: moment.tips, list: falls(moment), row: moment.row, next: 0, done: false };
    }
    if (!before) return;
    const play = (name) => this._sound.play(name);
    if (snap.push?.state !== "armed" && before.push?.state === "armed") this._sound.disarmed?.();
    if (moment?.name === "shout" && before.phase === "TURN") play("shout");
    if (snap.phase === "TURN" && before.phase === "TURN" && snap.last !== before.last) play("accepted");
    if ((snap.ballot?.count ?? 0) > (before.ballot?.count ?? 0)) play("sealed");
    if (snap.phase === "REVEAL" && before.phase !== "REVEAL") play("reveal");
    this._machine(before.push?.state, snap.push?.state);
  }

  _machine(was, is) {
    if (was === is) return;
    if (is === "armed") this._sound.play("armed");
    if (is === "stopped") this._sound.play("stop");
    if (is === "fault" || is === "unknown") this._sound.play("fault");
  }

  /** A picture is drawn: the countdown and the fall go by what it shows. */
  drawn({ snap, moment, now, momentAge }) {
    if (snap?.phase === "COUNTDOWN" && snap.countdown) {
      const { step } = countAt(snap.countdown, now());
      const left = snap.countdown.steps - step;
      if (step !== this._step && left > 0 && left <= 3) this._sound.play(`count${left}`);
      this._step = step;
    } else {
      this._step = -1;
    }
    if (moment?.name === "fall") this._tiles(momentAge());
    else if (this._fall && !this._fall.done && snap?.verdict?.outcome) this._verdict(snap);
  }

  // The first run of the fall sounds, the slow one is silent.
  _tiles(age) {
    const { list, row } = this._fall;
    while (this._fall.next < list.length && list[this._fall.next].start <= age - BEFORE_MS) {
      const tile = row.find((item) => item.value === list[this._fall.next].value);
      this._sound.tile(this._fall.next, tile?.orientation === "horizontal");
      this._fall.next += 1;
    }
  }

  _verdict(snap) {
    this._fall.done = true;
    this._sound.play(snap.verdict.outcome);
    const chips = Object.values(winnings(snap)).reduce((sum, n) => sum + n, 0);
    for (let i = 0; i < Math.min(chips, MOST_CHIPS); i += 1) {
      setTimeout(() => this._sound.play("chip"), 900 + i * CHIP_STEP_MS);
    }
  }
}
