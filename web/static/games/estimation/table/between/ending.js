// The end of a game that had a push: the winner, its falls and their films, what was earned, and the order on the rail.
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { eyesOf } from "../../../../core/badges.js";
import { mark, markShape } from "../../../../core/objects/marks.js";
import { capital } from "../../../../core/page.js";
import { againKeys } from "../../../../table/games.js";
import { nameOf, seatOf } from "../../../../table/names.js";
import { LEAST_TYPE, written } from "../../../../table/rail.js";
import { wordWidth } from "../../../../table/width.js";
import { awardPicture, awardWords, eyeBadge } from "../../objects/award.js";
import { chip } from "../../objects/chip.js";
import { fallShape, fallWords } from "../../objects/fallview.js";
import { frameArt, inner } from "../frame.js";

/** Where the falls hang: so high and wide that a picture of 16 : 9 is whole in its frame. */
/** So many falls have room side by side: the best, or the last. */
const MOST = 3;
const FRAME = { x: 72, y: 290, width: 540, height: 330, step: 600 };
/** The coin on a frame's right bar with the number of its round; the sign of its film is below it. */
const COIN = { r: 34, x: 546, y: 64 };
/** Stage px of the rail's last plate, of a mark with its gaps, and of a plate's edges where the name has a line of its own. */
const REMATCH = 456;
const MARK = 120;
const EDGES = 16;
/** Type of who or how much, and stage px that it has: beside the picture, or below where there are four awards. */
const HERO = 54;
const HERO_ROOM = { few: 440, four: 424 };

const box = (i) => [FRAME.x + i * FRAME.step, FRAME.y, FRAME.width, FRAME.height];

/** A fall in its frame: a picture out of its film or, while there is none, the row as it lay. */
function frame(fall, i, film) {
  const [x, y, width, height] = inner(box(i));
  const picture = film
    ? svg`<image href=${film.still} x=${x} y=${y} width=${width} height=${height}></image>`
    : fallShape(fall, { x, y, width, height });
  const [cx, cy] = [FRAME.x + i * FRAME.step + COIN.x, FRAME.y + COIN.y];
  const coin = svg`<circle cx=${cx} cy=${cy} r=${COIN.r} fill="#2c1c10" stroke="#fdf0d8" stroke-width="3"></circle>
    <text class="t-fall-round" x=${cx} y=${cy} fill="#fdf0d8">${fall.round}</text>`;
  return [frameArt(true, box(i)), picture, coin];
}

/** Those who share an award, by the marks that stand on the rail. */
const sharers = (snap, seats, names) => html`<span class="t-award-marks" role="img" aria-label=${names}>${seats.map((id) =>
  mark(seatOf(snap, id)?.mark, { size: 62 }),
)}</span>`;

function award(snap, given, words, room) {
  const { title, hero, why, rule } = awardWords(given, words);
  const shared = given.seats.length > 1 || wordWidth(hero, HERO, "display") > room;
  return html`<li><details class="t-award" name="t-award">
    <summary>${awardPicture(given.kind, 96)}<span class="t-award-title">${title}</span>
      ${shared && given.seats.length ? sharers(snap, given.seats, hero) : html`<b class="t-award-hero display">${hero}</b>`}</summary>
    <p class="t-award-rule"><b>${title}.</b> ${capital(why)}. ${rule}</p>
  </details></li>`;
}

/** What was earned, from the left; four stand closer than three. */
function earned(snap, words) {
  const { awards } = snap.final;
  if (!awards.length) return "";
  const four = awards.length > 3;
  return html`<ul class="t-awards ${four ? "t-awards-four" : ""}">
    ${awards.map((given) => award(snap, given, words, four ? HERO_ROOM.four : HERO_ROOM.few))}</ul>`;
}

function plate(say, { seat, place, badge }, room) {
  return html`<li class="t-plate">
    ${mark(seat.mark, { size: 80 })}${badge ? eyeBadge(say("table.badge.eye")) : ""}
    <span class="t-who">
      ${written(seat.name, LEAST_TYPE, room)}
      <span class="t-holds">${chip({ size: 46 })}<b class="t-count">${seat.chips}</b>
        <span class="unseen">${say(`table.final.place.${place}`)}</span></span>
    </span>
  </li>`;
}

/** The film of a fall over the screen, which stays as it is behind it; when the screen changes, the film goes with it. */
const filmSheet = (film, words, say) => html`<dialog class="t-film" aria-label=${words} @close=${stop}>
  <header><h2 class="display">${words}</h2>
    <button type="button" class="t-key" autofocus @click=${(event) => event.currentTarget.closest("dialog").close()}>${say("table.close")}</button></header>
  <video controls playsinline preload="none" src=${film.url}></video>
</dialog>`;

const videoOf = (sheet) => sheet.querySelector("video");

/** Play a film from its beginning, as loud as this screen is. */
function play(sheet, sounding) {
  const video = videoOf(sheet);
  video.muted = !sounding;
  video.currentTime = 0;
  sheet.showModal();
  video.play().catch(() => {}); // closed before it began, or gone: the picture and the keys stay
}

const stop = (event) => videoOf(event.currentTarget).pause();

/** A play sign on the frame of each fall whose film is there; none in a browser without a dialog to play it in. */
function plays({ say, sounding }, falls, films, captions) {
  if (!films.some(Boolean) || !window.HTMLDialogElement) return "";
  return html`<div class="t-plays">${films.map((film, i) => {
    if (!film) return html`<span></span>`;
    const words = `${say("film.title", { round: falls[i].round })}: ${captions[i]}`;
    return html`<div><button type="button" class="t-play" aria-label=${words} @click=${(event) => play(event.currentTarget.nextElementSibling, sounding)}>
      <svg viewBox="0 0 76 76" aria-hidden="true"><circle cx="38" cy="38" r="34" fill="#2c1c10" stroke="#fdf0d8" stroke-width="3"></circle>
        <path d="M30 23L55 38L30 53Z" fill="#fdf0d8"></path></svg></button>
      ${filmSheet(film, words, say)}</div>`;
  })}</div>`;
}

/** The whole game again, for whoever may look back at it. */
const replay = ({ snap, say }) =>
  snap.you.host
    ? html`<a class="t-screen-key t-replay" href="replay#newest" aria-label=${say("table.final.replay")} title=${say("table.final.replay")}
        ><svg viewBox="0 0 72 72" aria-hidden="true"><path d="M18 28A20 20 0 1 1 16 40M17 15V29H31M32 28L46 36L32 44Z"></path></svg></a>`
    : "";

/** The order on the rail; its last plate has the lamp. */
function board(ctx, places) {
  const { snap, say, redraw } = ctx;
  const eyes = eyesOf(snap, redraw);
  const ranked = places.map((each) => ({ ...each, badge: eyes.includes(each.seat.seat) }));
  const wide = (1920 - 2 * 28 - REMATCH) / ranked.length;
  const room = wide - (ranked.length > 3 ? EDGES : MARK);
  return html`<ol class="t-rail t-rail-final t-seats-${ranked.length}">
    ${ranked.map((each) => plate(say, each, room))}
    <li class="t-plate t-active t-rematch">
      ${
        snap.you.host
          ? againKeys(ctx)
          : html`<svg class="t-wedge" viewBox="0 0 50 28" aria-hidden="true"><path d="M1 1H49L25 26Z"></path></svg>
            <span class="t-who"><b class="display t-rematch-word">${say("table.final.rematch")}</b>
              <span class="t-rematch-who">${say("table.final.rematch.who")}</span></span>`
      }
    </li>
  </ol>`;
}

/** Those with a film, which are the best, and as many of the last as have room beside them. */
function shownFalls({ falls, films = [] }) {
  const best = falls.filter((fall) => films.some((film) => film.round === fall.round)).slice(0, MOST);
  const rest = falls.filter((fall) => !best.includes(fall)).reverse().slice(0, MOST - best.length);
  return falls.filter((fall) => best.includes(fall) || rest.includes(fall));
}

/** The parts of the screen that a game with pushes has in place of the stacks; the title is of this size. */
export function endingParts(ctx, ranked, size) {
  const { snap, say, lang } = ctx;
  const falls = shownFalls(snap.final);
  const films = falls.map((fall) => snap.final.films?.find((film) => film.ready && film.round === fall.round));
  const captions = falls.map((fall) => fallWords(fall, { t: (key, params) => say(`table.fall.${key}`, params), lang }));
  const [winner, ...others] = snap.final.winners.map((id) => seatOf(snap, id)).filter(Boolean);
  const words = { t: (key, params) => say(`table.award.${key}`, params), lang, name: (seat) => nameOf(snap, seat) };
  return {
    art: [
      winner && !others.length ? markShape(winner.mark, { x: 72 + size * 0.42, y: 48 + size * 0.53, size: size * 0.72 }) : "",
      ...falls.map((fall, i) => frame(fall, i, films[i])),
    ],
    over: html`${plays(ctx, falls, films, captions)}<ol class="t-falls">${captions.map((caption) => html`<li>${caption}</li>`)}</ol>
      ${earned(snap, words)}${replay(ctx)}
      ${board(ctx, ranked)}`,
    classes: others.length ? "t-ending" : "t-ending t-ending-one",
  };
}
