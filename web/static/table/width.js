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

/** A title's smallest size. */
export const LEAST_TITLE = TITLES.slice(-1)[0][1];

/** The class of a title: the largest step at which it stays on one line of this many stage pixels. */
export function titleStep(words, room) {
  const [name] = TITLES.find(([, size]) => wordWidth(words, size, "display") <= room) ?? TITLES.slice(-1)[0];
  return name;
}
