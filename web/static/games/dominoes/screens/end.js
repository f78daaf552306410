/** How a round and a match ended: all hands open, what each counts, and the accounts. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { nextGame, totalLine } from "../../../core/evening.js";
import { mark } from "../../../core/objects/marks.js";
import { actRoom, called, capital, isWide, lamp, me, nameOf, names, page, room, seatOf, title } from "../../../core/page.js";
import { bonePicture } from "../objects/bone.js";
import { strip } from "./line.js";
import { account, accountWords, decided, isGoat, playing, ratingOf, sideOf } from "./others.js";

/** px of height from which the whole line stands above the hands. */
const STRIP_FROM_PX = 640;

/** What somebody did last, in a sentence or two; empty before anything was done. */
export function did(s, ui) {
  const [last] = s.recent.slice(-1);
  if (!last) {
    return "";
  }
  const name = nameOf(s, ui, last.seat);
  const own = s.recent.slice(s.recent.map((each) => each.seat !== last.seat).lastIndexOf(true) + 1);
  const drawn = own.filter((each) => each.what === "draw").length;
  const laid = own.filter((each) => each.what === "place");
  return [
    ...laid.map(({ bone, end }) => ui.t(`did.${end || "first"}`, { name, bone })),
    last.what === "stake" ? ui.t("did.stake", { name }) : "",
    drawn ? ui.t("did.draw", { name, count: drawn }) : "",
    last.what === "pass" ? ui.t("did.pass", { name }) : "",
  ].filter(Boolean).join(" ");
}

/** How the round ended: a title, and a line under it. */
export function roundWords(s, ui) {
  const { how, seat } = s.result;
  const you = seat === s.you.seat ? "_you" : "";
  const name = nameOf(s, ui, seat);
  return how === "fish" ? [ui.t("round.fish"), ui.t(`round.fish_by${you}`, { name })] : [ui.t(`round.out${you}`, { name }), ui.t("round.out_lead")];
}

/** How the round ended, as sentences: titles have no full stop. */
const roundSaid = (s, ui) => roundWords(s, ui).map((words) => words.replace(/[^.!]$/, "$&.")).join(" ");

/** Who has won, or lost where that is what is played for: in a title. */
export function winnerWords(s, ui) {
  const loses = s.options.limit_means === "lose";
  const who = decided(s);
  if (!who.length) {
    return ui.t("final.over");
  }
  const how = loses ? (isGoat(s.options) ? "final.goat" : "final.lost") : "final.won";
  return who.length === 1 && who[0] === s.you.seat ? ui.t(`${how}_you`) : ui.t(how, { count: who.length, names: names(s, ui, who) });
}

function points(s, ui, seat) {
  const side = sideOf(s, seat.seat);
  const given = s.result?.credited[side];
  const now = account(s, seat.seat);
  // Points for an account that stays closed are lost unless they are remembered.
  return html`<span class="open-account">
    ${given && s.sides[side][0] === seat.seat ? html`<span>${now === "–" ? ui.t("round.burnt", { count: given }) : `+${given}`}</span>` : ""}
    <b class="display" role="img" aria-label=${accountWords(s, ui, seat.seat)}>${now}</b></span>`;
}

function openHand(s, ui, seat) {
  const hand = s.result?.hands[seat.seat];
  const points = ratingOf(s, seat.seat);
  const rating = points ? html`<span class="open-rating">${ui.t("final.rating", { count: points })}</span>` : "";
  if (!hand) {
    return rating && html`<p class="open-bones">${rating}</p>`;
  }
  return hand.length
    ? html`<p class="open-bones">${hand.map((bone) => bonePicture(bone, { u: 0.75, label: bone }))}
        <span class="open-pips">${ui.t("round.pips", { count: s.result.pips[seat.seat] })}</span>${rating}</p>`
    : html`<p class="open-bones"><span>${ui.t("round.none")}</span>${rating}</p>`;
}

/** Every hand open, with what it counts, and every account. */
const openHands = (s, ui) => html`<ol class="card open-hands">
  ${playing(s).map((seat) => html`<li>
    <p>${mark(seat.mark, { size: 28 })}<b>${capital(called(s, ui, seat.seat))}</b>${s.phase === "GAME_OVER" ? totalLine(seat, ui) : ""}${points(s, ui, seat)}</p>
    ${openHand(s, ui, seat)}
  </li>`)}
</ol>`;

export function roundEnd(s, ui) {
  const [heading, lead] = roundWords(s, ui);
  const fish = s.result.how === "fish";
  return page(s, ui, {
    name: fish ? "fish" : "round",
    label: ui.t("rail.round_n", { round: s.round }),
    body: html`${title(heading, { size: fish ? "title-xl" : "" })}
      <p class="lead">${lead} ${s.carry ? ui.t("round.carry", { count: s.carry }) : ""}</p>
      ${ui.height >= STRIP_FROM_PX ? strip(s, ui, isWide(ui) ? actRoom(ui) + room(ui) : room(ui)) : ""} ${openHands(s, ui)}
      <p class="hint">${ui.t("round.next")}</p>`,
  });
}

export function final(s, ui) {
  const ids = decided(s);
  const who = ids.map((id) => seatOf(s, id)).filter(Boolean);
  const lead = !ids.length ? ui.t("final.left") : s.result && roundSaid(s, ui);
  return page(s, ui, {
    name: "match",
    label: ui.t("final.rail"),
    body: html`${who.length ? html`<p class="final-marks">${who.map((seat) => mark(seat.mark, { size: ui.height < 700 ? 48 : 72 }))}</p>` : ""}
      <div class="middle">${title(winnerWords(s, ui))}<p class="lead">${lead}</p></div>
      ${openHands(s, ui)}
      ${me(s) || s.you.host ? html`<a class="key key-plain" href="replay#newest"><span>${ui.t("final.look")}</span></a>` : ""}`,
    foot: s.may.rematch
      ? nextGame(s, ui)
      : html`<p class="hint">${ui.t("final.thanks")}</p>${s.may.sit && !me(s) ? lamp(ui.t("join.sit"), () => ui.set({ joining: true })) : ""}`,
  });
}
