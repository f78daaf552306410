/** The recorded row is not the one on the table: say how it stands; another player nods. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { tilePicture } from "../../../../core/objects/tile.js";
import { lamp } from "../../../../core/page.js";
import { close, sheet } from "../../../../core/sheet.js";

/** The order with two tiles changed over. */
function swapped(order, a, b) {
  const next = [...order];
  [next[a], next[b]] = [next[b], next[a]];
  return next;
}

export function rowFix(s, ui) {
  const now = s.row.map((tile) => tile.value);
  const order = ui.drafts.order?.length === now.length ? ui.drafts.order : now;
  const held = ui.drafts.held ?? null;
  const press = (at) => () => {
    if (held === null || held === at) {
      ui.draft({ held: held === at ? null : at });
    } else {
      ui.draft({ order: swapped(order, held, at), held: null });
    }
  };
  const ask = () => {
    ui.send("fix_row", { order });
    ui.draft({ order: null, held: null });
    ui.set({ sheet: null });
  };
  const low = (value) => s.row.find((tile) => tile.value === value)?.orientation === "horizontal";
  return sheet(ui, {
    id: "rowfix",
    heading: ui.t("rowfix.title"),
    body: html`<p>${ui.t("rowfix.lead")}</p>
      <div class="picks" role="group" aria-label=${ui.t("rowfix.title")}>
        ${order.map(
          (value, at) => html`<button type="button" class="pick pick-key" aria-pressed=${held === at ? "true" : "false"} @click=${press(at)}>
            ${tilePicture(value, { height: 46, low: low(value) })}<span class="unseen">${value}</span>
          </button>`,
        )}
      </div>
      <p class="where" aria-live="polite"><b>${order.join(" · ")}</b></p>
      ${lamp(ui.t("rowfix.ask"), ask, { disabled: order.every((value, at) => value === now[at]) })}
      <p class="hint">${ui.t("rowfix.hint")}</p>`,
  });
}

/** An illegal placement comes back to its placer. */
export function takeBackIllegal(ui) {
  return () => {
    ui.send("illegal");
    close(ui)();
  };
}
