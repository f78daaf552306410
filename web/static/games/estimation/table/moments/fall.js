// The fall: tiles tip at the times the camera measured, the lamp follows the front of the wave;
// then once again at half speed.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { corners, project } from "../row/scene.js";
import { rowArt, ways } from "../row/rowart.js";
import { falls, front, tilts, wholeFall } from "../row/tipping.js";
import { whatStands } from "./verdict.js";
import { rowInWords } from "../words.js";

export const BEFORE_MS = 150;
const REST_MS = 500;
const AGAIN = 2;
const STILL_MS = 900;
const PUSH_BACK_MM = 14;
const REACH_MS = 160;

/** Length in ms of the whole moment, and of its first part; without motion, of three stills. */
export function fallTimes(verdict, row, end, still = false) {
  if (still) return { first: 3 * STILL_MS, whole: 3 * STILL_MS };
  const once = wholeFall(falls(verdict, row, end));
  const first = BEFORE_MS + once + REST_MS;
  return { first, whole: first + BEFORE_MS + once * AGAIN + REST_MS };
}

// Place in the fall at this age of the moment, and whether it is shown again, slower.
function at(age, first) {
  if (age < first) return { ms: age - BEFORE_MS, again: false };
  return { ms: (age - first) / AGAIN - BEFORE_MS, again: true };
}

/** The boxes of the tiles of this list where they would lie: the picture leaves room for them. */
export function lying(row, spec, end, list) {
  const way = ways(row, end);
  const tipped = new Set(list.map((fall) => fall.value));
  return row.map((tile) => corners(tile, spec, tipped.has(tile.value) ? 90 : 0, way.get(tile.value)));
}

export function fallScreen(ctx) {
  const { say, snap } = ctx;
  const { row, verdict, end } = ctx.moment;
  const list = falls(verdict, row, end);
  const { first } = fallTimes(verdict, row, end);
  const { ms, again } = ctx.still ? picture(ctx, list) : at(ctx.momentAge(), first);
  const tipped = tilts(list, ms);
  const camera = ctx.look(row, "fall", lying(row, snap.tile, end, list));
  const leader = row.find((tile) => tile.value === front(list, ms)) ?? row[0];
  const [x, y] = project(camera, [leader.x_mm, leader.y_mm, 20]);
  const back = Math.max(0, 1 - Math.max(0, ms + REACH_MS) / REACH_MS) * PUSH_BACK_MM;
  if (!ctx.still) ctx.frame();
  const shown = { say, lang: ctx.lang, snap: { ...snap, verdict } };
  return {
    name: "fall",
    title: say(again ? `table.verdict.${verdict.outcome}` : "table.push.title"),
    line: again ? whatStands(shown) : "",
    note: again ? say("table.fall.again") : "",
    label: rowInWords(row, say),
    art: svg`<ellipse rx="900" ry="560" transform="translate(${x} ${y})" fill="url(#t-spot)"></ellipse>
      ${rowArt(camera, { row, spec: snap.tile, end, tilts: tipped, push: { word: "", whole: true, back }, safe: [40, 230, 1880, 1060] })}`,
    mood: "t-night",
    big: true,
    quiet: true,
  };
}

// Without motion: three stills, before the push, where the wave died or ended, and after it.
function picture(ctx, list) {
  const number = Math.floor(ctx.momentAge() / STILL_MS);
  ctx.later((number + 1) * STILL_MS - ctx.momentAge() + 5);
  const end = wholeFall(list);
  return { ms: [-1, list.at(-1).start + 60, end][Math.min(2, number)], again: false };
}
