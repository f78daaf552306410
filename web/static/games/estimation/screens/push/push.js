/** The push: hold the ring, hands off, STOP; and what to do when something is not as it should be. */
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { armAway, met, pusherPicture, toggle } from "../../../../core/objects/arm.js";
import { triangle } from "../../../../core/objects/signs.js";
import { rowStrip } from "../row.js";
import { answer } from "../vote/ballot.js";
import { actRoom, called, key, lamp, nameOf, page, room, seatOf, title, withoutKey } from "../../../../core/page.js";
import { stopKey } from "../../../../core/stop.js";

/** Guidance by the tag, and the finger: comes with `aim.js`, as most pretend pushers have no need of it. */
export const aim = {};

/** A fall that no table screen shows: comes with `fall.js`, where the row is pretended. */
export const fall = {};

const RING = 119;
const PATIENCE_MS = 8000;
const ROUND = 2 * Math.PI * RING;

/** The three things that have to be so before the ring does anything. */
function conditions(s, ui) {
  const { push } = s;
  // A switch that is still on from before counts once it has been off.
  const counts = push.switch && push.state !== "switch";
  const about = counts ? "push.switch.yes" : push.switch ? "away.switch" : "push.switch.no";
  const line = (on, word) => html`<li class=${on ? "is-met" : "is-open"}>
    ${met(on)}<span>${ui.t(`${word}.${on ? "yes" : "no"}`)}</span></li>`;
  const clear = s.devices?.sees === false ? "" : line(push.clear, "push.clear");
  if (push.kind === "finger") {
    return html`<ul class="conditions">${clear}</ul>`;
  }
  return html`<ul class="conditions">
    ${line(push.machine && push.state !== "fault", "push.machine")} ${clear}
    <li class=${counts ? "is-met" : "is-open"}>
      ${met(counts)}<span>${ui.t(about)}</span>
      ${
        push.hands
          ? toggle({
              on: push.switch,
              label: ui.t("push.switch"),
              flip: () => ui.send("switch", { on: !push.switch }),
            })
          : ""
      }
    </li>
  </ul>`;
}

/** The row with the arm beside its end; where no arm pushes, the row alone. */
function rowToPush(s, ui) {
  const most = Math.min(room(ui), 354);
  return s.push.machine ? pusherPicture(s.row, s.push.end, most) : rowStrip(s, ui);
}

/** The ring that fills while a thumb is on it. */
function holdRing(s, ui) {
  const part = ui.local.held ?? 0;
  const unseen = s.push.guide?.seen === false && !ui.drafts.byEye;
  const may = Boolean(s.may.hold) && ui.link === "live" && !unseen;
  const down = (event) => {
    if (may && event.button === 0) {
      event.currentTarget.setPointerCapture(event.pointerId);
      ui.hold();
    }
  };
  const keyDown = (event) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (may && !event.repeat) {
        ui.hold();
      }
    }
  };
  const keyUp = (event) => (event.key === " " || event.key === "Enter") && ui.release();
  return html`<button type="button" class="hold ${may ? "" : "is-off"}" aria-disabled=${may ? "false" : "true"}
    aria-describedby="hold-how" @pointerdown=${down} @pointerup=${ui.release} @pointercancel=${ui.release}
    @keydown=${keyDown} @keyup=${keyUp} @blur=${ui.release} @contextmenu=${(event) => event.preventDefault()}>
    <svg viewBox="-128 -128 256 256" aria-hidden="true">
      <circle cx="4" cy="7" r="125" fill="#000" fill-opacity=".34"></circle>
      <circle r="125" fill="#33200f" stroke="#22110a" stroke-width="2.4"></circle>
      <circle class="hold-track" r=${RING - 5}></circle>
      <circle class="hold-fill" r=${RING - 5} transform="rotate(-90)" stroke-dasharray=${ROUND}
        stroke-dashoffset=${ROUND - part * 2 * Math.PI * (RING - 5)} visibility=${part > 0 ? "visible" : "hidden"}></circle>
      <circle r="102" fill=${may ? "url(#g-brass)" : "url(#g-early)"} stroke="#5b3407" stroke-width="2"></circle>
      ${may ? "" : svg`<circle r="102" fill="none" stroke="#e9c58d" stroke-width="3" stroke-dasharray="15 10"></circle>`}
    </svg>
    <span class="dome-text"><span class="hold-word display">${ui.t("push.hold")}</span>
      <span class="dome-line">${ui.t("push.hold_line")}</span></span>
  </button><span class="unseen" id="hold-how">${ui.t("push.how")}</span>`;
}

/** What stands over the ring: why the last one was not made, or what is to be done. */
function lead(s, ui) {
  const { push } = s;
  if (push.why || push.cause) {
    const own = ["hand", "fell", "row", "blind", "passed", "nobody"].includes(push.cause);
    const word = own ? `push.cause.${push.cause}` : push.kind === "finger" ? "push.cause.changed" : "push.refused";
    return html`<p class="card advice">${triangle(28)}<span>${ui.t(word)}</span></p>`;
  }
  return html`<p class="lead">${ui.t(push.kind === "finger" ? "push.lead.finger" : `push.lead.${push.end}`)}</p>`;
}

function topple(s, ui) {
  const { push } = s;
  const told = push.guide && aim.guide ? aim.guide(s, ui) : "";
  const moves = told && push.guide.seen && !push.guide.right;
  return page(s, ui, {
    name: "push",
    label: ui.t("push.rail"),
    body: html`${title(whoPushes(s, ui))}
      ${told && !push.cause ? "" : lead(s, ui)} ${told} ${moves ? "" : conditions(s, ui)}`,
    act: moves ? "" : html`<div class="dome-place">${holdRing(s, ui)}</div>`,
    foot: s.may.stop ? stopKey(s, ui, "bar") : "",
  });
}

/** Everybody else, and whoever pushes too once the arm moves. */
function handsOff(s, ui) {
  const { push } = s;
  const gone = push.state === "moving" || push.state === "looking";
  const params = { name: nameOf(s, ui, push.hand), value: push.value };
  const line = s.fall ? "handsoff.watch" : push.state === "looking" ? "handsoff.looking" : gone ? "handsoff.moving" : "handsoff.line";
  return page(s, ui, {
    name: "handsoff",
    label: ui.t("push.rail"),
    body: html`<div class="middle">${title(ui.t("handsoff.title"), { size: "title-xl" })}
        <p class="lead">${ui.t(line, params)}</p></div>
      ${rowToPush(s, ui)}`,
    act: s.may.stop ? html`<div class="dome-place">${stopKey(s, ui, "sign")}</div>` : "",
    foot: html`${s.may.report && !s.fall && ui.now() - ui.local.lookingSince > PATIENCE_MS ? key(ui.t("report.tell"), () => ui.set({ report: true })) : ""}
      <p class="hint">${s.may.stop ? ui.t("handsoff.hint") : ""}</p>`,
  });
}

/** Who pushes at which tile: for a bot, whoever is near. */
export function whoPushes(s, ui) {
  const { toppler, value } = s.push;
  const word = toppler === s.you.seat ? "title" : seatOf(s, toppler)?.bot ? "title_for" : "title_of";
  return ui.t(`push.${word}`, { name: nameOf(s, ui, toppler), value });
}

/** Who stopped it: a player on a phone, or a hand on the red button of the pusher. */
export function stopper(s, ui) {
  const by = s.stopped_by;
  if (!by) {
    return ui.t("stopped.button");
  }
  return by === s.you.seat ? ui.t("stopped.you") : ui.t("stopped.title", { name: called(s, ui, by) });
}

function stopped(s, ui) {
  const { push } = s;
  return page(s, ui, {
    name: "stopped",
    label: ui.t("push.rail"),
    body: html`${title(stopper(s, ui))}
      <p class="lead">${ui.t("stopped.lead")}</p>
      ${rowToPush(s, ui)}`,
    foot: html`${s.bench?.hands?.estop ? key(ui.t("drawer.bench"), () => ui.set({ sheet: "bench" })) : ""}
      ${s.may.clear_stop
      ? html`<p class="hint">${ui.t("stopped.host_hint")}</p>${lamp(ui.t("stopped.clear"), () => ui.send("clear_stop"))}`
      : html`<p class="hint">${ui.t("stopped.wait")}</p>`}`,
  });
}

/** A stroke was cut short: nothing goes on until a hand has put the arm home and somebody says so. */
function away(s, ui) {
  const { push } = s;
  return page(s, ui, {
    name: "away",
    label: ui.t("push.rail"),
    body: html`${title(ui.t("away.title"))}
      <p class="lead">${ui.t("away.lead")}</p>
      ${armAway(Math.min(room(ui), 340))}
      <ul class="conditions">
        <li class=${push.switch ? "is-open" : "is-met"}>${met(!push.switch)}<span>${ui.t("away.switch")}</span></li>
        <li class="is-open">${met(false)}<span>${ui.t("away.arm")}</span></li>
      </ul>`,
    foot: s.may.homed
      ? html`<p class="hint">${ui.t("away.hint")}</p>${lamp(ui.t("away.done"), () => ui.send("homed", { away: push.away }))}`
      : html`<p class="hint">${ui.t("away.wait")}</p>`,
  });
}

function fault(s, ui) {
  const word = s.sight?.blind ? `sight.${s.sight.kind}` : "";
  return page(s, ui, {
    name: "fault",
    label: ui.t("push.rail"),
    body: html`${title(ui.t(word || "fault.title"))}
      <div class="card advice">${triangle(34)}<p>${ui.t(word ? `${word}.do` : "fault.lead")}</p></div>
      ${rowToPush(s, ui)}`,
    foot: html`<p class="hint">${ui.t(word ? "sight.wait" : s.you.host ? "fault.host" : "fault.wait")}</p>
      ${s.may.clear_stop ? lamp(ui.t("fault.again"), () => ui.send("clear_stop")) : ""}
      ${withoutKey(s, ui, word ? "camera" : "pusher")}
      ${s.may.stop ? stopKey(s, ui, "bar") : ""}`,
  });
}

/** Two equal plaques: all down, or one is up. */
export function outcomePair(s, ui, choose, chosen = null) {
  const width = Math.min((actRoom(ui) - 14) / 2, ui.height < 700 ? 100 : 150);
  const one = (outcome, side) =>
    answer(ui, side, width, () => choose(outcome), {
      word: ui.t(`outcome.${outcome}`),
      meaning: ui.t(`outcome.${outcome}.means`),
      pressed: chosen === outcome,
    });
  return html`<div class="answers">${one("fell", "success")}${one("stood", "failure")}</div>`;
}

/** Nobody saw the end of the push: a person says what the table shows. */
function unknown(s, ui) {
  const host = Boolean(s.may.resolve);
  return page(s, ui, {
    name: "unknown",
    label: ui.t("push.rail"),
    body: html`${title(ui.t("unknown.title"))}
      ${s.push.cause === "unheard" ? html`<p class="card advice">${triangle(28)}<span>${ui.t("push.cause.unheard")}</span></p>` : ""}
      <p class="lead">${ui.t(host ? "unknown.lead_host" : "unknown.lead")}</p>
`,
    act: host ? outcomePair(s, ui, (outcome) => ui.send("resolve", { outcome })) : "",
    foot: host ? key(ui.t("unknown.void"), () => ui.send("resolve", { outcome: "void" })) : "",
  });
}

export function push(s, ui) {
  const { state, hand } = s.push;
  if (s.fall?.tips && fall.screen) {
    return fall.screen(s, ui);
  }
  if (state === "finger" && aim.finger) {
    return aim.finger(s, ui);
  }
  if (state === "unknown") {
    return unknown(s, ui);
  }
  if (state === "stopped") {
    return stopped(s, ui);
  }
  if (state === "away") {
    return away(s, ui);
  }
  if (state === "fault") {
    return fault(s, ui);
  }
  const mine = hand === (s.you.seat ?? (s.you.host && "host")) && state !== "moving" && state !== "looking";
  return mine ? topple(s, ui) : handsOff(s, ui);
}

