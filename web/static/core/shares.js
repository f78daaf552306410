/**
 * What a phone does by itself while a shuffle goes on: it draws a share, sends a hash of it, and the share
 * itself once the hashes of all lie open. What it saw meanwhile it keeps, to check the shuffle by afterwards.
 */
import { keep, kept, store } from "./settings.js";
import { drawn, faults, isValue, shareHash } from "./shuffle.js";

const NOTES = "shares";
/** So many shuffles are remembered: those of a few tables on one phone, and void ones between. */
const KEPT = 12;

/**
 * @typedef {{seat: string, share: string, hashes?: Record<string, string>, hand?: any[]}} Note of a shuffle:
 *   whose share it was, the hashes as they were first shown, and what was dealt to this seat
 */

/**
 * What is wrong with a shuffle that lies open, by what this phone kept, and whether its own share is in it.
 * @param {object} opened the shuffle, as snapshots have it
 * @param {object|null} game whose `dealt(order, seats, seat, count)` gives the bones or cards of a seat
 */
export function checked(opened, game) {
  const note = kept(store, NOTES)[opened.commitment];
  const due = note?.hand && game?.dealt?.(opened.order, opened.seats, note.seat, note.hand.length);
  return { wrong: faults(opened, note, due), own: Boolean(note) && opened.shares[note.seat] === note.share };
}

export class Shares {
  /**
   * @param {Storage|null} store what this phone remembers
   * @param {(type: string, fields: object) => Promise<{ok: boolean, reason?: string}>} send gives a command
   */
  constructor(store, send) {
    this.store = store;
    this.send = send;
    this.sent = new Set();
    /** @type {Record<string, Note>} by what the table published for its secret */
    this.notes = kept(store, NOTES);
  }

  /** A snapshot has come. */
  take({ shuffle, you, hand }) {
    const { commitment, stage, missing, hashes } = shuffle ?? {};
    if (!isValue(commitment) || !you.seat) {
      return;
    }
    const asked = missing.includes(you.seat);
    if (stage === "hashes" && asked) {
      const { share } = this.note(commitment, { seat: you.seat, share: drawn() });
      this.tell(commitment, "shuffle_hash", { hash: shareHash(shuffle, you.seat, share) });
    }
    const note = this.notes[commitment];
    if (stage === "hashes" || note?.seat !== you.seat) {
      return;
    }
    if (!note.hashes) {
      this.keep({ ...this.notes, [commitment]: { ...note, hashes } });
    }
    // Once shown they stand: for a share that was to be hashed as another nothing is sent.
    if (stage === "shares" && asked && hashes[you.seat] === shareHash(shuffle, you.seat, note.share)) {
      this.tell(commitment, "shuffle_share", { share: note.share });
    }
    if (stage === "dealt" && !note.hand && Array.isArray(hand)) {
      this.keep({ ...this.notes, [commitment]: { ...this.notes[commitment], hand } });
    }
  }

  /** The note of a shuffle, this one where there is none yet: a page that is opened again goes on with its own. */
  note(commitment, fresh) {
    if (this.notes[commitment]?.seat !== fresh.seat) {
      const others = Object.entries(this.notes).filter(([name]) => name !== commitment);
      this.keep(Object.fromEntries([...others.slice(1 - KEPT), [commitment, fresh]]));
    }
    return this.notes[commitment];
  }

  keep(all) {
    this.notes = all;
    keep(this.store, NOTES, all);
  }

  /** Send once; again only where it never got through. */
  async tell(commitment, type, fields) {
    const name = `${commitment} ${type}`;
    if (this.sent.has(name)) {
      return;
    }
    this.sent.add(name);
    const reply = await this.send(type, { shuffle: commitment, ...fields });
    if (!reply.ok && ["offline", "too_fast", "disk"].includes(reply.reason)) {
      this.sent.delete(name);
    }
  }
}
