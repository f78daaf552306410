/** A game without screens of its own on the table screen: everybody round the table, and whose turn it is. */
import { svg } from "../../vendor/lit-html/lit-html.js";
import { markShape } from "../../core/objects/marks.js";
import { list } from "../../core/i18n.js";
import { partners, seatOf, short } from "../../core/page.js";
import { Frame } from "../../table/frame.js";

const MIDDLE = { x: 960, y: 640 };
const CHAIRS = { rx: 740, ry: 330 };
const WOOD = { rx: 430, ry: 168 };
const ARROW = { rx: 370, ry: 126 };
const CODE = 340;

/** In words, for whoever hears a past game: there is no row. */
export const rowInWords = () => "";

const on = ({ rx, ry }, angle) => [MIDDLE.x + rx * Math.cos(angle), MIDDLE.y + ry * Math.sin(angle)];

/** Where a seat is, as an angle: the first one is nearest, the others follow clockwise. */
const angleOf = (at, count) => Math.PI / 2 + (2 * Math.PI * at) / count;

function chair(s, seat, at, { say, lang }) {
  const [x, y] = on(CHAIRS, angleOf(at, s.seats.length));
  const waited = (s.asked ?? []).some((each) => each.seat === seat.seat);
  const team = partners(s, seat.seat).map((id) => short(seatOf(s, id)?.name ?? ""));
  const state = s.phase === "LOBBY" ? say(`table.lobby.${seat.ready ? "ready" : "notyet"}`) : "";
  const points = s.over?.[seat.seat];
  const below = points !== undefined ? String(points) : team.length ? say("table.plain.with", { names: list(lang, team) }) : state;
  return svg`<g>
    ${waited ? svg`<circle cx=${x} cy=${y - 40} r="54" fill="none" stroke="var(--lamp)" stroke-width="9"></circle>` : ""}
    ${markShape(seat.mark, { x, y: y - 40, size: 84 })}
    <text x=${x} y=${y + 48} text-anchor="middle" font-size="40" font-weight="700" fill="var(--on-felt)">${short(seat.name)}</text>
    <text x=${x} y=${y + 88} text-anchor="middle" font-size="34" fill="var(--on-felt-2)">${below}</text>
  </g>`;
}

/** Which way turns go: an arrow on the wood between these angles, the first of which is smaller. */
function arrow(s, one, other) {
  const way = s.play_order === "counter-clockwise" ? -1 : 1;
  const [start, end] = way > 0 ? [one, other] : [other, one];
  const [[x, y], [x2, y2]] = [start, end].map((angle) => on(ARROW, angle));
  const [bx, by] = on(ARROW, end - way * 0.1);
  const [dx, dy] = [(x2 - bx) * 0.6, (y2 - by) * 0.6];
  return svg`<path d="M${x} ${y}A${ARROW.rx} ${ARROW.ry} 0 0 ${way > 0 ? 1 : 0} ${x2} ${y2}M${bx - dy} ${by + dx}L${x2} ${y2}L${bx + dy} ${by - dx}"
    fill="none" stroke="var(--on-felt-2)" stroke-width="6" stroke-linecap="round" stroke-linejoin="round"></path>`;
}

/** A line from each of a team to the next, all round where there are three. */
const between = (s) =>
  (s.teams ?? []).map((team) => {
    const at = team.map((id) => on(WOOD, angleOf(s.seats.findIndex((each) => each.seat === id), s.seats.length)));
    return svg`<path d="M${at.join("L")}Z" fill="none" stroke="var(--on-felt-2)" stroke-width="4" stroke-dasharray="10 14" opacity=".6"></path>`;
  });

const wood = (s) => svg`<g>
  <ellipse cx=${MIDDLE.x} cy=${MIDDLE.y} rx=${WOOD.rx} ry=${WOOD.ry} fill="var(--felt)" stroke="var(--rail-2)" stroke-width="26"></ellipse>
  ${between(s)}
  ${[-1.25, Math.PI - 1.25].map((angle) => arrow(s, angle, angle + 0.9))}
</g>`;

const wayIn = (s, { say }) => svg`<g>
  <rect x=${MIDDLE.x - CODE / 2 - 20} y=${MIDDLE.y - CODE / 2 - 50} width=${CODE + 40} height=${CODE + 110} rx="22" fill="#fffdf4"></rect>
  <image href=${s.net.qr} x=${MIDDLE.x - CODE / 2} y=${MIDDLE.y - CODE / 2 - 30} width=${CODE} height=${CODE} role="img"
    aria-label=${say("table.corner.picture")}></image>
  <text x=${MIDDLE.x} y=${MIDDLE.y + CODE / 2 + 30} text-anchor="middle" font-size="56" font-weight="800" fill="#2a1705">${s.net.code}</text>
</g>`;

function words(s, { say, lang }) {
  if (s.phase === "LOBBY") {
    return [say("table.lobby.title"), say("table.lobby.line")];
  }
  const order = say(`table.plain.${s.play_order === "counter-clockwise" ? "back" : "round"}`);
  if (s.phase === "GAME_OVER") {
    return [say("table.plain.over"), ""];
  }
  const waited = (s.asked ?? []).map((each) => short(seatOf(s, each.seat)?.name ?? ""));
  return [waited.length ? say("table.plain.waits", { names: list(lang, waited) }) : say("table.plain.goes_on"), order];
}

export class Table extends Frame {
  scene(ctx) {
    const { snap } = ctx;
    const [title, line] = words(snap, ctx);
    return {
      name: "plain",
      title,
      line,
      quiet: true,
      label: title,
      art: [snap.phase === "LOBBY" ? wayIn(snap, ctx) : wood(snap), snap.seats.map((seat, at) => chair(snap, seat, at, ctx))],
    };
  }

  behind({ snap, say, lang }) {
    return { art: snap.seats.map((seat, at) => chair(snap, seat, at, { say, lang })), rail: false };
  }
}
