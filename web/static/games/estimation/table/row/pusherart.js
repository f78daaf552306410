// The pusher beside the lower end: an arm with a round head, and its shadow.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { rectangle } from "./coins.js";
import { LAMP, project, sizes } from "./scene.js";

const HEAD_PX = 32;
const ARM_PX = 36;
const ARM_MM = 58;
const SAFE = [84, 250, 1836, 880];

const onTable = ([x, y, z]) => {
  const far = LAMP[2] / (LAMP[2] - z);
  return [LAMP[0] + (x - LAMP[0]) * far, LAMP[1] + (y - LAMP[1]) * far, 0];
};

/**
 * Head, tail and shadow of the arm on the stage, `back` mm further away from the tile; a `whole`
 * arm may run out of the picture.
 * The arm lies against the wave: away from the neighbour of the end tile.
 */
export function pusherPlaces(camera, row, spec, end, { back = 0, whole = false } = {}) {
  const order = end === "right" ? [...row].reverse() : row;
  const [tile, next] = order;
  const heading = (tile.heading_deg * Math.PI) / 180;
  const forward = next
    ? Math.cos(heading) * (next.x_mm - tile.x_mm) + Math.sin(heading) * (next.y_mm - tile.y_mm)
    : 1;
  const sign = forward < 0 ? 1 : -1;
  const away = [sign * Math.cos(heading), sign * Math.sin(heading)];
  const { thick, high } = sizes({ ...tile, state: "standing" }, spec);
  const scale = camera.f / project(camera, [tile.x_mm, tile.y_mm, 0])[2];
  const start = thick / 2 + HEAD_PX / scale + 2 + back;
  const at = (mm) => [tile.x_mm + away[0] * mm, tile.y_mm + away[1] * mm, high * 0.68];
  const [head, tail] = [at(start), at(start + ARM_MM)];
  const places = [head, tail, onTable(head), onTable(tail)].map((p) => project(camera, p));
  const cut = whole ? 1 : shorten(places[0], places[1]);
  const end2 = (a, b) => [a[0] + (b[0] - a[0]) * cut, a[1] + (b[1] - a[1]) * cut];
  const line = [places[0], end2(places[0], places[1])];
  const dark = [places[2], end2(places[2], places[3])];
  return {
    line,
    dark,
    behind: away[1] > 0.35,
    rooms: pieces(line),
  };
}

// How much of the arm fits into the safe area.
function shorten([x, y], [u, v]) {
  const limit = (from, to, low, high) =>
    to < low ? (from - low) / (from - to) : to > high ? (high - from) / (to - from) : 1;
  const share = Math.min(limit(x, u, SAFE[0], SAFE[2]), limit(y, v, SAFE[1], SAFE[3]));
  return Math.min(1, Math.max(0.15, share));
}

/** What head and arm cover, piece by piece: one box round an arm that lies aslant would cover much more. */
const pieces = ([[x, y], [u, v]]) => [
  rectangle(x, y, 2 * HEAD_PX, 2 * HEAD_PX),
  ...[0.2, 0.4, 0.6, 0.8, 1].map((t) => rectangle(x + (u - x) * t, y + (v - y) * t, ARM_PX, ARM_PX)),
];

/** Draw one layer: its "shadow" on the table or the "arm" itself. */
export function pusherArm({ line, dark }, layer) {
  const d = ([a, b]) => `M${a[0].toFixed(1)} ${a[1].toFixed(1)}L${b[0].toFixed(1)} ${b[1].toFixed(1)}`;
  if (layer === "shadow") {
    return svg`<path d=${d(dark)} stroke="#04120c" stroke-opacity=".55" stroke-width="34"
      stroke-linecap="round" filter="url(#t-blur-little)"></path>`;
  }
  return svg`<g>
    <path d=${d(line)} stroke="#2a170a" stroke-width=${ARM_PX} stroke-linecap="round"></path>
    <path d=${d(line)} stroke="#8a5a30" stroke-width="28" stroke-linecap="round"></path>
    <circle cx=${line[0][0]} cy=${line[0][1]} r=${HEAD_PX} fill="#e5ddcf" stroke="#2a170a" stroke-width="4"></circle>
  </g>`;
}
