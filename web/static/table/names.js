// The people at a table, by their seats in a snapshot.

import { list } from "../core/i18n.js";
import { wordWidth } from "./width.js";

export const seatOf = (snap, id) => snap.seats.find((seat) => seat.seat === id) ?? null;

export const nameOf = (snap, id) => seatOf(snap, id)?.name ?? "";

/** "Olena and Borys", in the words of the page's language. */
export const listed = (names, lang) => list(lang, names);

export const host = (snap) => snap.seats.find((seat) => seat.host) ?? null;

/** The letters of a name, where a family of emojis is one; browsers without a segmenter take each person for one. */
const letters = (name) => (Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(name), (one) => one.segment) : Array.from(name));

/** A name, then ever less of it, down to its first letter. */
export function* shortened(name) {
  yield name;
  for (const left = letters(name).slice(0, -1); left.length; left.pop()) yield `${left.join("").trimEnd()}…`;
}

/** As much of a name as fits into this room at this size and in this face, see `wordWidth`. */
export function fitted(name, room, size, face) {
  const texts = [...shortened(name)];
  return texts.find((text) => wordWidth(text, size, face) <= room) ?? texts.slice(-1)[0];
}
