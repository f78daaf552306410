// The lobby: the way in, large; then who sits, and who is ready.
import { html } from "../vendor/lit-html/lit-html.js";
import { again } from "../core/again.js";
import { byHand } from "../core/page.js";
import { mark } from "../core/objects/marks.js";
import { nameSteps } from "./rail.js";
import { host, nameOf, shortName } from "./names.js";

/** So many can sit where a snapshot does not say. */
const SEATS = 5;

const most = (snap) => snap.most ?? SEATS;

const GUEST_ROOM = 480;

const tick = html`<svg class="t-tick" viewBox="0 0 56 56" aria-hidden="true"><rect x="3" y="3" width="50"
  height="50" rx="13"></rect><path d="M16 29L25 38L41 19"></path></svg>`;

const box = html`<svg class="t-tick t-open" viewBox="0 0 56 56" aria-hidden="true"><rect x="3" y="3" width="50"
  height="50" rx="13"></rect></svg>`;

function seatLine(seat, say, step) {
  const away = !seat.connected && !seat.bot && seat.phone !== false;
  const name = shortName(seat.name);
  const state = say(`table.lobby.${away ? "away" : seat.ready ? "ready" : "notyet"}`);
  return html`<li class="t-guest">
    ${mark(seat.mark, { size: 84 })}<b class="t-guest-name t-name-${step}"
      >${name}</b>
    <span class="t-guest-word">${state}</span>${seat.ready && !away ? tick : box}
  </li>`;
}

const freeLine = (say) => html`<li class="t-guest t-free">
  <svg class="mark" viewBox="-26 -26 52 52" width="84" height="84" aria-hidden="true"><circle r="20"></circle></svg>
  <span class="t-guest-word">${say("table.lobby.free")}</span>
</li>`;

function keys({ snap, say, send }) {
  if (!snap.you.host) return "";
  const ready = snap.may.start;
  return html`<div class="t-lobby-keys">
    ${snap.seats.length < most(snap)
      ? html`<button type="button" class="t-key" @click=${() => send("add_bot")}>${say("table.lobby.bot")}</button>`
      : ""}
    <button type="button" class="t-key t-main" ?disabled=${!ready} @click=${() => send("start", { first: null })}
      >${say("table.lobby.start")}</button>
  </div>`;
}

function line({ snap, say }) {
  if (snap.seats.length >= 2 && snap.seats.every((seat) => seat.ready) && host(snap)) {
    return say("table.lobby.allready", { name: nameOf(snap, host(snap).seat) });
  }
  if (snap.seats.length && byHand(snap)) return say("table.lobby.byhand");
  return say(snap.seats.length >= most(snap) ? "table.lobby.full" : "table.lobby.line");
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

/** @param {object} [own] what the game has here of its own: `art` on the stage, and `over` it */
export function lobbyScreen(ctx, own = {}) {
  const { snap, say } = ctx;
  const steps = nameSteps(snap.seats, () => GUEST_ROOM, 52);
  return {
    name: "lobby",
    title: say("table.lobby.title"),
    line: line(ctx),
    art: own.art ?? "",
    over: html`${own.over ?? ""}<ul class="t-guests">
        ${snap.seats.map((seat) => seatLine(seat, say, steps.get(seat.seat)))}
        ${snap.seats.length < 2 ? Array.from({ length: 2 - snap.seats.length }, () => freeLine(say)) : ""}
      </ul>
      ${keys(ctx)}
      <figure class="t-way-in ${snap.net.others?.length ? "t-many-ways" : ""}">
        <img src=${ctx.way.qr} alt=${say("table.lobby.picture", { url: ctx.way.url })} @error=${again} />
        <figcaption><span class="t-address">${bare(ctx.way.url)}</span>${
          snap.net.local ? html`<span class="t-address">${snap.net.local.replace(/^http:\/\//, "")}</span>` : ""
        }<b class="t-code display">${snap.net.code}</b></figcaption>
        ${ways(ctx)}
      </figure>
      <div class="t-board-edge"></div>`,
  };
}
