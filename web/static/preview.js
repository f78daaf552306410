/** Draw a saved snapshot without a server: for the gallery and the tests. */
import { html, render } from "./vendor/lit-html/lit-html.js";
import { translator } from "./i18n.js";
import { app } from "./screens/index.js";
import { settle } from "./settle.js";

const nothingHappens = () => {};

/** A `ui` that remembers and redraws, but sends nothing. */
function previewUi(snapshot, { catalogue, lang, width, height, rem }, again) {
  const local = { ...snapshot.ui?.local };
  const ui = {
    t: translator(catalogue, lang),
    lang,
    width,
    height,
    rem,
    link: snapshot.ui?.link ?? "live",
    now: () => snapshot.now_ms,
    local,
    set(patch) {
      Object.assign(local, patch);
      again();
    },
    settings: { sound: true, theme: "system" },
    suggested: "Robin",
  };
  for (const act of ["send", "shout", "hold", "release", "setting", "reconnect", "leave", "reload"]) {
    ui[act] = nothingHappens;
  }
  return ui;
}

/**
 * @param {HTMLElement} root
 * @param {object} snapshot with the phone's own state, if any, under "ui"
 * @param {{catalogue: object, lang: string, width: number, height: number, rem?: number}} page
 */
export function preview(root, snapshot, page) {
  const ui = previewUi(snapshot, { rem: 16, ...page }, () => draw());
  const draw = () => {
    render(html`${app(snapshot, ui)}`, root);
    settle(root);
  };
  draw();
}
