/** Draw a saved snapshot without a server: for the gallery and the tests. */
import { html, render } from "../vendor/lit-html/lit-html.js";
import { translator } from "../core/i18n.js";
import { folderOf, loadGame } from "../games/index.js";
import { app } from "./app.js";
import "../host/host.js";
import "./menus.js";
import { message } from "./messages.js";
import { settle } from "../core/settle.js";

/** The game that is drawn where a snapshot does not say, with all its parts; and any without screens. */
const usual = await loadGame("phone");
const plain = await loadGame("phone", { rules: "" });
await Promise.all(Object.values(usual.PARTS).map((load) => load()));

const nothingHappens = () => {};

/** A `ui` that remembers and redraws, but sends nothing of itself. */
function previewUi(snapshot, { catalogue, lang, width, height, rem, acts }, again) {
  const local = { ...snapshot.ui?.local };
  const t = translator(catalogue, lang);
  if (snapshot.ui?.refused) {
    local.notice = t(`refused.${snapshot.ui.refused}`);
  }
  const ui = {
    t,
    game: folderOf(snapshot) === folderOf(null) ? usual : plain,
    lang,
    width,
    height,
    rem,
    link: snapshot.ui?.link ?? "live",
    now: () => snapshot.now_ms,
    local,
    pending: (type) => snapshot.ui?.pending?.[type],
    set(patch) {
      Object.assign(local, patch);
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
