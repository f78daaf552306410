/** Numerals as a router cuts them: strokes on a 10 x 16 grid, never a typed font. */
import { svg } from "../../vendor/lit-html/lit-html.js";

const GAP = 0.8;
const STROKE = 2.5;
const HEIGHT = 16;
const BAR = "M2.2 18.4H7.8";
const RAISE = 1.2;

/** Path and advance of every digit, in grid units. */
const DIGITS = [
  ["M5 1.5C7.6 1.5 8.7 4.4 8.7 8C8.7 11.6 7.6 14.5 5 14.5C2.4 14.5 1.3 11.6 1.3 8C1.3 4.4 2.4 1.5 5 1.5Z", 10],
  ["M1.4 4.4L4.4 1.5V14.5", 6.2],
  ["M1.5 4.9C1.7 2.8 3.1 1.5 5 1.5C7 1.5 8.4 2.9 8.4 4.8C8.4 6.5 7.4 7.8 5.8 9.5L1.5 14.5H8.7", 10],
  [
    "M1.7 3.1C2.5 2.1 3.6 1.5 5 1.5C7 1.5 8.2 2.8 8.2 4.5C8.2 6.3 6.9 7.5 4.4 7.5C7.2 7.5 8.6 8.9 8.6 10.9" +
      "C8.6 13.1 7 14.5 4.9 14.5C3.2 14.5 1.9 13.8 1.2 12.5",
    10,
  ],
  ["M6.6 14.5V1.5L1.2 10.7H8.9", 10],
  [
    "M8 1.5H2.6L2 7.5C2.8 6.7 3.8 6.3 5 6.3C7.3 6.3 8.7 8 8.7 10.3C8.7 12.8 7.1 14.5 4.8 14.5" +
      "C3.2 14.5 2 13.8 1.3 12.6",
    10,
  ],
  [
    "M7.7 2.2C4 3 1.3 6.3 1.3 10.4C1.3 12.8 2.9 14.5 5.05 14.5C7.2 14.5 8.7 12.9 8.7 10.7" +
      "C8.7 8.5 7.2 7 5.2 7C3.3 7 1.7 8.3 1.3 10.4",
    10,
  ],
  ["M1.4 1.5H8.6L3.9 14.5M3.2 8.1H8.2", 10],
  [
    "M5 7.4C3.2 7.4 1.9 6.2 1.9 4.5C1.9 2.7 3.2 1.5 5 1.5C6.8 1.5 8.1 2.7 8.1 4.5C8.1 6.2 6.8 7.4 5 7.4" +
      "C2.9 7.4 1.3 8.9 1.3 11C1.3 13.1 2.9 14.5 5 14.5C7.1 14.5 8.7 13.1 8.7 11C8.7 8.9 7.1 7.4 5 7.4Z",
    10,
  ],
  [
    "M2.3 13.8C6 13 8.7 9.7 8.7 5.6C8.7 3.2 7.1 1.5 4.95 1.5C2.8 1.5 1.3 3.1 1.3 5.3C1.3 7.5 2.8 9 4.8 9" +
      "C6.7 9 8.3 7.7 8.7 5.6",
    10,
  ],
];

/**
 * Width of a number in grid units (a digit is 16 high).
 * @param {number|string} value
 */
function numeralWidth(value) {
  const digits = String(value).split("").map(Number);
  return digits.reduce((sum, digit) => sum + DIGITS[digit][1], 0) + GAP * (digits.length - 1);
}

/**
 * A number centred on (x, y), `height` high, in `currentColor` unless `ink` is given.
 * @param {number|string} value
 * @param {{x: number, y: number, height: number, ink?: string, glint?: boolean, heavy?: number}} place
 *   glint: the light in the groove, for numbers cut into wood; heavy: factor on the stroke.
 */
export function numeral(value, { x, y, height, ink = "currentColor", glint = false, heavy = 1 }) {
  const scale = height / HEIGHT;
  const text = String(value);
  const barred = text === "6" || text === "9";
  let left = -numeralWidth(text) / 2;
  const strokes = text.split("").map((digit) => {
    const [path, advance] = DIGITS[Number(digit)];
    const at = left;
    left += advance + GAP;
    return svg`<path d=${path} transform="translate(${at} 0)"></path>`;
  });
  const bar = barred ? svg`<path d=${BAR} transform="translate(-5 0)" stroke-width="1.8"></path>` : "";
  const top = -HEIGHT / 2 - (barred ? RAISE : 0);
  return svg`<g
    transform="translate(${x} ${y}) scale(${scale}) translate(0 ${top})"
    fill="none" stroke-width=${STROKE * heavy} stroke-linecap="round" stroke-linejoin="round">
    ${glint ? svg`<g transform="translate(.55 .6)" stroke="#fff7e1" stroke-opacity=".65">${strokes}${bar}</g>` : ""}
    <g stroke=${ink}>${strokes}${bar}</g>
  </g>`;
}
