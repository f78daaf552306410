/** Commands of which two say more than one. */
const MORE = ["add_bot", "longer"];

/**
 * Commands on their way: sent and not answered yet, or answered and not yet shown by the table.
 *
 * The table has the last word: as soon as it shows a state that knows the answer, what this phone
 * had sent is forgotten, whatever another phone or window has changed meanwhile. A game may say
 * that a kind of command lasts longer (`lasts`), as a tile that the camera has yet to see.
 */
export class Pending {
  constructor() {
    this.sent = new Map();
    this.version = -1;
  }

  /** Remember a command; one of the same kind for the same seat takes the place of an earlier one. */
  begin(type, seat, fields, phaseId) {
    const entry = { type, fields, phaseId, version: null, answeredMs: null };
    this.sent.set(`${seat} ${type}`, entry);
    return entry;
  }

  /** Its answer has come: refused it is forgotten, taken it waits for the table to show it. */
  answered(entry, reply, nowMs, lasts = {}) {
    entry.version = reply.v ?? this.version;
    entry.answeredMs = nowMs;
    this.forget((each) => each === entry && (!reply.ok || (!lasts[entry.type] && entry.version <= this.version)));
  }

  /** The table shows this now. */
  shown(snapshot, nowMs, lasts = {}) {
    const begun = snapshot.v < this.version; // another table, or the same one begun anew
    this.version = snapshot.v;
    this.forget((entry) => {
      if (entry.version === null) return false;
      if (begun || (entry.phaseId !== snapshot.phase_id && entry.version <= snapshot.v)) return true;
      return entry.version <= snapshot.v && !lasts[entry.type]?.(entry, snapshot, nowMs);
    });
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

  /** Whether this very command is on its way: the second of two quick taps says nothing new. */
  repeats(type, fields, seat) {
    const sent = this.of(type, fields.for ?? seat);
    return Boolean(sent) && !MORE.includes(type) && JSON.stringify(sent) === JSON.stringify(fields);
  }

  /** Whether anything of a kind is on its way, for whomever. */
  has(type) {
    return [...this.sent.values()].some((entry) => entry.type === type);
  }
}
