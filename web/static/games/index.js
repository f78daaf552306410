/**
 * The games, each a folder beside this file: nothing outside it knows which there are.
 *
 * A game's folder has `phone.js` and `table.js`, what the page of that name shows of it.
 */

/** The game of a table whose snapshots do not name their rules, which are called like a folder here. */
const UNNAMED = "estimation";

/** What a page shows of the game that a snapshot tells of; the page may ask before it has one. */
export function loadGame(page, snapshot = null) {
  const name = /^\w+$/.exec(snapshot?.rules ?? "")?.[0] ?? UNNAMED;
  return import(`./${name}/${page}.js`);
}
