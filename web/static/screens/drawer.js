/** The host's drawer: six wooden keys, the seats, and STOP at its foot. */
import { html } from "../vendor/lit-html/lit-html.js";
import { mark, sign, triangle } from "../objects.js";
import { stopKey } from "./push.js";
import { sheet } from "./sheet.js";

/** One wooden key with its sign; a second press is asked for where nothing brings things back. */
function wood(ui, { icon, word, run, off = false, sure = null }) {
  const asked = sure !== null && ui.local.confirm === sure;
  const press = () => {
    if (sure !== null && !asked) {
      ui.set({ confirm: sure });
      return;
    }
    run();
    ui.set({ sheet: null, confirm: null });
  };
  return html`<button type="button" class="wood-key ${asked ? "is-asked" : ""}" ?disabled=${off} @click=${press}>
    ${sign(icon, 30)}<span>${asked ? ui.t("drawer.sure") : word}</span>
  </button>`;
}

function keys(s, ui) {
  const paused = s.paused_by !== null;
  return html`<div class="wood-keys">
    ${wood(ui, {
      icon: paused ? "play" : "pause",
      word: ui.t(paused ? "drawer.resume" : "drawer.pause"),
      off: !s.may.pause,
      run: () => ui.send("pause", { on: !paused }),
    })}
    ${wood(ui, { icon: "play", word: ui.t("drawer.start"), off: !s.may.start, run: () => ui.send("start", { first: null }) })}
    ${wood(ui, { icon: "bot", word: ui.t("drawer.bot"), off: !s.may.add_bot, run: () => ui.send("add_bot") })}
    ${wood(ui, {
      icon: "topple",
      word: ui.t("drawer.knocked"),
      off: !s.may.accident,
      run: () => queueMicrotask(() => ui.set({ sheet: "accident" })),
    })}
    ${wood(ui, {
      icon: "void",
      word: ui.t("drawer.void"),
      off: !s.may.void,
      sure: "void",
      run: () => ui.send("void", { reason: "host" }),
    })}
    ${wood(ui, { icon: "up", word: ui.t("drawer.clear"), off: !s.may.clear_stop, run: () => ui.send("clear_stop") })}
  </div>`;
}

function state(s, ui, seat) {
  if (seat.bot) {
    return ui.t("seat.bot");
  }
  return ui.t(seat.connected ? "seat.connected" : "seat.away");
}

function people(s, ui) {
  return html`<h3>${ui.t("drawer.people")}</h3>
    <ul class="people">
      ${s.seats.map((seat) => {
        const asked = ui.local.confirm === seat.seat;
        const press = () => (asked ? ui.send("remove_seat", { seat: seat.seat }) : ui.set({ confirm: seat.seat }));
        return html`<li class="seat-line">
          ${mark(seat.mark, { size: 34 })}
          <span class="seat-text"><b>${seat.name}</b><span>${state(s, ui, seat)}</span></span>
          <button type="button" class="small-key" ?disabled=${!s.may.remove_seat} @click=${press}
            aria-label=${ui.t("drawer.remove", { name: seat.name })}>
            ${asked ? html`<span>${ui.t("drawer.sure")}</span>` : sign("remove", 22)}
          </button>
        </li>`;
      })}
    </ul>`;
}

export function drawer(s, ui) {
  return sheet(ui, {
    id: "drawer",
    grip: true,
    heading: ui.t("drawer.title"),
    body: html`${keys(s, ui)} ${people(s, ui)}
      ${s.fault ? html`<p class="card advice">${triangle(30)}<span>${ui.t("fault.title")}</span></p>` : ""}`,
    foot: s.may.stop ? html`<div class="drawer-stop">${stopKey(s, ui, "bar")}</div>` : "",
  });
}
