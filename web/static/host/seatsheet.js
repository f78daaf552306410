/** One seat in the host's hands: act for it, pass it over, give it another phone, a name, or none. */
import { html } from "../vendor/lit-html/lit-html.js";
import { mark } from "../core/objects/marks.js";
import { key, lamp, nameOf, seatOf } from "../core/page.js";
import { menuLines } from "../lobby/sheets.js";
import { seatState } from "./drawer.js";
import { close, sheet, sure } from "../core/sheet.js";

/** Whether a game has begun and is not over. */
const running = (s) => s.phase !== "LOBBY" && s.phase !== "GAME_OVER";

function renaming(ui, seat) {
  const rename = (event) => {
    event.preventDefault();
    ui.send("rename", { seat: seat.seat, name: new FormData(event.target).get("name").trim() });
    close(ui)();
  };
  return html`<form class="rename" @submit=${rename}>
    <label class="label" for="rename-seat">${ui.t("seatsheet.name")}</label>
    <div class="pair pair-uneven">
      <input class="field" id="rename-seat" name="name" maxlength="20" required autocomplete="off" .value=${seat.name} />
      <button type="submit" class="key key-plain"><span>${ui.t("menu.rename")}</span></button>
    </div>
  </form>`;
}

export function seatSheet(s, ui) {
  const seat = seatOf(s, ui.local.seat);
  if (!seat) {
    return "";
  }
  const name = nameOf(s, ui, seat.seat);
  const mine = seat.seat === s.you.seat;
  const person = !seat.bot;
  // `for` has the seats that the host can act for; a game where nobody can be acted for has no `for`.
  const acted = Boolean(s.for?.[seat.seat]);
  const away = s.for ? acted : !seat.connected && s.may.remove_seat;
  const waits = away ? (ui.game?.waitedFor?.(s, seat) ?? null) : null;
  const go = (type) => {
    ui.send(type, { seat: seat.seat });
    close(ui)();
  };
  return sheet(ui, {
    id: "seat",
    heading: name,
    body: html`<p class="seat-about">${mark(seat.mark, { size: 44 })}<span>${seatState(s, ui, seat)}</span></p>
      ${acted && running(s) ? lamp(ui.t("seatsheet.act", { name }), () => ui.set({ acting: seat.seat, handed: false, sheet: null })) : ""}
      ${waits ? key(ui.t(`seatsheet.skip.${waits}`), () => go("skip")) : ""}
      ${person ? key(ui.t(seat.phone ? "seatsheet.ticket" : "seatsheet.ticket_first"), () => ui.ticket(seat.seat), { icon: "code" }) : ""}
      ${person && seat.phone && !seat.host ? key(ui.t("seatsheet.host"), () => go("give_host")) : ""}
      ${renaming(ui, seat)}
      ${person && seat.phone && !mine ? sure(ui, "phone", ui.t("seatsheet.phone_off"), () => go("take_phone")) : ""}
      ${mine ? "" : sure(ui, "off", ui.t("seatsheet.off"), () => go("remove_seat"), menuLines.leaves?.(s))}
      ${person && !mine ? html`<p class="hint">${ui.t("seatsheet.hint")}</p>` : ""}`,
  });
}
