/** Before the game: which it is, the order of seats as round the table, and "I'm ready". */
import { html } from "../vendor/lit-html/lit-html.js";
import { repeat } from "../vendor/lit-html/directives/repeat.js";
import { gameName, mayChoose, totalLine } from "../core/evening.js";
import { mark } from "../core/objects/marks.js";
import { sign, tick } from "../core/objects/signs.js";
import { byHand, key, lamp, me, nameOf, names, page, partners, quiet, roundLabel, title } from "../core/page.js";

/** Letters of a word that fit beside the keys that move a seat. */
const NARROW = 5;

function about(s, ui, seat) {
  const words = [];
  if (seat.host) {
    words.push(ui.t("seat.host"));
  }
  if (seat.seat === s.you.seat) {
    words.push(ui.t("seat.you"));
  }
  if (seat.bot) {
    words.push(ui.t(seat.character ? `seat.bot.${seat.character}` : "seat.bot"));
  } else if (seat.phone === false) {
    words.push(ui.t("seat.no_phone"));
  } else if (!seat.connected) {
    words.push(ui.t("seat.away"));
  }
  const team = partners(s, seat.seat);
  if (team.length) {
    words.push(ui.t("seat.with", { names: names(s, ui, team) }));
  }
  words.push(ui.t(seat.ready ? "seat.ready" : "seat.not_ready"));
  return words.join(" · ");
}

/** Where the dragged seat would go: the place of the line under the finger. */
function placeUnder(list, y) {
  const lines = [...list.children].map((line) => line.getBoundingClientRect());
  const at = lines.findIndex((box) => y < box.bottom);
  return at < 0 ? lines.length - 1 : at;
}

/** The handle of a seat: dragged with a finger, or moved with the arrow keys. */
function handle(s, ui, seat, at) {
  const last = s.seats.length - 1;
  const move = (to) => to !== at && ui.send("move_seat", { seat: seat.seat, to });
  const down = (event) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    ui.draft({ seat: { seat: seat.seat, to: at } });
  };
  const drag = (event) => {
    const now = ui.drafts.seat;
    if (now?.seat === seat.seat) {
      const list = event.currentTarget.closest("ol");
      const to = placeUnder(list, event.clientY);
      if (to !== now.to) {
        ui.draft({ seat: { ...now, to } });
      }
    }
  };
  const drop = () => {
    const to = ui.drafts.seat?.to ?? at;
    ui.draft({ seat: null });
    move(to);
  };
  const press = (event) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      move(Math.max(0, Math.min(last, to)));
    }
  };
  return html`<button type="button" class="small-key grab" aria-label=${ui.t("lobby.drag", { name: seat.name })}
    @pointerdown=${down} @pointermove=${drag} @pointerup=${drop} @pointercancel=${() => ui.draft({ seat: null })}
    @keydown=${press}>${sign("grab", 24)}</button>`;
}

/** Up and down one place, and the handle, for the seats that are being moved. */
function movers(s, ui, seat, at) {
  const move = (to) => ui.send("move_seat", { seat: seat.seat, to });
  return html`<span class="movers">
    <button type="button" class="small-key" aria-label=${ui.t("lobby.up", { name: seat.name })} ?disabled=${at === 0}
      @click=${() => move(at - 1)}>${sign("up", 24)}</button>
    <button type="button" class="small-key" aria-label=${ui.t("lobby.down", { name: seat.name })}
      ?disabled=${at === s.seats.length - 1} @click=${() => move(at + 1)}>${sign("down", 24)}</button>
    ${handle(s, ui, seat, at)}
  </span>`;
}

/** Where the seat in hand would come to lie: the lines stay put, or the finger would lose it. */
function dragClass(s, ui, seat, at) {
  const drag = ui.drafts.seat;
  if (!drag) {
    return "";
  }
  if (drag.seat === seat.seat) {
    return "is-dragged";
  }
  const from = s.seats.findIndex((each) => each.seat === drag.seat);
  return drag.to === at && at !== from ? (at < from ? "is-target-above" : "is-target-below") : "";
}

function seatList(s, ui, moving) {
  return html`<ol class="card seats">
    ${repeat(
      s.seats,
      (seat) => seat.seat,
      (seat, at) => html`<li class="seat-line ${dragClass(s, ui, seat, at)}">
        ${mark(seat.mark, { size: 34 })}
        <span class="seat-text"><span class="seat-name"><b>${nameOf(s, ui, seat.seat, NARROW)}</b>${totalLine(seat, ui)}</span>${moving ? "" : html`<span>${about(s, ui, seat)}</span>`}</span>
        ${moving ? movers(s, ui, seat, at) : tick(seat.ready)}
      </li>`,
    )}
  </ol>`;
}

/** That more people sit here than the game takes; empty where they do not. */
const crowd = (s, ui) => (s.seats.length > s.most ? ui.t("lobby.crowded", { count: s.most, game: gameName(s, ui.t) }) : "");

const anotherGame = (s, ui) => (mayChoose(s) ? key(ui.t("games.another"), () => ui.set({ sheet: "games" }), { icon: "bone" }) : "");

/** What keeps the host from starting, in words. */
function waiting(s, ui) {
  if (s.seats.length < (s.fewest ?? 2)) {
    return s.fewest > 2 ? ui.t("lobby.need", { count: s.fewest }) : ui.t("lobby.need_pair");
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
  const crowded = crowd(s, ui) !== ""; // then it can only be put right
  const roomy = ui.height >= 700; // else they are in the drawer and the menu
  return page(s, ui, {
    name: "lobby",
    label: s.round > 0 && s.phase !== "LOBBY" ? roundLabel(s, ui) : label,
    body: html`${title(ui.t("lobby.title"))}
      <p class="lead">${ui.game ? html`<b>${gameName(s, ui.t)}.</b> ` : ""}${ui.t(empty ? "lobby.nobody" : s.play_order === "counter-clockwise" ? "lobby.hint_back" : "lobby.hint")}</p>
      ${byHand(s) ? html`<p class="lead">${ui.t(s.devices.photographs ? "lobby.by_photo" : "lobby.by_hand")}</p>` : ""}
      ${s.collects ? html`<p class="lead">${ui.t("lobby.collects")}</p>` : ""}
      ${empty ? "" : seatList(s, ui, moving && Boolean(s.may.move_seat))}
      ${crowded ? "" : (ui.game?.rulesInBrief?.(s, ui) ?? "")} ${ui.game?.beside?.(s, ui) ?? ""}
      <div class="inline-keys">
        ${crowded ? "" : anotherGame(s, ui)}
        ${
          s.may.move_seat && count > 1
            ? key(ui.t(moving ? "lobby.moved" : "lobby.move"), () => ui.set({ moving: !moving }), {
                icon: "move",
                pressed: moving ? "true" : "false",
              })
            : ""
        }
        ${s.may.add_bot ? key(ui.t("lobby.bot"), () => ui.send("add_bot"), { icon: "bot" }) : ""}
        ${s.options && roomy && !crowded && ui.game?.hasRules !== false ? key(ui.t("lobby.rules"), () => ui.set({ sheet: "how" }), { icon: "book" }) : ""}
        ${s.may.add_player && roomy ? key(ui.t("lobby.guest"), () => ui.set({ sheet: "guest" }), { icon: "hand" }) : ""}
      </div>`,
    foot: lobbyFoot(s, ui, seat),
  });
}

/** Who has the first turn, as the host picks it; null where the rules leave it to chance. */
export function firstTurn(s, ui) {
  const picked = s.seats.find((seat) => seat.seat === ui.drafts.first) ?? s.seats[0];
  return s.options?.first_player === "random" || ui.game?.picksFirst === false ? null : picked.seat;
}

function lobbyFoot(s, ui, seat) {
  if (!seat) {
    const start = () => ui.send("start", { first: firstTurn(s, ui) });
    return html`<p class="hint">${crowd(s, ui) || ui.t("lobby.watching")}</p>
      ${s.may.start && !crowd(s, ui) && s.seats.every((each) => each.bot) ? key(ui.t("lobby.start_bots"), start) : ""}
      ${s.may.sit ? lamp(ui.t("join.sit"), () => ui.set({ joining: true })) : ""}`;
  }
  if (!seat.ready) {
    return html`<p class="hint">${crowd(s, ui) || ui.t("lobby.try")}</p>
      ${lamp(ui.t("lobby.ready"), () => ui.send("ready", { on: true }))}`;
  }
  if (s.may.start && !crowd(s, ui)) {
    const first = firstTurn(s, ui);
    const at = s.seats.findIndex((each) => each.seat === first);
    const another = () => ui.draft({ first: s.seats[(at + 1) % s.seats.length].seat });
    const pick = () => quiet(ui.t("lobby.first", { name: nameOf(s, ui, first) }), another);
    return html`${first ? pick() : html`<p class="hint">${ui.t("lobby.all_ready")}</p>`}
      ${lamp(ui.t("lobby.start"), () => ui.send("start", { first }))}`;
  }
  return html`<p class="hint">${crowd(s, ui) || (s.you.host ? waiting(s, ui) : ui.t("lobby.wait_host"))}</p>
    ${crowd(s, ui) ? anotherGame(s, ui) : ""}
    ${key(ui.t("lobby.not_ready"), () => ui.send("ready", { on: false }))}`;
}
