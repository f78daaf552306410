/** A row that somebody gives to the table: everybody guesses in secret, and then the model speaks. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { list } from "../../../core/i18n.js";

const LOOK_MS = 1500;

export class Puzzles {
  _known = "";

  /** @param {object} bench the page: hasOwn, trouble, post, say, lang, key, percent, draw, show(line), free() */
  constructor(bench) {
    this.bench = bench;
    this.now = null;
    this.names = {};
    this.of = 0;
    this.you = null;
  }

  /** Look whether there is one, again and again. */
  async watch() {
    const reply = await fetch("api/bench/puzzle", { cache: "no-store" }).catch(() => null);
    const told = reply?.ok ? await reply.json().catch(() => null) : null;
    if (told) this.hear(told);
    setTimeout(() => this.watch(), LOOK_MS);
  }

  hear(told) {
    const known = JSON.stringify(told);
    if (!told.ok || known === this._known) return;
    this._known = known;
    const before = this.now;
    const first = this.you === null;
    Object.assign(this, { now: told.puzzle, names: told.names ?? {}, of: told.of ?? 0, you: told.you });
    // Who comes with a row of their own looks at that: a puzzle that is over is only read.
    const fresh = this.now && (this.now.row !== before?.row || (before.told && !this.now.told));
    if (fresh && !(first && this.now.told && this.bench.hasOwn)) this.bench.show(this.now.row);
    else if (before && (!this.now || (this.now.told && !before.told))) this.bench.free();
    this.bench.draw();
  }

  async _send(what, fields) {
    const told = await this.bench.post(what, fields);
    if (told.ok) {
      this.bench.trouble = "";
      this.hear(told);
      this.bench.draw();
    } else this.bench.complain(told.reason);
  }

  give = (row) => this._send("puzzle", { row });

  get isOpen() {
    return this.now !== null && this.now.told === null;
  }

  _name(seat) {
    return this.names[seat] ?? "?";
  }

  _side(falls) {
    const seats = Object.entries(this.now.guesses).filter(([, guess]) => guess === falls).map(([seat]) => this._name(seat));
    const { say, lang } = this.bench;
    return seats.length ? html`<li>${say(falls ? "bench.puzzle.say_falls" : "bench.puzzle.say_stays", { names: list(lang, seats) })}</li>` : "";
  }

  panel() {
    const { bench, now } = this;
    if (!now) return "";
    const { say } = bench;
    const name = this._name(now.by);
    const mine = now.own || this.you?.host;
    const back = mine ? bench.key(now.told ? "bench.puzzle.done" : "bench.puzzle.back", () => this.give(null)) : "";
    if (now.told) {
      return html`<section class="bench-puzzle" role="status"><h2>${say("bench.puzzle.told", { name, p: bench.percent(now.told.p_fall) })}</h2>
        <ul>${this._side(true)}${this._side(false)}</ul>${back}</section>`;
    }
    const guess = (word, falls) =>
      html`<button type="button" class="key key-plain" aria-pressed=${now.mine === falls} @click=${() => this._send("guess", { falls })}><span>${say(word)}</span></button>`;
    return html`<section class="bench-puzzle"><h2>${say("bench.puzzle.asks", { name })}</h2>
      ${this.you?.seat && !now.own ? html`<div class="bench-keys">${guess("bench.puzzle.falls", true)}${guess("bench.puzzle.stays", false)}</div>` : ""}
      <p role="status">${say("bench.puzzle.count", { count: now.guessed.length, of: this.of })}</p>
      ${mine ? bench.key("bench.puzzle.open", () => this._send("open", {})) : ""}${back}</section>`;
  }
}
