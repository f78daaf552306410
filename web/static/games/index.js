/**
 * The games, each a folder beside this file: nothing outside it knows which there are.
 *
 * A game's folder has `phone.js` and `table.js`, what the page of that name shows of it. Its words lie
 * in a folder of its name among the catalogues, and are added to those of the page.
 */
import { loadCatalogue } from "../core/i18n.js";

/** The games that have screens of their own here; any other is shown by `plain`. */
const DRAWN = ["estimation"];

/** The game of a table whose snapshots do not name their rules, which are called like a folder here. */
const UNNAMED = "estimation";

/** The rules by which a snapshot is played; a page may ask before it has one. */
export const rulesOf = (snapshot) => snapshot?.rules ?? UNNAMED;

/** The folder that shows the game of a snapshot. */
export function folderOf(snapshot) {
  const name = rulesOf(snapshot);
  return DRAWN.includes(name) ? name : "plain";
}

/** What a page shows of the game that a snapshot tells of. */
export const loadGame = (page, snapshot = null) => import(`./${folderOf(snapshot)}/${page}.js`);

/**
 * The words that the game of a snapshot adds to a page's; it may have none.
 * @param {string} name of the page's own catalogue, as "en" or "table.en"
 */
export const gameWords = (name, snapshot = null) => loadCatalogue(`${rulesOf(snapshot)}/${name}`, {});

/** The words of a page together with those of a snapshot's game. */
export async function allWords(name, snapshot = null) {
  return Object.assign({}, ...(await Promise.all([loadCatalogue(name), gameWords(name, snapshot)])));
}
