/** A thumb on the button: says that it is there for as long as it is, and says when it goes. */

const FULL_MS = 1500;
const STILL_MS = 250;

export class Thumb {
  /**
   * @param {object} options
   * @param {(wish: object) => Promise<{ok: boolean, nonce?: string}>} options.wish
   * @param {() => void} options.draw
   */
  constructor({ wish, draw }) {
    Object.assign(this, { wish, draw, down: false, part: 0, turn: 0 });
  }

  /** @param {boolean} push ask for the push once the ring is full; otherwise the pusher does by itself */
  async press(push) {
    if (this.down) return;
    this.down = true;
    const turn = (this.turn += 1);
    const reply = await this.wish({ do: "hold" });
    if (!reply.ok || !this.down || turn !== this.turn) {
      if (reply.ok) this.wish({ do: "release" });
      this.down = false;
      return;
    }
    this.timer = setInterval(() => this.wish({ do: "still", nonce: reply.nonce }), STILL_MS);
    this.fill(turn, push ? reply.nonce : null, performance.now());
  }

  fill(turn, nonce, since) {
    if (turn !== this.turn || !this.down) return;
    this.part = Math.min(1, (performance.now() - since) / FULL_MS);
    this.draw();
    if (this.part < 1) {
      requestAnimationFrame(() => this.fill(turn, nonce, since));
    } else if (nonce) {
      this.end();
      this.wish({ do: "push", nonce });
    }
  }

  release() {
    if (!this.down) return;
    this.end();
    this.wish({ do: "release" });
  }

  end() {
    clearInterval(this.timer);
    this.down = false;
    this.turn += 1;
    this.part = 0;
    this.draw();
  }
}
