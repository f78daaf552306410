/** A player without a phone: the host seats them, and acts for them. */
import { html } from "../vendor/lit-html/lit-html.js";
import { markChoice, nameField } from "../lobby/join.js";
import { sheet } from "../core/sheet.js";

export function guest(s, ui) {
  const chosen = s.marks_free.includes(ui.local.mark) ? ui.local.mark : s.marks_free[0];
  const seat = (event) => {
    event.preventDefault();
    ui.send("add_player", { name: new FormData(event.target).get("name").trim(), mark: chosen });
    ui.draft({ guest: "" });
    ui.set({ sheet: null });
  };
  return sheet(ui, {
    id: "guest",
    heading: ui.t("guest.title"),
    body: html`<p>${ui.t("guest.lead")}</p>
      <form class="stack" id="guest" @submit=${seat}>
        ${nameField(ui, {
          id: "guest-name",
          label: ui.t("seatsheet.name"),
          value: ui.drafts.guest ?? "",
          input: (event) => ui.draft({ guest: event.target.value }),
        })}
        <span class="label" id="mark-label">${ui.t("guest.mark")}</span>
        ${markChoice(s, ui, chosen)}
        <button type="submit" class="key key-lamp">${ui.t("guest.seat")}</button>
      </form>`,
  });
}
