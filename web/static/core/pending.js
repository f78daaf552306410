/** Commands of which two say more than one. */
const MORE = ["add_bot", "longer"];

/** ms in which the table shows what it has taken. */
export const UNSEEN_MS = 6000;

/** A claim to a seat lasts until the host has said yes or no: from when it is shown until it no longer is. */
function claimLasts(sent, s, nowMs) {
  const shown = s.claims?.some(({ seat }) => seat === sent.fields.seat);
  sent.seen ||= shown;
  return shown || (!sent.seen && nowMs < sent.answeredMs + UNSEEN_MS);
}

/** How long commands last that no game knows of. */
const LASTS = { claim_seat: claimLasts };

/**
 * Commands on their way: sent and not answered yet, or answered and not yet shown by the table.
 *
 * The table has the last word: as soon as it shows a state that knows the answer, what this phone
 * had sent is forgotten, whatever another phone or window has changed meanwhile. A game may say
 * that a kind of command lasts longer (`lasts`), as a tile that the camera has yet to see. What was
 * taken in this phase is kept aside, for what the table does not tell: a side cast for somebody, the
 * draft that a tile was stood from.
 */
export class Pending {
  constructor() {
    this.sent = new Map();
    this.done = new Map();
    this.version = -1;
  }

  /**
   * Remember a command, and the draft it was made of; one of the same kind for the same seat takes
   * the place of an earlier one.
   */
  begin(type, seat, fields, phaseId, draft = null) {
    const entry = { type, seat, fields, phaseId, draft, version: null, answeredMs: null };
    this.sent.set(`${seat} ${type}`, entry);
    return entry;
  }

  /** Its answer has come: refused it is forgotten, taken it waits for the table to show it. */
  answered(entry, reply, nowMs, more = {}) {
    const lasts = { ...LASTS, ...more };
    entry.version = reply.v ?? this.version;
    entry.answeredMs = nowMs;
    if (reply.ok) {
      this.done.set(`${entry.seat} ${entry.type}`, entry);
    }
    this.forget((each) => each === entry && (!reply.ok || (!lasts[entry.type] && entry.version <= this.version)));
  }

  /** The table shows this now. */
  shown(snapshot, nowMs, more = {}) {
    const lasts = { ...LASTS, ...more };
    const begun = snapshot.v < this.version; // another table, or the same one begun anew
    this.version = snapshot.v;
    this.forget((entry) => {
      if (entry.version === null) return false;
      return begun || (entry.version <= snapshot.v && !lasts[entry.type]?.(entry, snapshot, nowMs));
    });
    for (const [name, { phaseId }] of this.done) {
      if (phaseId !== snapshot.phase_id) {
        this.done.delete(name);
      }
    }
  }

  forget(isOver) {
    for (const [name, entry] of this.sent) {
      if (isOver(entry)) {
        this.sent.delete(name);
      }
    }
  }

  /** What this seat has sent of a kind and nobody has shown yet; undefined for nothing. */
  of(type, seat) {
    return this.sent.get(`${seat} ${type}`)?.fields;
  }

  /** The last command of a kind that was taken for this seat in this phase; undefined for none. */
  taken(type, seat) {
    return this.done.get(`${seat} ${type}`);
  }

  /** Whether this very command is on its way: the second of two quick taps says nothing new. */
  repeats(type, seat, fields) {
    const sent = this.of(type, seat);
    return Boolean(sent) && !MORE.includes(type) && JSON.stringify(sent) === JSON.stringify(fields);
  }

  /** Whether anything of a kind is on its way, for whomever. */
  has(type) {
    return [...this.sent.values()].some((entry) => entry.type === type);
  }
}
