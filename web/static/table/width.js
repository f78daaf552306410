// How wide a word is on the stage.

/** Of a word on the table where no other is named: that of tags. */
const SIZE = 52;
const widths = new Map();
let pen = null;

/** Steps of a title, the largest first: its class and its size. */
const TITLES = [["", 92], ["t-title-m", 76], ["t-title-s", 62]];

/** Width in stage pixels of a word of this size: bold, "plain", or in the face of titles ("display"). */
export function wordWidth(word, size = SIZE, face = "body") {
  const key = `${face} ${size} ${word}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    const style = getComputedStyle(document.body);
    const family = (face === "display" ? style.getPropertyValue("--display") : style.fontFamily) || "sans-serif";
    pen.font = `${face === "plain" ? 500 : 700} ${size}px ${family}`;
    widths.set(key, pen.measureText(word).width);
  }
  return widths.get(key);
}

/** The letters of a name; of a family of emojis, which is one, browsers without a segmenter see each person. */
const letters = (name) => (Intl.Segmenter ? Array.from(new Intl.Segmenter().segment(name), (one) => one.segment) : Array.from(name));

/** A name, then ever less of it, down to its first letter. */
export function* shortened(name) {
  yield name;
  for (const left = letters(name).slice(0, -1); left.length; left.pop()) yield `${left.join("").trimEnd()}…`;
}

/** As much of a name as fits into this room at this size. */
export function fitted(name, room, size = SIZE, face = "body") {
  const texts = [...shortened(name)];
  return texts.find((text) => wordWidth(text, size, face) <= room) ?? texts.at(-1);
}

/** A title's smallest size. */
export const LEAST_TITLE = TITLES.at(-1)[1];

/** The class of a title: the largest step at which it stays on one line of this many stage pixels. */
export function titleStep(words, room) {
  const [name] = TITLES.find(([, size]) => wordWidth(words, size, "display") <= room) ?? TITLES.at(-1);
  return name;
}
