/** Your turn, while the camera reads: what it saw, "Yes, it stands", and putting it right. */
import { html } from "../vendor/lit-html/lit-html.js";
import { tilePicture, tileFront, triangle } from "../objects.js";
import { key, lamp, lowerEnd, me, page, placeWords, rowStrip, short, title } from "./common.js";
import { standable } from "./stand.js";

/** The snapshot as if the tile that was read stood already. */
function asRead(s) {
  const row = withTile(s.row, s.reading.tile, s.reading.position);
  return { ...s, row, last: s.reading.tile.value, end: lowerEnd(row) };
}

/** The row as it would be: with the tile that was read at its place. */
function withTile(row, tile, position) {
  const rest = row.filter((each) => each.value !== tile.value);
  const at = position ?? rest.length;
  return [...rest.slice(0, at), { state: "standing", ...tile }, ...rest.slice(at)];
}

function again(s, ui) {
  return s.virtual && s.may.take_back
    ? key(ui.t("reading.take_back"), () => ui.send("take_back"))
    : key(ui.t("reading.again"), () => ui.send("look"), { disabled: !s.may.look });
}

/** The tile in the lamp's pool of light. */
function inTheLight(ui, tile, low) {
  const small = ui.height < 700;
  const u = (small ? 88 : 158) / 48;
  const [w, h] = low ? [48 * u, 24 * u] : [24 * u, 48 * u];
  const width = small ? 170 : 244;
  const base = h + 4;
  return html`<svg class="read-tile" width=${width} height=${base + 20} viewBox="0 0 ${width} ${base + 20}" aria-hidden="true">
    <ellipse cx=${width / 2} cy=${base - 1} rx=${width / 2} ry="19" fill="url(#g-pool)"></ellipse>
    ${tileFront(tile.value, { x: width / 2 - w / 2, y: base, u, low })}
  </svg>`;
}

/** "9 at the right end, upright" */
function inWords(s, ui, tile, position) {
  const row = s.row.filter((each) => each.value !== tile.value);
  return ui.t(tile.orientation === "horizontal" ? "reading.low" : "reading.upright", {
    value: tile.value,
    place: placeWords(ui, row, position ?? row.length),
  });
}

function proposal(s, ui) {
  const { tile, position } = s.reading;
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("reading.kicker")}</p>
      ${inTheLight(ui, tile, tile.orientation === "horizontal")} ${title(inWords(s, ui, tile, position))}
      <p class="lead">${ui.t("reading.ask")}</p>
      ${rowStrip(asRead(s), ui)}`,
    foot: html`${lamp(ui.t("reading.yes"), () => ui.send("confirm"), { disabled: !s.may.confirm })}
      <div class="pair">
        ${key(ui.t("reading.fix"), () => ui.set({ fix: { value: tile.value, position } }), { disabled: !s.may.correct })}
        ${again(s, ui)}
      </div>`,
  });
}

/** What is wrong with the row, each in one sentence. */
function wrong(s, ui) {
  const tile = s.reading.tile;
  const lines = s.reading.violations.map(({ kind, values }) => {
    const [a, b] = [values[0] ?? tile?.value, values[1] ?? values[0] ?? ""];
    return ui.t(`wrong.${kind}`, { a, b });
  });
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("wrong.kicker")}</p>
      ${title(ui.t("wrong.title"))}
      <div class="card advice">${triangle(34)}<ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></div>
      ${tile?.value ? rowStrip(asRead(s), ui) : rowStrip(s, ui)}
      <p class="lead">${ui.t(s.virtual ? "wrong.hint_virtual" : "wrong.hint")}</p>`,
    foot: html`${s.may.confirm ? lamp(ui.t("wrong.confirm"), () => ui.send("confirm")) : ""}
      <div class="pair">
        ${key(ui.t("reading.fix"), () => ui.set({ fix: fixOf(s) }), { disabled: !s.may.correct })} ${again(s, ui)}
      </div>`,
  });
}

function fixOf(s) {
  return { value: s.reading?.tile?.value ?? standable(s)[0], position: s.reading?.position ?? s.row.length };
}

function unsure(s, ui) {
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("reading.kicker")}</p>
      ${title(ui.t("unsure.title"))}
      <p class="lead">${ui.t("unsure.lead")}</p>
      ${rowStrip(s, ui)}`,
    foot: html`${lamp(ui.t("unsure.tell"), () => ui.set({ fix: fixOf(s) }), { disabled: !s.may.correct })}
      ${again(s, ui)}`,
  });
}

function looking(s, ui) {
  const hand = s.reading?.state === "hand" && !s.virtual;
  return page(s, ui, {
    name: "reading",
    body: html`<p class="kicker">${ui.t("turn.title", { name: short(me(s).name) })}</p>
      ${title(ui.t(hand ? "hand.title" : "looking.title"))}
      <p class="lead">${ui.t(hand ? "hand.lead" : "looking.lead")}</p>
      ${rowStrip(s, ui)}`,
    foot: again(s, ui),
  });
}

/** Put it right: which tile it is, and where it stands. */
function fix(s, ui) {
  const { value, position } = ui.local.fix;
  const row = s.row.filter((tile) => tile.value !== value);
  const moving = s.supply.length === 0;
  const set = (patch) => ui.set({ fix: { value, position, ...patch } });
  const at = Math.min(position, row.length);
  return page(s, ui, {
    name: "fix",
    body: html`${title(ui.t("fix.title"), { size: "title-s" })}
      <p class="label" id="fix-which">${ui.t("fix.which")}</p>
      <div class="picks" role="radiogroup" aria-labelledby="fix-which">
        ${standable(s).map(
          (each) => html`<label class="pick">
            <input type="radio" name="fix" .checked=${each === value} @change=${() => set({ value: each })} />
            ${tilePicture(each, { height: 46 })}<span class="unseen">${each}</span>
          </label>`,
        )}
      </div>
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
      ${key(ui.t("back"), () => ui.set({ fix: null }))}`,
  });
}

export function reading(s, ui) {
  if (ui.local.fix) {
    return fix(s, ui);
  }
  const screens = { proposal, wrong, unsure };
  return (screens[s.reading?.state] ?? looking)(s, ui);
}
