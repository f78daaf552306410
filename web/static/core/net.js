/**
 * The link to the table: one event stream down, commands up.
 *
 * A phone sleeps, changes Wi-Fi or loses the server, and its stream may look open while it is dead.
 * So the stream is opened afresh, and the state fetched beside it, whenever the page is seen again,
 * comes back from the cache, goes online, or has heard nothing for two and a half heartbeats.
 *
 * Addresses are those beside the page, as a table may lie under `/t/NAME/`.
 */

const HEARTBEAT_MS = 5000;
const SILENCE_MS = 2.5 * HEARTBEAT_MS;
const FIRST_RETRY_MS = 400;
const LAST_RETRY_MS = 5000;
const RETRY_GROWS = 1.3;
const COMMAND_TIMEOUT_MS = 4000;
const COMMAND_PATIENCE_MS = 60000;
const ONCE_MS = 5000;
const STOP_TIMEOUT_MS = 1000;
const STOP_PATIENCE_MS = 20000;
const STOP_AGAIN_MS = 200;
const SYNCS = 5;
const SYNC_PAUSE_MS = 300;

/** A number spread by a fifth either way, lest all phones knock at the same moment. */
export function jitter(ms) {
  return ms * (0.8 + 0.4 * Math.random());
}

/** An id no other command has; `crypto.randomUUID` is missing on plain HTTP. */
function commandId() {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** This device's clock in epoch ms, to fractions of one and never set back. */
const here = () => performance.timeOrigin + performance.now();

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/**
 * @typedef {{ok: boolean, reason?: string, message?: string, v?: number, nonce?: string}} Reply
 */

export class Net {
  /**
   * @param {object} options
   * @param {(snapshot: object) => void} options.onSnapshot a state of the table, never an older one
   * @param {(link: {live: boolean, since: number, closed?: boolean}) => void} options.onLink since: local ms of the
   *   change; closed: it ended because the table was closed, and is tried until that is open again
   * @param {(why: "gone"|"elsewhere") => void} [options.onDenied] the table knows this device no more, or
   *   the same device opened another window; nothing is tried again until `reopen()`
   * @param {(type: string) => boolean} [options.once] whether a command is worse late than never: it is
   *   sent once, or not at all
   * @param {string} [options.query] added to the addresses, "?role=table" for the table screen
   */
  constructor({ onSnapshot, onLink, onDenied = () => {}, once = () => false, query = "" }) {
    this.onSnapshot = onSnapshot;
    this.onLink = onLink;
    this.onDenied = onDenied;
    this.once = once;
    this.query = query;
    this.link = { live: false, since: Date.now() };
    this.version = -1;
    this.takenMs = 0;
    this.boot = null;
    this.offset = null;
    this.clock = null;
    this.syncing = null;
    this.source = null;
    this.retryMs = FIRST_RETRY_MS;
    this.retryTimer = 0;
    this.silenceTimer = 0;
    this.phaseId = null;
    this.eager = new Set();
  }

  /** Open the stream and keep it open. */
  start() {
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.reopen());
    addEventListener("pageshow", (event) => event.persisted && this.reopen());
    addEventListener("online", () => this.reopen());
    addEventListener("offline", () => this.lose());
    this.reopen();
  }

  /** The server's clock, in epoch ms: as the quickest round trip told it, or else the quickest delivery. */
  now() {
    return this.clock === null ? Date.now() + (this.offset ?? 0) : here() + this.clock.offset;
  }

  /** Set the clock by a few short round trips; the quickest is the truest, in the middle of its way. */
  async sync() {
    for (let n = 0; n < SYNCS; n += 1) {
      const began = here();
      const told = await fetch("api/clock", { cache: "no-store" })
        .then((reply) => (reply.ok ? reply.json() : null))
        .catch(() => null);
      const trip = here() - began;
      if (told !== null && (this.clock === null || trip < this.clock.trip)) {
        this.clock = { trip, offset: told.now_ms - began - trip / 2 };
      }
      await pause(jitter(SYNC_PAUSE_MS));
    }
  }

  /** Close whatever is there without asking how it feels, open anew and fetch the state beside it. */
  reopen() {
    clearTimeout(this.retryTimer);
    this.source?.close();
    const source = new EventSource(`events${this.query}`);
    this.source = source;
    source.onmessage = (event) => this.take(JSON.parse(event.data));
    source.addEventListener("beat", () => this.hear());
    source.addEventListener("closed", () => this.close());
    source.addEventListener("elsewhere", () => this.end("elsewhere"));
    source.addEventListener("gone", () => this.end("gone"));
    source.onerror = () => {
      if (source === this.source) {
        this.lose();
        this.retry();
      }
    };
    this.listen();
    this.fetchState();
    this.clock = null;
    this.syncing = null;
  }

  /** Fetch the state once; also how we learn why a stream is refused. */
  async fetchState() {
    try {
      const reply = await fetch(`api/state${this.query}`, { cache: "no-store" });
      if (reply.ok) {
        this.take(await reply.json());
      } else if (reply.status === 401 || reply.status === 403) {
        this.end("gone");
      }
    } catch {
      this.lose();
    }
  }

  retry() {
    clearTimeout(this.retryTimer);
    this.source?.close();
    this.retryTimer = setTimeout(() => this.reopen(), jitter(this.retryMs));
    this.retryMs = Math.min(LAST_RETRY_MS, this.retryMs * RETRY_GROWS);
  }

  /** The table was closed, and is tried again once it has had time to; it may be opened any day. */
  close() {
    clearTimeout(this.silenceTimer);
    this.link = { live: false, since: Date.now(), closed: true };
    this.onLink(this.link);
    this.retryMs = LAST_RETRY_MS;
    this.retry();
  }

  /** No more of this stream: not lost, but ended on purpose. */
  end(why) {
    clearTimeout(this.retryTimer);
    clearTimeout(this.silenceTimer);
    this.source?.close();
    this.source = null;
    this.onDenied(why);
  }

  /** Start the silence clock again. */
  listen() {
    clearTimeout(this.silenceTimer);
    this.silenceTimer = setTimeout(() => {
      this.lose();
      this.reopen();
    }, jitter(SILENCE_MS));
  }

  hear() {
    this.retryMs = FIRST_RETRY_MS;
    this.listen();
    if (!this.link.live) {
      this.link = { live: true, since: Date.now() };
      this.onLink(this.link);
      this.eager.forEach((go) => go());
      this.eager.clear();
    }
  }

  /** Wait, at most until the link is back. */
  patience(ms) {
    return new Promise((go) => {
      this.eager.add(go);
      setTimeout(go, ms);
    });
  }

  lose() {
    if (this.link.live) {
      this.link = { live: false, since: Date.now() };
      this.onLink(this.link);
    }
  }

  /**
   * Accept a snapshot unless a newer one of the same table is already shown. What the camera sees
   * changes without a new version, so equal versions are told apart by when they were made.
   */
  take(snapshot) {
    const boot = `${snapshot.net?.code} ${snapshot.opened_ms}`;
    if (boot !== this.boot) {
      // Another table, or the same one started anew: its clock and its journal may have been set back.
      this.boot = boot;
      this.version = -1;
      this.takenMs = 0;
      this.offset = null;
      this.clock = null;
      this.syncing = null;
    }
    if (typeof snapshot.now_ms === "number") {
      const offset = snapshot.now_ms - Date.now();
      this.offset = this.offset === null ? offset : Math.max(offset, this.offset - 50);
    }
    this.hear();
    const madeMs = snapshot.now_ms ?? 0;
    if (snapshot.v < this.version || (snapshot.v === this.version && madeMs < this.takenMs)) {
      return;
    }
    this.version = snapshot.v;
    this.takenMs = madeMs;
    this.phaseId = snapshot.phase_id;
    if (snapshot.photo_finish && this.clock === null) {
      this.syncing ??= this.sync();
    }
    this.onSnapshot(snapshot);
  }

  /**
   * Send a command of the phase on screen. Repeats the same id while the network fails, except for
   * what must not come late.
   * @param {string} type
   * @param {object} [fields]
   * @returns {Promise<Reply>} reason "offline" when it never got through
   */
  async command(type, fields = {}) {
    const once = this.once(type);
    if (once && !this.link.live) {
      return { ok: false, reason: "offline" };
    }
    const deadline = Date.now() + (once ? ONCE_MS : COMMAND_PATIENCE_MS);
    // A net that was away may still bring what was given up here: the table does not take it after that.
    const until = Math.round(deadline + this.offset);
    const body = JSON.stringify({ id: commandId(), type, phase_id: this.phaseId, until_ms: until, ...fields });
    for (let wait = 300; ; wait = Math.min(3000, wait * 2)) {
      const reply = await this.post(body);
      if (reply !== null) {
        return reply;
      }
      this.lose();
      if (once || Date.now() + wait > deadline) {
        return { ok: false, reason: "offline" };
      }
      await this.patience(jitter(wait));
    }
  }

  /**
   * STOP, by a way of its own past everything that may hang; again and again until something answers.
   * @returns {Promise<Reply & {stopped?: "acknowledged"|"sent"|"not_sent"}>} what is known of it
   */
  async stop() {
    const deadline = Date.now() + STOP_PATIENCE_MS;
    for (;;) {
      const reply = await this.post(JSON.stringify({ type: "stop" }), "api/stop", STOP_TIMEOUT_MS);
      if (reply !== null) {
        return reply;
      }
      if (Date.now() > deadline) {
        return { ok: false, reason: "offline", stopped: "not_sent" };
      }
      await pause(jitter(STOP_AGAIN_MS));
    }
  }

  /** Ask something that is no command of the game; once, as nothing is lost if it fails. */
  async ask(address, fields) {
    const reply = await this.post(JSON.stringify(fields), address);
    return reply ?? { ok: false, reason: "offline" };
  }

  /** One attempt; null when nothing came back. */
  async post(body, address = "api/command", timeoutMs = COMMAND_TIMEOUT_MS) {
    const stopper = new AbortController();
    const timer = setTimeout(() => stopper.abort(), timeoutMs);
    try {
      const reply = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
        signal: stopper.signal,
      });
      return await this.read(reply);
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @returns {Promise<Reply|null>} null when the server failed and the same id may be sent again */
  async read(reply) {
    if (reply.status >= 500) {
      return null;
    }
    const answer = await reply.json().catch(() => ({}));
    if (reply.ok) {
      return { ok: true, ...answer };
    }
    if (reply.status === 401) {
      this.end("gone");
    }
    if (answer.state) {
      this.take(answer.state);
    }
    const byStatus = { 401: "not_seated", 403: "not_allowed", 409: "stale", 429: "too_fast" };
    return { ok: false, message: answer.message, reason: answer.reason ?? byStatus[reply.status] ?? "refused" };
  }
}
