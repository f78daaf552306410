/**
 * The key of the round that runs: the table's journal shows no hand without it. This phone keeps it, and gives
 * it back by itself to a table that was started again in the middle of the round.
 */
import { keep, kept } from "./settings.js";

const KEYS = "round_keys";
/** So many are remembered: those of a few tables on one phone. */
const KEPT = 6;

export class RoundKeys {
  /**
   * @param {Storage|null} store what this phone remembers
   * @param {(type: string, fields: object) => Promise<{ok: boolean, reason?: string}>} send gives a command
   */
  constructor(store, send) {
    this.store = store;
    this.send = send;
    this.given = null;
    /** @type {Record<string, string>} by name */
    this.keys = kept(store, KEYS);
  }

  /** A snapshot has come; it has a key, or the name of one that is missing, or neither. */
  take({ round_key: key, key_missing: locked }) {
    if (key && this.keys[key.name] !== key.value) {
      this.keys = Object.fromEntries([...Object.entries(this.keys), [key.name, key.value]].slice(-KEPT));
      keep(this.store, KEYS, this.keys);
    }
    if (!locked) {
      this.given = null;
    } else if (this.keys[locked] && this.given !== locked) {
      this.give(locked);
    }
  }

  /** Give a key once; again only where it never got through. */
  async give(name) {
    this.given = name;
    const reply = await this.send("unlock", { key: this.keys[name] });
    if (!reply.ok && reply.reason !== "wrong_key") {
      this.given = null;
    }
  }
}
