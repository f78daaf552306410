// Keeps the camera still while people think: it moves only when the row it looks at is another.
import { between, corners, fit } from "./scene.js";

const REFRAME_MS = 320;
const easeOut = (t) => 1 - (1 - t) ** 3;

export class Lens {
  _key = null;
  _from = null;
  _to = null;
  _start = 0;
  _drawn = 0;

  /**
   * The camera for a row. `turn` counts the pictures drawn: a row that was not on the screen in
   * the picture before is framed at once, any other one within 320 ms.
   */
  look(row, spec, { mode, now, turn, still, extra = [] }) {
    const key = `${mode} ${row.map((tile) => `${tile.value}${tile.orientation === "horizontal" ? "-" : ""}`).join(" ")}`;
    const seen = this._drawn === turn - 1 || this._drawn === turn;
    this._drawn = turn;
    if (key !== this._key) {
      const current = this._camera(now);
      this._key = key;
      this._to = fit([...row.map((tile) => corners(tile, spec)), ...extra], mode);
      this._from = seen && current && !still ? current : this._to;
      this._start = now;
    }
    return this._camera(now);
  }

  moving(now) {
    return this._from !== this._to && now - this._start < REFRAME_MS;
  }

  _camera(now) {
    if (!this._to) return null;
    const share = this._from === this._to ? 1 : Math.min(1, (now - this._start) / REFRAME_MS);
    return share >= 1 ? this._to : between(this._from, this._to, easeOut(share));
  }
}
