// Keeps the camera still while people think: it moves only when the row it looks at is another.
import { between, corners, fit } from "./scene.js";

const REFRAME_MS = 320;
const easeOut = (t) => 1 - (1 - t) ** 3;

export class Lens {
  #key = null;
  #from = null;
  #to = null;
  #start = 0;
  #drawn = 0;

  /**
   * The camera for a row. `turn` counts the pictures drawn: a row that was not on the screen in
   * the picture before is framed at once, any other one within 320 ms.
   */
  look(row, spec, { mode, now, turn, still, extra = [] }) {
    const key = `${mode} ${row.map((tile) => `${tile.value}${tile.orientation === "horizontal" ? "-" : ""}`).join(" ")}`;
    const seen = this.#drawn === turn - 1 || this.#drawn === turn;
    this.#drawn = turn;
    if (key !== this.#key) {
      const current = this.#camera(now);
      this.#key = key;
      this.#to = fit([...row.map((tile) => corners(tile, spec)), ...extra], mode);
      this.#from = seen && current && !still ? current : this.#to;
      this.#start = now;
    }
    return this.#camera(now);
  }

  moving(now) {
    return this.#from !== this.#to && now - this.#start < REFRAME_MS;
  }

  #camera(now) {
    if (!this.#to) return null;
    const share = this.#from === this.#to ? 1 : Math.min(1, (now - this.#start) / REFRAME_MS);
    return share >= 1 ? this.#to : between(this.#from, this.#to, easeOut(share));
  }
}
