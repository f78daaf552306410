// The lobby: the way in, large; then who sits, and who is ready; the game is carved into the edge of the board.
import { html } from "../vendor/lit-html/lit-html.js";
import { again } from "../core/again.js";
import { byHand } from "../core/page.js";
import { mark } from "../core/objects/marks.js";
import { anotherKey, game, won } from "./games.js";
import { LEAST_TYPE, nameSteps, written } from "./rail.js";
import { host, nameOf } from "./names.js";
import { around } from "./round.js";
import { wordWidth } from "./width.js";

/** So many can sit where a snapshot does not say. */
const SEATS = 5;

const most = (snap) => snap.most ?? SEATS;

/** Stage px of a guest's name and state. */
const GUEST_ROOM = 680;

const tick = html`<svg class="t-tick" viewBox="0 0 56 56" aria-hidden="true"><rect x="3" y="3" width="50"
  height="50" rx="13"></rect><path d="M16 29L25 38L41 19"></path></svg>`;

const box = html`<svg class="t-tick t-open" viewBox="0 0 56 56" aria-hidden="true"><rect x="3" y="3" width="50"
  height="50" rx="13"></rect></svg>`;

const isAway = (seat) => !seat.connected && !seat.bot && seat.phone !== false;

const stateOf = (seat, say) => say(`table.lobby.${isAway(seat) ? "away" : seat.ready ? "ready" : "notyet"}`);

/** What a guest's state leaves of that for the name, which has one line if games won stand below it. */
const guestRoom = ({ say }, seat) => GUEST_ROOM - wordWidth(stateOf(seat, say), LEAST_TYPE, "plain");

function seatLine(ctx, seat, step) {
  const total = won(ctx, seat);
  return html`<li class="t-guest">
    ${mark(seat.mark, { size: 84 })}<span class="t-guest-who">${total
      ? html`<b class="t-guest-name t-name-${step}">${seat.name}</b><small>${total}</small>`
      : written(seat.name, step, guestRoom(ctx, seat))}</span>
    <span class="t-guest-word">${stateOf(seat, ctx.say)}</span>${seat.ready && !isAway(seat) ? tick : box}
  </li>`;
}

/** Who plays together sits opposite: then the seats are shown as they are round the table. */
const ROUND = { x: 517, y: 540, chairs: { rx: 296, ry: 190 }, wood: { rx: 178, ry: 66 }, arrow: { rx: 140, ry: 40 } };
const MOST_ROUND = 6;

const isRound = (snap) => snap.teams?.length > 0 && snap.seats.length <= MOST_ROUND;

/** A chair's line: what keeps the table waiting; else how many games were won there. */
function chairWord(ctx, seat) {
  return (seat.ready && !isAway(seat) && won(ctx, seat)) || stateOf(seat, ctx.say);
}

const freeLine = (say) => html`<li class="t-guest t-free">
  <svg class="mark" viewBox="-26 -26 52 52" width="84" height="84" aria-hidden="true"><circle r="20"></circle></svg>
  <span class="t-guest-word">${say("table.lobby.free")}</span>
</li>`;

function keys(ctx) {
  const { snap, say, send } = ctx;
  if (!snap.you.host) return "";
  const ready = snap.may.start && snap.seats.length <= most(snap);
  return html`<div class="t-lobby-keys">
    ${snap.seats.length < most(snap)
      ? html`<button type="button" class="t-key" @click=${() => send("add_bot")}>${say("table.lobby.bot")}</button>`
      : ""}
    ${anotherKey(ctx)}
    <button type="button" class="t-key t-main" ?disabled=${!ready} @click=${() => send("start", { first: null })}
      >${say("table.lobby.start")}</button>
  </div>`;
}

function line({ snap, say }) {
  if (snap.seats.length > most(snap)) return say("table.lobby.crowded", { count: most(snap) });
  if (snap.seats.length >= 2 && snap.seats.every((seat) => seat.ready) && host(snap)) {
    return say("table.lobby.allready", { name: nameOf(snap, host(snap).seat) });
  }
  if (snap.seats.length && byHand(snap)) return say("table.lobby.byhand");
  return snap.seats.length === most(snap) ? say("table.lobby.full", { count: most(snap) }) : say("table.lobby.line");
}

/** The addresses of this machine, for phones that the first one does not reach. */
function ways(ctx) {
  const { snap, say } = ctx;
  const all = [snap.net, ...(snap.net.others ?? [])];
  if (all.length < 2) return "";
  return html`<div class="t-ways" role="group" aria-label=${say("table.lobby.ways")}>
    ${all.map(
      (way) => html`<button type="button" class="t-way" aria-pressed=${way.url === ctx.way.url ? "true" : "false"}
        @click=${() => ctx.choose(way.url)}>${bare(way.url).replace(/:\d+$/, "")}</button>`,
    )}
  </div>`;
}

const bare = (url) => url.replace(/^https?:\/\//, "").replace(/\/.*$/, "");

const guests = (ctx, steps) => html`<ul class="t-guests">
  ${ctx.snap.seats.map((seat) => seatLine(ctx, seat, steps.get(seat.seat)))}
  ${ctx.snap.seats.length < 2 ? Array.from({ length: 2 - ctx.snap.seats.length }, () => freeLine(ctx.say)) : ""}
</ul>`;

/** @param {object} [own] what the game has here of its own: `art` on the stage, `over` it, and a `line` */
export function lobbyScreen(ctx, own = {}) {
  const { snap, say } = ctx;
  const steps = nameSteps(snap.seats, (seat) => guestRoom(ctx, seat), 52);
  const told = own.line || line(ctx);
  return {
    name: "lobby",
    title: say("table.lobby.title"),
    line: told,
    // A stream shows no code.
    lineClass: told === say("table.lobby.line") ? "t-scan" : "",
    label: isRound(snap) ? snap.seats.map((seat) => `${seat.name}: ${chairWord(ctx, seat)}`).join("; ") : "",
    art: isRound(snap) ? around(snap, ROUND, (seat) => chairWord(ctx, seat)) : (own.art ?? ""),
    over: html`${own.over ?? ""}${isRound(snap) ? "" : guests(ctx, steps)}
      ${keys(ctx)}
      <figure class="t-way-in ${snap.net.others?.length ? "t-many-ways" : ""}">
        <img src=${ctx.way.qr} alt=${say("table.lobby.picture", { url: ctx.way.url })} @error=${again} />
        <figcaption><span class="t-address">${bare(ctx.way.url)}</span>${
          snap.net.local ? html`<span class="t-address">${snap.net.local.replace(/^http:\/\//, "")}</span>` : ""
        }<b class="t-code display">${snap.net.code}</b></figcaption>
        ${ways(ctx)}
      </figure>
      <div class="t-board-edge"><p class="t-game display">${game(ctx)}</p></div>`,
  };
}
