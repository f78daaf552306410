// Where the value coins and their tags go: above every tile on a stem, pushing each other apart,
// never over one another. Pure functions on stage pixels.

export const RADIUS = 44;
export const TAG_HEIGHT = 74;
const GAP = 10;
const ROUNDS = 120;
const FALLEN = 0.82;
/** How far a tag may be from its own place, across and down, and how finely a free one is looked for. */
const REACH = [1200, 500];
const STEP = 16;
/** Cost, in square px covered, of a tag nearer to another coin. */
const IN_DOUBT = 900;

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

const coinBox = (coin) => rectangle(coin.x, coin.y, 2 * coin.rx, 2 * coin.ry);

/** What coins cover of the stage. */
export const coinRooms = (coins) => coins.map(coinBox);

/** A point moved so that a tag of this width stays inside the safe area. */
const inside = ([x, y], width, [left, top, right, bottom]) => [
  Math.min(Math.max(x, left + width / 2), right - width / 2),
  Math.min(Math.max(y, top + TAG_HEIGHT / 2), bottom - TAG_HEIGHT / 2),
];

/** From -reach to reach, in steps. */
const steps = (reach) => {
  const most = Math.floor(reach / STEP);
  return Array.from({ length: 2 * most + 1 }, (_, i) => (i - most) * STEP);
};

/** Ways from a tag's own place to others, the shortest first. */
const WAYS = steps(REACH[1])
  .flatMap((dy) => steps(REACH[0]).map((dx) => [dx, dy]))
  .sort((a, b) => Math.hypot(...a) - Math.hypot(...b));

/**
 * The middle of a tag: the place nearest to `home` where it covers none of the rectangles that are
 * `taken`, or the one where it covers the least of them. `doubt` adds to that where a tag could be
 * taken for another thing's.
 */
export function freePlace(home, width, taken, safe, doubt = () => 0) {
  let best = null;
  let least = Infinity;
  for (const [dx, dy] of WAYS) {
    const place = inside([home[0] + dx, home[1] + dy], width, safe);
    const mine = rectangle(place[0], place[1], width + GAP, TAG_HEIGHT + GAP);
    const cost = taken.reduce((sum, other) => sum + overlap(mine, other), doubt(place));
    if (cost < least - 0.5) [best, least] = [place, cost];
    if (cost === 0) break;
  }
  return best;
}

/** The middle of a coin's own tag: above it or beside it, and nearer to it than to any other coin. */
export function placeTag(coin, width, coins, safe, taken) {
  const away = (c, [x, y]) =>
    Math.hypot(Math.max(0, Math.abs(c.x - x) - width / 2), Math.max(0, Math.abs(c.y - y) - TAG_HEIGHT / 2));
  const nearest = (at) => Math.min(Infinity, ...coins.filter((c) => c !== coin).map((c) => away(c, at)));
  const doubt = (at) => (nearest(at) < away(coin, at) ? IN_DOUBT : 0);
  const home = [coin.x, coin.y - coin.ry - GAP - TAG_HEIGHT / 2];
  return freePlace(home, width, [...coinRooms(coins), ...taken], safe, doubt);
}
