// One saved snapshot drawn into a place on another page, for the gallery of all screens.
import { translator } from "../core/i18n.js";

const silent = { play() {}, tile() {}, disarmed() {}, mute() {}, wake() {} };

/**
 * What a game's screen has for that: draw a snapshot as a still; `catalogue` holds the words under `table.`. Its `ui` may say how long
 * the link is lost, or what was different before it and how old the moment between the two is.
 */
export const previewOf = (Table) => (root, snapshot, { catalogue, lang }) => {
  root.classList.add("t-glass");
  const { before, age_ms: age = 0, lost = "", choosing = false, setting = false } = snapshot.ui ?? {};
  let time = 0;
  const table = new Table(root, {
    say: translator(catalogue, lang),
    lang,
    sound: silent,
    now: () => snapshot.now_ms,
    send: () => {},
    still: () => true,
    clock: () => time,
  });
  if (before) table.show({ ...snapshot, ...before });
  table.show(snapshot);
  time = age;
  table.lost(lost);
  if (choosing) table.choose(true);
  if (setting) table.openSettings(true);
  table.draw();
  return table;
};
