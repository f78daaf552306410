/**
 * A row in one line of text, as `physics/rows/notation.py` has it, and what hands do to a row. Pure functions;
 * millimetres, y up, headings in degrees counter-clockwise from x, the pushed tile first.
 */

/** @typedef {{value: number|null, x_mm: number, y_mm: number, heading_deg: number, orientation: string}} Placed */
/** @typedef {{tiles: Placed[], rest: string[]}} Row tiles, and the parts of its line that are about all of them */

export const STANDARD = { length_mm: 48, width_mm: 24, thickness_mm: 7.5 };
export const MOST_TILES = 60;

const TILE = /^(-?\d{1,9}|\?)([vh])@([^,@]+),([^,@]+),([^,@]+)$/;
const NAMED = /^(tile|rub|push|noise|id)=\S+$/;
const RAD = Math.PI / 180;
const PITCH_MM = 22;
const BIG = 9;
/** Places in mm and headings in degrees beyond this, and sides of tiles beyond the other, are refused as a row, too. */
const MOST = 1e6;
const MOST_SIDE_MM = 1e4;

const rounded = (number) => Math.round(number * 100) / 100 + 0;

/** @returns {string} the line of a row */
export function written({ tiles, rest }) {
  const each = tiles.map(({ value, orientation, x_mm, y_mm, heading_deg }) => {
    const place = [x_mm, y_mm, heading_deg].map(rounded).join(",");
    return `${value ?? "?"}${orientation === "horizontal" ? "h" : "v"}@${place}`;
  });
  return [...each, ...rest].join(";");
}

/** @returns {Row|null} nothing where a part of it is none */
export function read(line) {
  const tiles = [];
  const rest = [];
  for (const part of line.split(/[;\s]+/).filter(Boolean)) {
    const found = TILE.exec(part);
    const numbers = found?.slice(3).map(Number) ?? [];
    if (found && numbers.every((number) => Math.abs(number) <= MOST)) {
      const [x_mm, y_mm, heading_deg] = numbers;
      const value = found[1] === "?" ? null : Number(found[1]);
      tiles.push({ value, orientation: found[2] === "h" ? "horizontal" : "vertical", x_mm, y_mm, heading_deg });
    } else if (NAMED.test(part)) {
      rest.push(part);
    } else {
      return null;
    }
  }
  return tiles.length && tiles.length <= MOST_TILES ? { tiles, rest } : null;
}

/**
 * A row from the part of an address behind its `#`: its characters may stand there as they are, but who sends it on may
 * write them with `%` escapes.
 */
export function fromAddress(hash) {
  const line = hash.slice(1);
  try {
    return read(line) ?? read(decodeURIComponent(line));
  } catch {
    return null; // `%` that escapes nothing
  }
}

/** The size of its tiles, in mm. */
export function sizeOf({ rest }) {
  const numbers = rest.find((part) => part.startsWith("tile="))?.slice(5).split(",").map(Number);
  if (numbers?.length !== 4 || !numbers.every((number) => number > 0 && number <= MOST_SIDE_MM)) return STANDARD;
  const [length_mm, width_mm, thickness_mm] = numbers;
  return { length_mm, width_mm, thickness_mm };
}

/** Its tiles from the other end, with headings that point the new way. */
export const turnedRound = (row) => ({
  ...row,
  tiles: row.tiles.map((tile) => ({ ...tile, heading_deg: (tile.heading_deg + 180) % 360 })).reverse(),
});

/** One more tile behind the last, in line with it. */
export function longer(row) {
  const [last] = row.tiles.slice(-1);
  const turn = last.heading_deg * RAD;
  const values = new Set(row.tiles.map((tile) => tile.value));
  const value = [...Array(MOST_TILES + 1).keys()].find((one) => !values.has(one));
  const next = { ...last, value, x_mm: last.x_mm + PITCH_MM * Math.cos(turn), y_mm: last.y_mm + PITCH_MM * Math.sin(turn) };
  return { ...row, tiles: [...row.tiles, next] };
}

/** Headings that all point down the row, as the side of a tile that is hit is the back one. */
export function along(tiles) {
  let way = tiles.length > 1 ? [tiles[1].x_mm - tiles[0].x_mm, tiles[1].y_mm - tiles[0].y_mm] : [1, 0];
  return tiles.map((tile) => {
    const normal = [Math.cos(tile.heading_deg * RAD), Math.sin(tile.heading_deg * RAD)];
    const back = normal[0] * way[0] + normal[1] * way[1] < 0;
    way = back ? [-normal[0], -normal[1]] : normal;
    return back ? { ...tile, heading_deg: (tile.heading_deg + 180) % 360 } : tile;
  });
}

/** Rows to begin with: their names, and lines. */
export const SHAPES = {
  line: (i) => [PITCH_MM * i, 0, 0],
  arc: (i) => [Math.sin(i * 0.16) * 140, (1 - Math.cos(i * 0.16)) * 140, (i * 0.16) / RAD],
  wave: (i) => [PITCH_MM * i, 14 * Math.sin(i * 0.7), Math.atan(14 * 0.7 * Math.cos(i * 0.7) / PITCH_MM) / RAD],
};

/** A row of a shape, of tiles as a part of its line says; empty for standard ones. */
export const shaped = (shape, tile) => ({
  tiles: [...Array(BIG).keys()].map((i) => {
    const [x_mm, y_mm, heading_deg] = SHAPES[shape](i).map(rounded);
    return { value: i, orientation: "vertical", x_mm, y_mm, heading_deg };
  }),
  rest: tile ? [tile] : [],
});
