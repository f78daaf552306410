/** The end of the game: the winner's mark and name, the order of all, and a rematch. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { awardPicture, awardWords, eyeBadge } from "../objects/award.js";
import { chip, stackShape } from "../objects/chip.js";
import { fallShape } from "../objects/fallview.js";
import { mark, markShape } from "../../../core/objects/marks.js";
import { eyesOf } from "../../../core/badges.js";
import { nextGame, totalLine } from "../../../core/evening.js";
import { bestFilms, caption } from "./film.js";
import { called, capital, lamp, me, nameOf, names, page, room, seatOf, title } from "../../../core/page.js";
import { reckoning, spoken } from "../../../core/spoken.js";

/** Letters of a word that fit beside a rank, a mark and chips. */
const NARROW = 9;

/** The winners' marks between stacks of chips. */
function podium(s, width, short) {
  const winners = s.final.winners.map((id) => seatOf(s, id)).filter(Boolean);
  const most = Math.max(0, ...winners.map((seat) => seat.chips));
  const tall = short ? 92 : 172;
  const size = winners.length > 1 ? (short ? 52 : 84) : short ? 70 : 138;
  const middle = width / 2;
  const wide = Math.min(short ? 50 : 62, width / 5);
  const aside = Math.min(108, middle - wide * 0.7);
  return html`<svg class="podium" width=${width} height=${tall} viewBox="0 0 ${width} ${tall}" aria-hidden="true">
    <ellipse cx=${middle} cy=${tall - 22} rx=${Math.min(150, middle)} ry="20" fill="url(#g-pool)"></ellipse>
    ${stackShape(Math.min(7, Math.floor(most / 2)), { x: middle - aside, y: tall - 24, width: wide })}
    ${stackShape(Math.min(7, Math.ceil(most / 2)), { x: middle + aside, y: tall - 24, width: wide })}
    ${winners.map((seat, i) =>
      markShape(seat.mark, { x: middle + (i - (winners.length - 1) / 2) * size * 0.82, y: tall - 36 - size * 0.42, size }),
    )}
  </svg>`;
}

/** By how much it was won; only of those who still sit there, name and chips are known. */
function margin(s, ui) {
  const [first, second] = s.final.ranking.map((id) => seatOf(s, id));
  if (!first) {
    return "";
  }
  const chipsWord = ui.t("final.chips", { count: first.chips });
  if (s.final.winners.length > 1) {
    return ui.t("final.shared_lead", { chips: chipsWord });
  }
  if (!second) {
    return `${chipsWord}.`;
  }
  const whom = second.seat === s.you.seat ? ui.t("final.than_you") : ui.t("final.than", { name: nameOf(s, ui, second.seat) });
  return ui.t("final.lead", { chips: chipsWord, more: ui.t("final.more", { count: first.chips - second.chips }), whom });
}

/** The first digits of what stands for the whole game, to hold against its file later. */
function fingerprint(s, ui) {
  if (!s.final.fingerprint) {
    return "";
  }
  return html`<p class="hint final-print">${ui.t("final.fingerprint")} <code translate="no">${s.final.fingerprint}</code>
    <span>${ui.t("final.fingerprint.why")}</span></p>`;
}

const MOST_FALLS = 3;
const FALL_HIGH = 96;

/** How each round ended, drawn. */
function falls(s, ui) {
  const told = (s.final.falls ?? []).slice(-MOST_FALLS);
  if (!told.length) return "";
  const width = room(ui) - 32;
  return html`<section class="card ending"><h2 class="display">${ui.t("final.falls")}</h2>
    <ul class="ending-falls">${told.map(
      (fall) => html`<li><svg width=${width} height=${FALL_HIGH} viewBox="0 0 ${width} ${FALL_HIGH}" aria-hidden="true">
          ${fallShape(fall, { width, height: FALL_HIGH })}</svg><span>${caption(fall, ui)}</span></li>`,
    )}</ul></section>`;
}

/** What was earned; a tap tells the rule. */
function awards(s, ui) {
  const earned = s.final.awards ?? [];
  if (!earned.length) return "";
  const words = { t: (key, params) => ui.t(`award.${key}`, params), lang: ui.lang, name: (seat) => capital(called(s, ui, seat)) };
  return html`<section class="card ending"><h2 class="display">${ui.t("final.awards")}</h2>
    ${earned.map((given) => {
      const { title: name, hero, why, rule } = awardWords(given, words);
      return html`<details class="award"><summary>${awardPicture(given.kind, 52)}<span><span class="award-title">${name}</span>
          <b class="award-hero display">${hero}</b><span class="award-why">${why}</span></span></summary><p>${rule}</p></details>`;
    })}</section>`;
}

/** What this player did, in three sentences; the figures are a tap away. */
function said(s, ui) {
  const figures = me(s) && s.final.figures?.[s.you.seat];
  if (!figures) return "";
  const t = (key, params) => ui.t(`say.${key}`, params);
  return html`<section class="card ending"><h2 class="display">${ui.t("final.said")}</h2>
    ${spoken(figures, t).map((sentence) => html`<p class="spoken">${sentence}</p>`)}
    <details class="reckoned"><summary>${ui.t("say.how")}</summary>
      ${reckoning(figures, t, ui.lang).map((line) => html`<p>${line}</p>`)}</details></section>`;
}

/** The whole game again, on the page of past games; one without a push has nothing to watch. */
const replay = (s, ui) =>
  s.final.falls?.length && (me(s) || s.you.host) ? html`<a class="key key-plain" href="replay#newest"><span>${ui.t("final.replay")}</span></a>` : "";

export function final(s, ui) {
  const { winners, ranking } = s.final;
  const alone = winners.length === 1;
  const mine = alone && winners[0] === s.you.seat;
  const heading = mine ? ui.t("final.you") : ui.t(alone ? "final.won" : "final.won_together", { name: names(s, ui, winners) });
  const eyes = eyesOf(s, () => ui.set({}));
  let rank = 0;
  return page(s, ui, {
    name: "final",
    label: ui.t("final.rail"),
    body: html`${podium(s, room(ui), ui.height < 700)}
      <div class="middle">${title(heading, { size: "title-xl" })}<p class="lead">${margin(s, ui)}</p></div>
      <ol class="card ranking">
        ${ranking.map((id, i) => {
          const seat = seatOf(s, id);
          if (!seat) {
            return "";
          }
          const before = i ? seatOf(s, ranking[i - 1])?.chips : null;
          rank = seat.chips === before ? rank : i + 1;
          return html`<li><span class="rank display">${rank}</span>${mark(seat.mark, { size: 32 })}
            <span class="seat-text"><b>${capital(called(s, ui, id, NARROW))} ${eyes.includes(id) ? eyeBadge(ui.t("badge.eye")) : ""}</b>${totalLine(seat, ui)}</span>${chip({ size: 34 })}<span class="chip-total display">${seat.chips}</span></li>`;
        })}
      </ol>
      ${awards(s, ui)}${said(s, ui)}${bestFilms(s.final.films, ui) || falls(s, ui)}${fingerprint(s, ui)}`,
    foot: s.may.rematch
      ? html`${nextGame(s, ui)}${replay(s, ui)}`
      : html`<p class="hint">${ui.t("final.thanks")}</p>
          ${s.may.sit ? lamp(ui.t("final.sit"), () => ui.set({ joining: true })) : ""}`,
  });
}
