// Names and sentences about seats and tiles, made from a snapshot. No markup.

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

/** What the referee makes of the tile on the table now; empty while nothing happens. */
export function reading(snap, say) {
  const seen = snap.reading;
  const name = nameOf(snap, snap.active);
  if (!seen || seen.state === "waiting") return "";
  if (seen.state === "proposal" && seen.tile) {
    const [a, b] = seen.between ?? [];
    const how = howStands(seen.tile, say);
    return say(`table.read.${seen.place ?? "right"}`, { name, value: seen.tile.value, a, b, how });
  }
  if (seen.state === "wrong") {
    const found = seen.violations?.[0];
    const known = ["branch", "loop", "flat", "too_far", "overlapping", "apart"];
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

/** How the title is set: long ones one step smaller. */
export function titleStep(title) {
  const length = Array.from(title).length;
  return length > 34 ? "t-title-s" : length > 24 ? "t-title-m" : "";
}
