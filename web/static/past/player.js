// One game, moment by moment: the table as its screen showed it, a slider, and what happened in words.
import { html } from "../vendor/lit-html/lit-html.js";
import { defs } from "../core/objects/defs.js";
import { choice, hands, hasHands, readable } from "./eyes.js";
import { Hindsight, chance } from "./hindsight.js";
import { proofWords } from "./proof.js";
import { sentences } from "./sentences.js";

const PROTO = 1;
const STEP_MS = 1600;
/** To read a letter of a hint. */
const READ_MS = 50;
const NOWHERE = { code: "", url: "", qr: "data:,", others: [] };
const silent = { play() {}, tile() {}, disarmed() {}, mute() {}, wake() {} };

export class Player {
  _frames = [];
  _stage = document.createElement("div");
  _table = null;
  _shown = -1;
  _shownAt = 0;
  _timer = 0;

  /**
   * @param {object} told moments and proof, as the referee tells them
   * @param {object} with_ {say, lang, game, pictures, hindsight, draw, still}: the game's table; pictures of a file by
   *   number, in base64; hindsight(round) asks what can be said of a round
   */
  constructor(told, { say, lang, game, pictures, hindsight, draw, still }) {
    Object.assign(this, { told, say, lang, game, pictures, draw, still });
    this.at = 0;
    this.eyes = "";
    this.playing = false;
    this.hindsight = new Hindsight(hindsight, draw);
    let snap = { proto: PROTO, v: 0, net: NOWHERE, may: {}, marks_free: [], timer: null };
    for (const moment of told.moments) {
      snap = { ...snap, ...moment.changes, v: moment.v };
      this._frames.push(this._pictured(snap));
    }
    this.open = Boolean(game.past) && this._frames.some(hasHands);
  }

  // The pictures of a file that was brought are in this browser alone.
  _pictured(snap) {
    if (!this.pictures) return snap;
    const seen = (shown) => {
      if (!shown?.picture) return shown;
      const base64 = this.pictures[/(\d+)\.jpg$/.exec(shown.picture)?.[1]];
      return { ...shown, picture: typeof base64 === "string" ? `data:image/jpeg;base64,${base64}` : null };
    };
    return { ...snap, push: seen(snap.push), verdict: seen(snap.verdict) };
  }

  begin() {
    this._stage.className = "t-glass past-stage";
    this.go(0);
  }

  stop() {
    clearTimeout(this._timer);
    this.playing = false;
  }

  get last() {
    return this._frames.length - 1;
  }

  /** Look at a moment: while it plays, the next one moves as it did then; any other is a still. */
  go(at) {
    const next = Math.max(0, Math.min(this.last, at));
    const follows = this.playing && next === this._shown + 1 && this._table !== null;
    this.at = next;
    if (!follows) {
      const place = document.createElement("div");
      this._stage.replaceChildren(place);
      this._table = this._fresh(place);
      this._remind(next);
    }
    this._shown = next;
    this._shownAt = performance.now();
    this.animated = follows;
    this._table.show(this._frames[next]);
    if (this.open && this._frames[next].own) this.hindsight.want(this._frames[next].round);
    this.draw();
    this._again();
  }

  // A verdict shows the row as it fell: let the table have seen it stand, in no phase that leads anywhere.
  _remind(next) {
    const { verdict, round } = this._frames[next];
    const stood = (frame) => frame.row.length && frame.row.every((tile) => tile.state === "standing");
    const [before] = verdict ? this._frames.slice(0, next).filter((frame) => frame.round === round && stood(frame)).slice(-1) : [];
    if (before) this._table.show({ ...before, phase: "PAST", paused_by: null });
  }

  _fresh(place) {
    const table = new this.game.Table(place, {
      say: this.say,
      lang: this.lang,
      sound: silent,
      now: () => this.told.moments[this._shown].at_ms + performance.now() - this._shownAt,
      send: () => {},
      still: () => !this.animated || this.still(),
      past: true,
    });
    this.animated = false;
    return table;
  }

  _again() {
    clearTimeout(this._timer);
    if (!this.playing) return;
    if (this.at === this.last) {
      this.playing = false;
      this.draw();
      return;
    }
    const { phase } = this._frames[this.at];
    const before = this._frames[this.at - 1]?.phase;
    const moved = phase !== before ? (this.game.MOMENT_MS?.[phase] ?? STEP_MS) : STEP_MS;
    const wait = Math.max(moved, this._hint().length * READ_MS);
    this._timer = setTimeout(() => this.go(this.at + 1), wait);
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.at === this.last) this.go(0);
    else if (this.playing) this.go(this.at + 1);
    else this.stop();
    this.draw();
  }

  move(at) {
    this.stop();
    this.go(at);
  }

  // Where each round begins.
  _rounds() {
    const rounds = [];
    this._frames.forEach((frame, at) => {
      if (frame.round && rounds.slice(-1)[0]?.round !== frame.round) rounds.push({ round: frame.round, at });
    });
    return rounds;
  }

  // What can be said of what was just done, as far as these eyes may know it.
  _hint() {
    const { say, lang, eyes } = this;
    const frame = this._frames[this.at];
    if (!this.open || !frame.own) return "";
    if (this.hindsight.isComing(frame.round)) return say("past.hint.coming");
    const after = this.told.moments[this.at - 1]?.v ?? 0;
    const hints = this.hindsight.between(frame.round, after, this.told.moments[this.at].v);
    const words = (hint) => this.game.past.hint(hint, { frame, eyes, say, lang, chance: (share) => chance(share, say) });
    return readable(hints, eyes).map(words).join(" ");
  }

  look(eyes) {
    this.eyes = eyes;
    this.draw();
  }

  _hands(frame) {
    const { say, eyes } = this;
    return html`${hands({ frame, eyes, say, game: this.game.past })} ${choice({ frame, eyes, say, choose: (seat) => this.look(seat) })}`;
  }

  page() {
    const { say } = this;
    const frame = this._frames[this.at];
    const { open } = this;
    const moment = this.told.moments[this.at];
    const time = new Intl.DateTimeFormat(this.lang, { timeStyle: "medium" }).format(moment.at_ms);
    const words = sentences(moment.events, frame, say, this.lang);
    const place = say("past.place", { at: this.at + 1, of: this._frames.length });
    return html`${defs()}
      <main class="past-game-page ${open ? "past-open" : ""}">
        <div class="past-left">
          <div class="past-scene" aria-hidden="true" inert>${this._stage}
            ${open ? html`<svg class="past-cloth" viewBox="0 0 1000 760">${this.game.past.cloth(frame, say)}</svg>` : ""}</div>
          <div class="past-steps">
            <input id="past-slider" class="past-slider" type="range" min="0" max=${this.last} step="1" .value=${String(this.at)}
              aria-label=${say("past.slider")} aria-valuetext=${`${place}. ${words}`}
              @input=${(event) => this.move(Number(event.target.value))} />
            <div class="past-keys">
              <button type="button" class="key key-plain" ?disabled=${this.at === 0} @click=${() => this.move(this.at - 1)}>${say("past.step.back")}</button>
              <button type="button" class="key key-lamp" aria-pressed=${this.playing ? "true" : "false"} @click=${() => this.toggle()}>${say(
                this.playing ? "past.pause" : "past.play",
              )}</button>
              <button type="button" class="key key-plain" ?disabled=${this.at === this.last} @click=${() => this.move(this.at + 1)}>${say("past.step.on")}</button>
            </div>
          </div>
        </div>
        <div class="past-right">
          <div class="past-said" aria-live="polite">
            <p class="past-words"><span class="past-time">${time}</span> ${words || " "}</p>
            ${open ? html`<p class="past-hint">${this._hint()}</p>` : ""}
          </div>
          <p class="unseen">${open ? this.game.past.inWords(frame, say) : frame.row?.length ? this.game.rowInWords(frame.row, say) : ""}</p>
          ${open ? this._hands(frame) : ""}
        </div>
        <nav class="past-rounds" aria-label=${say("past.rounds")}>
          ${this._rounds().map(
            ({ round, at }) => html`<button type="button" class="key key-plain" aria-current=${frame.round === round ? "true" : "false"}
              @click=${() => this.move(at)}>${round > frame.rounds ? say("past.round.extra") : say("past.round", { round })}</button>`,
          )}
        </nav>
        ${proofWords(this.told, say, this.lang)}
      </main>`;
  }
}
