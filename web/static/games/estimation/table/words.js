// Names and sentences about seats and tiles, made from a snapshot. No markup.

import { byHand } from "../../../core/page.js";

const NAME_LENGTH = 14;

export const seatOf = (snap, id) => snap.seats.find((seat) => seat.seat === id) ?? null;

/** A name as screens show it: whole up to fourteen letters. */
export function shortName(name) {
  const letters = Array.from(name);
  return letters.length > NAME_LENGTH ? `${letters.slice(0, NAME_LENGTH - 1).join("")}…` : name;
}

export const nameOf = (snap, id) => shortName(seatOf(snap, id)?.name ?? "");

/** "Olena and Borys", in the words of the page's language. */
export function listed(names, lang) {
  return new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
}

export const host = (snap) => snap.seats.find((seat) => seat.host) ?? null;

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

/** What the referee makes of the tile on the table now; empty while nothing happens. */
export function reading(snap, say) {
  const seen = snap.reading;
  const name = nameOf(snap, snap.active);
  if (!seen) return "";
  if (snap.differs) return say("table.mend.line");
  if (seen.state === "waiting") return noticed(seen, say);
  if (["several", "exchanged", "gone", "down"].includes(seen.state)) return say(`table.read.${seen.state}`, { name });
  if (seen.state === "proposal" && seen.tile) {
    const [a, b] = seen.between ?? [];
    const how = howStands(seen.tile, say);
    const place = seen.place ?? "right";
    const said = { name, value: seen.tile.value, a, b, how };
    if (!byHand(snap)) return say(`table.read.${place}`, said);
    return seatOf(snap, snap.active)?.bot ? say(`table.asked.${place}`, said) : say(`table.shown.${place}`, said);
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

/** What the host has ruled, and what runs out now; empty most of the time. */
export function aside(ctx) {
  return [ruling(ctx.snap, ctx.say), runsOut(ctx), modes(ctx.snap, ctx.say)].filter(Boolean).join(" · ");
}

/** What people do for a camera or pusher that is lost or left out. */
function modes({ devices }, say) {
  const { lost = [], without = [] } = devices ?? {};
  const gone = ["camera", "pusher"].filter((which) => lost.includes(which) || without.includes(which));
  return gone.map((which) => say(`table.mode.${which}`)).join(" ");
}

function ruling(snap, say) {
  if (!snap.ruling || snap.phase === "GAME_OVER") return "";
  const { kind, why, seat } = snap.ruling;
  const known = say(`table.reason.${why}`);
  const words = known === `table.reason.${why}` ? why : known;
  return say(`table.ruling.${kind}`, { name: nameOf(snap, seat), why: words });
}

function runsOut({ snap, say, now, later }) {
  if (!snap.timer || snap.timer.kind === "verdict" || snap.paused_by) return "";
  const left = Math.max(0, snap.timer.until_ms - now());
  const seconds = Math.ceil(left / 1000);
  if (left) later(left % 1000 || 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return say(`table.timer.${snap.timer.kind}`, { clock });
}

/** How the title is set: long ones one step smaller. */
export function titleStep(title) {
  const length = Array.from(title).length;
  return length > 34 ? "t-title-s" : length > 24 ? "t-title-m" : "";
}
