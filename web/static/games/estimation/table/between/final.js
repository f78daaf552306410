// The end: the winner's name, and everybody's chips as stacks in order.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { stackShape } from "../../objects/chip.js";
import { markShape } from "../../../../core/objects/marks.js";
import { againKeys, totals } from "../../../../table/games.js";
import { LEAST_TYPE, lines, nameSteps, written } from "../../../../table/rail.js";
import { wordWidth } from "../../../../table/width.js";
import { listed, nameOf, seatOf } from "../../../../table/names.js";
import { endingParts } from "./ending.js";

/** Stage px the title has, and its size at the most. */
const TITLE_ROOM = 1500;
const HERO = 150;
/** Steps of a title above stacks, and lines that each may take. */
const SHARED_STEPS = [["t-title-shared", 104, 2], ["t-title-m", 76, 2], ["t-title-s", 62, 3]];
/** Stage px by which the board is higher where a name takes two lines. */
const LIFT = 38;
/** Steps of a title above falls. */
const ENDING_STEPS = [["t-title-hero", HERO], ["t-title-shared", 104], ["t-title-m", 76], ["t-title-s", 62]];
/** What the winner's mark takes of a title's line. */
const MARKED = 156;
const BOARD_Y = 862;
const BIG = 170;
const SMALL = 122;
const MOST_HIGH = 330;
/** px of it that two lines of totals take, below one winner's name or several. */
const TOTALS_HIGH = { one: 60, many: 124 };

/** Places in order, shared by those with equal chips. */
function places(snap) {
  const ranking = snap.final.ranking.map((id) => seatOf(snap, id)).filter(Boolean);
  return ranking.map((seat) => ({
    seat,
    place: 1 + ranking.filter((other) => other.chips > seat.chips).length,
    won: snap.final.winners.includes(seat.seat),
  }));
}

/** Stage px that a name has on the board: a line of its own. */
const room = (count) => (1920 - 80) / count - 8;

const stackX = (count, index) => 40 + ((1920 - 80) * (index + 0.5)) / count;

// A stack whose height never passes what the screen has: many chips make thinner discs.
function stack({ seat, won }, count, index, most, bottom) {
  const x = stackX(count, index);
  const wide = won ? BIG : SMALL;
  const width = Math.min(wide, most / (0.2 * Math.max(1, seat.chips)));
  const top = bottom - seat.chips * width * 0.2;
  const size = won ? 158 : 92;
  return svg`
    ${won ? svg`<ellipse cx=${x} cy="680" rx="400" ry="300" fill="url(#t-win)"></ellipse>` : ""}
    ${stackShape(seat.chips, { x, y: bottom, width })}
    ${markShape(seat.mark, { x, y: top - size * 0.66, size })}`;
}

function tally({ snap, say }) {
  const best = seatOf(snap, snap.final.winners[0]);
  const fell = (snap.history ?? []).filter((round) => round.outcome === "fell").length;
  const stoodRounds = (snap.history ?? []).filter((round) => round.outcome === "stood").length;
  return say("table.final.tally", {
    chips: say("table.final.chips", { count: best?.chips ?? 0 }),
    falls: say("table.final.falls", { count: fell }),
    stands: say("table.final.stands", { count: stoodRounds }),
  });
}

/** What stands for the whole game, to hold against its file later. */
function fingerprint({ snap, say }) {
  const shown = snap.final.fingerprint;
  return shown
    ? html`<p class="t-print">${say("table.final.fingerprint")} <b translate="no">${shown}</b></p>`
    : "";
}

/** The winner's name, three falls and what was earned. */
function ending(ctx, ranked, title, alone) {
  const fits = ([, size]) => wordWidth(title, size, "display") + (alone ? (MARKED * size) / HERO : 0) <= TITLE_ROOM;
  const evening = totals(ctx); // of many people it takes two lines
  const step = ENDING_STEPS.slice(alone && !evening ? 0 : 1).find(fits);
  const [titleClass, size] = step ?? ENDING_STEPS.slice(-1)[0]; // on two lines
  const parts = endingParts(ctx, ranked, size);
  return {
    ...parts,
    name: "final",
    title,
    line: evening && lines(evening, TITLE_ROOM, LEAST_TYPE) <= (step ? 2 : 1) ? evening : tally(ctx),
    titleClass,
    corner: true,
    big: true,
  };
}

export function finalScreen(ctx) {
  const { snap, say, lang } = ctx;
  const note = totals(ctx);
  const winners = snap.final.winners.map((id) => nameOf(snap, id));
  const ranked = places(snap);
  const title = say(winners.length > 1 ? "table.final.many" : "table.final.one", { names: listed(winners, lang) });
  if (snap.final.falls?.length) return ending(ctx, ranked, title, winners.length === 1);
  const small = winners.length > 1 || wordWidth(title, HERO, "display") > TITLE_ROOM;
  const wide = room(ranked.length);
  const steps = nameSteps(snap.seats, () => wide, 52);
  const lift = snap.seats.some((seat) => wordWidth(seat.name, steps.get(seat.seat)) > wide) ? LIFT : 0;
  const most = MOST_HIGH - lift - (note ? TOTALS_HIGH[small ? "many" : "one"] : 0);
  const [shared] = SHARED_STEPS.find(([, size, high]) => lines(title, TITLE_ROOM, size, "display") <= high) ?? SHARED_STEPS.slice(-1)[0];
  return {
    name: "final",
    title,
    line: tally(ctx),
    note,
    label: ranked.map(({ seat, place }) => `${say(`table.final.place.${place}`)}: ${seat.name}, ${seat.chips}`).join("; "),
    art: ranked.map((item, i) => stack(item, ranked.length, i, most, BOARD_Y - lift)),
    over: html`<div class="t-board ${lift ? "t-board-tall" : ""} t-seats-${ranked.length}"><ol class="t-board-seats">
      ${ranked.map(({ seat, place, won }) => {
        const step = won && wordWidth(seat.name, 60) <= wide ? 60 : steps.get(seat.seat);
        return html`<li class="t-board-seat ${won ? "won" : ""}">
          <b class="t-board-chips display">${seat.chips}</b>
          <span>${written(seat.name, step, wide, "t-board-name")}
            <span class="t-board-place">${say(`table.final.place.${place}`)}</span></span>
        </li>`;
      })}
    </ol>${fingerprint(ctx)}</div>
    ${againKeys(ctx)}`,
    titleClass: small ? shared : "t-title-hero",
    corner: true,
    big: true,
  };
}
