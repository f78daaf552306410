/** The row bench: move the tiles of a row from above, and see meanwhile how likely it is to fall. */
import { html, nothing, render } from "../../../vendor/lit-html/lit-html.js";
import { loadCatalogue, pickLanguage, translator } from "../../../core/i18n.js";
import { defs } from "../../../core/objects/defs.js";
import { sign } from "../../../core/objects/signs.js";
import { applyTheme, recall } from "../../../core/settings.js";
import { overlaps } from "../screens/turn/workarea.js";
import { above, frameOf, stepOf } from "./above.js";
import { fallsOf, ghosts, whole } from "./ghosts.js";
import { Puzzles } from "./puzzle.js";
import { MOST_TILES, SHAPES, along, fromAddress, longer, read, shaped, sizeOf, turnedRound, written } from "./line.js";

/** While a finger moves, fewer copies fall: the answer comes sooner, and is a little less steady. */
const FEW = 4;
const MANY = 12;
/** A joint that is crossed so surely is no weak place. */
const SURE = 0.99;
const NARROW_PX = 720;
const LEAST_PX = 240;
const MOST_PX = 1400;
const SIDE_PX = 300;
/** What a small phone needs beside the drawing, to have the main key in sight. */
const REST_PX = 330;
const BACK = 40;
const TROUBLES = ["touching", "no_row", "too_fast", "round", "puzzle", "not_allowed", "own_row"];
/** What another try can get over, and after how long. */
const PASSING = ["offline", "too_fast", "round"];
const AGAIN_MS = 1500;
const STILL = matchMedia("(prefers-reduced-motion: reduce)");
/** Alone it has no table to go back to. */
const JOINED = "joined" in document.body.dataset;
/** What the table's tiles are like, as a part of a row's line. */
const TILE = document.body.dataset.tiles;
const root = document.getElementById("app");

class Bench {
  _asking = false;
  _stale = false;
  _finger = null;
  _before = [];
  _frame = 0;
  _due = 0;

  constructor(say, lang) {
    Object.assign(this, { say, lang });
    this.puzzles = new Puzzles(this);
    const own = fromAddress(location.hash);
    this.hasOwn = own !== null;
    this.row = own ?? shaped("line", TILE);
    this.line = written(this.row);
    this.chosen = 0;
    this.told = null;
    this.trouble = "";
    this.notice = "";
    this.moved = "";
    this.saving = false;
    this.falls = null;
    this.seed = 0;
    this.look();
  }

  get size() {
    return sizeOf(this.row);
  }

  /** How large the drawing is, and the part of the table that it shows: only new when no finger moves. */
  look() {
    const wide = innerWidth >= NARROW_PX;
    const page = Math.min(innerWidth, MOST_PX) - 24;
    this.width = Math.round(Math.max(LEAST_PX, Math.min(page, wide ? page - Math.max(SIDE_PX, page / 3) : 560)));
    this.height = Math.round(Math.max(220, Math.min(wide ? innerHeight * 0.62 : Math.min(innerHeight * 0.46, innerHeight - REST_PX), 620)));
    this.view = frameOf(this.row.tiles, this.width, this.height);
    root.style.setProperty("--wide", `${this.width}px`);
  }

  /** Tiles that stand in each other. */
  met() {
    const { tiles } = this.row;
    const found = new Set();
    tiles.forEach((a, i) => tiles.slice(i + 1).forEach((b, k) => overlaps(a, b, this.size) && found.add(i).add(i + 1 + k)));
    return found;
  }

  /** Another row takes the place of this one, which can be had back. */
  become(row, chosen = this.chosen) {
    this.keep();
    this.row = row;
    this.chosen = Math.max(0, Math.min(chosen, row.tiles.length - 1));
    this.settle();
  }

  /** A tile under a finger or a key moves: that is undone as one. */
  move(patch) {
    this.row = this._patched(patch);
    this.falls = null;
    this.ask();
    this.draw();
  }

  /** What Undo brings back. */
  keep() {
    this._before = [...this._before, this.row].slice(-BACK);
  }

  /** After a change that is done: the whole row is in sight, and its address says it. */
  settle() {
    this.row = { ...this.row, tiles: along(this.row.tiles) };
    this.falls = null;
    this.notice = "";
    this.look();
    this.line = written(this.row);
    history.replaceState(null, "", `#${this.line}`);
    this.ask();
    this.draw();
  }

  /** The row that the table guesses at; Undo brings back one's own. */
  show(line) {
    const row = read(line);
    this._finger = null; // what it held is not there any more
    if (row) this.become(row, 0);
  }

  free() {
    this.falls = null;
    this.ask();
  }

  complain(reason) {
    this.trouble = reason;
    this.draw();
  }

  undo() {
    const before = this._before.pop();
    if (before) {
      this.row = before;
      this.chosen = Math.min(this.chosen, before.tiles.length - 1);
      this.settle();
    }
  }

  async post(what, body) {
    const headers = { "Content-Type": "application/json" };
    const reply = await fetch(`api/bench/${what}`, { method: "POST", headers, body: JSON.stringify(body) }).catch(() => null);
    return (await reply?.json().catch(() => null)) ?? { ok: false, reason: "offline" };
  }

  /** Ask for the chance of the row as it is now: one question at a time, and the newest next. */
  async ask() {
    if (this.puzzles.isOpen) {
      this.told = null;
      this.trouble = "";
      return;
    }
    this._stale = true;
    if (this._asking) return;
    this._asking = true;
    while (this._stale) {
      this._stale = false;
      const few = this._finger !== null;
      const told = await this.post("chance", { row: written(this.row), runs: few ? FEW : MANY });
      if (this.puzzles.isOpen) break; // it came meanwhile, and the model is silent
      this.told = told.ok ? told : null;
      this.trouble = told.ok ? "" : this._why(told.reason);
      document.body.dataset.answers = String(Number(document.body.dataset.answers ?? 0) + 1);
      this.draw();
      if (PASSING.includes(told.reason)) {
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
        this._stale = true;
      }
    }
    this._asking = false;
  }

  _why(reason) {
    return reason === "no_row" && this.met().size ? "touching" : reason;
  }

  /** Push it: several falls at once, each drawn as likely as the model thinks it. */
  async push() {
    this.seed += 1;
    const line = written(this.row);
    const told = await this.post("push", { row: line, seed: this.seed });
    if (line !== written(this.row)) return; // moved meanwhile: another row would be seen to fall
    if (!told.ok) {
      this.trouble = this._why(told.reason);
      this.draw();
      return;
    }
    this.falls = fallsOf(told);
    const end = whole(this.falls);
    const from = performance.now();
    const mine = ++this._frame;
    const step = (now) => {
      if (mine !== this._frame || !this.falls) return;
      this.ms = STILL.matches ? end : Math.min(end, now - from);
      this.fell = this.ms >= end;
      this.draw();
      if (!this.fell) requestAnimationFrame(step);
    };
    this.ms = 0;
    this.fell = false;
    requestAnimationFrame(step);
  }

  async copy() {
    const line = written(this.row);
    const done = await navigator.clipboard?.writeText(line).then(() => true, () => false);
    this.notice = this.say(done ? "bench.copied" : "bench.mark");
    this.draw();
    if (!done) root.querySelector(".bench-line")?.select();
  }

  save() {
    const link = document.createElement("a");
    link.href = `data:text/plain,${encodeURIComponent(`${written(this.row)}\n`)}`;
    link.download = "row.txt";
    link.click();
  }

  take(line) {
    const row = read(line);
    if (row) this.become(row, 0);
    else {
      this.notice = this.say("bench.unread");
      this.draw();
    }
  }

  _at(event) {
    const box = root.querySelector(".bench-above").getBoundingClientRect();
    const px = this.view.span / box.width;
    return {
      x_mm: this.view.x + (event.clientX - box.left - box.width / 2) * px,
      y_mm: this.view.y - (event.clientY - box.top - box.height / 2) * px,
    };
  }

  _gestures() {
    return {
      choose: (i) => {
        if (this.chosen !== i) {
          this.chosen = i;
          this.draw();
        }
      },
      down: (event) => {
        const turn = event.target.closest("[data-turn]");
        const tile = event.target.closest("[data-tile]");
        if (!event.isPrimary || event.button !== 0 || (!turn && !tile) || this.puzzles.isOpen) return;
        if (tile) this.chosen = Number(tile.dataset.tile);
        const { x_mm, y_mm, heading_deg } = this.row.tiles[this.chosen];
        const at = this._at(event);
        const [dx, dy] = [x_mm - at.x_mm, y_mm - at.y_mm];
        const from = heading_deg - Math.atan2(-dy, -dx) * (180 / Math.PI);
        this._finger = { id: event.pointerId, turn: Boolean(turn), dx, dy, from, moved: false };
        event.currentTarget.setPointerCapture(event.pointerId);
        this.draw();
      },
      move: (event) => {
        const finger = this._finger;
        if (finger?.id !== event.pointerId) return;
        if (!finger.moved) this.keep();
        finger.moved = true;
        const at = this._at(event);
        const tile = this.row.tiles[this.chosen];
        if (finger.turn) this.move({ heading_deg: Math.round(finger.from + Math.atan2(at.y_mm - tile.y_mm, at.x_mm - tile.x_mm) * (180 / Math.PI)) });
        else this.move({ x_mm: at.x_mm + finger.dx, y_mm: at.y_mm + finger.dy });
      },
      up: (event) => {
        if (this._finger?.id !== event.pointerId) return;
        const { moved } = this._finger;
        this._finger = null;
        if (moved) this.settle();
      },
      key: (event) => {
        if (this.puzzles.isOpen || event.ctrlKey || event.altKey || event.metaKey) return;
        const step = event.shiftKey ? 10 : 1;
        const tile = this.row.tiles[this.chosen];
        const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
        const turns = { ",": 1, ".": -1, "<": 10, ">": -10 };
        const others = { PageUp: -1, PageDown: 1, Home: -this.chosen, End: this.row.tiles.length - 1 - this.chosen };
        const [dx, dy] = moves[event.key] ?? [];
        if (moves[event.key]) this.nudge({ x_mm: tile.x_mm + dx, y_mm: tile.y_mm + dy });
        else if (turns[event.key]) this.nudge({ heading_deg: tile.heading_deg + turns[event.key] });
        else if (event.key in others) this.goTo(this.chosen + others[event.key]);
        else if (event.key === "f" || event.code === "KeyF" || event.key === " " || event.key === "Enter") this.flip();
        else if (event.key === "Delete" || event.key === "Backspace") this.remove();
        else return;
        event.preventDefault();
      },
    };
  }

  /** Take another tile in hand by keys. */
  goTo(i) {
    root.querySelector(`[data-tile="${Math.max(0, Math.min(i, this.row.tiles.length - 1))}"]`).focus();
  }

  nudge(patch) {
    this.become(this._patched(patch));
    this.moved = this.place(this.row.tiles[this.chosen]);
  }

  /** Where a tile stands, for whoever does not see it move. */
  place({ x_mm, y_mm, heading_deg }) {
    const [x, y, turn] = [x_mm, y_mm, heading_deg].map((number) => new Intl.NumberFormat(this.lang, { maximumFractionDigits: 1 }).format(number));
    return this.say("bench.place", { x, y, turn });
  }

  /** The row with the tile in hand changed. */
  _patched(patch) {
    return { ...this.row, tiles: this.row.tiles.map((tile, i) => (i === this.chosen ? { ...tile, ...patch } : tile)) };
  }

  flip() {
    const { orientation } = this.row.tiles[this.chosen];
    this.nudge({ orientation: orientation === "horizontal" ? "vertical" : "horizontal" });
  }

  remove() {
    if (this.row.tiles.length <= 2) return;
    const held = document.activeElement?.closest("[data-tile]");
    this.become({ ...this.row, tiles: this.row.tiles.filter((_, i) => i !== this.chosen) });
    if (held) root.querySelector(`[data-tile="${this.chosen}"]`).focus(); // the last one's own goes with it
  }

  /** Nothing is quite sure: the model says "over 99 %", like `predict`. */
  percent(p) {
    if (p > 0.99 || p < 0.01) return this.say(p > 0.5 ? "bench.over" : "bench.under", { count: p > 0.5 ? 99 : 1 });
    return this.say("bench.percent", { count: Math.round(p * 100) });
  }

  wrong() {
    const known = TROUBLES.includes(this.trouble) ? this.trouble : "offline";
    return this.trouble ? html`<p class="bench-trouble">${this.say(`bench.trouble.${known}`)}</p>` : "";
  }

  answer() {
    const { say, told } = this;
    if (this.trouble) return this.wrong();
    if (!told) return html`<p class="bench-chance">…</p>`;
    const name = (i) => this.row.tiles[i].value ?? "?";
    const weak = told.weakest;
    const all = say("bench.chance", { low: this.percent(told.low), high: this.percent(told.high) });
    return html`<p class="bench-chance"><b class="display">${this.percent(told.p_fall)}</b> <span>${all}</span></p>
      ${weak === null || told.joints[weak] >= SURE ? "" : html`<p class="bench-weak"><i class="bench-dot is-${stepOf(told.joints[weak])}"></i>${say("bench.weakest", {
        a: name(weak), b: name(weak + 1), p: this.percent(told.joints[weak]) })}</p>`}
      ${told.extrapolated.length ? html`<p class="bench-strange">${say("bench.strange")}</p>` : ""}`;
  }

  pushed() {
    const { say, falls } = this;
    if (!falls) return this.told ? html`<p class="bench-how">${say("bench.push.how")}</p>` : "";
    const through = falls.filter(({ fallen }) => fallen === this.row.tiles.length).length;
    const words = this.fell ? say(through ? "bench.fell" : "bench.fell_none", { count: through, of: falls.length }) : "";
    return html`${ghosts(this.row.tiles, this.size, falls, this.ms, words || say("bench.falling"))}<p class="bench-fell" role="status">${words}</p>`;
  }

  saved() {
    const { say, line } = this; // as the row was before a finger moved it: each code is asked for
    return html`<div class="bench-save">
      <label for="bench-line">${say("bench.line")}</label>
      <textarea id="bench-line" class="bench-line" rows="3" spellcheck="false" autocapitalize="off" .value=${line}
        @change=${(event) => this.take(event.target.value)}></textarea>
      ${this.notice ? html`<p role="status">${this.notice}</p>` : ""}
      <div class="bench-keys">${this.key("bench.copy", () => this.copy())}${this.key("bench.file", () => this.save())}</div>
      <figure><img src="api/bench/qr.svg?row=${encodeURIComponent(line)}" width="180" height="180" alt=${say("bench.qr")} /><figcaption>${say("bench.qr")}</figcaption></figure>
    </div>`;
  }

  key(word, press, { icon = "", disabled = false, pressed = nothing } = {}) {
    return html`<button type="button" class="key key-plain" aria-pressed=${pressed} ?disabled=${disabled} @click=${press}>
      ${icon ? sign(icon, 22) : ""}<span>${this.say(word)}</span></button>`;
  }

  controls() {
    const { tiles } = this.row;
    const turn = (by) => () => this.nudge({ heading_deg: tiles[this.chosen].heading_deg + by });
    const low = tiles[this.chosen].orientation === "horizontal";
    return html`<div class="bench-keys" role="group" aria-label=${this.name(this.chosen)}>
        ${this.key("bench.left", turn(5), { icon: "left" })} ${this.key("bench.right", turn(-5), { icon: "right" })}
        ${this.key(low ? "bench.stand" : "bench.lay", () => this.flip(), { icon: "topple" })}
        ${this.key("bench.remove", () => this.remove(), { icon: "void", disabled: tiles.length < 3 })}
      </div>
      <div class="bench-keys bench-three">
        ${this.key("bench.add", () => this.become(longer(this.row), tiles.length), { icon: "plus", disabled: tiles.length >= MOST_TILES })}
        ${this.key("bench.other_end", () => this.become(turnedRound(this.row), tiles.length - 1 - this.chosen), { icon: "move" })}
        ${this.key("bench.undo", () => this.undo(), { icon: "west", disabled: this._before.length === 0 })}
      </div>
      <div class="bench-keys bench-three" role="group" aria-label=${this.say("bench.begin")}>
        ${Object.keys(SHAPES).map((shape) => this.key(`bench.shape.${shape}`, () => this.become(shaped(shape, TILE), 0)))}
      </div>`;
  }

  name(i) {
    const { value, orientation } = this.row.tiles[i];
    const stands = this.say(orientation === "horizontal" ? "bench.low" : "bench.upright");
    return this.say("bench.tile", { value: value ?? "?", place: i + 1, stands });
  }

  /** Moves and answers come faster than frames: each frame is drawn once. */
  draw() {
    this._due ||= requestAnimationFrame(() => {
      this._due = 0;
      this.paint();
    });
  }

  paint() {
    const { say, row, told } = this;
    const known = told?.joints.length === row.tiles.length - 1 ? told : null;
    render(
      html`${defs()}
        <header class="bench-head">${JOINED ? html`<a class="key key-plain bench-back" href="play">${say("bench.back")}</a>` : ""}<h1 class="display">${say("bench.title")}</h1></header>
        <main class="bench-main">
          <section class="bench-row">
            ${above({
              tiles: row.tiles,
              chosen: this.puzzles.isOpen ? -1 : this.chosen,
              joints: known?.joints ?? [],
              weakest: known && known.joints[known.weakest] < SURE ? known.weakest : null,
              met: this.met(),
              size: this.size,
              view: this.view,
              width: this.width,
              height: this.height,
              label: say("bench.above"),
              name: (i) => this.name(i),
              on: this._gestures(),
            })}
            <p class="unseen" id="bench-how">${say("bench.keys")}</p>
            <p class="unseen bench-moved" role="status">${this.moved}</p>
            <div class="bench-answer" aria-live="polite">${this.puzzles.isOpen ? this.wrong() : this.answer()}</div>
          </section>
          <section class="bench-side">
            ${this.puzzles.panel()} ${this.puzzles.isOpen ? "" : this.tools()}
          </section>
        </main>`,
      root,
    );
    document.title = say("bench.title");
    document.body.dataset.v = told || this.puzzles.isOpen ? "bench" : "";
  }

  tools() {
    const { say, told } = this;
    return html`<button type="button" class="key ${this.puzzles.now ? "key-plain" : "key-lamp"}" ?disabled=${!told} @click=${() => this.push()}>${say("bench.push")}</button>
            ${this.pushed()} ${this.controls()}
            ${this.key("bench.keep", () => { this.saving = !this.saving; this.draw(); }, { icon: "code", pressed: this.saving })}
            ${this.puzzles.you?.seat && !this.puzzles.now ? this.key("bench.puzzle.give", () => this.puzzles.give(written(this.row)), { icon: "hand", disabled: !told }) : ""}
            ${this.saving ? this.saved() : ""}`;
  }
}

async function start() {
  applyTheme(recall("theme"));
  const lang = pickLanguage(recall("language"), navigator.languages ?? []);
  document.documentElement.lang = lang;
  const bench = new Bench(translator(await loadCatalogue(`${lang}/bench`), lang), lang);
  addEventListener("resize", () => {
    bench.look();
    bench.draw();
  });
  addEventListener("hashchange", () => {
    const row = bench.puzzles.isOpen ? null : fromAddress(location.hash);
    if (row) bench.become(row, 0);
    else bench.settle(); // the address says again which row is there
  });
  bench.settle();
  if (JOINED) bench.puzzles.watch();
}

start();
