/** All ballots turned over, side by side in the order of seats, and what they can win. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { plaque } from "../../objects/ballot.js";
import { chip } from "../../objects/chip.js";
import { mark } from "../../../../core/objects/marks.js";
import { called, capital, lamp, nameOf, names, page, room, title } from "../../../../core/page.js";

/** Letters of a word that fit below a ballot. */
const NARROW = 5;

/** Seats that said so. */
function sideSeats(s, side) {
  return s.seats.map((seat) => seat.seat).filter((id) => s.reveal.ballots[id] === side);
}

/** "Two say it falls, two say it stands." */
function tally(s, ui) {
  const number = (count) => ui.t(`number.${count}`);
  const falls = sideSeats(s, "success").length;
  const stands = sideSeats(s, "failure").length;
  if (stands === 0) {
    return ui.t("reveal.nobody");
  }
  const first = ui.t("reveal.falls", { count: falls, number: number(falls) });
  return `${first}, ${ui.t("reveal.stands", { count: stands, number: number(stands).toLocaleLowerCase(ui.lang) })}`;
}

/** What this player's side takes if it is right; a watcher is told both. */
function stakeLine(s, ui) {
  const mine = s.reveal.ballots[s.you.seat];
  return mine ? sideLine(s, ui, mine) : `${sideLine(s, ui, "success")} ${sideLine(s, ui, "failure")}`;
}

function sideLine(s, ui, side) {
  const seats = sideSeats(s, side);
  const params = { count: s.reveal.stake[side], names: names(s, ui, seats) };
  const alone = seats.length === 1 ? (seats[0] === s.you.seat ? "you" : "one") : "many";
  return ui.t(`reveal.stake.${side}.${alone}`, params);
}

export function reveal(s, ui) {
  const count = s.seats.length;
  const short = ui.height < 700;
  const width = Math.min((room(ui) - 36) / 2, short ? (count > 4 ? 76 : 100) : count > 4 ? 100 : 138);
  return page(s, ui, {
    name: "reveal",
    body: html`${title(tally(s, ui))}
      <ul class="ballots ballots-${count}">
        ${s.seats
          .filter((seat) => seat.seat in s.reveal.ballots)
          .map((seat, i) => {
            const side = s.reveal.ballots[seat.seat];
            return html`<li class="ballot-seat tilt-${i % 4}">
              <span class="turned">${plaque(side, { width, word: ui.t(`side.${side}`) })}
                ${seat.seat === s.placer ? html`<span class="placer-tag">${ui.t("word.placer")}</span>` : ""}</span>
              <span class="ballot-name">${mark(seat.mark, { size: 26 })}<b>${capital(called(s, ui, seat.seat, NARROW))}</b></span>
              <span class="unseen">${ui.t(`side.${side}`)}</span>
            </li>`;
          })}
      </ul>`,
    foot: html`${s.may.go_on ? lamp(ui.t("reveal.on"), () => ui.send("go_on")) : ""}
    <div class="card stake">
      ${s.reveal.push ? chip({ size: 46 }) : ""}
      <p><b>${ui.t(s.reveal.push ? "reveal.push" : "reveal.no_push")}</b>
        ${s.reveal.why ? html`<span>${ui.t(`reveal.why.${s.reveal.why}`, { name: nameOf(s, ui, s.caller) })}</span>` : ""}
        <span>${s.reveal.push ? stakeLine(s, ui) : ui.t("reveal.go_on")}</span></p>
    </div>`,
  });
}
