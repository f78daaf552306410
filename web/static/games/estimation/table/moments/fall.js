// The fall: tiles tip at the times the camera measured, the lamp follows the front of the wave.
// Only once the referee says that people have seen it, it is told: then it runs again, slower.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { project } from "../row/scene.js";
import { pushes } from "../row/row.js";
import { lying, rowArt } from "../row/rowart.js";
import { BEFORE_MS, fallAt, falls, front, tilts, wholeFall } from "../row/tipping.js";
import { whatStands } from "./verdict.js";
import { rowInWords } from "../words.js";

const AGAIN = 2;
const PUSH_BACK_MM = 14;
const REACH_MS = 160;

export function fallScreen(ctx) {
  const { say, snap, moment } = ctx;
  const { row, end, verdict } = moment;
  const list = falls(moment);
  const again = moment.name === "again";
  const age = ctx.momentAge();
  const ms = again && ctx.still ? wholeFall(list) : fallAt(list, age, ctx.still, again ? AGAIN : 1);
  const tipped = tilts(list, ms);
  const camera = ctx.look(row, "fall", lying(row, snap.tile, end, list));
  const leader = row.find((tile) => tile.value === front(list, ms)) ?? row[0];
  const [x, y] = project(camera, [leader.x_mm, leader.y_mm, 20]);
  const back = Math.max(0, 1 - Math.max(0, ms + REACH_MS) / REACH_MS) * PUSH_BACK_MM;
  if (!ctx.still) ctx.frame();
  else if (ms < 0) ctx.later(BEFORE_MS + wholeFall(list) - age + 5);
  return {
    name: "fall",
    title: say(again ? `table.verdict.${verdict.outcome}` : "table.push.title"),
    line: again ? whatStands({ say, lang: ctx.lang, snap: { ...snap, verdict } }) : "",
    note: again && !ctx.still ? say("table.fall.again") : "",
    label: rowInWords(row, say),
    art: svg`<ellipse rx="900" ry="560" transform="translate(${x} ${y})" fill="url(#t-spot)"></ellipse>
      ${rowArt(camera, { row, spec: snap.tile, end, tilts: tipped, push: { word: "", whole: true, back, arm: pushes(snap) }, safe: [40, 230, 1880, 1060] })}`,
    mood: "t-night",
    big: true,
    quiet: true,
  };
}
