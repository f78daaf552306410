/** A row after its push, from the side: what fell lies on the next tile, what stood is up; a ring marks where it stopped. */
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { millimetres } from "./award.js";

const THICK = 7.5;
const APART = 17;
/** Where the wave died and nobody measured how far apart the two tiles were. */
const DIED_APART = 46;
const WIDEST = 70;
const MARGIN = 14;
const ABOVE = 12;

const tall = (tile) => (tile.orientation === "horizontal" ? 24 : 48);
const degrees = (rad) => (rad * 180) / Math.PI;

/** Which tiles are up; all of a row that stood where nobody saw which, so that nothing is made up. */
function standing({ outcome, row, up }) {
  if (outcome === "fell") return new Set();
  return new Set(up.length ? up : row.map((tile) => tile.value));
}

/** Every tile with its foot in mm and how far it leans, in degrees. */
function places(fall) {
  const up = standing(fall);
  let x = 0;
  const placed = fall.row.map((tile, i) => {
    const next = fall.row[i + 1];
    const died = next && !up.has(tile.value) && up.has(next.value);
    const gap = died ? Math.min(WIDEST, fall.gap_mm ?? DIED_APART) : APART;
    const place = { tile, x, up: up.has(tile.value), gap };
    x += THICK + gap;
    return place;
  });
  return placed.map((place, i) => {
    const next = placed[i + 1];
    const high = tall(place.tile);
    if (place.up) return { ...place, turn: 0 };
    if (!next || (next.up && place.gap >= high)) return { ...place, turn: 90 };
    if (next.up) return { ...place, turn: degrees(Math.asin(place.gap / high)) };
    return { ...place, turn: 90 - degrees(Math.atan(THICK / (APART + THICK))) };
  });
}

/**
 * @param {object} fall of a final snapshot
 * @param {{x?: number, y?: number, width: number, height: number}} box px
 */
export function fallShape(fall, { x = 0, y = 0, width, height }) {
  const placed = places(fall);
  const [last] = placed.slice(-1);
  if (!last) return "";
  const reach = Math.max(...placed.map((place) => place.x + THICK + (place.up ? 0 : tall(place.tile) * Math.sin((place.turn * Math.PI) / 180))));
  const wide = reach + 2 * MARGIN;
  const u = Math.min(width / wide, height / (48 + ABOVE + 14));
  const left = x + (width - reach * u) / 2;
  const base = y + height * 0.5 + 25 * u;
  const stop = fall.outcome === "fell" ? undefined : placed.find((place) => place.tile.value === fall.up[0]);
  return svg`<g transform="translate(${left} ${base}) scale(${u})">
    <ellipse cx=${reach / 2} cy="1" rx=${reach / 2 + 6} ry="3" fill="#04120c" fill-opacity=".5"></ellipse>
    ${placed.map(({ tile, x: foot, turn }) => {
      const high = tall(tile);
      return svg`<rect x=${foot} y=${-high} width=${THICK} height=${high} rx="1.2" fill="url(#g-wood)" stroke="#7b4c1f" stroke-width=".8"
        transform="rotate(${turn} ${foot + THICK} 0)"></rect>`;
    })}
    ${
      stop
        ? svg`<ellipse cx=${stop.x + THICK / 2} cy=${-tall(stop.tile) / 2} rx="12" ry=${tall(stop.tile) / 2 + 6} fill="none" stroke="#fff"
            stroke-width="1.6" stroke-dasharray="5 3"></ellipse>`
        : ""
    }
  </g>`;
}

/**
 * What became of a fall, or of that in a film, in a few words: the same on every screen. Of tiles that are up the
 * first is named, at which the wave stopped: others behind it may be up as well.
 * @param {object} fall of a final snapshot, or a film, which has `tiles` in place of the row
 * @param {{t: (key: string, params: object) => string, lang: string}} words
 */
export function fallWords({ round, outcome, row, tiles, up, short_mm: mm }, { t, lang }) {
  const count = tiles ?? row.length;
  if (outcome === "fell") return t(count === 2 ? "both" : "fell", { round, count });
  if (mm !== null) return t("short", { round, mm: millimetres(mm, lang) });
  return up.length ? t("up", { round, value: up[0] }) : t("stood", { round });
}
