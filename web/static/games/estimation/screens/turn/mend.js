/** What is wrong on the table, and how to put it right: a phone fetches it when something is. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { triangle } from "../../../../core/objects/signs.js";
import { rowView } from "../../objects/rowview.js";
import { list } from "../../../../core/i18n.js";
import { accident } from "./accident.js";
import { called, capital, key, lamp, nameOf, page, room, title, withoutKey } from "../../../../core/page.js";
import { stopKey } from "../../../../core/stop.js";
import { placeWords, rowStrip, tileNames } from "../row.js";
import { picks } from "./stand.js";
import { again, asRead, fixOf, kicker, mend, shotOf, violationLine } from "./reading.js";
import { sheet } from "../../../../core/sheet.js";
import { more } from "../../../../lobby/sheets.js";
import { stopper } from "../push/push.js";
import { frame } from "../push/verdict.js";

const MOST_LINES = 4;

/** The camera's picture of now, or the row as it is drawn from above. */
function drawing(s, ui, { row, marks }, height) {
  if (ui.local.photo && s.live) {
    const state = marks.map(({ value, mm, deg }) => `${value}.${mm}.${deg}`).join("-");
    return frame(ui, `${s.live}?n=${s.v}-${state}`, "mend.picture");
  }
  const label = ui.t("mend.label");
  return html`<div class="topview-frame">${rowView({ row, marks, area: s.area, size: s.tile, width: room(ui), height, label })}</div>`;
}

/** Change the drawing for the camera's picture, where there is one. */
function photoKey(s, ui) {
  const other = ui.local.photo ? "mend.drawing" : "mend.photo";
  return s.live ? key(ui.t(other), () => ui.set({ photo: !ui.local.photo })) : "";
}

/** What is left of the height once everything else has its room. */
function tall(ui, rest) {
  return Math.round(Math.min(Math.max(ui.height - rest * Math.max(1, ui.rem / 16), 120), 320));
}

/** The camera cannot say which tile it is. */
function unsure(s, ui) {
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t(kicker(s, ui))}</p>
      ${title(ui.t("unsure.title"))}
      <p class="lead">${ui.t("unsure.lead")}</p>
      ${rowStrip(s, ui)}`,
    foot: html`${lamp(ui.t("unsure.tell"), () => ui.draft({ fix: fixOf(s) }), { disabled: !s.may.correct })}
      ${again(s, ui)}`,
  });
}

/** The camera sees nothing: why, and what to do. */
function blind(s, ui) {
  const { kind } = s.sight;
  return page(s, ui, {
    name: "blind",
    body: html`<p class="kicker">${ui.t("sight.kicker")}</p>
      ${title(ui.t(`sight.${kind}`))}
      <div class="card advice" role="status">${triangle(34)}<p>${ui.t(`sight.${kind}.do`)}</p></div>
      <p class="lead">${ui.t("sight.wait")}</p>
      ${rowStrip(s, ui)}`,
    foot: html`${withoutKey(s, ui, "camera")}
      ${key(ui.t("reading.again"), () => ui.send("look"), { disabled: !s.may.look })}`,
  });
}

/** What is wrong with the row, each in one sentence, and where. */
function wrong(s, ui) {
  const { tile, violations, marks } = s.reading;
  const lines = violations.map((each) => violationLine(ui, tile, each));
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t(kicker(s, ui, "wrong.kicker"))}</p>
      ${title(ui.t("wrong.title"))}
      <div class="card advice">${triangle(34)}<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>
      ${shotOf(s, ui)}
      ${marks?.length && !shotOf(s, ui) ? drawing(s, ui, { row: s.row, marks }, tall(ui, 470)) : rowStrip(tile?.value ? asRead(s) : s, ui)}
      <p class="lead">${ui.t(s.virtual ? "wrong.hint_virtual" : "wrong.hint")}</p>`,
    foot: html`${photoKey(s, ui)}
      <div class="pair">
        ${key(ui.t("reading.fix"), () => ui.draft({ fix: fixOf(s) }), { disabled: !s.may.correct })} ${again(s, ui)}
      </div>`,
  });
}

/** Tiles came or went in another way than one being placed: what, and how to put it right. */
function changed(s, ui) {
  const { state, came, gone, marks } = s.reading;
  const said = { values: tileNames(ui, came), gone: tileNames(ui, gone), count: came.length - 1 };
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("changed.kicker")}</p>
      ${title(ui.t(`changed.${state}`))}
      <div class="card advice">${triangle(34)}<p>${ui.t(`changed.${state}.do`, said)}</p></div>
      ${marks?.length ? drawing(s, ui, { row: s.row, marks }, tall(ui, 430)) : rowStrip(s, ui)}`,
    foot: html`${photoKey(s, ui)}
      <div class="pair">${state === "down" && s.may.accident ? key(ui.t("differs.accident"), knocked(ui)) : ""} ${again(s, ui)}</div>`,
  });
}

/** One tile that is not as it was, in a sentence. */
function lineOf(ui, { kind, value, mm, deg }) {
  return ui.t(`differs.${kind}`, { value: capital(tileNames(ui, [value])), mm, deg: Math.abs(deg) });
}

/** The first few, and how many more. */
function differences(s, ui) {
  const { tiles } = s.differs;
  const few = tiles.length > MOST_LINES ? tiles.slice(0, MOST_LINES - 1) : tiles;
  const left = tiles.length - few.length;
  return html`<div class="card advice">${triangle(34)}<ul>
    ${few.map((tile) => html`<li>${lineOf(ui, tile)}</li>`)} ${left ? html`<li>${ui.t("differs.more", { count: left })}</li>` : ""}
  </ul></div>`;
}

const knocked = (ui) => () => ui.set({ sheet: "accident" });

/** "It is fine now" and who has said so. */
function saying(s, ui) {
  const { by } = s.differs;
  const say = (right) => () => ui.send("row_is_right", { right });
  if (!by) {
    return s.may.row_is_right ? lamp(ui.t("differs.right"), say(true)) : "";
  }
  if (!s.may.row_is_right) {
    const mine = by === s.you.seat;
    return html`<p class="hint">${ui.t(mine ? "differs.waits" : "differs.asked", { name: nameOf(s, ui, by) })}</p>
      ${s.may.row_is_wrong ? key(ui.t("differs.take_back"), say(false)) : ""}`;
  }
  return html`<p class="hint">${ui.t("differs.asked", { name: nameOf(s, ui, by) })}</p>
    <div class="pair">${key(ui.t("rowfix.yes"), say(true))} ${key(ui.t("rowfix.no"), say(false))}</div>`;
}

/** The row stands otherwise than it was written down: what, where, and three ways on. */
function differs(s, ui) {
  const { tiles, row, stays } = s.differs;
  const stopped = s.phase === "TOPPLE" && s.may.stop;
  return page(s, ui, {
    name: "differs",
    body: html`<p class="kicker">${ui.t("differs.kicker")}</p>
      ${title(ui.t("differs.title"))} ${differences(s, ui)}
      <p class="lead">${ui.t(stays ? "differs.lead" : "differs.lead_order")}</p>
      ${drawing(s, ui, { row, marks: tiles }, tall(ui, 480 + 30 * Math.min(tiles.length, MOST_LINES) + (stopped ? 110 : 0) + (s.differs.by ? 70 : 0)))}`,
    foot: html`${saying(s, ui)}
      <div class="pair">
        ${s.may.accident ? key(ui.t("differs.accident"), knocked(ui)) : ""} ${photoKey(s, ui)}
      </div>
      ${stopped ? stopKey(s, ui, "bar") : ""}`,
  });
}

/** The same for everybody else, as a sheet. */
function differsSheet(s, ui) {
  if (!s.differs) {
    return "";
  }
  return sheet(ui, {
    id: "differs",
    heading: ui.t("differs.title"),
    body: html`${differences(s, ui)} ${drawing(s, ui, { row: s.differs.row, marks: s.differs.tiles }, tall(ui, 420))}
      <p>${ui.t("differs.wait", { name: called(s, ui, s.differs.keeper) })}</p>
      ${saying(s, ui)}
      <div class="pair">${s.may.accident ? key(ui.t("differs.accident"), knocked(ui)) : ""} ${photoKey(s, ui)}</div>`,
  });
}

/** STOP was pressed while nothing was pushed: it holds until the host frees the arm. */
function stopped(s, ui) {
  if (!s.stopped_by || s.phase === "TOPPLE") {
    return "";
  }
  const free = s.may.clear_stop;
  return html`<p class="ruling">${stopper(s, ui)} ${free ? "" : ui.t("stopped.wait")}</p>
    ${free ? key(ui.t("stopped.clear"), () => ui.send("clear_stop")) : ""}`;
}

/** What all others are told over their answers, and what they may say to it. */
function card(s, ui) {
  const { by, tiles } = s.differs;
  const values = list(ui.lang, tiles.map(({ value }) => tileNames(ui, [value])));
  const line = html`<div class="timer" role="status"><span>${ui.t("differs.card", { values })}</span>
    ${key(ui.t("differs.look"), () => ui.set({ sheet: "differs" }))}</div>`;
  return by && s.may.row_is_right ? html`${line}<section class="card asked">${saying(s, ui)}</section>` : line;
}

/** A correction that waits for a nod, over the answers of any screen. */
function rowFixAsked(s, ui) {
  if (!s.row_fix) {
    return "";
  }
  const order = s.row_fix.order.join(" · ");
  const mine = s.row_fix.seat === s.you.seat;
  return html`<section class="card asked" aria-live="polite">
    <p>${ui.t(mine ? "rowfix.waiting" : "rowfix.asked", { name: nameOf(s, ui, s.row_fix.seat) })}
      <b class="asked-row">${order}</b></p>
    ${
      mine || !s.may.consent_row
        ? ""
        : html`<div class="pair">${key(ui.t("rowfix.yes"), () => ui.send("consent_row"))}
            ${key(ui.t("rowfix.no"), () => ui.send("decline_row"))}</div>`
    }
  </section>`;
}

/** Put it right: which tile it is, and where it stands. */
function fix(s, ui) {
  const { value, position } = ui.drafts.fix;
  const row = s.row.filter((tile) => tile.value !== value);
  const moving = s.supply.length === 0;
  const set = (patch) => ui.draft({ fix: { value, position, ...patch } });
  const at = Math.min(position, row.length);
  const leave = () => {
    ui.send("wait", { on: false });
    ui.draft({ fix: null });
  };
  return page(s, ui, {
    name: "fix",
    body: html`${title(ui.t("fix.title"), { size: "title-s" })}
      <p class="label">${ui.t("fix.which")}</p>
      ${picks(s, "fix", ui.t("fix.which"), value, (each) => set({ value: each }))}
      <p class="label" id="fix-where">${ui.t("fix.where")}</p>
      <div role="radiogroup" aria-labelledby="fix-where">
        ${rowStrip({ ...s, row, last: null, end: null }, ui, {
          choose: {
            chosen: at,
            pick: (where) => set({ position: moving ? (where * 2 > row.length ? row.length : 0) : where }),
            name: (where) => placeWords(ui, row, where),
          },
        })}
      </div>
      <p class="where" aria-live="polite"><b>${ui.t("reading.place", { value, place: placeWords(ui, row, at) })}</b></p>`,
    foot: html`${lamp(ui.t("fix.done"), () => ui.send("correct", { value, position: at }), { disabled: !s.may.correct })}
      ${key(ui.t("back"), leave)}`,
  });
}

Object.assign(mend, { accident, blind, unsure, wrong, several: changed, exchanged: changed, gone: changed, down: changed, differs, card, rowFixAsked, stopped, fix });
Object.assign(more, { differs: differsSheet });
