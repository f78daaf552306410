/**
 * The games, each a folder beside this file: nothing outside it knows which there are.
 *
 * A game's folder has `phone.js` and `table.js`, what the page of that name shows of it.
 */

/** The games that have screens of their own here; any other is shown by `plain`. */
const DRAWN = ["estimation"];

/** The game of a table whose snapshots do not name their rules, which are called like a folder here. */
const UNNAMED = "estimation";

/** The folder that shows the game of a snapshot; a page may ask before it has one. */
export function folderOf(snapshot) {
  const name = snapshot?.rules ?? UNNAMED;
  return DRAWN.includes(name) ? name : "plain";
}

/** What a page shows of the game that a snapshot tells of. */
export const loadGame = (page, snapshot = null) => import(`./${folderOf(snapshot)}/${page}.js`);
