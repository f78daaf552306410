/**
 * The key of the round that runs: the table's journal shows no hand without it. This phone keeps it, and gives
 * it back by itself to a table that was started again in the middle of the round.
 */
const KEYS = "domino.round_keys";
/** So many are remembered: those of a few tables on one phone. */
const KEPT = 6;

export class RoundKeys {
  #keys;
  #store;
  #send;
  #given = null;

  /**
   * @param {Storage|null} store what this phone remembers
   * @param {(type: string, fields: object) => Promise<{ok: boolean, reason?: string}>} send gives a command
   */
  constructor(store, send) {
    this.#store = store;
    this.#send = send;
    this.#keys = kept(store);
  }

  /** A snapshot has come; it has a key, or the name of one that is missing, or neither. */
  take({ round_key: key, key_missing: locked }) {
    if (key && this.#keys[key.name] !== key.value) {
      this.#keep([...Object.entries(this.#keys), [key.name, key.value]].slice(-KEPT));
    }
    if (!locked) {
      this.#given = null;
    } else if (this.#keys[locked] && this.#given !== locked) {
      this.#give(locked);
    }
  }

  /** Give a key once; again only where it never got through. */
  async #give(name) {
    this.#given = name;
    const reply = await this.#send("unlock", { key: this.#keys[name] });
    if (!reply.ok && reply.reason !== "wrong_key") {
      this.#given = null;
    }
  }

  #keep(entries) {
    this.#keys = Object.fromEntries(entries);
    try {
      this.#store?.setItem(KEYS, JSON.stringify(this.#keys));
    } catch {
      // Full: it is known for as long as the page is open.
    }
  }
}

/** @returns {Record<string, string>} the keys that this phone has, by name */
function kept(store) {
  try {
    return JSON.parse(store?.getItem(KEYS) ?? "{}");
  } catch {
    return {};
  }
}
