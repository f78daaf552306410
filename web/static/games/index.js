/**
 * The games, each a folder beside this file: nothing outside it knows which there are.
 *
 * A game's folder has `phone.js` and `table.js`, what the page of that name shows of it, and a style sheet
 * for each, `phone.css` and `table.css`. Its words lie in a folder of its name among the catalogues, and
 * are added to those of the page.
 */
import { loadCatalogue } from "../core/i18n.js";

/** The games that have screens of their own here; any other is shown by `plain`. */
const DRAWN = ["estimation", "dominoes"];

/** The game of a table whose snapshots do not name their rules, which are called like a folder here. */
const UNNAMED = "estimation";

/** What a game's style sheet on a phone goes before; where it is missing, the page has one sheet for all. */
const AFTER = 'link[rel=stylesheet][href$="/core/style/after.css"]';

/** Whether the style of a game comes with the page itself, or it has none. */
const isStyled = (page, folder) => page === "phone" && (folder === "plain" || (folder === "estimation" && !document.querySelector(AFTER)));

/** The rules by which a snapshot is played; a page may ask before it has one. */
export const rulesOf = (snapshot) => snapshot?.rules ?? UNNAMED;

/** The folder that shows the game of a snapshot. */
export function folderOf(snapshot) {
  const name = rulesOf(snapshot);
  return DRAWN.includes(name) ? name : "plain";
}

const sheetOf = (page, folder) => new URL(`./${folder}/${page}.css`, import.meta.url).pathname;

const linkTo = (href) => document.querySelector(`link[rel=stylesheet][href="${href}"]`);

/** Put a style sheet on the page, unless it is there; kept once it is in force. */
async function style(href) {
  if (linkTo(href)) return;
  await new Promise((done, failed) => {
    const link = Object.assign(document.createElement("link"), { rel: "stylesheet", onload: done });
    link.onerror = () => {
      link.remove();
      failed(new Error(`no style sheet ${href}`));
    };
    link.setAttribute("href", href);
    const after = document.querySelector(AFTER);
    after ? after.before(link) : document.head.append(link);
  });
}

/** Take the style sheets of the games off the page: another one is going to be played. */
export const putAway = (page) => DRAWN.forEach((folder) => linkTo(sheetOf(page, folder))?.remove());

/** What a page shows of the game that a snapshot tells of. */
export async function loadGame(page, snapshot = null) {
  const folder = folderOf(snapshot);
  const sheet = !isStyled(page, folder) && style(sheetOf(page, folder));
  const [game] = await Promise.all([import(`./${folder}/${page}.js`), sheet]);
  return game;
}

/**
 * The words that the game of a snapshot adds to a page's, if any; on a phone also those of `plain`, where that shows it.
 * @param {string} language
 * @param {string} page as "phone" or "table"
 */
export async function gameWords(language, page, snapshot = null) {
  const shared = page === "phone" && folderOf(snapshot) === "plain" && loadCatalogue(`${language}/plain/phone`);
  return { ...(await loadCatalogue(`${language}/${rulesOf(snapshot)}/${page}`, {})), ...(await shared) };
}

/** What the page's own sheets and refusals say on a phone. */
export const pageSheetWords = (language) => loadCatalogue(`${language}/more`);

/** What those of a snapshot's game say. */
export async function gameSheetWords(language, snapshot) {
  const folder = folderOf(snapshot);
  return folder === "plain" ? {} : loadCatalogue(`${language}/${folder}/more`);
}

/** Both: they come when the first sheet or refusal does. */
export async function sheetWords(language, snapshot) {
  return Object.assign({}, ...(await Promise.all([pageSheetWords(language), gameSheetWords(language, snapshot)])));
}

/** The words of a page together with those of a snapshot's game. */
export async function allWords(language, page, snapshot = null) {
  return Object.assign({}, ...(await Promise.all([loadCatalogue(`${language}/${page}`), gameWords(language, page, snapshot)])));
}
