// When each tile tips and how far, from the times the camera measured. Pure functions.

const LEAST_MS = 90;
const TIP_MS = 420;
const STEP_MS = 110;
const NEXT_MS = 45;
const LEAN_DEG = 82;

/** Progress of the easing cubic-bezier(.55,.05,.9,.45), by bisection on its x. */
export function fallEase(t) {
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  const at = (a, b, s) => 3 * a * s * (1 - s) ** 2 + 3 * b * s ** 2 * (1 - s) + s ** 3;
  let [low, high] = [0, 1];
  for (let i = 0; i < 24; i += 1) {
    const mid = (low + high) / 2;
    if (at(0.55, 0.9, mid) < t) low = mid;
    else high = mid;
  }
  return at(0.05, 0.45, (low + high) / 2);
}

/**
 * The falls of a verdict, in the order of the wave: [{value, start, length, rest}], milliseconds
 * and degrees. Without measured times the tiles of `fallen` follow at equal steps. No tile tips
 * before the one that struck it, whatever a coarse clock says.
 */
export function falls(verdict, row, end) {
  const wave = (end === "right" ? [...row].reverse() : row).map((tile) => tile.value);
  const down = new Set(verdict.outcome === "fell" ? wave : verdict.fallen);
  const measured = (verdict.order ?? []).filter(([value]) => down.has(value));
  const times = new Map(measured);
  const order = wave.filter((value) => down.has(value));
  let clock = -STEP_MS;
  const starts = order.map((value) => {
    const start = Math.max(times.get(value) ?? clock + STEP_MS, clock + NEXT_MS, 0);
    clock = start;
    return start;
  });
  return order.map((value, i) => {
    const at = wave.indexOf(value);
    const onNext = at + 1 < wave.length && down.has(wave[at + 1]);
    const step = i + 1 < starts.length ? starts[i + 1] - starts[i] : TIP_MS;
    const length = Math.max(LEAST_MS, Math.min(TIP_MS, Math.max(2.4 * step, 240)));
    return { value, start: starts[i], length, rest: onNext ? LEAN_DEG : 90 };
  });
}

/** Milliseconds until the last tile lies. */
export const wholeFall = (list) => Math.max(0, ...list.map((f) => f.start + f.length));

/** Tilt in degrees of every value at this moment; a value that does not fall is absent. */
export function tilts(list, at) {
  return new Map(list.map((f) => [f.value, f.rest * fallEase((at - f.start) / f.length)]));
}

/** The value at the front of the wave: the last one that has begun to tip. */
export const front = (list, at) => list.filter((f) => f.start <= at).at(-1)?.value ?? list[0]?.value;
