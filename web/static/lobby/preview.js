/** Draw a saved snapshot without a server: for the gallery and the tests. */
import { html, render } from "../vendor/lit-html/lit-html.js";
import { translator } from "../core/i18n.js";
import { folderOf, loadGame } from "../games/index.js";
import { app } from "./app.js";
import "../host/host.js";
import "./deck.js";
import "./menus.js";
import { message } from "./messages.js";
import { settle } from "../core/settle.js";

/** The games that can be drawn, by their folders, and the one whose sheets are open to be asked for. */
const games = {};
let ready = null;

/** Fetch what draws a snapshot, with all its parts, before it is drawn. */
export async function prepare(snapshot = null) {
  const folder = folderOf(snapshot);
  if (ready === folder) {
    return;
  }
  games[folder] ??= await loadGame("phone", snapshot);
  await Promise.all(Object.values(games[folder].PARTS).map((load) => load()));
  ready = folder;
}

await prepare();

const nothingHappens = () => {};

/** A `ui` that remembers and redraws, but sends nothing of itself. */
function previewUi(snapshot, { catalogue, lang, width, height, rem, acts }, again) {
  const local = { ...snapshot.ui?.local };
  const drafts = { ...snapshot.ui?.drafts };
  const t = translator(catalogue, lang);
  if (snapshot.ui?.refused) {
    local.notice = t(`refused.${snapshot.ui.refused}`);
  }
  const ui = {
    t,
    game: games[folderOf(snapshot)],
    lang,
    width,
    height,
    rem,
    link: snapshot.ui?.link ?? "live",
    now: () => snapshot.now_ms,
    local,
    drafts,
    pending: (type) => snapshot.ui?.pending?.[type],
    taken: () => undefined,
    set(patch) {
      Object.assign(local, patch);
      again();
    },
    draft(patch) {
      Object.assign(drafts, patch);
      again();
    },
    settings: { sound: true, theme: "system", hand: "right" },
    first: (step) => snapshot.ui?.first === step,
    suggested: "Robin",
  };
  for (const act of ["send", "ticket", "shout", "hold", "release", "setting", "reconnect", "leave", "reload"]) {
    ui[act] = nothingHappens;
  }
  return { ...ui, ...acts };
}

/**
 * What draws a game other than Estimation Domino has to be prepared.
 * @param {HTMLElement} root
 * @param {object} snapshot with the phone's own state, if any, under "ui"
 * @param {object} page
 * @param {object} page.catalogue
 * @param {string} page.lang
 * @param {number} page.width px
 * @param {number} page.height px
 * @param {number} [page.rem]
 * @param {object} [page.acts] what happens when something is pressed, in place of nothing
 * @returns {{heard: () => string}} what a screen reader hears of it
 */
export function preview(root, snapshot, page) {
  const ui = previewUi(snapshot, { rem: 16, ...page }, () => draw());
  const draw = () => {
    const alone = snapshot.ui?.message;
    render(html`${alone ? message(alone, ui) : app(snapshot, ui)}`, root);
    settle(root);
  };
  draw();
  return { heard: () => ui.game?.politeWords(snapshot, ui) ?? "" };
}
