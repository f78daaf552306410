/** What became of the row: one sentence, the picture, the chips; and who agrees. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../../vendor/lit-html/directives/repeat.js";
import { again } from "../../../../core/again.js";
import { plaque } from "../../objects/ballot.js";
import { chips } from "../../objects/chip.js";
import { mark } from "../../../../core/objects/marks.js";
import { byHand as isByHand, called, capital, key, lamp, page, title } from "../../../../core/page.js";
import { filmLink } from "../film.js";
import { rowStrip } from "../row.js";
import { pretend, quietly, refusal } from "../turn/reading.js";
import { outcomePair, whoPushes } from "./push.js";

/** Letters of a word that fit beside a ballot. */
const NARROW = 7;

/** "It stood: the 9 is up" */
export function headline(s, ui) {
  const { outcome, up } = s.verdict;
  if (outcome === "fell") {
    return ui.t("verdict.fell");
  }
  if (up.length === 1) {
    return ui.t("verdict.stood_single", { value: up[0] });
  }
  return up.length ? ui.t("verdict.stood", { count: up.length }) : ui.t("verdict.stood_bare");
}

/** While somebody's word waits for the other side, it is a claim and no fact. */
export function claimed(s, ui) {
  const { by, outcome, step } = s.verdict;
  if (step !== "confirm") {
    return headline(s, ui);
  }
  return ui.t(by === s.you.seat ? `claimed.you.${outcome}` : `claimed.${outcome}`, { name: called(s, ui, by) });
}

/** Where the wave died, with what was measured there. */
function reason(s, ui) {
  const { between, gap_mm: gap, by, votes, step, ruled } = s.verdict;
  if (ruled || step === "confirm") {
    return "";
  }
  if (votes) {
    return html`<p class="lead">${ui.t("verdict.by_vote")}</p>`;
  }
  if (by === s.you.seat) {
    return html`<p class="lead">${ui.t("verdict.by_you")}</p>`;
  }
  if (by !== "camera") {
    return html`<p class="lead">${ui.t("verdict.by", { name: called(s, ui, by) })}</p>`;
  }
  if (!between) {
    return html`<p class="lead">${ui.t("verdict.by_camera")}</p>`;
  }
  const [from, to] = between;
  const tile = s.row.find((each) => each.value === from);
  const tall = tile?.orientation === "horizontal" ? s.tile.width_mm : s.tile.length_mm;
  const where = ui.t("verdict.died", { from, to });
  const why = gap === null ? "" : ` ${ui.t("verdict.gap", { gap: Math.round(gap), value: from, tall: Math.round(tall) })}`;
  return html`<p class="lead"><b>${where}</b>${why}</p>`;
}

export function frame(ui, picture, alt = "verdict.picture") {
  return html`<figure class="frame"><img src=${picture} alt=${ui.t(alt)} @error=${again} /></figure>`;
}

/** The row after the push, and before it at a tap; the words change with the picture. */
function frames(s, ui, { picture, before }) {
  if (!before) {
    return frame(ui, picture);
  }
  const { early = false } = ui.local;
  const turn = () => {
    const other = Object.assign(new Image(), { src: early ? picture : before });
    other.decode().then(
      () => ui.set({ early: !early }),
      () => ui.set({ notice: ui.t("refused.offline") }),
    );
  };
  return html`<button type="button" class="frame-turn" @click=${turn}>
    ${frame(ui, early ? before : picture, early ? "verdict.early" : "verdict.picture")}
    <span class="frame-word">${ui.t(early ? "verdict.see_after" : "verdict.see_before")}</span></button>`;
}

/** The camera's picture in its walnut frame; without one, the row with its fallen tiles. */
function evidence(s, ui) {
  const { picture, fallen } = s.verdict;
  return picture
    ? frames(s, ui, s.verdict)
    : rowStrip(s, ui, { fallen, last: null, end: null, most: ui.height < 700 ? 0.9 : 1.2 });
}

/** Chips a seat gets from what is claimed, by the ballots. */
export function winnings(s, seat) {
  const { won, outcome, step } = s.verdict;
  if (step === "settled") {
    return won[seat] ?? 0;
  }
  const side = outcome === "fell" ? "success" : "failure";
  return s.reveal?.ballots[seat] === side ? s.reveal.stake[side] : 0;
}

function chipTable(s, ui) {
  const settled = s.verdict.step === "settled";
  return html`<table class="card chip-table">
    <caption class="unseen">${ui.t("verdict.table")}</caption>
    <thead class="unseen"><tr><th>${ui.t("word.player")}</th><th>${ui.t("word.ballot")}</th><th>${ui.t("word.won")}</th>
      <th>${ui.t("word.total")}</th></tr></thead>
    <tbody>
      ${repeat(
        s.seats,
        (seat) => seat.seat,
        (seat) => {
          const won = winnings(s, seat.seat);
          const side = s.reveal?.ballots[seat.seat];
          return html`<tr>
            <th scope="row"><span class="chip-name">${mark(seat.mark, { size: 30 })}<span>${capital(called(s, ui, seat.seat, NARROW))}</span></span></th>
            <td>${side ? html`${plaque(side, { width: ui.height < 700 ? 28 : 38 })}<span class="unseen">${ui.t(`side.${side}`)}</span>` : ""}</td>
            <td class="chip-won">${won ? chips(won, { size: ui.height < 700 ? 26 : 30 }) : html`<span aria-hidden="true">0</span>`}<span class="unseen">${won}</span></td>
            <td class="chip-total display">${seat.chips + (settled ? 0 : won)}</td>
          </tr>`;
        },
      )}
    </tbody>
  </table>`;
}

/** What can still be said about it. */
function say(s, ui) {
  const { step, stands_ms: stands, agreed, votes } = s.verdict;
  if (step === "vote") {
    const mine = votes?.[s.you.seat] ?? null;
    return html`<p class="hint">${ui.t("verdict.vote_tie")}</p>
      ${s.may.table_vote ? outcomePair(s, ui, (outcome) => ui.send("table_vote", { outcome }), mine) : html`<p class="hint">${ui.t(mine ? "verdict.voted" : "verdict.vote_wait")}</p>`}`;
  }
  const agree = s.may.agree ? lamp(ui.t("verdict.right"), () => ui.send("agree")) : "";
  const against = s.may.object ? key(ui.t("verdict.object"), () => ui.send("object")) : "";
  const seconds = stands === null ? 0 : Math.max(0, Math.ceil((stands - ui.now()) / 1000));
  let hint = "";
  if (step === "shown" && stands !== null) {
    hint = ui.t("verdict.counts", { count: seconds });
  } else if (agreed.includes(s.you.seat)) {
    hint = ui.t("verdict.agreed");
  } else if (step === "confirm" && !s.may.agree) {
    hint = ui.t("verdict.confirm_wait");
  }
  return html`${agree || against ? html`<div class="pair pair-uneven">${agree}${against}</div>` : ""}
    ${hint ? html`<p class="hint">${hint}</p>` : ""}`;
}

export function verdict(s, ui) {
  const vote = s.verdict.step === "vote";
  return page(s, ui, {
    name: vote ? "vote" : "verdict",
    body: html`${title(vote ? ui.t("verdict.vote_title") : claimed(s, ui))}
      ${evidence(s, ui)} ${vote ? "" : reason(s, ui)} ${vote ? "" : chipTable(s, ui)}`,
    foot: say(s, ui),
  });
}

/** What the players go by: before a push by hand the row, after one that the camera could not read its picture. */
function beforeReport(s, ui, byHand) {
  if (byHand) {
    return html`<p class="lead">${ui.t(`push.lead.${s.push.end}`)}</p>${rowStrip(s, ui)}`;
  }
  const shown = s.push?.picture ? s.push : s.verdict;
  if (s.devices?.sees === false) {
    return rowStrip(s, ui);
  }
  return html`<p class="lead">${ui.t("report.unsure")}</p>${shown?.picture ? frames(s, ui, shown) : ""}`;
}

/** No machine, or the camera is not sure: the players say what fell. */
export function report(s, ui) {
  if (s.push?.photo && pretend.photographed) {
    return pretend.photographed(s, ui);
  }
  const byHand = Boolean(s.push) && !s.push.machine && s.push.kind !== "finger";
  const pair = outcomePair(s, ui, (outcome) => ui.send("report", { outcome }));
  const asked = s.may.report && Boolean(s.push) && isByHand(s);
  const hand = asked && s.devices.photographs ? "report.lead_photo" : "report.lead_hand";
  const refused = asked && s.devices.photographs && ui.local.notice;
  return page(s, refused ? quietly(ui) : ui, {
    name: "report",
    label: ui.t("push.rail"),
    body: html`${title(byHand ? whoPushes(s, ui) : ui.t("report.title"))}
      ${refused ? refusal(refused) : beforeReport(s, ui, byHand)}`,
    act: s.may.report ? pair : "",
    foot: html`<p class="hint">${ui.t(!s.may.report ? "report.wait" : byHand ? hand : "report.lead")}</p>
      ${asked ? (pretend.fallPhoto?.(s, ui) ?? "") : ""}`,
  });
}

/** The round is over: chips, and on to the next. */
export function roundEnd(s, ui) {
  const last = s.round >= s.rounds;
  return page(s, ui, {
    name: "round-end",
    body: html`${title(headline(s, ui))} ${evidence(s, ui)} ${reason(s, ui)} ${chipTable(s, ui)}`,
    foot: html`${
        s.may.next
          ? lamp(ui.t(last ? "round.finish" : "round.next"), () => ui.send("next"))
          : html`<p class="hint">${ui.t("round.wait")}</p>`
      }
      ${filmLink(s.verdict.film, ui)}
      ${s.may.correct_verdict ? key(ui.t("round.wrong"), () => ui.set({ sheet: "why", why: "verdict" })) : ""}`,
  });
}

