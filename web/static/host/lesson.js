/** The camera is shown the empty table: what lies on it then is no tile for the whole evening. */
import { html } from "../vendor/lit-html/lit-html.js";
import { list } from "../core/i18n.js";
import { sheet } from "../core/sheet.js";

export function lesson(s, ui) {
  const { state, values } = s.lesson ?? { state: "", values: [] };
  const looking = state === "looking";
  return sheet(ui, {
    id: "lesson",
    heading: ui.t("drawer.lesson"),
    body: html`<p>${ui.t("lesson.lead")}</p>
      <p class="card ${state === "learned" ? "advice" : ""}" role="status" ?hidden=${!state}>
        ${state ? ui.t(`lesson.${state}`, { values: list(ui.lang, values.map(String)) }) : ""}
      </p>`,
    foot: html`<button type="button" class="key key-lamp" ?disabled=${looking || !s.may.learn_table} @click=${() => ui.send("learn_table")}>
      ${ui.t("lesson.key")}
    </button>`,
  });
}
