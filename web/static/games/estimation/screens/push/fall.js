/** The fall of a pretend row where no table screen shows it: drawn small, by the table's clock. */
import { html, svg } from "../../../../vendor/lit-html/lit-html.js";
import { page, room, title } from "../../../../core/page.js";
import { stopKey } from "../../../../core/stop.js";
import { lying, rowArt } from "../../table/row/rowart.js";
import { corners, fit } from "../../table/row/scene.js";
import { fallAt, falls, tilts } from "../../table/row/tipping.js";
import { fall } from "./push.js";

/** The part of the table screen's picture that is shown, and coins that can be read at this size. */
const PICTURE = [150, 190, 1640, 880];
const COIN = 84;

const art = (s, list, ms) => {
  const end = s.push?.end ?? s.end;
  const row = s.row.map((tile) => ({ ...tile, state: "standing" }));
  const boxes = [...row.map((tile) => corners(tile, s.tile)), ...lying(row, s.tile, end, list)];
  return rowArt(fit(boxes, "fall"), {
    row,
    spec: s.tile,
    end,
    tilts: tilts(list, ms),
    coin: COIN,
    safe: [PICTURE[0], PICTURE[1], PICTURE[0] + PICTURE[2], PICTURE[1] + PICTURE[3]],
  });
};

function picture(s, ui) {
  const list = falls(s.fall);
  const ms = fallAt(list, ui.now() - s.fall.from_ms, ui.still);
  return html`<svg class="fall" width=${room(ui)} viewBox=${PICTURE.join(" ")} role="img" aria-label=${ui.t("fall.title")}>
    <defs><filter id="t-blur"><feGaussianBlur stdDeviation="5"></feGaussianBlur></filter></defs>${svg`${art(s, list, ms)}`}</svg>`;
}

/** Nothing is said of it before it is over. */
fall.screen = (s, ui) =>
  page(s, ui, {
    name: "fall",
    label: ui.t("push.rail"),
    body: html`<div class="middle">${title(ui.t("fall.title"))}<p class="lead">${ui.t("fall.lead")}</p></div>
      ${picture(s, ui)}`,
    foot: s.may.stop ? stopKey(s, ui, "bar") : "",
  });
