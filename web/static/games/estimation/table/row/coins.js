// Where the value coins and their tags go: above every tile on a stem, pushing each other apart,
// never over one another. Pure functions on stage pixels.

export const RADIUS = 44;
export const TAG_HEIGHT = 74;
const GAP = 10;
const ROUNDS = 120;
const FALLEN = 0.82;

/** Half width and half height of a coin: a disc for an upright tile, a pill for a low one. */
export function coinSize({ low, fallen }, radius = RADIUS) {
  const r = fallen ? radius * FALLEN : radius;
  return low ? { r, rx: r * 1.36, ry: r * 0.86 } : { r, rx: r, ry: r };
}

/** Coins for solids, inside `safe` = [left, top, right, bottom]; each keeps its solid's order. */
export function placeCoins(solids, safe, radius = RADIUS) {
  const coins = solids.map((solid) => {
    const size = coinSize(solid, radius);
    const home = [solid.stem[0], Math.min(solid.stem[1], solid.top + 30) - 1.75 * size.r];
    return { ...size, x: home[0], y: home[1], home, stem: solid.stem, value: solid.value };
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    let moved = false;
    for (let i = 0; i < coins.length; i += 1) {
      for (let j = i + 1; j < coins.length; j += 1) moved = part(coins[i], coins[j]) || moved;
    }
    for (const coin of coins) keepInside(coin, safe);
    if (!moved) break;
  }
  return coins;
}

// Move two coins apart along the line between them until GAP lies between their edges.
function part(a, b) {
  const [wide, high] = [a.rx + b.rx + GAP, a.ry + b.ry + GAP];
  const [dx, dy] = [(b.x - a.x) / wide, (b.y - a.y) / high];
  const distance = Math.hypot(dx, dy);
  if (distance >= 0.995) return false;
  const [ux, uy] = distance > 0.01 ? [dx / distance, dy / distance] : [1, 0];
  const push = (1 - distance) / 2;
  a.x -= ux * push * wide;
  a.y -= uy * push * high;
  b.x += ux * push * wide;
  b.y += uy * push * high;
  return true;
}

function keepInside(coin, [left, top, right, bottom]) {
  coin.x = Math.min(Math.max(coin.x, left + coin.rx), right - coin.rx);
  coin.y = Math.min(Math.max(coin.y, top + coin.ry), bottom - coin.ry);
}

const overlap = (a, b) =>
  Math.max(0, Math.min(a[2], b[2]) - Math.max(a[0], b[0])) *
  Math.max(0, Math.min(a[3], b[3]) - Math.max(a[1], b[1]));

export const rectangle = (x, y, width, height) => [
  x - width / 2,
  y - height / 2,
  x + width / 2,
  y + height / 2,
];

const coinBox = (coin) => [coin.x - coin.rx, coin.y - coin.ry, coin.x + coin.rx, coin.y + coin.ry];

/**
 * The middle of a tag for `coin`: above it, sliding sideways by up to half its width to clear the
 * other coins, or beside it where that leaves more free. `taken` are rectangles to keep off.
 */
export function placeTag(coin, width, coins, safe, taken = []) {
  const others = [...coins.filter((c) => c !== coin).map(coinBox), ...taken];
  const above = coin.y - coin.ry - 14 - TAG_HEIGHT / 2;
  const slides = [0, -0.15, 0.15, -0.3, 0.3, -0.5, 0.5].map((s) => [coin.x + s * width, above]);
  const aside = coin.rx + 16 + width / 2;
  const sides = [0, TAG_HEIGHT / 2].flatMap((down) => [
    [coin.x + aside, coin.y + down],
    [coin.x - aside, coin.y + down],
  ]);
  const away = (c, [x, y]) =>
    Math.hypot(Math.max(0, Math.abs(c.x - x) - width / 2), Math.max(0, Math.abs(c.y - y) - TAG_HEIGHT / 2));
  const nearest = (p) => Math.min(Infinity, ...coins.filter((c) => c !== coin).map((c) => away(c, p)));
  const cost = ([x, y]) => {
    const box = rectangle(x, y, width, TAG_HEIGHT);
    const doubt = nearest([x, y]) < away(coin, [x, y]) ? 900 : 0;
    const out = Math.max(0, safe[0] - box[0], box[2] - safe[2], safe[1] - box[1], box[3] - safe[3]);
    return others.reduce((sum, other) => sum + overlap(box, other), out * width + doubt);
  };
  return [...slides, ...sides].reduce((best, p) => (cost(p) < cost(best) - 0.5 ? p : best));
}

/** A point moved so that a tag of this width stays inside the safe area. */
export const inside = ([x, y], width, [left, top, right, bottom]) => [
  Math.min(Math.max(x, left + width / 2), right - width / 2),
  Math.min(Math.max(y, top + TAG_HEIGHT / 2), bottom - TAG_HEIGHT / 2),
];

/** The place nearest to a tag's own at which it covers none of the others; its own where there is none. */
export function besideOthers(at, width, others, safe) {
  const covers = ([x, y]) => others.some((each) => overlap(rectangle(x, y, width, TAG_HEIGHT), each) > 0);
  if (!covers(at)) return at;
  const [wide, high] = [width / 2 + GAP, TAG_HEIGHT / 2 + GAP];
  const away = ([x, y]) => Math.hypot(x - at[0], y - at[1]);
  return others
    .flatMap(([left, top, right, bottom]) => [
      [left - wide, at[1]],
      [right + wide, at[1]],
      [at[0], top - high],
      [at[0], bottom + high],
    ])
    .map((place) => inside(place, width, safe))
    .filter((place) => !covers(place))
    .reduce((best, place) => (best === at || away(place) < away(best) ? place : best), at);
}
