// When each tile tips and how far. The referee says it (`rig/row/fall_shown.py`), for every screen
// alike; here it becomes degrees. Pure functions.

/** The row stands for so long before its first tile tips. */
export const BEFORE_MS = 150;

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

/** The falls that a snapshot tells, in the order of the wave: [{value, start, length, rest}], ms and degrees. */
export const falls = (told) => (told?.tips ?? []).map(([value, start, length, rest]) => ({ value, start, length, rest }));

/** Milliseconds until the last tile lies. */
export const wholeFall = (list) => Math.max(0, ...list.map((f) => f.start + f.length));

/** Tilt in degrees of every value at this moment; a value that does not fall is absent. */
export function tilts(list, at) {
  return new Map(list.map((f) => [f.value, f.rest * fallEase((at - f.start) / f.length)]));
}

/** The value at the front of the wave: the last one that has begun to tip. */
export const front = (list, at) => list.filter((f) => f.start <= at).slice(-1)[0]?.value ?? list[0]?.value;

/** Place in the fall at this age of a moment; without motion there are two pictures, before and after. */
export function fallAt(list, age, still, slower = 1) {
  const ms = age / slower - BEFORE_MS;
  const whole = wholeFall(list);
  return still ? (ms < whole ? -1 : whole) : ms;
}
