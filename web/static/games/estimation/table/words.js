// Sentences about the row and its tiles, made from a snapshot. No markup.

import { byHand } from "../../../core/page.js";
import { nameOf, seatOf } from "../../../table/names.js";

const neighbours = (row, value) => {
  const at = row.findIndex((tile) => tile.value === value);
  return { at, tile: row[at], before: row[at - 1]?.value, after: row[at + 1]?.value };
};

const howStands = (tile, say) => say(`table.how.${tile.orientation ?? "vertical"}`);

/** What the placer stood, where and how; empty before the first tile of a round. */
export function stood(snap, say) {
  if (!snap.placer || snap.last === null) return "";
  const { at, tile, before, after } = neighbours(snap.row, snap.last);
  if (!tile) return "";
  const place = at === 0 ? "left" : at === snap.row.length - 1 ? "right" : "between";
  return say(`table.turn.${place}`, {
    name: nameOf(snap, snap.placer),
    value: tile.value,
    a: before,
    b: after,
    how: howStands(tile, say),
  });
}

const noticed = (seen, say) =>
  (seen.notices ?? []).map(({ kind, values }) => say(`table.read.${kind}`, { values: values.join(", ") })).join(" ");

/** What is in the camera's way, of the kind that stops the game or of the other; else nothing. */
export const cameraWords = (snap, say, blind) =>
  snap.sight && snap.sight.blind === blind ? say(`table.sight.${snap.sight.kind}`) : "";

/** Tile by tile, how the row stands otherwise than it did. */
export const differences = (snap, say) =>
  snap.differs.tiles.map(({ kind, value, mm, deg }) =>
    say(`table.differs.${kind}`, { value: value ?? "?", mm, deg: Math.abs(deg) }),
  );

/** The row stands otherwise than it did: what, in one line. */
export function differing(snap, say) {
  if (!snap.differs) return "";
  const all = differences(snap, say);
  return say("table.read.differs", { values: all.length > 2 ? `${all.slice(0, 2).join(", ")} …` : all.join(", ") });
}

const UNREAD = ["waiting", "looking", "hand"];

/** The tile that people are asked to stand, as long as the camera reads nothing there; else nothing. */
export const wanted = (snap) => (snap.wanted && !snap.differs && UNREAD.includes(snap.reading?.state) ? snap.wanted : null);

/** A tile and its place, as the sentences that have both fill them in. */
function placed(snap, { tile, place, between }, say) {
  const [a, b] = between ?? [];
  return [place ?? "right", { name: nameOf(snap, snap.active), value: tile.value, a, b, how: howStands(tile, say) }];
}

/** Which tile people are asked to stand for a bot, and where. */
function asked(snap, tile, say) {
  const [place, said] = placed(snap, tile, say);
  return say(`table.asked.${place}`, said);
}

/** What the referee makes of the tile on the table now; empty while nothing happens. */
export function reading(snap, say) {
  const seen = snap.reading;
  const name = nameOf(snap, snap.active);
  if (!seen) return "";
  if (snap.differs) return say("table.mend.line");
  if (wanted(snap)) return [asked(snap, snap.wanted, say), noticed(seen, say)].join(" ").trim();
  if (seen.state === "waiting") return noticed(seen, say);
  if (["several", "exchanged", "gone", "down"].includes(seen.state)) return say(`table.read.${seen.state}`, { name });
  if (seen.state === "proposal" && seen.tile) {
    const [place, said] = placed(snap, seen, say);
    if (!byHand(snap)) return say(`table.read.${place}`, said);
    return seatOf(snap, snap.active)?.bot ? asked(snap, seen, say) : say(`table.shown.${place}`, said);
  }
  if (seen.state === "wrong") {
    const found = seen.violations?.[0];
    const known = ["branch", "loop", "flat", "too_far", "overlapping", "apart", "middle"];
    const kind = known.includes(found?.kind) ? found.kind : "wrong";
    return say(`table.read.${kind}`, { name, values: (found?.values ?? []).join(", ") });
  }
  if (seen.state === "unsure") return say("table.read.unsure");
  return say(`table.read.${seen.state === "hand" ? "hand" : "looking"}`);
}

/** The row in words, for those who hear the screen. */
export function rowInWords(row, say) {
  const tiles = row.map((tile) => {
    const how = tile.state === "fallen" ? "fallen" : (tile.orientation ?? "vertical");
    return say(`table.row.label.${how}`, { value: tile.value });
  });
  return say("table.row.label", { tiles: tiles.join(", ") });
}

/** "Round 2 of 3", or the extra round. */
export const roundWords = (snap, say) =>
  snap.round > snap.rounds
    ? say("table.turn.extra")
    : say("table.turn.round", { round: snap.round, rounds: snap.rounds });
