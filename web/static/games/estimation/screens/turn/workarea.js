/**
 * Plane geometry of the work area for placing a tile by finger: millimetres, y up, headings in degrees
 * counter-clockwise from x, a heading being the normal of the face, first tile towards last.
 */

import { foot } from "../../objects/tiletop.js";

/** @typedef {{x_mm: number, y_mm: number, heading_deg: number, orientation: string, value: number}} Placed */

const RAD = Math.PI / 180;
const FIRST_PITCH_MM = 30;
const EDGE_MM = 2;

/** A heading between -180 and 180. */
export function heading(degrees) {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

function bearing(from, to) {
  return Math.atan2(to.y_mm - from.y_mm, to.x_mm - from.x_mm) / RAD;
}

function distance(a, b) {
  return Math.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm);
}

/** Keep the whole foot of a tile on the work area. */
export function onArea(tile, area, size) {
  const { deep, wide } = foot(tile, size);
  const turn = tile.heading_deg * RAD;
  const [along, across] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
  const keep = (value, [least, most], reach) => Math.min(Math.max(value, least + reach), most - reach);
  return {
    ...tile,
    x_mm: keep(tile.x_mm, area.x, (deep * along + wide * across) / 2 + EDGE_MM),
    y_mm: keep(tile.y_mm, area.y, (deep * across + wide * along) / 2 + EDGE_MM),
  };
}

/**
 * Which place in the row a point would take: where the line through all feet grows least.
 * @param {Placed[]} row left to right
 * @returns {number} 0 (left end) to row.length (right end)
 */
export function positionOf(row, point) {
  if (row.length === 0) {
    return 0;
  }
  if (row.length === 1) {
    const along = heading(bearing(row[0], point) - row[0].heading_deg);
    return Math.abs(along) <= 90 ? 1 : 0;
  }
  let best = { position: 0, cost: distance(point, row[0]) };
  for (let i = 1; i < row.length; i += 1) {
    const cost = distance(row[i - 1], point) + distance(point, row[i]) - distance(row[i - 1], row[i]);
    if (cost < best.cost) {
      best = { position: i, cost };
    }
  }
  return distance(point, row[row.length - 1]) < best.cost ? row.length : best.position;
}

/** The heading that lies in line with the neighbours at that point. */
export function lineUp(row, point) {
  const position = positionOf(row, point);
  const before = row[position - 1];
  const after = row[position];
  if (before && after) {
    return bearing(before, after);
  }
  if (before) {
    return distance(before, point) > 8 ? bearing(before, point) : before.heading_deg;
  }
  if (after) {
    return distance(point, after) > 8 ? bearing(point, after) : after.heading_deg;
  }
  return 0;
}

/** A place beyond one end of the row: that of its last tile, or of its first. */
function beyond(tile, end, sign) {
  const turn = end.heading_deg * RAD;
  return {
    ...tile,
    x_mm: end.x_mm + sign * FIRST_PITCH_MM * Math.cos(turn),
    y_mm: end.y_mm + sign * FIRST_PITCH_MM * Math.sin(turn),
    heading_deg: end.heading_deg,
  };
}

/** The middle of a place in the row: 0 is beyond the left end, `row.length` beyond the right one. */
export function placeAt(tile, row, position, area, size) {
  if (row.length === 0) {
    return firstPlace(tile, row, area, size);
  }
  const [before, after] = [row[position - 1], row[position]];
  if (!before || !after) {
    return onArea(beyond(tile, before ?? after, before ? 1 : -1), area, size);
  }
  const point = { x_mm: (before.x_mm + after.x_mm) / 2, y_mm: (before.y_mm + after.y_mm) / 2 };
  return { ...tile, ...point, heading_deg: bearing(before, after) };
}

/** A first place for a tile: beyond the right end, or the left one where the right has no room. */
export function firstPlace(tile, row, area, size) {
  if (row.length === 0) {
    const [middleX, middleY] = [area.x, area.y].map(([a, b]) => (a + b) / 2);
    return { ...tile, x_mm: middleX, y_mm: middleY, heading_deg: 0 };
  }
  const places = [beyond(tile, row[row.length - 1], 1), beyond(tile, row[0], -1)];
  const fits = (place) => {
    const kept = onArea(place, area, size);
    return kept.x_mm === place.x_mm && kept.y_mm === place.y_mm;
  };
  return places.find(fits) ?? onArea(places[0], area, size);
}

/** Corners of the foot of a tile, in order. */
export function corners(tile, size) {
  const turn = tile.heading_deg * RAD;
  const [deep, wide] = Object.values(foot(tile, size)).map((whole) => whole / 2);
  return [
    [deep, wide],
    [deep, -wide],
    [-deep, -wide],
    [-deep, wide],
  ].map(([along, across]) => [
    tile.x_mm + along * Math.cos(turn) - across * Math.sin(turn),
    tile.y_mm + along * Math.sin(turn) + across * Math.cos(turn),
  ]);
}

function spread(points, axis) {
  const shadows = points.map(([x, y]) => x * axis[0] + y * axis[1]);
  return [Math.min(...shadows), Math.max(...shadows)];
}

/** Whether the feet of two tiles overlap (no line separates them). */
export function overlaps(a, b, size) {
  const one = corners(a, size);
  const two = corners(b, size);
  const axes = [a, b].flatMap((tile) => {
    const turn = tile.heading_deg * RAD;
    return [
      [Math.cos(turn), Math.sin(turn)],
      [-Math.sin(turn), Math.cos(turn)],
    ];
  });
  return axes.every((axis) => {
    const [low1, high1] = spread(one, axis);
    const [low2, high2] = spread(two, axis);
    return low1 < high2 && low2 < high1;
  });
}
