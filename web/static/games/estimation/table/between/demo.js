// What this game has in the lobby: tiles on the board, and while nobody sits a small game that plays itself.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { tileFront } from "../../../../core/objects/tile.js";
import { lobbyScreen } from "../../../../table/lobby.js";
import { nameOf } from "../../../../table/names.js";

const TIPPING = [[3, 0], [8, 0], [6, 0], [11, 12], [9, 28]];
const U = 4.2;
const BOARD_Y = 1010;

const shelf = svg`<g>${TIPPING.map(([value, turn], i) => {
  const x = 90 + i * 123 + (i > 3 ? 26 : i > 2 ? 6 : 0);
  const tile = tileFront(value, { y: 0, u: U, shadow: turn === 0 });
  return svg`<g transform="translate(${x} ${BOARD_Y}) rotate(${turn} 82 0)">${tile}</g>`;
})}</g>`;

/** How the small game of an empty lobby goes, in ms: when each tile is stood, the call, the push, the end. */
const DEMO = { stand: [600, 1700, 2800, 3900, 5000], call: 7200, push: 9400, clear: 14600, whole: 16000 };

/** One tile tips so much later than the one before it, in ms. */
const WAVE = 160;

/**
 * The drawings of a tile's motions, each from so many ms after it begins. A transition would have the
 * browser tick sixty times a second, for a screen that may wait all evening.
 */
const STOOD = { "is-high": 0, "is-low": 80, "is-up": 160 };
const FALLS = { "is-tipping": 0, "is-half": 80, "is-most": 160, "is-down": 240 };
const GOES = { "is-pale": 0, "is-gone": 160 };

const from = (start, drawings) => Object.entries(drawings).map(([name, ms]) => [start + ms, name]);

/** Of each tile: from when it is drawn how. */
const TILES = DEMO.stand.map((stood, i) => [
  ...from(stood, STOOD),
  ...from(DEMO.push + i * WAVE, FALLS),
  ...from(DEMO.clear, GOES),
]);

const BEATS = [...TILES.flat().map(([at]) => at), DEMO.call, DEMO.push, DEMO.whole];

/** How it is drawn at this time, and in how many ms otherwise. */
export function demoAt(time) {
  const at = time % DEMO.whole;
  return {
    tiles: TILES.map((drawn) => drawn.filter(([since]) => since <= at).slice(-1)[0]?.[1] ?? ""),
    called: at >= DEMO.call && at < DEMO.push,
    next: Math.min(...BEATS.filter((beat) => beat > at)) - at,
  };
}

/** A small game that plays itself until somebody sits: five tiles are stood, doubted, and fall. */
function demo(ctx) {
  if (ctx.snap.seats.length || ctx.snap.you.host) return "";
  const { tiles, called, next } = demoAt(ctx.still ? DEMO.call - 1 : ctx.now());
  if (!ctx.still) ctx.later(next);
  return html`<div class="t-demo" aria-hidden="true">
    ${TIPPING.map(
      ([value], i) => html`<span class="t-demo-tile t-demo-${i} ${tiles[i]}"><svg viewBox="-6 -54 36 58">${tileFront(value, { y: 0 })}</svg></span>`,
    )}
    <span class="t-demo-call display ${called ? "is-up" : ""}">${ctx.say("table.demo")}</span>
  </div>`;
}

/** A row that somebody has given to the table, in words. */
function puzzle({ snap, say }) {
  const given = snap.puzzle;
  if (!given) return "";
  const name = nameOf(snap, given.by);
  if (!given.told) return say("table.lobby.puzzle", { name });
  return say("table.lobby.puzzle_told", { name, count: Math.min(99, Math.max(1, Math.round(given.told.p_fall * 100))) });
}

export function demoLobby(ctx) {
  const { you, seats } = ctx.snap;
  return lobbyScreen(ctx, { art: you.host || !seats.length || seats.length > 4 ? "" : shelf, over: demo(ctx), line: puzzle(ctx) });
}
