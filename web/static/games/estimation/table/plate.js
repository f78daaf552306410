// What the rail shows of a seat beside its name: its chips, and a word or a coin.
import { html } from "../../../vendor/lit-html/lit-html.js";
import { LEAST_TYPE, plateWidth } from "../../../table/rail.js";
import { wordWidth } from "../../../table/width.js";
import { chip } from "../objects/chip.js";
import { coinSize } from "./row/coins.js";
import { coin } from "./row/rowart.js";

function roleOf(snap, seat) {
  if (!seat.connected && !seat.bot && seat.phone !== false) return "away";
  if (snap.caller === seat.seat) return "caller";
  if (snap.phase === "TURN" && snap.active === seat.seat) return "turn";
  return snap.placer === seat.seat ? "last" : "";
}

/** Stage px that mark, disc and gaps of a plate take, and the size of the count: less of both where five sit. */
const BESIDE = { few: 184, five: 154 };
const COUNT = { few: 62, five: 52 };

function fits(word, chips, count) {
  const size = count > 4 ? "five" : "few";
  const room = plateWidth(count) - BESIDE[size] - wordWidth(String(chips), COUNT[size], "display");
  return wordWidth(word, LEAST_TYPE, "plain") <= room;
}

/** The coin over the last tile, once more beside whoever stood it. */
function lastCoin({ row, last }) {
  const tile = row.find((each) => each.value === last);
  if (!tile) return "";
  const size = coinSize({ low: tile.orientation === "horizontal" });
  const box = [-size.rx - 3, -size.ry - 3, 2 * size.rx + 8, 2 * size.ry + 11].join(" ");
  return html`<svg class="t-role-coin" viewBox=${box} aria-hidden="true">${coin({ ...size, x: 0, y: 0, value: last }, { hot: true })}</svg>`;
}

/** What stands beside the chips where a role's word has no room; the word of any other role replaces the chips. */
const INSTEAD = { last: lastCoin, turn: () => "" }; // whose turn it is, the lamp tells

export function plate({ snap, say }, seat) {
  const role = roleOf(snap, seat);
  const word = role && say(`table.role.${role}`);
  const fitting = !role || fits(word, seat.chips, snap.seats.length);
  const instead = fitting ? null : INSTEAD[role];
  const chips = html`${chip({ size: 46 })}<b class="t-count">${seat.chips}</b>`;
  return {
    active: snap.phase === "TURN" && !snap.paused_by && snap.active === seat.seat,
    holds: html`${fitting || instead ? chips : ""}${instead?.(snap) ?? ""}
      ${role ? html`<span class=${instead ? "unseen" : "t-role"}>${word}</span>` : ""}`,
  };
}
