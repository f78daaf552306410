// How wide a word is on the stage.

const SIZE = 36;
const widths = new Map();
let pen = null;

/** Width in stage pixels of a bold word of this size in the face the page really uses. */
export function wordWidth(word, size = SIZE) {
  const key = `${size} ${word}`;
  if (!widths.has(key)) {
    pen ??= document.createElement("canvas").getContext("2d");
    const family = getComputedStyle(document.body).fontFamily || "sans-serif";
    pen.font = `700 ${size}px ${family}`;
    widths.set(key, pen.measureText(word).width);
  }
  return widths.get(key);
}
