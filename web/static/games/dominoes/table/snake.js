/**
 * Where the bones of a line lie on the cloth: a snake that turns at the edge and never crosses itself.
 * Pure; lengths in stage px.
 *
 * The first bone that was led lies in the middle and never moves. The left arm goes left and at the
 * edge turns up, the right arm goes right and turns down: each keeps to its own half. A corner is one
 * bone standing at the end of its row; the next row starts beyond its outer half, flush with it, and
 * runs back. Doubles lie across the row, and along it only where one follows a corner: there that is
 * across the bone before it.
 */
import { LONG, WIDE, isDouble } from "../objects/bone.js";

/** px between two bones. */
export const GAP = 3;
/** px per mm: the largest with which both arms fit is taken. */
const STEPS = [3.2, 2.9, 2.5, 2.2];

/** The cloth of the stage. */
export const CLOTH = { left: 72, right: 1400, top: 230, bottom: 880 };

/** The middle of a cloth, where the first bone lies. */
export const middleOf = ({ left, right, top, bottom }) => ({ x: (left + right) / 2, y: (top + bottom) / 2 });

/**
 * One arm, bone by bone; the left one is the right one turned half round, so it is laid that way.
 * @param {string[]} bones from the inside out, each with its inner half first
 * @param {{x: number, edge: number}} row where the first bone begins, and how far a row may go, to the right of the middle
 * @param {number} u px per mm
 * @returns {{bone: string, x: number, y: number, lying: boolean, flipped: boolean}[]} by their middles, as seen from the middle
 */
function arm(bones, { x, edge }, u) {
  const [wide, long] = [WIDE * u, LONG * u];
  const placed = [];
  let [at, y, way, turned] = [x, 0, 1, false];
  for (const bone of bones) {
    const left = edge - way * at;
    const across = isDouble(bone) && !turned;
    // Beside a bone that goes on in the row there stay a double's place and a corner's.
    if (!turned && !across && left < long + 2 * (wide + GAP)) {
      placed.push({ bone, x: at + (way * wide) / 2, y: y + wide / 2, lying: false, flipped: false });
      at += way * wide;
      y += long + GAP;
      way = -way;
      turned = true;
    } else {
      const length = across ? wide : long;
      placed.push({ bone, x: at + (way * length) / 2, y, lying: !across, flipped: way < 0 });
      at += way * (length + GAP);
      turned = false;
    }
  }
  return placed;
}

const other = (bone) => `${bone[2]}-${bone[0]}`;

/** A bone of an arm on the cloth, as it lies there: its left or upper half first. */
function onCloth({ bone, x, y, lying, flipped }, middle, side) {
  const first = side > 0 ? bone : other(bone);
  return { bone: flipped ? other(first) : first, x: middle.x + side * x, y: middle.y + side * y, lying };
}

function withSize(line, lead, cloth, u) {
  const middle = middleOf(cloth);
  const reach = isDouble(line[lead]) ? WIDE * u : LONG * u;
  const row = { x: reach / 2 + GAP, edge: (cloth.right - cloth.left) / 2 };
  // Behind the last bone of each arm stands an open place: that of a bone that is no double.
  const rights = arm([...line.slice(lead + 1), "0-1"], row, u);
  const lefts = arm([...line.slice(0, lead).reverse().map(other), "0-1"], row, u);
  const first = { bone: line[lead], ...middle, lying: !isDouble(line[lead]) };
  const right = rights.map((each) => onCloth(each, middle, 1));
  const left = lefts.map((each) => onCloth(each, middle, -1));
  return {
    u,
    bones: [...left.slice(0, -1).reverse(), first, ...right.slice(0, -1)],
    open: [left.slice(-1)[0], right.slice(-1)[0]].map(({ x, y, lying }) => ({ x, y, lying })),
  };
}

/** Width and height of a bone on the cloth. */
export const sizeOf = ({ lying }, u) => (lying ? [LONG * u, WIDE * u] : [WIDE * u, LONG * u]);

const isOn = (cloth, u) => (each) => {
  const [w, h] = sizeOf(each, u);
  const fits = (low, at, size, high) => at - size / 2 >= low - 0.01 && at + size / 2 <= high + 0.01;
  return fits(cloth.left, each.x, w, cloth.right) && fits(cloth.top, each.y, h, cloth.bottom);
};

/**
 * @param {string[]} line from left to right, as the bones lie: touching halves are equal
 * @param {number} lead which of them was the first
 * @param {object} [cloth]
 * @returns {{u: number, bones: {bone: string, x: number, y: number, lying: boolean}[], open: object[]}}
 *   px per mm, the bones in the order of the line, and the two places that are open, left and right
 */
export function snake(line, lead, cloth = CLOTH) {
  const scale = (cloth.right - cloth.left) / (CLOTH.right - CLOTH.left);
  const tried = STEPS.map((step) => withSize(line, lead, cloth, step * scale));
  return tried.find(({ u, bones, open }) => [...bones, ...open].every(isOn(cloth, u))) ?? tried.slice(-1)[0];
}
