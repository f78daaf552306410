/** A bone of wood, standing or lying, its face or its back: 24 x 48 mm, drawn around 0, 0. */
import { html, nothing, svg } from "../../../vendor/lit-html/lit-html.js";

/** mm: the halves are squares of `WIDE`. */
export const WIDE = 24;
export const LONG = 48;
/** Below so many px per mm a bone is only a sign of how many, and its pips are not meant to be read. */
const READ_U = 0.6;
const LOZENGE_U = 0.75;
const PITCH = 6;

/** Where the pips of a half lie on its 3 x 3 grid, upright. */
const CORNER = [[-1, -1], [1, 1]];
const PIPS = [
  [],
  [[0, 0]],
  CORNER,
  [...CORNER, [0, 0]],
  [...CORNER, [1, -1], [-1, 1]],
  [...CORNER, [1, -1], [-1, 1], [0, 0]],
  [...CORNER, [1, -1], [-1, 1], [-1, 0], [1, 0]],
];

/** The two halves of a bone, as it is written: "3-5" is [3, 5]. */
const halvesOf = (bone) => [Number(bone[0]), Number(bone[2])];

/** Whether its halves are alike. */
export const isDouble = (bone) => bone[0] === bone[2];

/** The same bone, the smaller half first: as hands and commands name it. */
export const named = (bone) => (bone[0] <= bone[2] ? bone : `${bone[2]}-${bone[0]}`);

/** Draws chances from 0 to 1, always the same for the same seed. */
function chances(seed) {
  let at = seed;
  return () => {
    at = (at * 1103515245 + 12345) % 2147483648;
    return at / 2147483648;
  };
}

/** Three grain lines along it, always the same for the same bone. */
function grain(bone) {
  const chance = chances(halvesOf(named(bone)).reduce((sum, half) => sum * 31 + half * 7919, 17));
  return [0, 1, 2].map((i) => {
    const x = -WIDE / 2 + WIDE * (0.18 + 0.3 * i + 0.08 * chance());
    const bow = (chance() - 0.5) * 5;
    return `M${x.toFixed(1)} -23C${(x + bow).toFixed(1)} -8 ${(x - bow).toFixed(1)} 9 ${(x + bow / 2).toFixed(1)} 23`;
  }).join("");
}

const pipsOf = (value, cy) => PIPS[value].map(([x, y]) => [x * PITCH, cy + y * PITCH]);

/** Light and shadow do not turn with a bone that lies: what is turned is only where things are. */
function face(bone, lying) {
  const [first, second] = halvesOf(bone);
  const spots = [...pipsOf(first, -11.5), ...pipsOf(second, 11.5)].map(([x, y]) => (lying ? [y, -x] : [x, y]));
  const bar = lying ? "M0 -8V8" : "M-8 0H8";
  return svg`<path d=${grain(bone)} transform=${lying ? "rotate(-90)" : nothing} fill="none" stroke="#b98345" stroke-opacity=".42" stroke-width=".55"></path>
    <path d=${bar} transform="translate(.5 .5)" stroke="#fff7e1" stroke-opacity=".7" stroke-width="1.3" stroke-linecap="round"></path>
    <path d=${bar} stroke="#7b4c1f" stroke-width="1.3" stroke-linecap="round"></path>
    ${spots.map(([x, y]) => svg`<circle cx=${x + 0.35} cy=${y + 0.45} r="2.4" fill="#fff7e1" fill-opacity=".7"></circle>`)}
    ${spots.map(([x, y]) => svg`<circle cx=${x} cy=${y} r="2.4" fill="#3a2210"></circle>`)}`;
}

const lozenge = (size) => `M0 ${-size}L${size * 0.62} 0L0 ${size}L${-size * 0.62} 0Z`;

function back(u, w, h, lying) {
  return svg`<rect x=${-w / 2 + 2.4} y=${-h / 2 + 2.4} width=${w - 4.8} height=${h - 4.8} rx="2" fill="none" stroke="#b98a58" stroke-width=".8"></rect>
    ${u < LOZENGE_U ? "" : svg`<g transform=${lying ? "rotate(90)" : nothing} fill="none" stroke="#b98a58" stroke-width="1">${[13, 8.5, 4].map((size) => svg`<path d=${lozenge(size)}></path>`)}</g>`}`;
}

/**
 * A bone whose middle is at (x, y), to be used inside an <svg>.
 * @param {string|null} bone as it lies, its upper or left half first; null shows its back
 * @param {{x?: number, y?: number, u?: number, lying?: boolean, turn?: number, shadow?: boolean}} place u: px per mm, turn: degrees
 */
export function boneShape(bone, { x = 0, y = 0, u = 1, lying = false, turn = 0, shadow = true } = {}) {
  const [w, h] = lying ? [LONG, WIDE] : [WIDE, LONG];
  const box = { x: -w / 2, y: -h / 2, width: w, height: h };
  const edge = Math.max(0.6, 1.2 / u);
  return svg`<g transform="translate(${x} ${y}) scale(${u})${turn ? ` rotate(${turn})` : ""}">
    ${shadow ? svg`<rect x=${box.x + 1.4} y=${box.y + 2} width=${w} height=${h} rx="3" fill="#000" fill-opacity=".38"></rect>` : ""}
    <rect x=${box.x} y=${box.y} width=${w} height=${h} rx="3" fill=${bone ? "url(#g-wood)" : "url(#g-walnut)"}></rect>
    ${bone ? svg`<rect x=${box.x + 0.9} y=${box.y + 0.9} width=${w - 1.8} height=${h - 1.8} rx="2.3" fill="none" stroke="#fff6df" stroke-opacity=".55" stroke-width=".7"></rect>` : ""}
    ${bone ? (u < READ_U ? "" : face(bone, lying)) : back(u, w, h, lying)}
    <rect x=${box.x} y=${box.y} width=${w} height=${h} rx="3" fill="none" stroke=${bone ? "#7b4c1f" : "#22110a"} stroke-width=${edge}></rect>
  </g>`;
}

/** A bone alone as its own picture; silent unless it gets a label. */
export function bonePicture(bone, { u, lying = false, label = "" }) {
  const [w, h] = lying ? [LONG, WIDE] : [WIDE, LONG];
  const [width, height] = [w * u + 2, h * u + 3];
  return html`<svg class="bone" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role=${label ? "img" : nothing}
    aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>${boneShape(bone, { x: (w * u) / 2, y: (h * u) / 2, u, lying })}</svg>`;
}

/** So many backs side by side, at most `most`. */
export function backs(count, { u, most = 7 }) {
  const shown = Math.min(count, most);
  const pitch = WIDE * u + 2;
  const [w, h] = [Math.max(1, shown * pitch), LONG * u + 2];
  return html`<svg width=${w} height=${h} viewBox="0 0 ${w} ${h}" aria-hidden="true">
    ${Array.from({ length: shown }, (_, i) => boneShape(null, { x: pitch * i + (WIDE * u) / 2 + 0.5, y: (LONG * u) / 2 + 0.5, u, shadow: false }))}
  </svg>`;
}

/** The heap: one back for each bone, never more than twelve; a number of its own keeps it from jumping. */
export function heapShape(count, { x, y, u, seed }) {
  const chance = chances((seed + 1) * 7919);
  const shift = () => chance() - 0.5;
  const places = Array.from({ length: 12 }, (_, i) => ({
    x: x + u * (((i * 31) % 80) - 40 + 12 * shift()),
    y: y + u * (((i * 47) % 56) - 28 + 10 * shift()),
    turn: 150 * shift(),
  }));
  return places.slice(0, count).map((place) => boneShape(null, { ...place, u }));
}
