// One saved snapshot drawn into a place on another page, for the gallery of all screens.
import { translator } from "../i18n.js";
import { Table } from "./app.js";

const silent = { play() {}, tile() {}, disarmed() {}, mute() {}, wake() {} };

/** Draw a snapshot as a still; `catalogue` holds the words under `table.`. */
export function preview(root, snapshot, { catalogue, lang }) {
  root.classList.add("t-glass");
  const table = new Table(root, {
    say: translator(catalogue, lang),
    lang,
    sound: silent,
    now: () => snapshot.now_ms,
    send: () => {},
    still: () => true,
  });
  table.show(snapshot);
  return table;
}
