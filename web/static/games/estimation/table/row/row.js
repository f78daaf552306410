// The row while people build it, and the picture of it that the ballot and the push share.
import { rowArt } from "./rowart.js";
import { byHand } from "../../../../core/page.js";
import { marked, troubleArt, troubleLines } from "./trouble.js";
import { aside } from "../../../../table/aside.js";
import { host, nameOf, seatOf } from "../../../../table/names.js";
import { wordWidth } from "../../../../table/width.js";
import { cameraWords, reading, rowInWords, roundWords, stood, wanted } from "../words.js";

// Where the frame has the key of this screen, in stage pixels.
const SCREEN_KEY = [1780, 266, 1868, 354];
// Where the lines under the title begin, how wide one may be, its size and height, and what lies between two.
const LINES = { left: 72, top: 156, wide: 1590, size: 52, high: 65, between: 12 };
// Where coins may go; below the lines, however many they are.
const COINS = [60, 268, 1860, 884];

/** The row with the tile that has been read but not yet confirmed, or is asked for, in its place. */
export function rowWithReading(snap) {
  const seen = snap.reading?.state === "proposal" ? snap.reading : wanted(snap);
  if (!seen?.tile) return { row: snap.row, ghost: null };
  const rest = snap.row.filter((tile) => tile.value !== seen.tile.value);
  const at = seen.position ?? rest.length;
  const row = [...rest.slice(0, at), { state: "standing", ...seen.tile }, ...rest.slice(at)];
  return { row, ghost: seen.tile.value };
}

/** The drawn row on the felt, with what the phase adds (see rowArt). */
export function standingRow(ctx, { mode = "row", room = [], ...extra } = {}) {
  const { row, ghost } = rowWithReading(ctx.snap);
  if (row.length === 0) return "";
  const camera = ctx.look(row, mode, room);
  return rowArt(camera, { row, ghost, spec: ctx.snap.tile, end: ctx.snap.end, fresh: ctx.fresh, ...extra });
}

const lastTag = ({ snap, say }) =>
  snap.last === null || snap.placer === null ? null : { value: snap.last, word: say("table.row.last") };

/** Whether an arm pushes: without one a finger does, and none is drawn. */
export const pushes = (snap) => snap.devices?.pushes !== false;

const pushTag = ({ snap, say }) =>
  snap.end && snap.row.length > 1 ? { word: say("table.row.push"), arm: pushes(snap) } : null;

/** Where the words under the title lie, paragraph after paragraph. */
function wordsRoom(words, first) {
  let top = first;
  return words.filter(Boolean).map((each) => {
    const width = wordWidth(each, LINES.size);
    const bottom = top + LINES.high * Math.ceil(width / LINES.wide);
    const box = [LINES.left, top, LINES.left + Math.min(width, LINES.wide), bottom];
    top = bottom + LINES.between;
    return box;
  });
}

/** Where coins and tags of a row may go below these lines of words. */
export function below(words, first = LINES.top) {
  const rooms = wordsRoom(words, first);
  const [left, top, right, bottom] = COINS;
  return { keep: [SCREEN_KEY, ...rooms], safe: [left, Math.max(top, ...rooms.map((box) => box[3])), right, bottom] };
}

/**
 * Row, last tile and pusher as turn and ballot both show them, under the line of words that the screen
 * has; words over the row leave the rectangles in `kept` free.
 */
export function rowPicture(ctx, line = "", kept = []) {
  const note = cameraWords(ctx.snap, ctx.say, false) || aside(ctx);
  const { keep, safe } = below([line, note]);
  return standingRow(ctx, { last: lastTag(ctx), push: pushTag(ctx), keep: [...keep, ...kept], safe });
}

/** Who stands a tile where no camera sees it, and on which phone it is shown. */
function handLine({ snap, say }) {
  const { bot, phone } = seatOf(snap, snap.active) ?? {};
  const owner = host(snap);
  const word = bot ? "bot" : phone === false && owner ? "no_phone" : "byhand";
  return say(`table.turn.${word}`, { name: nameOf(snap, snap.active), host: owner ? owner.name : "" });
}

function turnLine(ctx) {
  const { snap, say } = ctx;
  if (snap.sight?.blind) return cameraWords(snap, say, true);
  if (snap.fault) return say("table.turn.fault");
  const now = reading(snap, say);
  if (now) return now;
  if (byHand(snap)) return handLine(ctx);
  return stood(snap, say) || `${roundWords(snap, say)}. ${say("table.turn.first")}`;
}

export function rowScreen(ctx) {
  const { snap, say } = ctx;
  const marks = snap.sight?.blind ? null : marked(snap);
  const line = turnLine(ctx);
  return {
    name: marks ? "trouble" : "row",
    title: snap.sight?.blind ? say("table.sight.title") : say("table.turn.title", { name: nameOf(snap, snap.active) }),
    line,
    note: cameraWords(snap, say, false),
    label: rowInWords(snap.row, say),
    art: marks ? troubleArt(ctx, marks) : rowPicture(ctx, line),
    over: marks ? troubleLines(ctx) : "",
    rail: true,
    corner: true,
  };
}
