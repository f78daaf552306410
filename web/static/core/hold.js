/** Hold to push: a nonce when the thumb goes down, a ring that fills, the push when it is full. */

const EMPTY_MS = 200;

export class HoldRing {
  /**
   * @param {object} options
   * @param {() => number} options.fullMs how long the thumb has to stay
   * @param {() => Promise<{ok: boolean, nonce?: string}>} options.begin ask for the nonce
   * @param {(nonce: string) => void} options.push the ring is full
   * @param {() => void} options.cancel the thumb went up early
   * @param {(part: number) => void} options.draw 0 empty to 1 full
   */
  constructor({ fullMs, begin, push, cancel, draw }) {
    Object.assign(this, { fullMs, begin, push, cancel, draw });
    this.turn = 0;
    this.part = 0;
    this.down = false;
  }

  async press() {
    if (this.down) {
      return;
    }
    this.down = true;
    this.turn += 1;
    const turn = this.turn;
    const reply = await this.begin();
    if (!reply.ok) {
      this.down = false;
      return;
    }
    if (turn !== this.turn || !this.down) {
      this.cancel();
      return;
    }
    this.fill(turn, reply.nonce, performance.now(), this.fullMs());
  }

  fill(turn, nonce, since, fullMs) {
    if (turn !== this.turn || !this.down) {
      return;
    }
    this.part = Math.min(1, (performance.now() - since) / fullMs);
    this.draw(this.part);
    if (this.part >= 1) {
      this.down = false;
      this.turn += 1;
      this.push(nonce);
      this.part = 0;
      return;
    }
    this.nonce = nonce;
    requestAnimationFrame(() => this.fill(turn, nonce, since, fullMs));
  }

  release() {
    if (!this.down) {
      return;
    }
    this.down = false;
    this.turn += 1;
    if (this.nonce) {
      this.nonce = null;
      this.cancel();
    }
    this.empty(this.turn, this.part, performance.now());
  }

  empty(turn, from, since) {
    if (turn !== this.turn) {
      return;
    }
    this.part = Math.max(0, from * (1 - (performance.now() - since) / EMPTY_MS));
    this.draw(this.part);
    if (this.part > 0) {
      requestAnimationFrame(() => this.empty(turn, from, since));
    }
  }
}
