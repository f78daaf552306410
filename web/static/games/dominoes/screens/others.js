/** What each side has, memory marked "+", who has won; and the others, their hands as backs with a number. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../core/objects/marks.js";
import { inPlayOrder, partners } from "../../../core/page.js";
import { backs } from "../objects/bone.js";

/** Which side a seat plays for; -1 for whoever does not play. */
export const sideOf = (s, seat) => s.sides.findIndex((side) => side.includes(seat));

/** An account as it is written: "40", "+7" for what is only remembered, "–" for one that is not open. */
export function account(s, seat) {
  const side = sideOf(s, seat);
  return s.account[side] ?? (s.memory[side] ? `+${s.memory[side]}` : "–");
}

/** The same in words. */
export function accountWords(s, ui, seat) {
  const side = sideOf(s, seat);
  const open = s.account[side] ?? null;
  if (open !== null) {
    return ui.t("account.open", { count: open });
  }
  return s.memory[side] ? ui.t("account.kept", { count: s.memory[side] }) : ui.t("account.closed");
}

/** The seats that play, in the order of turns. */
export const playing = (s) => inPlayOrder(s).filter((seat) => sideOf(s, seat.seat) >= 0);

/** What the match added to the rating of a seat; nothing where none is kept. */
export const ratingOf = (s, seat) => s.rating?.[Object.keys(s.sizes).indexOf(seat)];

/** Whether whoever loses is called the goat. */
export const isGoat = ({ preset }) => preset.startsWith("goat-") && preset !== "goat-2p";

/** The seats that have won, or lost where that is what is played for. */
export const decided = (s) => (s.options.limit_means === "lose" ? s.losers : s.winners).flatMap((side) => s.sides[side] ?? []);

/** px from one back to the next, and beside them: mark, number and account. */
const BACK = 11;
const BESIDE = 96;
const MOST_BACKS = 7;

export function others(s, ui, width) {
  const there = playing(s);
  const at = there.findIndex((seat) => seat.seat === s.you.seat);
  const shown = at < 0 ? there : [...there.slice(at + 1), ...there.slice(0, at)];
  const most = Math.floor((width / Math.max(1, shown.length) - BESIDE) / BACK);
  return html`<ul class="hands">
    ${shown.map((seat) => {
      const count = s.sizes[seat.seat] ?? 0;
      const team = partners(s, seat.seat).includes(s.you.seat);
      return html`<li>
        ${mark(seat.mark, { size: 26 })}
        <span class="hand-who"><b class="hand-name">${seat.name}</b>${team ? html`<small>${ui.t("hand.partner")}</small>` : ""}</span>
        <span class="hand-size">${most > 0 ? backs(count, { u: 0.36, most: count > Math.min(MOST_BACKS, most) ? 1 : MOST_BACKS }) : ""}<b aria-hidden="true">${count}</b
          ><span class="unseen">${ui.t("rack.count", { count })}</span><span class="hand-account display" role="img"
          aria-label=${accountWords(s, ui, seat.seat)}>${account(s, seat.seat)}</span></span>
      </li>`;
    })}
  </ul>`;
}
