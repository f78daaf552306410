/** The secret ballot: two plaques of equal weight; sealed; and the placer's, which everybody knows. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../../vendor/lit-html/directives/repeat.js";
import { plaque } from "../../objects/ballot.js";
import { mark } from "../../../../core/objects/marks.js";
import { sign, tick } from "../../../../core/objects/signs.js";
import { actRoom, called, key, me, nameOf, page, title } from "../../../../core/page.js";
import { rowStrip } from "../row.js";

/** Who called, and who was a blink later, by how much. */
export function callerLine(s, ui) {
  const [next] = s.shout?.late ?? [];
  const late = s.shout?.late.find((each) => each.seat === s.you.seat);
  const caller = s.shout?.caller ?? s.caller;
  if (!caller) {
    return "";
  }
  const name = nameOf(s, ui, caller);
  if (s.shout?.tie_ms && next) {
    return finishLine(s, ui, { name, late, next });
  }
  if (late) {
    return ui.t("ballot.earlier", { name, ms: late.ms });
  }
  const first = caller === s.you.seat ? ui.t("ballot.you_called") : ui.t("ballot.called", { name });
  return next ? `${first} ${ui.t("ballot.later", { other: nameOf(s, ui, next.seat), ms: next.ms })}` : first;
}

/** What the photo finish shows: who pressed first and by how much, or that nobody can tell. */
function finishLine(s, ui, { name, late, next }) {
  const { caller, tie_ms: tie } = s.shout;
  const whose = caller === s.you.seat ? "you" : late ? "late" : "first";
  const { ms } = late ?? next;
  return ms < tie ? ui.t(whose === "you" ? "finish.tie.you" : "finish.tie", { name, ms: tie }) : ui.t(`finish.${whose}`, { name, ms });
}

/** Whose ballot is in, by ticks. */
export function ticks(s, ui) {
  return html`<ul class="ticks">
    ${repeat(
      s.seats,
      (seat) => seat.seat,
      (seat) => html`<li>
        ${mark(seat.mark, { size: 38 })}${tick(seat.in)}
        <span class="unseen">${called(s, ui, seat.seat)}: ${ui.t(seat.in ? "ballot.is_in" : "ballot.not_in")}</span>
      </li>`,
    )}
  </ul>`;
}

function counted(s, ui, secret) {
  const words = ui.t("ballot.count", { count: s.ballot.count, of: s.ballot.of });
  return html`<p class="hint"><span>${words}</span> ${secret ? html`<span>${ui.t("ballot.secret")}</span>` : ""}</p>`;
}

/** One of the two answers: a plaque and what it means; a row of its own when text is large. */
export function answer(ui, side, width, press, { pressed = false, word, meaning }) {
  return html`<button type="button" class="answer answer-${side}" aria-pressed=${pressed ? "true" : "false"}
    aria-label=${`${word}: ${meaning}`} @click=${press}>
    <span class="answer-tall">${plaque(side, { width, word })}</span>
    <span class="answer-small">${plaque(side, { width: Math.min(82, ui.width / 4.2) })}</span>
    <span class="answer-text"><b>${word}</b><span>${meaning}</span></span>
  </button>`;
}

function choose(s, ui) {
  const width = Math.min((actRoom(ui) - 14) / 2, 172);
  const pick = (side) => () => {
    ui.set({ change: false, peep: false });
    ui.send("vote", { side });
  };
  const one = (side) =>
    answer(ui, side, width, pick(side), { word: ui.t(`side.${side}`), meaning: ui.t(`side.${side}.means`) });
  return page(s, ui, {
    name: "ballot",
    label: ui.t("ballot.rail"),
    body: html`<p class="kicker">${callerLine(s, ui)}</p>
      ${title(ui.t("ballot.title"))} ${rowStrip(s, ui)}`,
    act: html`<div class="answers" role="group" aria-label=${ui.t("ballot.title")}>${one("success")}${one("failure")}</div>`,
    foot: html`${ui.local.change ? "" : ticks(s, ui)} ${counted(s, ui, ui.height >= 700)}
      ${ui.local.change ? key(ui.t("ballot.keep"), () => ui.set({ change: false })) : ""}`,
  });
}

/** The side of the last ballot, while it can still be turned over; of another's only the phone that cast it knows. */
function closing(s, ui) {
  const side = s.acting ? ui.taken("vote", s.you.seat)?.fields.side : s.ballot.mine;
  return s.ballot.closing?.seat === s.you.seat && !ui.local.change ? side : null;
}

/** What is said of a ballot that is not safe yet: it is on its way, or the last one. */
export function unsafe(s, ui) {
  if (ui.pending("vote", s.you.seat)) {
    return ui.link === "live" ? "sealed.sending" : "sealed.waiting";
  }
  return closing(s, ui) ? "sealed.last" : "";
}

/** On its back from the tap on, unless somebody peeps at their own. */
function lies(s, ui, lead, foot, side = null) {
  const width = ui.height < 700 ? 128 : 200;
  return page(s, ui, {
    name: "sealed",
    label: ui.t("ballot.rail"),
    body: html`<p class="kicker">${callerLine(s, ui)}</p>
      ${title(ui.t(side ? "sealed.up" : s.acting ? "sealed.title_acting" : "sealed.title"))}
      <div class="big-plaque ${side ? "is-peep" : "is-back"}">
        ${side ? plaque(side, { width, word: ui.t(`side.${side}`) }) : plaque("back", { width })}
      </div>
      <p class="lead middle">${ui.t(lead)}</p>`,
    foot: html`${ticks(s, ui)} ${foot}`,
  });
}

/** Not safe yet; the last ballot can be turned over for a moment. */
function settling(s, ui, word) {
  const turn = () => ui.send("vote", { side: closing(s, ui) === "success" ? "failure" : "success" });
  return lies(s, ui, word, word === "sealed.last" ? key(ui.t("sealed.other"), turn) : counted(s, ui, false));
}

function sealed(s, ui) {
  const peep = Boolean(ui.local.peep) && !s.acting;
  const side = s.ballot.mine;
  const keys = html`${counted(s, ui, false)}
      <div class="pair">
        ${s.acting ? key(ui.t("acting.back"), () => ui.set({ acting: null })) : key(ui.t(peep ? "sealed.hide" : "sealed.peep"), () => ui.set({ peep: !peep }), { pressed: peep ? "true" : "false" })}
        ${s.may.vote ? key(ui.t("sealed.change"), () => ui.set({ change: true, peep: false })) : ""}
      </div>`;
  return lies(s, ui, peep ? `side.${side}.means` : s.acting ? "sealed.lead_acting" : "sealed.lead", keys, peep ? side : null);
}

/** Success with a lock: whoever placed last says that it falls. */
function forced(s, ui) {
  const width = ui.height < 700 ? 130 : 214;
  const side = s.ballot.mine ?? "success";
  const placer = s.placer === s.you.seat;
  return page(s, ui, {
    name: "forced",
    label: ui.t("ballot.rail"),
    body: html`<p class="kicker">${callerLine(s, ui)}</p>
      ${title(ui.t(placer ? "forced.title" : "forced.title_caller"))}
      <div class="big-plaque is-locked">
        ${plaque(side, { width, word: ui.t(`side.${side}`) })}<span class="lock">${sign("lock", 38)}</span>
      </div>
      <p class="lead middle">${ui.t("forced.lead")}</p>`,
    foot: html`${ticks(s, ui)} ${counted(s, ui, false)}`,
  });
}

function watching(s, ui) {
  return page(s, ui, {
    name: "ballot",
    label: ui.t("ballot.rail"),
    body: html`<p class="kicker">${callerLine(s, ui)}</p>
      ${title(ui.t("ballot.title"))} ${rowStrip(s, ui)}
      <p class="lead">${ui.t("ballot.watching")}</p>`,
    foot: html`${ticks(s, ui)} ${counted(s, ui, false)}`,
  });
}

export function ballot(s, ui) {
  if (!me(s)) {
    return watching(s, ui);
  }
  if (s.ballot.forced) {
    return forced(s, ui);
  }
  const word = unsafe(s, ui);
  if (word) {
    return settling(s, ui, word);
  }
  return s.ballot.mine && !ui.local.change ? sealed(s, ui) : choose(s, ui);
}
