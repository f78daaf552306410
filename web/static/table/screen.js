// What is chosen on a table screen itself: its sound, light, language and size.
import { html } from "../vendor/lit-html/lit-html.js";
import { LANGUAGES } from "../core/i18n.js";

/** How much of the window the picture fills, in per cent: some televisions cut its edges off. */
export const SIZES = ["100", "95", "90"];

/** One setting: its name, and a key for each value, of which one holds now. */
function setting({ say, settings, set }, name, values) {
  const now = settings[name];
  return html`<div class="t-setting" role="group" aria-label=${say(`table.screen.${name}`)}>
    <span>${say(`table.screen.${name}`)}</span>
    ${values.map(
      ([value, word]) => html`<button type="button" class="t-key" aria-pressed=${value === now ? "true" : "false"}
        @click=${() => set(name, value)}>${word}</button>`,
    )}
  </div>`;
}

/** The key that opens them: three lines, as on the phones. */
export const screenKey = ({ say, openSettings, sounding }) => html`<button type="button"
  class="t-screen-key ${sounding ? "t-at-rest" : ""}" aria-label=${say("table.screen")} @click=${() => openSettings(true)}
  ><svg viewBox="0 0 72 72" aria-hidden="true"><path d="M20 24H52M20 36H52M20 48H52"></path></svg></button>`;

/** The sheet with all of them; "" is what the table itself speaks. */
export function screenSheet(ctx) {
  if (!ctx.setting) return "";
  const { say, openSettings } = ctx;
  const both = (name) => [true, false].map((on) => [on, say(`table.screen.${name}.${on ? "on" : "off"}`)]);
  const lights = ["dark", "light"].map((theme) => [theme, say(`table.screen.theme.${theme}`)]);
  return html`<div class="t-veil"></div>
    <section class="t-sheet t-settings" role="dialog" aria-modal="true" aria-labelledby="t-settings"
      @keydown=${(event) => event.key === "Escape" && openSettings(false)}>
      <h2 class="display" id="t-settings">${say("table.screen")}</h2>
      ${setting(ctx, "sound", both("sound"))}
      ${setting(ctx, "theme", lights)}
      ${setting(ctx, "size", SIZES.map((size) => [size, `${size} %`]))}
      ${setting(ctx, "lang", [["", say("table.screen.lang.table")], ...Object.entries(LANGUAGES)])}
      <button type="button" class="t-key t-main" @click=${() => openSettings(false)}>${say("table.close")}</button>
    </section>`;
}
