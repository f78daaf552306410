// Everybody round a table as seen from above: those who play together are opposite, and an arrow says which way turns go.
import { svg } from "../vendor/lit-html/lit-html.js";
import { markShape } from "../core/objects/marks.js";
import { fitted } from "./names.js";
import { LEAST_TYPE } from "./rail.js";

/** Stage px that a name has at its chair, and its size. */
const NAME = { room: 400, size: 52 };

const on = ({ x, y }, { rx, ry }, angle) => [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];

/** Where a seat is, as an angle: the first one is nearest, the others follow clockwise. */
const angleOf = (at, count) => Math.PI / 2 + (2 * Math.PI * at) / count;

function chair(snap, place, seat, at, below) {
  const [x, y] = on(place, place.chairs, angleOf(at, snap.seats.length));
  const waited = (snap.asked ?? []).some((each) => each.seat === seat.seat);
  return svg`<g>
    ${waited ? svg`<circle cx=${x} cy=${y - 40} r="54" fill="none" stroke="var(--lamp)" stroke-width="9"></circle>` : ""}
    ${markShape(seat.mark, { x, y: y - 40, size: 84 })}
    <text x=${x} y=${y + 52} text-anchor="middle" font-size=${NAME.size} font-weight="700" fill="var(--on-felt)">${fitted(seat.name, NAME.room, NAME.size)}</text>
    <text x=${x} y=${y + 104} text-anchor="middle" font-size=${LEAST_TYPE} fill="var(--on-felt-2)">${below}</text>
  </g>`;
}

/** Which way turns go: an arrow on the wood between these angles, the first of which is smaller. */
function arrow(snap, place, one, other) {
  const way = snap.play_order === "counter-clockwise" ? -1 : 1;
  const [start, end] = way > 0 ? [one, other] : [other, one];
  const [[x, y], [x2, y2]] = [start, end].map((angle) => on(place, place.arrow, angle));
  const [bx, by] = on(place, place.arrow, end - way * 0.1);
  const [dx, dy] = [(x2 - bx) * 0.6, (y2 - by) * 0.6];
  return svg`<path d="M${x} ${y}A${place.arrow.rx} ${place.arrow.ry} 0 0 ${way > 0 ? 1 : 0} ${x2} ${y2}M${bx - dy} ${by + dx}L${x2} ${y2}L${bx + dy} ${by - dx}"
    fill="none" stroke="var(--on-felt-2)" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"></path>`;
}

/** A line from each of a team to the next, all round where there are three. */
const between = (snap, place) =>
  (snap.teams ?? []).map((team) => {
    const at = team.map((id) => on(place, place.wood, angleOf(snap.seats.findIndex((each) => each.seat === id), snap.seats.length)));
    return svg`<path d="M${at.join("L")}Z" fill="none" stroke="var(--on-felt-2)" stroke-width="4" stroke-dasharray="10 14" opacity=".6"></path>`;
  });

/** The table itself, an oval of felt in wood; `place` has its middle, and the radii of wood, arrow and chairs. */
export const wood = (snap, place) => svg`<g>
  <ellipse cx=${place.x} cy=${place.y} rx=${place.wood.rx} ry=${place.wood.ry} fill="var(--felt)" stroke="var(--rail-2)" stroke-width="26"></ellipse>
  ${between(snap, place)}
  ${[-1.25, Math.PI - 1.25].map((angle) => arrow(snap, place, angle, angle + 0.9))}
</g>`;

/** The chairs round it; `below` gives the line under a seat's name. */
export const chairs = (snap, place, below) => svg`<g>${snap.seats.map((seat, at) => chair(snap, place, seat, at, below(seat)))}</g>`;

export const around = (snap, place, below) => [wood(snap, place), chairs(snap, place, below)];
