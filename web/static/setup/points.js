/** What is said of a step: a sign, a line, and what to do. */
import { html, svg } from "../vendor/lit-html/lit-html.js";

const SIGNS = {
  fine: svg`<circle cx="15" cy="15" r="12.5"></circle><path d="M9 15.4L13.4 19.8L21.4 10.6"></path>`,
  off: svg`<circle cx="15" cy="15" r="12.5"></circle><path d="M9.5 15H20.5"></path>`,
  waiting: svg`<circle cx="15" cy="15" r="12.5" stroke-dasharray="5 4"></circle><path d="M15 9V15.5L19 18"></path>`,
  todo: svg`<path d="M15 3.5L27.5 25.5H2.5Z"></path><path d="M15 11.5V17.5M15 21.4V21.8"></path>`,
  failed: svg`<rect x="3" y="3" width="24" height="24" rx="5"></rect><path d="M10 10L20 20M20 10L10 20"></path>`,
};

export function sign(mark) {
  return html`<svg class="point-sign point-${mark}" width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">${SIGNS[mark]}</svg>`;
}

/**
 * The words of a point: title, and what to do where there is something. A reason that has no words
 * here gets the general ones.
 */
export function words(say, point) {
  const key = `setup.${point.key}`;
  const title = say(key, point.of);
  const what = say(`${key}.do`, point.of);
  if (title === key) {
    return { title: say("setup.refused.error"), what: say("setup.refused.error.do") };
  }
  return { title, what: point.what ?? (what === `${key}.do` ? "" : what) };
}

/** Where several ports were asked, what is wrong with each. */
function ports(page, { of }) {
  return of?.each
    ? html`<ul class="point-do">${of.each.map(
        ({ key, of: facts }) => html`<li><b translate="no">${facts.port}</b>: ${page.say(`setup.${key}`)}.</li>`,
      )}</ul>`
    : "";
}

export function point(page, each) {
  const { title, what } = words(page.say, each);
  const why = each.detail || each.of?.why || "";
  return html`<li class="point">${sign(each.mark)}<div>
    <p class="point-title"><span class="unseen">${page.say(`setup.mark.${each.mark}`)}: </span>${title}</p>
    ${what ? html`<p class="point-do">${what}</p>` : ""} ${ports(page, each)}
    ${why ? html`<details class="point-why"><summary>${page.say("setup.why")}</summary><p lang="en">${why}</p></details>` : ""}
  </div></li>`;
}

/** The card with all that is said of a step; with three points it is full. */
export function points(page, list) {
  return html`<ul class="card points">${list.map((each) => point(page, each))}</ul>`;
}
