/** One saved state of the first evening drawn into a place on another page, for the gallery. */
import { render } from "../vendor/lit-html/lit-html.js";
import { translator } from "../core/i18n.js";
import { settle, view } from "./view.js";

const still = { part: 0, down: false, press() {}, release() {} };

/** `ui` in the state says what the page alone knows: a lost link, a refusal, that somebody chooses. */
export function preview(root, state, { catalogue, lang }) {
  root.classList.add("setup");
  const { lost = false, said = null, choosing = false, part = 0 } = state.ui ?? {};
  const page = {
    say: translator(catalogue, lang),
    lang,
    told: state,
    said,
    lost,
    denied: false,
    choosing,
    drafts: {},
    thumb: { ...still, part },
    pictures: "/picture/1.jpg",
    previews: "/picture",
    evidence: "/picture/2.jpg",
    wish() {},
    go() {},
    draft() {},
    choose() {},
    draw() {},
  };
  render(view(page), root);
  settle();
}
