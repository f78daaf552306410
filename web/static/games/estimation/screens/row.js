/** The row on a phone: drawn, and in words. */
import { list } from "../../../core/i18n.js";
import { called, room } from "../../../core/page.js";
import { strip } from "../objects/strip.js";

/** The row in words, for those who hear the page. */
function rowWords(s, ui) {
  const tiles = s.row.map((tile) => {
    const low = tile.orientation === "horizontal" ? "row.low" : "row.upright";
    const value = ui.t(low, { value: tile.value });
    return tile.value === s.last ? ui.t("row.last", { tile: value }) : value;
  });
  const start = s.end && s.row.length > 1 ? ui.t(`row.push.${s.end}`) : "";
  return `${ui.t("row.label", { tiles: tiles.join(", ") })} ${start}`.trim();
}

/** The end where a push would start: the one with the lower value. */
export function lowerEnd(row) {
  if (row.length < 2) {
    return null;
  }
  return row[0].value < row[row.length - 1].value ? "left" : "right";
}

/** The tiles a player may stand: the supply, or once that is empty the middle of the row. */
export function standable(s) {
  return s.supply.length ? s.supply : s.row.slice(1, -1).map((tile) => tile.value);
}

/** The row strip with its words. */
export function rowStrip(s, ui, extra = {}) {
  return strip(s.row, {
    width: room(ui),
    rem: ui.rem,
    last: s.last,
    end: s.end,
    text: { push: ui.t("strip.push"), last: ui.t("strip.last"), label: rowWords(s, ui) },
    ...extra,
  });
}

/** Where in the row a position is: "at the left end", "between 3 and 8". */
export function placeWords(ui, row, position) {
  if (position === 0) {
    return ui.t("place.left");
  }
  if (position >= row.length) {
    return ui.t("place.right");
  }
  return ui.t("place.between", { left: row[position - 1].value, right: row[position].value });
}

/** What the placer did last, in one line; empty before the first tile of the round. */
export function lastPlaced(s, ui) {
  if (!s.placer || s.last === null) {
    return "";
  }
  const at = s.row.findIndex((tile) => tile.value === s.last);
  const where = at <= 0 ? "left" : at === s.row.length - 1 ? "right" : "between";
  const params = { name: called(s, ui, s.placer), value: s.last };
  return ui.t(s.placer === s.you.seat ? `placed.you.${where}` : `placed.${where}`, params);
}

/** "4 and 9"; tiles without a number that can be read are counted. */
export function tileNames(ui, values) {
  const named = values.filter((value) => value !== null);
  const count = values.length - named.length;
  return list(ui.lang, [...named.map(String), ...(count ? [ui.t("changed.unread", { count })] : [])]);
}
