// The people at a table, by their seats in a snapshot.

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
