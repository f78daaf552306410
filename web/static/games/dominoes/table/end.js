/** How a round or a match ended: the line small, and all hands open above their seats. */
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { againKeys, totals } from "../../../table/games.js";
import { listed, nameOf } from "../../../table/names.js";
import { LEAST_TYPE, lines, plateWidth, seatX } from "../../../table/rail.js";
import { LEAST_TITLE } from "../../../table/width.js";
import { LONG, WIDE, boneShape } from "../objects/bone.js";
import { decided, isGoat } from "../screens/others.js";
import { lineArt, lineBox, lineInWords } from "./line.js";

/** The cloth above the hands, and the largest scale of the line on it. */
const ABOVE = { x1: 180, x2: 1620, y1: 236, y2: 606 };
/** The host's keys take some of its width, and words beyond a title and one line take some of its height. */
const KEYS_WIDE = 180;
const LINE_HIGH = 66;
const NOTE_APART = 24;
/** How much higher the title of a fish is. */
const FISH_HIGH = 14;
/** How wide the words are, and the most lines that the totals may take; the phones show them, too. */
const WORDS_WIDE = 1590;
const MOST_TOTALS = 2;
/** Type of the line below the title. */
const LINE_TYPE = 52;
const MOST_SCALE = 0.8;
/** px: the lowest edge of the hands, the height they have, and the type of their words. */
const FLOOR = 884;
const HIGH = 216;
const GAP = 6;
const BESIDE = 36;
const SIZES = [2.1, 1.8, 1.5, 1.2];

/** The title, and the line under it. */
function words({ snap, say, lang }) {
  const { how, seat } = snap.result ?? {};
  const name = nameOf(snap, seat);
  const round = how === "fish" ? [say("table.fish"), say("table.fish.by", { name })] : how ? [say("table.out", { name }), ""] : ["", ""];
  const carry = snap.carry ? say("table.carry", { count: snap.carry }) : "";
  if (snap.phase !== "GAME_OVER") return [round[0], [round[1], carry].filter(Boolean).join(" ")];
  const who = decided(snap).map((each) => nameOf(snap, each));
  const key = snap.options.limit_means === "lose" ? (isGoat(snap.options) ? "table.goat" : "table.lost") : "table.won";
  if (!who.length) return [say("table.over"), say("table.left")];
  return [say(key, { count: who.length, names: listed(who, lang) }), round.filter(Boolean).map((each) => each.replace(/[^.!]$/, "$&.")).join(" ")];
}

/** How large the bones of a hand are, and how many stand in a row: the largest that has room. */
function fit(count, wide) {
  const laid = SIZES.map((u) => {
    const most = Math.max(1, Math.floor((wide - BESIDE) / (WIDE * u + GAP)));
    const rows = Math.ceil(count / most);
    return { u, rows, columns: Math.ceil(count / rows), high: rows * (LONG * u + GAP) };
  });
  return laid.find(({ high }) => high <= HIGH) ?? laid.slice(-1)[0];
}

/** A hand above its seat, and what it counts. */
function hand({ snap, say }, seat, at) {
  const bones = snap.result.hands[seat.seat];
  if (!bones) return "";
  const count = snap.seats.length;
  const x = seatX(count, at);
  const { u, rows, columns, high } = fit(Math.max(1, bones.length), plateWidth(count));
  const top = FLOOR - (bones.length ? high : 0);
  const step = WIDE * u + GAP;
  const place = (i) => {
    const row = Math.floor(i / columns);
    const inRow = row < rows - 1 ? columns : bones.length - row * columns;
    return { x: x + ((i % columns) - (inRow - 1) / 2) * step, y: top + (row + 0.5) * (LONG * u + GAP), u };
  };
  const said = bones.length ? say("table.pips", { count: snap.result.pips[seat.seat] }) : say("table.none");
  return svg`<text x=${x} y=${top - 16} text-anchor="middle" class="d-pips">${said}</text>
    <g class="d-hand">${bones.map((bone, i) => boneShape(bone, place(i)))}</g>`;
}

const totalLines = (note) => (note ? lines(note, WORDS_WIDE, LEAST_TYPE, "plain") : 0);

/** How much of the cloth's height the words take. */
function wordsHigh(title, said, note) {
  const more = lines(title, WORDS_WIDE, LEAST_TITLE, "display") + lines(said, WORDS_WIDE, LINE_TYPE, "plain") - 2;
  return (more + totalLines(note)) * LINE_HIGH + (note ? NOTE_APART : 0);
}

/** The line above the hands, as large as it has room there. */
function line(ctx, over, high) {
  if (!ctx.snap.line.length) return "";
  const aside = over && ctx.snap.you.host ? KEYS_WIDE : 0;
  const room = { x1: ABOVE.x1, x2: ABOVE.x2 - aside, y1: ABOVE.y1 + high, y2: ABOVE.y2 };
  const { x1, x2, y1, y2 } = lineBox(ctx.snap);
  const scale = Math.min(MOST_SCALE, (room.x2 - room.x1) / (x2 - x1), (room.y2 - room.y1) / (y2 - y1));
  return svg`<g transform="translate(${(room.x1 + room.x2) / 2} ${(room.y1 + room.y2) / 2}) scale(${scale})
    translate(${-(x1 + x2) / 2} ${-(y1 + y2) / 2})">${lineArt(ctx)}</g>`;
}

export function endScreen(ctx) {
  const { snap } = ctx;
  const [title, said] = words(ctx);
  const over = snap.phase === "GAME_OVER";
  const fish = snap.phase === "ROUND_END" && snap.result.how === "fish";
  const all = over ? totals(ctx) : "";
  const note = totalLines(all) > MOST_TOTALS ? "" : all;
  return {
    name: fish ? "fish" : "end",
    title,
    line: said,
    note,
    big: fish,
    label: [title, lineInWords(ctx)].join(". "),
    art: svg`${line(ctx, over, wordsHigh(title, said, note) + (fish ? FISH_HIGH : 0))}
      ${snap.result ? snap.seats.map((seat, at) => hand(ctx, seat, at)) : ""}`,
    over: over ? againKeys(ctx) : "",
    corner: true,
    rail: true,
  };
}
