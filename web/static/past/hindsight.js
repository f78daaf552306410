// What can be said afterwards of what was done, round by round, as it comes from the referee.

/** The hints of a game; each round is asked for when it is first looked at. */
export class Hindsight {
  _rounds = new Map();

  /**
   * @param {(round: number) => Promise<Response>} ask
   * @param {() => void} came there is something new to draw
   */
  constructor(ask, came) {
    Object.assign(this, { ask, came });
  }

  /** Whether a round was asked for and has not come. */
  isComing(round) {
    return this._rounds.get(round) === "coming";
  }

  /** Make sure that the hints of a round come. */
  async want(round) {
    if (this._rounds.has(round)) return;
    this._rounds.set(round, "coming");
    const reply = await this.ask(round).catch(() => null);
    const told = await reply?.json().catch(() => null);
    // Nothing to say of it: never asked for again. Anything else may be otherwise with the next step.
    if (reply?.ok && told) this._rounds.set(round, told.hints);
    else if (reply?.status === 404) this._rounds.set(round, {});
    else this._rounds.delete(round);
    this.came();
  }

  /** The hints about what was done after one event and up to another. */
  between(round, after, upto) {
    const known = this._rounds.get(round);
    if (!known || known === "coming") return [];
    return Object.keys(known).map(Number).filter((v) => v > after && v <= upto).map((v) => known[v]);
  }
}

/**
 * How likely something was, in words: "1 in 6".
 * @param {number} share 0 to 1, as a few hundred tries say it
 */
export function chance(share, say) {
  if (share > 0.95) return say("past.chance.sure");
  if (share < 0.01) return say("past.chance.rare", { of: 100 });
  if (share < 0.45) return say("past.chance", { n: 1, of: Math.round(1 / share) });
  const n = Math.round(share * 10);
  const [, small, of] = [[5, 1, 2], [4, 2, 5], [6, 3, 5], [8, 4, 5]].find(([tenths]) => tenths === n) ?? [n, n, 10];
  return say("past.chance", { n: small, of });
}
