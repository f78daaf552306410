// Something on the table is not as it should be: the camera's picture with it outlined, and what it is.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { rowView } from "../../objects/rowview.js";
import { frameArt, inner } from "../frame.js";
import { differences } from "../words.js";

const WRONG = ["wrong", "several", "exchanged", "gone", "down"];
const OUTER = [72, 296, 1060, 586];
const ALONE = [430, 296, 1060, 586];
const MOST_LINES = 5;

/** The tiles to point at, or null where all is well. */
export function marked(snap) {
  if (snap.differs) return snap.differs.tiles;
  const marks = WRONG.includes(snap.reading?.state) ? snap.reading.marks : null;
  return marks?.length ? marks : null;
}

/** The camera's picture in its frame, or without a camera the row from above. */
export function troubleArt({ snap, say }, marks) {
  const outer = snap.differs ? OUTER : ALONE;
  const [x, y, width, height] = inner(outer);
  if (snap.live) {
    const state = marks.map(({ value, mm, deg }) => `${value}.${mm}.${deg}`).join("-");
    return svg`${frameArt(false, outer)}<image href=${`${snap.live}?n=${snap.v}-${state}`} x=${x} y=${y} width=${width}
      height=${height} preserveAspectRatio="xMidYMid slice"></image>`;
  }
  const row = snap.differs?.row ?? snap.row;
  const label = say("table.mend.picture");
  return svg`${frameArt(true, outer)}${rowView({ row, marks, area: snap.area, size: snap.tile, x, y, width, height, label })}`;
}

/** Tile by tile, what is not as it was. */
export function troubleLines({ snap, say }) {
  if (!snap.differs) return "";
  const lines = differences(snap, say);
  const few = lines.length > MOST_LINES ? [...lines.slice(0, MOST_LINES - 1), "…"] : lines;
  return html`<ul class="t-trouble">${few.map((line) => html`<li>${line}</li>`)}</ul>`;
}
