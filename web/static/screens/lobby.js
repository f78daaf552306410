/** Before the game: the order of seats as round the table, and "I'm ready". */
import { html } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { mark, sign, tick } from "../objects.js";
import { key, lamp, me, page, roundLabel, title } from "./common.js";

function about(s, ui, seat) {
  const words = [];
  if (seat.host) {
    words.push(ui.t("seat.host"));
  }
  if (seat.seat === s.you.seat) {
    words.push(ui.t("seat.you"));
  }
  if (seat.bot) {
    words.push(ui.t("seat.bot"));
  } else if (!seat.connected) {
    words.push(ui.t("seat.away"));
  }
  words.push(ui.t(seat.ready ? "seat.ready" : "seat.not_ready"));
  return words.join(" · ");
}

/** Up and down one place, for the seat that is being moved. */
function movers(s, ui, seat, at) {
  const move = (to) => ui.send("move_seat", { seat: seat.seat, to });
  return html`<span class="movers">
    <button type="button" class="small-key" aria-label=${ui.t("lobby.up", { name: seat.name })} ?disabled=${at === 0}
      @click=${() => move(at - 1)}>${sign("up", 24)}</button>
    <button type="button" class="small-key" aria-label=${ui.t("lobby.down", { name: seat.name })}
      ?disabled=${at === s.seats.length - 1} @click=${() => move(at + 1)}>${sign("down", 24)}</button>
  </span>`;
}

function seatList(s, ui, { moving = () => false, word = (seat) => about(s, ui, seat) } = {}) {
  return html`<ol class="card seats">
    ${repeat(
      s.seats,
      (seat) => seat.seat,
      (seat, at) => html`<li class="seat-line">
        ${mark(seat.mark, { size: 34 })}
        <span class="seat-text"><b>${seat.name}</b><span>${word(seat)}</span></span>
        ${moving(seat) ? movers(s, ui, seat, at) : tick(seat.ready)}
      </li>`,
    )}
  </ol>`;
}

/** What keeps the host from starting, in words. */
function waiting(s, ui) {
  if (s.seats.length < 2) {
    return ui.t("lobby.need_two");
  }
  const late = s.seats.filter((seat) => !seat.ready).length;
  return late ? ui.t("lobby.waiting_ready", { count: late }) : "";
}

export function lobby(s, ui) {
  const seat = me(s);
  const moving = Boolean(ui.local.moving);
  const count = s.seats.length;
  const label = ui.t("rail.seats", { count });
  const empty = count === 0;
  return page(s, ui, {
    name: "lobby",
    label: s.round > 0 && s.phase !== "LOBBY" ? roundLabel(s, ui) : label,
    body: html`${title(ui.t("lobby.title"))}
      <p class="lead">${ui.t(empty ? "lobby.nobody" : "lobby.hint")}</p>
      ${empty ? "" : seatList(s, ui, { moving: () => moving })}
      <div class="inline-keys">
        ${
          s.may.move_seat && count > 1
            ? key(ui.t(moving ? "lobby.moved" : "lobby.move"), () => ui.set({ moving: !moving }), {
                icon: "move",
                pressed: moving ? "true" : "false",
              })
            : ""
        }
        ${s.may.add_bot ? key(ui.t("lobby.bot"), () => ui.send("add_bot"), { icon: "bot" }) : ""}
      </div>`,
    foot: lobbyFoot(s, ui, seat),
  });
}

function lobbyFoot(s, ui, seat) {
  if (!seat) {
    return html`<p class="hint">${ui.t("lobby.watching")}</p>
      ${s.may.sit ? lamp(ui.t("join.sit"), () => ui.set({ joining: true })) : ""}`;
  }
  if (!seat.ready) {
    return html`<p class="hint">${ui.t("lobby.try")}</p>
      ${lamp(ui.t("lobby.ready"), () => ui.send("ready", { on: true }))}`;
  }
  if (s.may.start) {
    const wait = waiting(s, ui);
    return html`<p class="hint">${wait || ui.t("lobby.all_ready")}</p>
      ${lamp(ui.t("lobby.start"), () => ui.send("start", { first: null }), { disabled: s.seats.length < 2 })}`;
  }
  return html`<p class="hint">${s.you.host ? waiting(s, ui) : ui.t("lobby.wait_host")}</p>
    ${key(ui.t("lobby.not_ready"), () => ui.send("ready", { on: false }))}`;
}
