/** The game's sheets and its lines in the menu: they come when the first sheet is asked for. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../core/objects/marks.js";
import { sign } from "../../../core/objects/signs.js";
import { key, me, nameOf } from "../../../core/page.js";
import { close, sheet } from "../../../core/sheet.js";
import { putSheets } from "../../../lobby/sheets.js";
import { how } from "./how.js";
import { rules } from "./rules.js";
import { rowFix, takeBackIllegal } from "./turn/rowfix.js";
import { sealed, seals } from "./vote/seals.js";

/** A lone tile fell over: no accident, it is just stood up again. */
function standUp(ui) {
  ui.send("lone_tile_fell");
  close(ui)();
}

/** Who knocked the row over? */
function culprits(s, ui) {
  const claim = (culprit) => () => {
    ui.send("accident", { culprit });
    close(ui)();
  };
  const wrongEnd = () => {
    ui.send("wrong_end");
    close(ui)();
  };
  return sheet(ui, {
    id: "accident",
    heading: ui.t("claim.title"),
    body: html`<p>${ui.t("claim.lead")}</p>
      <ul class="culprits">
        ${s.seats.map(
          (seat) => html`<li><button type="button" class="key key-plain" @click=${claim(seat.seat)}>
            ${mark(seat.mark, { size: 28 })}<span>${seat.seat === s.you.seat ? ui.t("claim.me") : nameOf(s, ui, seat.seat)}</span>
          </button></li>`,
        )}
        <li>${key(ui.t("claim.nobody"), claim(null))}</li>
        ${s.may.wrong_end ? html`<li>${key(ui.t("claim.wrong_end"), wrongEnd)}</li>` : ""}
      </ul>`,
  });
}

/** The row is told from how it stands now, whatever was begun before. */
function orderAnew(ui) {
  ui.draft({ order: null, held: null });
  ui.set({ sheet: "rowfix" });
}

/** What a player may have to say of the row. */
function acts(s, ui) {
  if (!me(s)) {
    return "";
  }
  return html`${s.may.lone_tile && s.row.length === 1 ? key(ui.t("menu.lone", { value: s.row[0].value }), () => standUp(ui), { icon: "topple" }) : ""}
      ${s.may.fix_row && s.row.length > 1 ? key(ui.t("menu.rowfix"), () => orderAnew(ui), { icon: "move" }) : ""}
      ${s.may.illegal ? key(ui.t("menu.illegal"), takeBackIllegal(ui), { icon: "left" }) : ""}
      ${s.may.accident ? key(ui.t("menu.knocked"), () => ui.set({ sheet: "accident" }), { icon: "topple" }) : ""}`;
}

/** The rules, the row bench while no round is played, and what proves the ballots. */
function papers(s, ui) {
  const between = s.phase === "LOBBY" || s.phase === "GAME_OVER";
  return html`${s.collects ? html`<p class="hint">${ui.t("lobby.collects")}</p>` : ""}
      ${s.options ? key(ui.t("how.title"), () => ui.set({ sheet: "how" }), { icon: "book" }) : ""}
      ${between ? html`<a class="key key-plain" href="bench">${sign("topple", 24)}<span>${ui.t("menu.bench")}</span></a>` : ""}
      ${sealed(s) ? key(ui.t("seals.title"), () => ui.set({ sheet: "seals" }), { icon: "lock" }) : ""}`;
}

/** Let them be asked for. */
export const put = () => putSheets({ accident: culprits, how, rowfix: rowFix, rules, seals }, { acts, papers });
