/** Stand a tile on the pretend table: pick a value, drag it on the view from above, turn it, set it down. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { list } from "../../../../core/i18n.js";
import { sign, triangle } from "../../../../core/objects/signs.js";
import { tilePicture } from "../../../../core/objects/tile.js";
import { topView } from "../../objects/topview.js";
import { firstPlace, heading, lineUp, onArea, overlaps, placeAt, positionOf } from "./workarea.js";
import { isWide, key, lamp, page, room, title } from "../../../../core/page.js";
import { placeWords, standable } from "../row.js";

const SPAN_MM = 200;
const NARROW_MM = 120;
const ASIDE_MM = 40;
const TAP_PX = 7;
const SAID_PX = 56;

/** px from one tile to choose from to the next, and to the middle of the first: as `.picks` sets them. */
const PICK_PX = 48;
const FIRST_PICK_PX = 26;

/** Fingers on the view, by pointer id: where each went down and what it holds. */
const fingers = new Map();

/** The row without the tile in hand. */
function others(s, value) {
  return s.row.filter((tile) => tile.value !== value);
}

/** A draft of a tile just picked; keeps the place of the one picked before. */
export function draftOf(s, value, before) {
  const row = others(s, value);
  const orientation = before?.orientation ?? "vertical";
  if (before && s.supply.length) {
    return { ...before, value };
  }
  return seen(firstPlace({ value, orientation }, row, s.area, s.tile), row);
}

/** A draft of a tile that was carried to a place in the row, as the row now stands. */
export function draftAt(s, value, position) {
  const row = others(s, value);
  // A tile out of the middle of the row leaves a place of its own behind.
  const from = s.row.findIndex((tile) => tile.value === value);
  const place = position - (from >= 0 && from < position ? 1 : 0);
  return seen(placeAt({ value, orientation: "vertical" }, row, place, s.area, s.tile), row);
}

/** A draft with a view that shows it, and as much of the row as it can. */
function seen(place, row) {
  const middle = row.reduce((sum, tile) => sum + tile.x_mm / row.length, 0);
  const x = place.x_mm + Math.max(-ASIDE_MM, Math.min(ASIDE_MM, middle - place.x_mm));
  return { ...place, turned: false, view: { x, y: place.y_mm, span: SPAN_MM } };
}

/** Keep the tile well inside the view: the view follows it. */
function follow(view, point, tall) {
  const keep = (middle, at, half) => Math.min(Math.max(middle, at - half * 0.55), at + half * 0.55);
  return { ...view, x: keep(view.x, point.x_mm, view.span / 2), y: keep(view.y, point.y_mm, tall / 2) };
}

/** All changes a hand can make to a draft. */
function hands(s, ui, draft, width, height) {
  const row = others(s, draft.value);
  const set = (patch) => ui.draft({ tile: onArea({ ...ui.drafts.tile, ...patch }, s.area, s.tile) });
  const latest = () => ui.drafts.tile ?? draft;
  const perPx = () => latest().view.span / width;
  const moveTo = (point) => {
    const now = latest();
    const turn = now.turned ? now.heading_deg : Math.round(lineUp(row, point));
    const place = onArea({ ...now, ...point, heading_deg: turn }, s.area, s.tile);
    set({ ...place, view: follow(now.view, place, height * perPx()) });
  };
  const zoom = (factor) => {
    const view = latest().view;
    const span = Math.min(Math.max(view.span * factor, NARROW_MM), s.area.x[1] - s.area.x[0] + 40);
    const whole = span > 500;
    const middle = { x: (s.area.x[0] + s.area.x[1]) / 2, y: (s.area.y[0] + s.area.y[1]) / 2 };
    set({ view: { ...view, ...(whole ? middle : {}), span } });
  };
  return {
    moveTo,
    zoom,
    turn: (by) => set({ heading_deg: heading(latest().heading_deg + by), turned: true }),
    turnTo: (to) => set({ heading_deg: heading(Math.round(to)), turned: true }),
    line: () => set({ heading_deg: Math.round(lineUp(row, latest())), turned: false }),
    pan: (dx, dy) => set({ view: { ...latest().view, x: latest().view.x - dx * perPx(), y: latest().view.y + dy * perPx() } }),
    nudge: (dx, dy) => moveTo({ x_mm: latest().x_mm + dx, y_mm: latest().y_mm + dy }),
    orientation: (orientation) => set({ orientation }),
    latest,
    perPx,
  };
}

/** Table mm under a point of the page; the page itself may be enlarged, as on a tablet. */
function under(view, at, draft) {
  const box = view.getBoundingClientRect();
  const perPx = draft.view.span / box.width;
  return {
    x_mm: draft.view.x + (at.x - box.left - box.width / 2) * perPx,
    y_mm: draft.view.y - (at.y - box.top - box.height / 2) * perPx,
  };
}

function gestures(hand, width) {
  const point = (event, at) => under(event.currentTarget, at, hand.latest());
  /** From here on the finger keeps its distance to the tile. */
  const take = (event, finger) => {
    const now = point(event, finger);
    finger.dx = hand.latest().x_mm - now.x_mm;
    finger.dy = hand.latest().y_mm - now.y_mm;
  };
  const pinch = () => {
    const [a, b] = [...fingers.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  return {
    down(event) {
      if (event.isPrimary) {
        fingers.clear();
      }
      const held = event.target.closest?.("[data-grip]")?.dataset.grip ?? "table";
      const [x, y] = [event.clientX, event.clientY];
      const finger = { held, x, y, fromX: x, fromY: y };
      take(event, finger);
      fingers.set(event.pointerId, finger);
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    move(event) {
      if (event.buttons === 0) {
        fingers.delete(event.pointerId);
      }
      const finger = fingers.get(event.pointerId);
      if (!finger) {
        return;
      }
      const before = fingers.size === 2 ? pinch() : 0;
      const [stepX, stepY] = [event.clientX - finger.x, event.clientY - finger.y];
      finger.x = event.clientX;
      finger.y = event.clientY;
      if (fingers.size === 2) {
        fingers.forEach((each) => Object.assign(each, { pinched: true }));
        hand.zoom(before / Math.max(1, pinch()));
        return;
      }
      const now = point(event, finger);
      if (finger.held === "tile") {
        hand.moveTo({ x_mm: now.x_mm + finger.dx, y_mm: now.y_mm + finger.dy });
      } else if (finger.held === "turn") {
        const tile = hand.latest();
        hand.turnTo((Math.atan2(now.y_mm - tile.y_mm, now.x_mm - tile.x_mm) * 180) / Math.PI);
      } else if (Math.hypot(finger.x - finger.fromX, finger.y - finger.fromY) > TAP_PX) {
        const larger = event.currentTarget.getBoundingClientRect().width / width;
        hand.pan(stepX / larger, stepY / larger);
      }
    },
    up(event) {
      const finger = fingers.get(event.pointerId);
      fingers.delete(event.pointerId);
      fingers.forEach((other) => take(event, other));
      if (!finger || finger.pinched || finger.held !== "table" || event.type !== "pointerup") {
        return;
      }
      if (Math.hypot(finger.x - finger.fromX, finger.y - finger.fromY) <= TAP_PX) {
        hand.moveTo(point(event, finger));
      }
    },
    key(event) {
      const step = event.shiftKey ? 10 : 1;
      const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
      const turns = { ",": 5, ".": -5, "<": 15, ">": -15 };
      if (moves[event.key]) {
        event.preventDefault();
        hand.nudge(...moves[event.key]);
      } else if (turns[event.key]) {
        hand.turn(turns[event.key]);
      }
    },
  };
}

/** Which of these tiles: a strip to choose from. */
export function picks(s, name, label, chosen, choose) {
  return html`<div class="picks" data-scroll-to=${FIRST_PICK_PX + PICK_PX * standable(s).indexOf(chosen)} role="radiogroup" aria-label=${label}>
    ${standable(s).map(
      (value) => html`<label class="pick">
        <input type="radio" name=${name} value=${value} .checked=${value === chosen} @change=${() => choose(value)} />
        ${tilePicture(value, { height: 46 })}<span class="unseen">${value}</span>
      </label>`,
    )}
  </div>`;
}

function ways(ui, draft, hand) {
  const choice = (orientation, low, word) => html`<label class="way">
    <input type="radio" name="way" .checked=${draft.orientation === orientation} @change=${() => hand.orientation(orientation)} />
    ${tilePicture(draft.value, { height: 30, low })}<span>${word}</span>
  </label>`;
  return html`<div class="ways" role="radiogroup" aria-label=${ui.t("stand.how")}>
    ${choice("vertical", false, ui.t("word.upright"))} ${choice("horizontal", true, ui.t("word.low"))}
  </div>`;
}

function turns(ui, hand) {
  const button = (by) => html`<button type="button" class="small-key turn-key" @click=${() => hand.turn(by)}
    aria-label=${ui.t(by > 0 ? "stand.turn_left" : "stand.turn_right", { count: Math.abs(by) })}>
    ${sign(by > 0 ? "left" : "right", 20)}<span>${Math.abs(by)}°</span></button>`;
  return html`<div class="turns">${[15, 5, -5, -15].map(button)}
    <button type="button" class="small-key turn-key line-key" @click=${hand.line}>${ui.t("stand.line")}</button></div>`;
}

export function stand(s, ui) {
  const draft = ui.drafts.tile;
  const row = others(s, draft.value);
  const width = room(ui);
  const said = ui.local.notice ? SAID_PX : 0;
  const rest = isWide(ui) ? 200 : said + 500 * Math.max(1, ui.rem / 16);
  const height = Math.round(Math.min(Math.max(ui.height - rest, isWide(ui) ? 150 : 190), 420));
  const hand = hands(s, ui, draft, width, height);
  const met = row.filter((tile) => overlaps(draft, tile, s.tile)).map((tile) => tile.value);
  const where = placeWords(ui, row, positionOf(row, draft));
  const moving = s.supply.length === 0;
  const put = () => {
    const { value, orientation } = draft;
    const round = (n) => Math.round(n * 10) / 10;
    ui.send("stand", {
      value,
      orientation,
      x_mm: round(draft.x_mm),
      y_mm: round(draft.y_mm),
      heading_deg: round(draft.heading_deg),
    });
  };
  return page(s, ui, {
    name: "stand",
    body: html`${title(ui.t(moving ? "stand.title_move" : "stand.title", { value: draft.value }), { size: "title-s" })}
      ${picks(s, "value", ui.t("stand.which"), draft.value, (value) => ui.draft({ tile: draftOf(s, value, draft) }))}
      <div class="topview-frame">
        ${topView({
          row,
          draft,
          area: s.area,
          size: s.tile,
          view: draft.view,
          width,
          height,
          met,
          label: ui.t("stand.view", { value: draft.value, where }),
          on: gestures(hand, width),
        })}
        <div class="zooms">
          <button type="button" class="small-key" aria-label=${ui.t("stand.closer")} @click=${() => hand.zoom(0.7)}>${sign("plus", 22)}</button>
          <button type="button" class="small-key" aria-label=${ui.t("stand.farther")} @click=${() => hand.zoom(1.45)}>${sign("minus", 22)}</button>
        </div>
      </div>
      <p class="where ${met.length ? "is-cut" : ""}" aria-live="polite">${met.length ? triangle(22) : ""}<b>${where}</b>${
        met.length ? html` · ${ui.t("stand.touching", { value: list(ui.lang, met.map(String)) })}` : ""
      }</p>
      <p class="unseen" id="topview-how">${ui.t("stand.keys")}</p>`,
    act: html`${ways(ui, draft, hand)} ${turns(ui, hand)}`,
    foot: html`<div class="pair pair-uneven">${lamp(ui.t("stand.put"), put)} ${key(ui.t("back"), () => ui.draft({ tile: null }))}</div>`,
  });
}
