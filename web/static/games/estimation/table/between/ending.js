// The end of a game that had a push: the winner, three falls, what was earned, and the order on the rail.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { eyesOf } from "../../../../core/badges.js";
import { mark, markShape } from "../../../../core/objects/marks.js";
import { capital } from "../../../../core/page.js";
import { againKeys } from "../../../../table/games.js";
import { nameOf, seatOf } from "../../../../table/names.js";
import { LEAST_TYPE } from "../../../../table/rail.js";
import { wordWidth } from "../../../../table/width.js";
import { awardPicture, awardWords, eyeBadge } from "../../objects/award.js";
import { chip } from "../../objects/chip.js";
import { fallShape, fallWords } from "../../objects/fallview.js";
import { frameArt, inner } from "../frame.js";

const MOST = 3;
const FRAME = { x: 72, y: 316, width: 556, height: 300, step: 610 };
/** The coin in a frame's corner with the number of its round. */
const COIN = { r: 38, aside: 62 };
/** Stage px of the rail's last plate, and of a mark with its gaps. */
const REMATCH = 430;
const MARK = 120;
const HERO_ROOM = 440;

const box = (i) => [FRAME.x + i * FRAME.step, FRAME.y, FRAME.width, FRAME.height];

/** A fall in its frame: a picture out of its film or, while there is none, the row as it lay. */
function frame(fall, i, films) {
  const [x, y, width, height] = inner(box(i));
  const film = films.find((each) => each.ready && each.round === fall.round);
  const still = film && svg`<image href=${film.still} x=${x} y=${y} width=${width} height=${height} preserveAspectRatio="xMidYMid slice"></image>`;
  const [cx, cy] = [FRAME.x + i * FRAME.step + COIN.aside, FRAME.y + COIN.aside];
  const coin = svg`<circle cx=${cx} cy=${cy} r=${COIN.r} fill="#2c1c10" stroke="#fdf0d8" stroke-width="3"></circle>
    <text class="t-fall-round" x=${cx} y=${cy} fill="#fdf0d8">${fall.round}</text>`;
  return [frameArt(true, box(i)), still ?? fallShape(fall, { x, y, width, height }), coin];
}

/** Those who share an award, by the marks that stand on the rail. */
const sharers = (snap, seats, names) => html`<span class="t-award-marks" role="img" aria-label=${names}>${seats.map((id) =>
  mark(seatOf(snap, id)?.mark, { size: 62 }),
)}</span>`;

function award(snap, given, words) {
  const { title, hero, why, rule } = awardWords(given, words);
  const shared = given.seats.length > 1 || wordWidth(hero, LEAST_TYPE, "display") > HERO_ROOM;
  return html`<li><details class="t-award">
    <summary>${awardPicture(given.kind, 96)}<span><span class="t-award-title">${title}</span>
      ${shared && given.seats.length ? sharers(snap, given.seats, hero) : html`<b class="t-award-hero display">${hero}</b>`}</span></summary>
    <p class="t-award-rule">${capital(why)}. ${rule}</p>
  </details></li>`;
}

/** As much of a name as this room has, in the smallest step of a plate. */
function fitted(name, room) {
  const letters = Array.from(name.replace("…", ""));
  if (wordWidth(name, LEAST_TYPE) <= room) return name;
  while (letters.length > 1 && wordWidth(`${letters.join("")}…`, LEAST_TYPE) > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

function plate(say, { seat, place, badge }, name) {
  return html`<li class="t-plate">
    ${mark(seat.mark, { size: 80 })}${badge ? eyeBadge(say("table.badge.eye")) : ""}
    <span class="t-who">
      <b class="t-name t-name-${LEAST_TYPE}">${name}</b>
      <span class="t-holds">${chip({ size: 46 })}<b class="t-count">${seat.chips}</b>
        <span class="unseen">${say(`table.final.place.${place}`)}</span></span>
    </span>
  </li>`;
}

/** A play sign over each picture: its film where there is one, else the whole game for whoever may look back at it. */
function plays({ snap, say }, falls, films, captions) {
  const shown = falls.map((fall) => films.find((film) => film.ready && film.round === fall.round));
  if (!snap.you.host && !shown.some(Boolean)) return "";
  return html`<div class="t-plays">${captions.map((caption, i) => {
    if (!shown[i] && !snap.you.host) return html`<span></span>`;
    const label = shown[i] ? caption : `${say("table.final.replay")}: ${caption}`;
    return html`<a href=${shown[i]?.url ?? "replay#newest"} aria-label=${label}>
    <svg viewBox="0 0 76 76" aria-hidden="true"><circle cx="38" cy="38" r="35" fill="#2c1c10" stroke="#fdf0d8" stroke-width="3"></circle>
      <path d="M30 23L55 38L30 53Z" fill="#fdf0d8"></path></svg></a>`;
  })}</div>`;
}

/** The order on the rail; its last plate has the lamp. */
function board(ctx, places) {
  const { snap, say, redraw } = ctx;
  const eyes = eyesOf(snap, redraw);
  const ranked = places.map((each) => ({ ...each, badge: eyes.includes(each.seat.seat) }));
  const wide = (1920 - 2 * 28 - REMATCH) / ranked.length;
  const room = wide - (ranked.length > 4 ? 96 : MARK);
  return html`<ol class="t-rail t-rail-final t-seats-${ranked.length}">
    ${ranked.map((each) => plate(say, each, fitted(nameOf(snap, each.seat.seat), room)))}
    <li class="t-plate t-active t-rematch">
      <svg class="t-wedge" viewBox="0 0 50 28" aria-hidden="true"><path d="M1 1H49L25 26Z"></path></svg>
      ${
        snap.you.host
          ? againKeys(ctx)
          : html`<span class="t-who"><b class="display t-rematch-word">${say("table.final.rematch")}</b>
              <span class="t-rematch-who">${say("table.final.rematch.who")}</span></span>`
      }
    </li>
  </ol>`;
}

/** The parts of the screen that a game with pushes has in place of the stacks; the title is of this size. */
export function endingParts(ctx, ranked, size) {
  const { snap, say, lang } = ctx;
  const films = snap.final.films ?? [];
  const best = films.map((film) => film.round);
  const falls = snap.final.falls.filter((fall) => !best.length || best.includes(fall.round)).slice(-MOST);
  const captions = falls.map((fall) => fallWords(fall, { t: (key, params) => say(`table.fall.${key}`, params), lang }));
  const earned = snap.final.awards.slice(0, MOST);
  const [winner, ...others] = snap.final.winners.map((id) => seatOf(snap, id)).filter(Boolean);
  const words = { t: (key, params) => say(`table.award.${key}`, params), lang, name: (seat) => nameOf(snap, seat) };
  return {
    art: [winner && !others.length ? markShape(winner.mark, { x: 72 + size * 0.42, y: 48 + size * 0.53, size: size * 0.72 }) : "", ...falls.map((fall, i) => frame(fall, i, films))],
    over: html`${plays(ctx, falls, films, captions)}<ol class="t-falls">${captions.map((caption) => html`<li>${caption}</li>`)}</ol>
      ${earned.length ? html`<ul class="t-awards">${earned.map((given) => award(snap, given, words))}</ul>` : ""}
      ${board(ctx, ranked)}`,
    classes: others.length ? "t-ending" : "t-ending t-ending-one",
  };
}
