/** A game without screens of its own on the table screen: everybody round the table, and whose turn it is. */
import { html, svg } from "../../vendor/lit-html/lit-html.js";
import { list } from "../../core/i18n.js";
import { partners } from "../../core/page.js";
import { Frame } from "../../table/frame.js";
import { againKeys, anotherKey, game, won } from "../../table/games.js";
import { fitted, nameOf } from "../../table/names.js";
import { around, chairs } from "../../table/round.js";

const MIDDLE = { x: 960, y: 630 };
const PLACE = { ...MIDDLE, chairs: { rx: 740, ry: 305 }, wood: { rx: 430, ry: 168 }, arrow: { rx: 370, ry: 126 } };
const CODE = 340;
/** So many chairs have room for the games won beside the points. */
const WITH_WON = 6;

/** Stage px of a name in the line under another. */
const NAME_ROOM = 400;

/** In words, for whoever hears a past game: there is no row. */
export const rowInWords = () => "";

/** The line under a seat's name: whom it plays with, or in the lobby whether it is ready; its points, and games won. */
const below = (s, { say, lang }) => (seat) => {
  const team = partners(s, seat.seat).map((id) => fitted(nameOf(s, id), NAME_ROOM));
  const state = s.phase === "LOBBY" ? say(`table.lobby.${seat.ready ? "ready" : "notyet"}`) : "";
  if (s.phase === "GAME_OVER") {
    const all = s.seats.length > WITH_WON ? "" : won({ say }, seat);
    return [s.over?.[seat.seat], all].filter((each) => each !== undefined && each !== "").join(" · ");
  }
  return team.length ? say("table.plain.with", { names: list(lang, team) }) : state;
};

const wayIn = (s, { say }) => svg`<g>
  <rect x=${MIDDLE.x - CODE / 2 - 20} y=${MIDDLE.y - CODE / 2 - 50} width=${CODE + 40} height=${CODE + 110} rx="22" fill="#fffdf4"></rect>
  <image href=${s.net.qr} x=${MIDDLE.x - CODE / 2} y=${MIDDLE.y - CODE / 2 - 30} width=${CODE} height=${CODE} role="img"
    aria-label=${say("table.corner.picture")}></image>
  <text x=${MIDDLE.x} y=${MIDDLE.y + CODE / 2 + 30} text-anchor="middle" font-size="56" font-weight="800" fill="#2a1705">${s.net.code}</text>
</g>`;

function words(s, { say, lang }) {
  if (s.phase === "LOBBY") {
    return [say("table.lobby.title"), `${game({ snap: s, say })}. ${say("table.lobby.line")}`];
  }
  const order = say(`table.plain.${s.play_order === "counter-clockwise" ? "back" : "round"}`);
  if (s.phase === "GAME_OVER") {
    return [say("table.plain.over"), ""];
  }
  const waited = (s.asked ?? []).map((each) => nameOf(s, each.seat));
  return [waited.length ? say("table.plain.waits", { names: list(lang, waited) }) : say("table.plain.goes_on"), order];
}

export class Table extends Frame {
  scene(ctx) {
    const { snap } = ctx;
    const [title, line] = words(snap, ctx);
    return {
      name: "plain",
      title,
      line,
      quiet: true,
      label: title,
      art: snap.phase === "LOBBY" ? [wayIn(snap, ctx), chairs(snap, PLACE, below(snap, ctx))] : around(snap, PLACE, below(snap, ctx)),
      over: snap.phase === "LOBBY" ? html`<div class="t-again">${anotherKey(ctx)}</div>` : snap.phase === "GAME_OVER" ? againKeys(ctx) : "",
    };
  }

  behind({ snap, say, lang }) {
    return { art: chairs(snap, PLACE, below(snap, { say, lang })), rail: false };
  }
}
