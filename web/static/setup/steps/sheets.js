/** The sheets to print, and the ruler that tells whether they came out right. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { field, key, number } from "../parts.js";

const PAPERS = ["A4", "Letter"];
const SHEETS = ["mat", "marks", "tag"];

function ruler() {
  const marks = Array.from({ length: 11 }, (_, n) => `M${12 + 27 * n} 34V${n % 5 ? 24 : 14}`).join("");
  return html`<svg class="setup-ruler" viewBox="0 0 300 60" role="presentation" aria-hidden="true">
    <rect x="1" y="1" width="298" height="58" rx="6"></rect><path d="M12 34H282${marks}"></path>
    <text x="12" y="51">0</text><text x="282" y="51">100</text></svg>`;
}

export function sheets(page, step) {
  const { say, told } = page;
  const paper = page.drafts.paper ?? PAPERS[0];
  if (step.mark === "off") return {};
  const choose = (event) => {
    page.draft("paper", event.target.value);
    page.draw();
  };
  const done = step.mark === "fine";
  const save = key(page, "setup.keep", () => page.wish({ do: "ruler", mm: number(page, "ruler", told.ruler) }), { lamp: !done });
  return {
    left: html`<section class="card setup-sheets">
      <fieldset class="setup-kinds"><legend>${say("setup.print.paper")}</legend>${PAPERS.map(
        (name) => html`<label class="setup-kind"><input type="radio" name="paper" value=${name} .checked=${name === paper} @change=${choose}><span>${name}</span></label>`,
      )}</fieldset>
      <ul>${SHEETS.map(
        (what) => html`<li><a class="key key-plain" href="api/setup/${what}-${paper}.pdf?lang=${page.lang}" target="_blank" rel="noopener">${say(`setup.print.${what}`)} (PDF)</a></li>`,
      )}</ul></section>`,
    right: html`<section class="card setup-form">${ruler()}${field(page, "ruler", "setup.print.ruler", told.ruler)}</section>`,
    main: done ? "" : save,
    keys: done ? save : "",
  };
}
