// The people at a table, by their seats in a snapshot.

export const seatOf = (snap, id) => snap.seats.find((seat) => seat.seat === id) ?? null;

export const nameOf = (snap, id) => seatOf(snap, id)?.name ?? "";

/** "Olena and Borys", in the words of the page's language. */
export function listed(names, lang) {
  return new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
}

export const host = (snap) => snap.seats.find((seat) => seat.host) ?? null;
