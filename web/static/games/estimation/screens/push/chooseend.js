/** Before the push, where both ends have the same value: the toppler chooses one. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { key, nameOf, page, title } from "../../../../core/page.js";
import { stopKey } from "../../../../core/stop.js";
import { rowStrip } from "../row.js";

/** Both ends have the same value: the toppler says where to push. */
function endKeys(s, ui) {
  const choose = (end) => () => ui.send("choose_end", { end });
  return html`<div class="pair">
    ${key(ui.t("end.left"), choose("left"), { icon: "west" })} ${key(ui.t("end.right"), choose("right"), { icon: "east" })}
  </div>`;
}

export function chooseEnd(s, ui) {
  const mine = Boolean(s.may.choose_end);
  const params = { name: nameOf(s, ui, s.push.toppler), value: s.row[0].value };
  return page(s, ui, {
    name: "chooseend",
    label: ui.t("push.rail"),
    body: html`${title(ui.t(mine ? "end.title" : "end.wait", params))}
      <p class="lead">${ui.t("end.lead", params)}</p>
      ${rowStrip(s, ui)} ${mine ? endKeys(s, ui) : ""}`,
    foot: s.may.stop ? stopKey(s, ui, "bar") : "",
  });
}
