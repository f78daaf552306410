// Draws the row: shadows in one path, boxes from far to near, then coins and tags above them.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../../vendor/lit-html/directives/repeat.js";
import { numeral } from "../../../../core/objects/numerals.js";
import { corners, project, solid } from "./scene.js";
import { coinRooms, freePlace, placeCoins, placeTag, rectangle, TAG_HEIGHT } from "./coins.js";
import { pusherArm, pusherPlaces } from "./pusherart.js";
import { tag, tagWidth } from "../tags.js";

const SAFE = [60, 268, 1860, 884];
const RING_MM = 34;
/** How far below its arm the search for the pusher's tag's place begins, px. */
const BELOW = 24;
const INK = "#3a2210";

const fixed = (v) => v.toFixed(1);
const path = (points) => `M${points.map((p) => `${fixed(p[0])} ${fixed(p[1])}`).join("L")}Z`;

/**
 * The direction of the wave through every tile, +1 along its heading: judged by the neighbours,
 * since a camera knows a heading only to half a turn.
 */
export function ways(row, end) {
  const order = end === "right" ? [...row].reverse() : row;
  return new Map(
    order.map((tile, i) => {
      const before = order[i - 1] ?? tile;
      const after = order[i + 1] ?? tile;
      const heading = (tile.heading_deg * Math.PI) / 180;
      const along =
        Math.cos(heading) * (after.x_mm - before.x_mm) +
        Math.sin(heading) * (after.y_mm - before.y_mm);
      return [tile.value, along < 0 ? -1 : 1];
    }),
  );
}

/** The boxes of the tiles of a list of falls where they would lie: the picture leaves room for them. */
export function lying(row, spec, end, list) {
  const way = ways(row, end);
  const tipped = new Set(list.map((fall) => fall.value));
  return row.map((tile) => corners(tile, spec, tipped.has(tile.value) ? 90 : 0, way.get(tile.value)));
}

/** The solids of a row as this camera sees them, in row order. */
export function solids(camera, row, spec, end, tilts = new Map()) {
  const way = ways(row, end);
  return row.map((tile) =>
    solid(camera, tile, spec, { tilt: tilts.get(tile.value) ?? 0, way: way.get(tile.value) }),
  );
}

function face({ points, fill, line, top, grain }) {
  const strokes = grain.map(([a, b]) => `M${fixed(a[0])} ${fixed(a[1])}L${fixed(b[0])} ${fixed(b[1])}`);
  return svg`<path d=${path(points)} fill=${fill} stroke=${line} stroke-width="1.6" stroke-linejoin="round"></path>
    ${strokes.length ? svg`<path d=${strokes.join("")} stroke=${line} stroke-opacity=".45" stroke-width="1.2"></path>` : ""}
    ${top ? svg`<path d=${path(points)} class="t-top-edge"></path>` : ""}`;
}

const body = (item, fresh, ghost) =>
  svg`<g class=${fresh ? "t-drop" : ""} opacity=${ghost ? 0.72 : 1}>${item.faces.map(face)}</g>`;

/** A coin with its value; `hot` where it is the last tile or stays up. */
export function coin(c, { hot, fallen }) {
  const fill = hot ? "#ffcf70" : fallen ? "#a9a088" : "#fff3da";
  const shape = (dx, dy, paint, line) => svg`<rect x=${fixed(c.x - c.rx + dx)} y=${fixed(c.y - c.ry + dy)}
      width=${fixed(2 * c.rx)} height=${fixed(2 * c.ry)} rx=${fixed(c.ry)} fill=${paint} stroke=${line}
      stroke-width=${hot ? 5 : 3}></rect>`;
  return svg`<g class="t-coin">
    <g opacity=".4">${shape(2, 5, "#000", "none")}</g>
    ${shape(0, 0, fill, INK)}
    ${c.value === null ? "" : numeral(c.value, { x: c.x, y: c.y, height: 1.12 * c.r * (String(c.value).length > 1 ? 0.94 : 1), ink: INK })}
  </g>`;
}

const stem = (c) => svg`<path d="M${fixed(c.stem[0])} ${fixed(c.stem[1])}L${fixed(c.x)} ${fixed(c.y)}"
  class="t-stem" stroke-width="3"></path>`;

function lastRing(camera, tile) {
  const [x, y, depth] = project(camera, [tile.x_mm, tile.y_mm, 0]);
  const rx = Math.max(80, (RING_MM * camera.f) / depth);
  const ry = rx * Math.sin((camera.elevation * Math.PI) / 180);
  return svg`<ellipse cx=${x} cy=${y} rx=${rx * 1.22} ry=${ry * 1.22} fill="url(#t-pool)"></ellipse>
    <ellipse cx=${x} cy=${y} rx=${rx} ry=${ry} fill="none" stroke="currentColor" stroke-width="5"
      stroke-dasharray="0.1 14" stroke-linecap="round"></ellipse>`;
}

// The dashed ring round the joint where the wave died, and where the tag with its gap goes.
function jointRing(camera, [a, b]) {
  const at = [(a.x_mm + b.x_mm) / 2, (a.y_mm + b.y_mm) / 2, 0];
  const [x, y, depth] = project(camera, at);
  const reach = Math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm) / 2 + 8;
  const rx = (reach * camera.f) / depth;
  const ry = rx * Math.sin((camera.elevation * Math.PI) / 180);
  const art = svg`<ellipse cx=${x} cy=${y} rx=${rx} ry=${ry} fill="none" stroke="#fff" stroke-width="5"
    stroke-dasharray="16 9" class="t-joint-ring"></ellipse>`;
  return { art, x, y: y + ry };
}

/**
 * The whole row as one <g>.
 * @param {object} camera from scene.fit
 * @param {object} scene what to draw:
 *   row, spec, end; tilts: Map of value to degrees; fresh: the value that has just been accepted;
 *   ghost: a value read but not confirmed; last: {value, word}; push: {word, back, whole, arm} for the
 *   pusher beside the lower end, which is not drawn where no arm pushes; up: {values, word}; joint: {tiles, word}; safe: where coins may go; plain:
 *   coins of fallen tiles are not dimmed; keep: rectangles that tags keep off; coin: their radius.
 */
export function rowArt(camera, scene) {
  const { row, spec, end, tilts, fresh, ghost, last, push, up, joint, plain, safe = SAFE, coin: radius } = scene;
  const items = solids(camera, row, spec, end, tilts);
  const coins = placeCoins(plain ? items.map((item) => ({ ...item, fallen: false })) : items, safe, radius);
  const hot = new Set([...(last ? [last.value] : []), ...(up?.values ?? [])]);
  const lastTile = last && row.find((tile) => tile.value === last.value);
  const ring = joint && jointRing(camera, joint.tiles);
  const arm = push && push.arm !== false ? pusherPlaces(camera, row, spec, end, push) : null;
  const shadows = items.map((item) => path(item.shadow)).join("");
  const feet = items.map((item) => `${fixed(item.foot[0])} ${fixed(item.foot[1])}`).join("L");
  const far = items.map((item, i) => ({ item, i })).sort((a, b) => b.item.depth - a.item.depth);
  return svg`<g class="t-row-art">
    ${row.length > 1 ? svg`<path d="M${feet}" class="t-order-line"></path>` : ""}
    ${lastTile ? lastRing(camera, lastTile) : ""}
    <path d=${shadows} class="t-shadow" filter="url(#t-blur)"></path>
    ${arm ? pusherArm(arm, "shadow") : ""}
    ${arm?.behind ? pusherArm(arm, "arm") : ""}
    ${repeat(far, ({ item }) => item.value, ({ item }) => body(item, item.value === fresh, item.value === ghost))}
    ${ring ? ring.art : ""}
    ${arm && !arm.behind ? pusherArm(arm, "arm") : ""}
    ${coins.map(stem)}
    ${coins.map((c, i) => coin(c, { hot: hot.has(c.value), fallen: !plain && items[i].fallen }))}
    ${tags(scene, items, coins, arm, ring, safe)}
  </g>`;
}

function tags({ end, last, push, up, joint, keep = [] }, items, coins, arm, ring, safe) {
  const drawn = [];
  const taken = [...keep, ...items.map((item) => item.bounds), ...(arm?.rooms ?? [])];
  const wide = [safe[0], safe[1] - 70, safe[2], safe[3]];
  const put = (word, at, from) => {
    drawn.push(from ? stem({ stem: from, x: at[0], y: at[1] }) : "", tag(word, at));
    taken.push(rectangle(at[0], at[1], tagWidth(word), TAG_HEIGHT));
  };
  const above = (value, word) => {
    const at = coins.find((c) => c.value === value);
    if (at) put(word, placeTag(at, tagWidth(word), coins, wide, taken));
  };
  const near = (home, word, from) =>
    put(word, freePlace(home, tagWidth(word), [...coinRooms(coins), ...taken], safe), from);
  if (last) above(last.value, last.word);
  if (up?.values.length) above(up.values[0], up.word);
  if (push?.word) {
    const [left, top, right, bottom] = items[end === "right" ? items.length - 1 : 0].bounds;
    const from = arm ? arm.line[1] : [(left + right) / 2, (top + bottom) / 2];
    near([from[0], from[1] + BELOW], push.word, from);
  }
  if (ring && joint.word) near([ring.x, ring.y + 44], joint.word, [ring.x, ring.y]);
  return drawn;
}
