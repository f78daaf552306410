// The verdict: one or two words, the frame with the evidence, ballots and chips of every seat.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { keyed } from "../../../../vendor/lit-html/directives/keyed.js";
import { plaque } from "../../objects/ballot.js";
import { chip } from "../../objects/chip.js";
import { mark } from "../../../../core/objects/marks.js";
import { byHand } from "../../../../core/page.js";
import { again } from "../../../../core/again.js";
import { frameArt, INNER } from "../frame.js";
import { rowArt } from "../row/rowart.js";
import { nameSteps, written } from "../../../../table/rail.js";
import { tag, tagWidth } from "../tags.js";
import { falls, tilts } from "../row/tipping.js";
import { listed, nameOf } from "../../../../table/names.js";

const MANY = 6;
const LOOK_MS = 2500;

const settled = ({ phase, verdict }) =>
  phase === "ROUND_END" || phase === "GAME_OVER" || verdict.step === "settled";

/** Chips of a seat by this verdict: what the rules paid, or would pay if it stands. */
export function winnings(snap) {
  const { verdict, reveal } = snap;
  if (verdict.won && Object.keys(verdict.won).length) return verdict.won;
  if (!reveal) return {};
  const side = verdict.outcome === "fell" ? "success" : "failure";
  const winners = snap.seats.filter((seat) => reveal.ballots[seat.seat] === side);
  return Object.fromEntries(winners.map((seat) => [seat.seat, reveal.stake[side]]));
}

/** Stage px that a name has between its mark and its ballot. */
const nameRoom = (seats) => (seats.length > 4 ? 390 : 354);

function seatRow(ctx, seat, won, step) {
  const { snap } = ctx;
  const side = snap.reveal?.ballots[seat.seat];
  const total = seat.chips + (settled(snap) ? 0 : won);
  const discs = won > MANY ? 1 : won;
  return html`<li class="t-tally">
    ${mark(seat.mark, { size: 62 })}
    ${written(seat.name, step, nameRoom(snap.seats), "t-tally-name")}
    <span class="t-tally-ballot">${side ? plaque(side, { width: 84 }) : ""}
      ${side ? html`<span class="unseen">${ctx.say(`table.reveal.${side}`)}</span>` : ""}</span>
    <span class="t-tally-won t-won-${discs}">${
      won
        ? html`<span class="unseen">+${won}</span>${Array.from({ length: discs }, () => chip({ size: 62 }))}${
            won > MANY ? html`<b>${won}</b>` : ""
          }`
        : html`<b>0</b>`
    }</span>
    <b class="t-tally-total display">${total}</b>
  </li>`;
}

function tallies(ctx) {
  const won = winnings(ctx.snap);
  const seats = [...ctx.snap.seats].sort((a, b) => (won[b.seat] ?? 0) - (won[a.seat] ?? 0));
  const steps = nameSteps(seats, () => nameRoom(seats));
  return html`<ul class="t-tallies t-seats-${seats.length}">
    ${seats.map((seat) => seatRow(ctx, seat, won[seat.seat] ?? 0, steps.get(seat.seat)))}
  </ul>`;
}

/** What fell and what did not, in a sentence. */
export function whatStands({ snap, say, lang }) {
  const { verdict } = snap;
  if (verdict.outcome === "fell") return say("table.verdict.alldown");
  const up = listed(verdict.up.map(String), lang);
  const parts = verdict.up.length ? [say("table.verdict.up", { count: verdict.up.length, values: up })] : [];
  if (verdict.between) {
    const [a, b] = verdict.between;
    const key = verdict.gap_mm === null ? "died" : "diedgap";
    parts.push(say(`table.verdict.${key}`, { a, b, gap: Math.round(verdict.gap_mm ?? 0) }));
  }
  return parts.join(" ");
}

function whatNext(ctx) {
  const { snap, say } = ctx;
  const { verdict } = snap;
  if (snap.phase === "ROUND_END") return nextRound(ctx);
  if (verdict.step === "settled") return say("table.verdict.settled");
  if (verdict.step === "vote") return say("table.verdict.vote", { count: Object.keys(verdict.votes ?? {}).length });
  if (verdict.step === "confirm" || verdict.stands_ms === null) return say("table.verdict.confirm");
  const left = Math.max(0, verdict.stands_ms - ctx.now());
  if (left === 0) return say("table.verdict.settled");
  ctx.later(left % 1000 || 1000);
  return say("table.verdict.counts", { count: Math.ceil(left / 1000) });
}

/** Who goes on after this round, or that it was the last. */
export function nextRound({ snap, say }) {
  const best = Math.max(...snap.seats.map((seat) => seat.chips));
  const tied = snap.seats.filter((seat) => seat.chips === best).length > 1;
  if (snap.round > snap.rounds || (snap.round === snap.rounds && !tied)) return say("table.round.last");
  const first = nameOf(snap, snap.toppler ?? snap.first);
  const next = first ? say("table.round.next", { name: first }) : "";
  return snap.round === snap.rounds ? `${say("table.round.extra")} ${next}` : next;
}

function guess({ snap, say }) {
  const { prediction } = snap.verdict;
  if (!prediction) return "";
  const p = Math.round(100 * prediction.p_fall);
  return html`<p class="t-aside">${say("table.verdict.guess", { p })}</p>${eyes(snap, say, p)}`;
}

// Whose eye saw it as the model did: the placer had no choice and is not asked.
function eyes({ reveal, seats, placer }, say, p) {
  const side = p >= 50 ? "success" : "failure";
  const same = seats.filter((seat) => seat.seat !== placer && reveal?.ballots[seat.seat] === side);
  return same.length
    ? html`<p class="t-aside t-eyes">${say("table.verdict.same")} ${same.map(
        (seat) => html`${mark(seat.mark, { size: 62 })}<span class="unseen">${seat.name}</span>`,
      )}</p>`
    : "";
}

const picture = (href) => svg`<image href=${href} x=${INNER[0]} y=${INNER[1]} width=${INNER[2]}
  height=${INNER[3]} preserveAspectRatio="xMidYMid slice" @error=${again}></image>`;

const there = ({ target }) => target.parentNode.setAttribute("data-there", "");

// The words lie on the upper edge of the frame: each corner of the picture may have something to see,
// and what is said of it stands below.
const WORD_ABOVE = 34;

// A picture and what it is of; the words are seen once the picture is.
const worded = (href, word, kind) =>
  keyed(
    href,
    svg`<g class="t-worded ${kind}"><image href=${href} x=${INNER[0]} y=${INNER[1]} width=${INNER[2]}
      height=${INNER[3]} preserveAspectRatio="xMidYMid slice" @error=${again} @load=${there}></image>
      ${tag(word, [INNER[0] + tagWidth(word) / 2, INNER[1] - WORD_ABOVE])}</g>`,
  );

// The row after the push; every third time the same part of the table before it, for the eye to compare.
function framed(ctx, { picture: after, before }) {
  if (!before || ctx.still) return svg`${frameArt()}${picture(after)}`;
  const now = ctx.now();
  const early = Math.floor(now / LOOK_MS) % 3 === 2;
  ctx.later(LOOK_MS - (now % LOOK_MS));
  return svg`${frameArt()}${worded(before, ctx.say("table.verdict.early"), early ? "t-early is-due" : "t-early")}
    ${worded(after, ctx.say("table.verdict.late"), "t-late")}`;
}

// The picture in its frame, with the place where the wave died named in its upper corner.
function evidence(ctx) {
  const { snap, say } = ctx;
  const { verdict } = snap;
  const [left, top, width] = INNER;
  if (verdict.picture) {
    const joint =
      verdict.outcome === "stood" && verdict.between && verdict.gap_mm !== null
        ? say("table.verdict.joint", { a: verdict.between[0], b: verdict.between[1], gap: Math.round(verdict.gap_mm) })
        : "";
    return svg`${framed(ctx, verdict)}
      ${joint ? tag(joint, [left + width - tagWidth(joint) / 2, top + 44]) : ""}`;
  }
  return svg`${frameArt(true)}${drawnRow(ctx)}`;
}

// The row as it stood before the push, if this screen saw it: its tiles are tipped where they stood.
function asItFell(row, standing) {
  const same = row.length === standing.length && row.every((tile, i) => tile.value === standing[i].value);
  return same ? standing : row;
}

function drawnRow(ctx) {
  const { snap, say } = ctx;
  const { verdict } = snap;
  const row = asItFell(snap.row, ctx.standing);
  if (!row.length) return "";
  const byValue = (value) => row.find((tile) => tile.value === value);
  const ends = verdict.between?.map(byValue) ?? [];
  const [left, top, width, height] = INNER;
  const camera = ctx.look(row, "picture");
  return rowArt(camera, {
    row,
    spec: snap.tile,
    end: snap.end,
    tilts: tilts(falls(verdict), Infinity),
    up: { values: verdict.up ?? [], word: say("table.verdict.stillup") },
    joint:
      ends.length === 2 && ends.every(Boolean)
        ? { tiles: ends, word: verdict.gap_mm === null ? "" : say("table.verdict.gap", { gap: Math.round(verdict.gap_mm) }) }
        : null,
    safe: [left + 8, top + 80, left + width - 8, top + height - 8],
    plain: true,
  });
}

function caption({ snap, say, still }) {
  const { verdict } = snap;
  if (settled(snap) && verdict.votes) return say("table.verdict.voted");
  if (verdict.ruled) return say("table.verdict.ruled");
  const reporter = nameOf(snap, verdict.by);
  if (reporter) return say("table.verdict.reported", { name: reporter });
  if (verdict.before && !still) return say("table.verdict.pictures"); // by turns before and after
  return say(verdict.picture ? "table.verdict.picture" : byHand(snap) ? "table.verdict.shown" : "table.verdict.drawn");
}

export function verdictScreen(ctx) {
  const { say, snap } = ctx;
  const open = snap.verdict.step === "vote";
  const claim = snap.verdict.step === "confirm" && nameOf(snap, snap.verdict.by);
  const line = open || claim ? "" : whatStands(ctx);
  const { outcome } = snap.verdict;
  const said = claim ? say(`table.claim.${outcome}`, { name: claim }) : say(`table.verdict.${outcome}`);
  return {
    name: "verdict",
    title: open ? say("table.judge.title") : said,
    line,
    label: `${caption(ctx)}. ${line}`,
    art: evidence(ctx),
    over: html`${tallies(ctx)}
      <div class="t-caption"><p>${caption(ctx)}</p>${guess(ctx)}</div>
      <p class="t-after t-seats-${snap.seats.length}" role="status">${whatNext(ctx)}</p>`,
    classes: settled(snap) ? "t-settled" : "",
    quiet: true,
  };
}

/** The camera is not sure: the picture first, with two equal plaques for what may be said of it. */
export function unsureScreen(ctx) {
  const { say, snap } = ctx;
  const shown = snap.verdict?.picture ? snap.verdict : snap.push;
  const seen = shown?.picture;
  return {
    name: "judge",
    title: say("table.judge.title"),
    line: say(snap.devices?.sees === false ? "table.judge.unseen" : "table.judge.line"),
    label: seen ? say("table.verdict.picture") : "",
    art: seen ? framed(ctx, shown) : "",
    over: html`<div class="t-choices ${seen ? "" : "t-alone"}">
      ${["success", "failure"].map(
        (side) => html`<p class="t-choice">${plaque(side, { width: 250 })}<b class="display"
          >${say(side === "success" ? "table.judge.down" : "table.judge.up")}</b></p>`,
      )}
    </div>`,
    quiet: true,
  };
}
