/** How long ballots and turns may take; and no hurry at all. */
import { html } from "../vendor/lit-html/lit-html.js";
import { key } from "../core/page.js";
import { choice, sheet } from "../core/sheet.js";

const SECONDS = { ballot: [30, 60, 120], turn: [60, 90, 180] };

function limit(s, ui, what) {
  const now = s.timers[what];
  const seconds = s.timers[`${what}_s`];
  const offered = [...new Set([...SECONDS[what], seconds])].sort((a, b) => a - b);
  return html`<p class="label" id="menu-${what}">${ui.t(`timers.${what}`)}</p>
    ${choice(
      what,
      ["off", "soft", "hard"].map((way) => [way, ui.t(`timers.${way}`)]),
      now,
      (way) => ui.send("set_timers", { [what]: way }),
    )}
    <p class="hint">${ui.t(now === "hard" ? `timers.hard.${what}` : `timers.${now}.means`)}</p>
    ${
      now === "off"
        ? ""
        : html`<p class="unseen" id="menu-${what}_s">${ui.t(`timers.${what}`)}</p>
            ${choice(
              `${what}_s`,
              offered.map((each) => [each, ui.t("timers.seconds", { count: each })]),
              seconds,
              (each) => ui.send("set_timers", { [`${what}_s`]: each }),
            )}`
    }`;
}

export function timers(s, ui) {
  const calm = s.timers.no_hurry;
  const finish = Boolean(s.photo_finish);
  return sheet(ui, {
    id: "timers",
    heading: ui.t("timers.title"),
    body: html`${key(ui.t("timers.calm"), () => ui.send("set_timers", { no_hurry: !calm }), { pressed: calm ? "true" : "false" })}
      <p class="hint">${ui.t(calm ? "timers.calm.on" : "timers.calm.off")}</p>
      ${calm ? "" : html`${limit(s, ui, "ballot")} ${limit(s, ui, "turn")}`}
      ${key(ui.t("timers.finish"), () => ui.send("set_photo_finish", { on: !finish }), { pressed: finish ? "true" : "false" })}
      <p class="hint">${ui.t(finish ? "timers.finish.on" : "timers.finish.off")}</p>
      ${s.may.longer ? key(ui.t("timers.longer"), () => ui.send("longer"), { icon: "clock" }) : ""}`,
  });
}
