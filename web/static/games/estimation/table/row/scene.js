// The row as a pinhole camera sees it: table millimetres in, stage pixels out. Pure functions,
// no document. Table x runs right, y away from the viewer, z up; stage pixels run right and down.

export const LAMP = [130, -30, 560];
export const LOOK_AT = [300, 205];
export const DISTANCE = 760;
export const ELEVATION = { row: 48, fall: 44, picture: 56 };
export const BOX = {
  row: [330, 390, 1640, 850],
  fall: [250, 400, 1760, 985],
  picture: [164, 456, 960, 790],
};
const LEAST_TILE_PX = 90;
const MOST_TILE_PX = 300;
const ROOMIER = { row: [190, 350, 1760, 830], fall: [180, 340, 1790, 1010] };

const rad = (deg) => (deg * Math.PI) / 180;

/** A view before it is fitted: one focal unit, centred on the origin of the stage. */
export const view = (elevation, f = 1, x0 = 0, y0 = 0) => ({ elevation, f, x0, y0 });

/** Stage point [X, Y] and depth of a table point [x, y, z]. */
export function project(camera, [x, y, z]) {
  const dx = x - LOOK_AT[0];
  const dy = y - LOOK_AT[1];
  const sin = Math.sin(rad(camera.elevation));
  const cos = Math.cos(rad(camera.elevation));
  const depth = DISTANCE + dy * cos - z * sin;
  const k = camera.f / depth;
  return [camera.x0 + dx * k, camera.y0 - (dy * sin + z * cos) * k, depth];
}

/** Sizes of a tile as it stands: along its heading, across it, and up. */
export function sizes(tile, spec) {
  const low = tile.orientation === "horizontal";
  return {
    thick: spec.thickness_mm,
    wide: low ? spec.length_mm : spec.width_mm,
    high: low ? spec.width_mm : spec.length_mm,
  };
}

/**
 * The eight corners of a tile: bottom four counter-clockwise, then the top four above them.
 * A standing tile may be tipped by `tilt` degrees about its front lower edge; `way` is +1 where
 * it falls along its heading and -1 where it falls against it.
 */
export function corners(tile, spec, tilt = 0, way = 1) {
  const heading = rad(tile.heading_deg);
  const n = [Math.cos(heading), Math.sin(heading)];
  const s = [-n[1], n[0]];
  const at = (along, across, z) => [
    tile.x_mm + along * n[0] + across * s[0],
    tile.y_mm + along * n[1] + across * s[1],
    z,
  ];
  if (tile.state === "fallen") {
    const [a, b] = [spec.length_mm / 2, spec.width_mm / 2];
    const ring = [[a, -b], [a, b], [-a, b], [-a, -b]];
    return [0, spec.thickness_mm].flatMap((z) => ring.map(([u, v]) => at(u, v, z)));
  }
  const { thick, wide, high } = sizes(tile, spec);
  const [t, w] = [thick / 2, wide / 2];
  const ring = [[t, -w], [t, w], [-t, w], [-t, -w]];
  const [sin, cos] = [Math.sin(rad(tilt)), Math.cos(rad(tilt))];
  const tip = (along, across, z) => {
    const behind = along * way - t;
    return at(way * (t + behind * cos + z * sin), across, z * cos - behind * sin);
  };
  return [0, high].flatMap((z) => ring.map(([u, v]) => tip(u, v, z)));
}

// Corner numbers of the six faces, each counter-clockwise seen from outside.
const FACES = [
  [4, 5, 6, 7],
  [3, 2, 1, 0],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [1, 2, 6, 5],
  [3, 0, 4, 7],
];

const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (a) => a.map((v) => v / Math.hypot(...a));
const middle = (points) =>
  [0, 1, 2].map((i) => points.reduce((sum, p) => sum + p[i], 0) / points.length);

const mixed = (from, to, share) =>
  [0, 1, 2].map((i) => {
    const a = parseInt(from.slice(1 + 2 * i, 3 + 2 * i), 16);
    const b = parseInt(to.slice(1 + 2 * i, 3 + 2 * i), 16);
    return Math.round(a + (b - a) * share);
  });
const hex = (rgb) => `#${rgb.map((v) => v.toString(16).padStart(2, "0")).join("")}`;

/** Colour of a face of wood that turns `lit` (n . l, 0 to 1) toward the lamp. */
export const wood = (lit) => hex(mixed("#8a5a28", "#ffe3ad", 0.1 + 0.86 * Math.max(0, lit)));

/** The faces of a box that the camera sees, each {points, fill, line, top, grain}. */
export function faces(camera, box, along) {
  const seen = box.map((corner) => project(camera, corner));
  const uppermost = Math.max(...FACES.map((face) => middle(face.map((i) => box[i]))[2]));
  return FACES.flatMap((face) => {
    const points = face.map((i) => seen[i]);
    if (area(points) >= 0) return [];
    const solid = face.map((i) => box[i]);
    const centre = middle(solid);
    const normal = unit(cross(sub(solid[1], solid[0]), sub(solid[3], solid[0])));
    const fill = wood(dot(normal, unit(sub(LAMP, centre))));
    const top = centre[2] > uppermost - 0.01;
    return [{ points, fill, line: hex(mixed(fill, "#5b3714", 0.45)), top, grain: grain(points, solid, along) }];
  });
}

/** Twice the signed area of a polygon; negative is counter-clockwise as the viewer sees it. */
export const area = (points) =>
  points.reduce((sum, [x, y], i) => {
    const [u, v] = points[(i + 1) % points.length];
    return sum + x * v - u * y;
  }, 0);

// Grain runs along the length of the tile and looks the same whenever the tile is drawn.
function grain(points, solid, along) {
  const forward = Math.abs(dot(unit(sub(solid[1], solid[0])), along.axis));
  const across = Math.abs(dot(unit(sub(solid[3], solid[0])), along.axis));
  if (Math.max(forward, across) < 0.9) return [];
  const [a, b, c, d] = forward > across ? points : [points[1], points[2], points[3], points[0]];
  const width = Math.hypot(a[0] - d[0], a[1] - d[1]);
  const count = width > 26 ? 3 : width > 12 ? 2 : 1;
  const between = (p, q, t) => [p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t];
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 0.35 + 0.5 * wobble(along.seed, i)) / (count + 0.2);
    const bend = share + 0.05 * (wobble(along.seed, i + 7) - 0.5);
    return [between(a, d, share), between(b, c, bend)];
  });
}

const wobble = (seed, i) => {
  const v = Math.sin(seed * 12.9898 + i * 78.233) * 43758.5453;
  return v - Math.floor(v);
};

/** The length axis of a box made by `corners`, for its grain. */
export function lengthAxis(box, tile) {
  const lying = tile.state === "fallen";
  const flatwise = tile.orientation === "horizontal";
  return unit(lying ? sub(box[0], box[3]) : flatwise ? sub(box[1], box[0]) : sub(box[4], box[0]));
}

/** Convex hull, counter-clockwise (Andrew's monotone chain). */
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const p of list) {
      while (out.length > 1 && turn(...out.slice(-2), p) <= 0) out.pop();
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** The shadow that the lamp throws of a box, as a polygon on the stage. */
export function shadow(camera, box) {
  const fallen = box.map(([x, y, z]) => {
    const far = LAMP[2] / (LAMP[2] - z);
    return [LAMP[0] + (x - LAMP[0]) * far, LAMP[1] + (y - LAMP[1]) * far];
  });
  return hull(fallen).map(([x, y]) => project(camera, [x, y, 0]));
}

const bounds = (points) => {
  const [xs, ys] = [points.map((p) => p[0]), points.map((p) => p[1])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};

/**
 * Choose focal length and shift so that the boxes fill the place they have on the stage. A row so
 * wide that a tile would be less than 90 px high gets the roomier place; a short one stays small.
 */
export function fit(boxes, mode = "row", place = BOX[mode]) {
  const plain = view(ELEVATION[mode]);
  const flat = boxes.map((box) => box.map((corner) => project(plain, corner)));
  const [left, top, right, bottom] = bounds(flat.flat());
  const heights = flat.map((points) => {
    const [, high, , low] = bounds(points);
    return low - high;
  });
  const into = ([x1, y1, x2, y2]) => {
    const room = Math.min((x2 - x1) / (right - left), (y2 - y1) / (bottom - top));
    const f = Math.min(room, MOST_TILE_PX / Math.max(...heights));
    const x0 = (x1 + x2) / 2 - (f * (left + right)) / 2;
    const y0 = (y1 + y2) / 2 - (f * (top + bottom)) / 2;
    return view(ELEVATION[mode], f, x0, y0);
  };
  const camera = into(place);
  const least = camera.f * Math.min(...heights);
  return least < LEAST_TILE_PX && ROOMIER[mode] ? into(ROOMIER[mode]) : camera;
}

/** A view between two, for the 320 ms of reframing. */
export const between = (a, b, t) =>
  view(
    a.elevation + (b.elevation - a.elevation) * t,
    a.f + (b.f - a.f) * t,
    a.x0 + (b.x0 - a.x0) * t,
    a.y0 + (b.y0 - a.y0) * t,
  );

/**
 * Everything needed to draw one tile: its faces, shadow, feet, and where its stem begins.
 * `lean` is {tilt, way} for a tile that is falling.
 */
export function solid(camera, tile, spec, lean = { tilt: 0, way: 1 }) {
  const box = corners(tile, spec, lean.tilt, lean.way);
  const along = { axis: lengthAxis(box, tile), seed: tile.value ?? 0 };
  const foot = project(camera, [tile.x_mm, tile.y_mm, 0]);
  const centre = middle(box);
  const high = Math.max(...box.map((c) => c[2]));
  const upper = middle(box.filter((c) => c[2] > high - spec.thickness_mm * 0.6 - 0.01));
  return {
    value: tile.value,
    low: tile.orientation === "horizontal",
    fallen: tile.state === "fallen" || lean.tilt > 60,
    faces: faces(camera, box, along),
    shadow: shadow(camera, box),
    foot,
    stem: project(camera, upper),
    top: Math.min(...box.map((c) => project(camera, c)[1])),
    bounds: bounds(box.map((c) => project(camera, c))),
    depth: project(camera, [centre[0], centre[1], 0])[2],
    scale: camera.f / foot[2],
  };
}
