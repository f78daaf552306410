/** The line on the cloth, its two open places, and the boneyard as a heap beside it. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { repeat } from "../../../vendor/lit-html/directives/repeat.js";
import { numeral } from "../../../core/objects/numerals.js";
import { nameOf } from "../../../table/names.js";
import { wordWidth } from "../../../table/width.js";
import { WIDE, boneShape, heapShape } from "../objects/bone.js";
import { CLOTH, sizeOf, snake } from "./snake.js";

/** Stage px: the heap stands beside the cloth. */
const HEAP = { x: 1664, y: 548, u: 2.2, words: 750 };
const WHOLE_SET = 28;
const COIN = 14;
const COIN_MOST = 40;
const TAG = { height: 74, type: 52, beside: 44, away: 22 };

const last = (snap) => snap.recent.slice(-1)[0];

/** Which bone of the line came last; -1 where none has. */
function newest({ line, recent }) {
  const [laid] = recent.filter(({ what }) => what === "place").slice(-1);
  return !laid ? -1 : laid.end === "right" ? line.length - 1 : 0;
}

/** What was done last, and what lies open: in one line. */
export function done(ctx) {
  const { snap, say } = ctx;
  const act = last(snap);
  if (!act) return "";
  const name = nameOf(snap, act.seat);
  const drawn = snap.recent.filter(({ what, seat }) => what === "draw" && seat === act.seat).length;
  const laid = () => say(`table.did.${act.end || "first"}`, { name, bone: act.bone });
  const said = { place: laid, draw: () => say("table.did.draw", { name, count: drawn }) };
  const words = said[act.what]?.() ?? say(`table.did.${act.what}`, { name });
  const [left, right] = snap.ends;
  return snap.line.length ? `${words} ${say("table.open", { left, right })}` : words;
}

/** The line for whoever hears the page. */
export const lineInWords = ({ snap, say }) => (snap.line.length ? say("table.line", { bones: snap.line.join(", ") }) : "");

const box = (each, u) => {
  const [w, h] = sizeOf(each, u);
  return { x1: each.x - w / 2, x2: each.x + w / 2, y1: each.y - h / 2, y2: each.y + h / 2 };
};

const meet = (a, b) => a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;

/** A place for the word "last" beside the newest bone, where nothing else lies; below it if anywhere. */
function tagPlace(each, others, wide, u) {
  const { x1, x2, y1, y2 } = box(each, u);
  const [h, off] = [TAG.height / 2, TAG.away];
  const past = off + h + (WIDE / 2) * u; // beyond a double that lies across beside it
  const tries = [
    { x: each.x, y: y2 + off + h },
    { x: each.x, y: y1 - off - h },
    { x: x2 + off + wide / 2, y: each.y },
    { x: x1 - off - wide / 2, y: each.y },
    { x: each.x, y: y2 + past },
    { x: each.x, y: y1 - past },
  ];
  const isFree = ({ x, y }) => !others.some((other) => meet({ x1: x - wide / 2, x2: x + wide / 2, y1: y - h, y2: y + h }, other));
  return tries.find(isFree) ?? tries[0];
}

/** The newest bone in a pool of light, with its word. */
function light(each, { bones, open, u }, say) {
  const [w, h] = sizeOf(each, u);
  const word = say("table.last");
  const wide = wordWidth(word, TAG.type) + TAG.beside;
  const others = [...bones.filter((other) => other !== each), ...open].map((other) => box(other, u));
  const { x, y } = tagPlace(each, others, wide, u);
  return {
    under: svg`<ellipse cx=${each.x} cy=${each.y} rx=${w * 0.5 + 44} ry=${h * 0.5 + 44} fill="url(#g-pool)"></ellipse>
      <ellipse cx=${each.x} cy=${each.y} rx=${w * 0.5 + 44} ry=${h * 0.5 + 44} class="d-ring"></ellipse>`,
    over: svg`<g class="d-tag"><rect x=${x - wide / 2} y=${y - TAG.height / 2} width=${wide} height=${TAG.height} rx=${TAG.height / 2}></rect>
      <text x=${x} y=${y + 18} text-anchor="middle">${word}</text></g>`,
  };
}

/** An open place: dashed, with the value that it takes. */
function openPlace(each, value, u) {
  const { x1, x2, y1, y2 } = box(each, u);
  const r = Math.min(COIN_MOST, COIN * u);
  return svg`<rect class="d-open" x=${x1 + 2} y=${y1 + 2} width=${x2 - x1 - 4} height=${y2 - y1 - 4} rx="9"></rect>
    <circle class="d-coin" cx=${each.x} cy=${each.y} r=${r}></circle>
    ${numeral(value, { x: each.x, y: each.y, height: r * 1.12, ink: "#3a2210" })}`;
}

const flat = (each, u) => boneShape(each.bone, { x: each.x, y: each.y, u, lying: each.lying });

/** The edges of the whole line, as it lies on the cloth. */
export function lineBox(snap) {
  const { bones, u } = snake(snap.line, snap.first, CLOTH);
  const all = bones.map((each) => box(each, u));
  const edge = (which, name) => which(...all.map((each) => each[name]));
  return { x1: edge(Math.min, "x1"), x2: edge(Math.max, "x2"), y1: edge(Math.min, "y1"), y2: edge(Math.max, "y2") };
}

/** The whole line; `open` where a bone may still be laid, `lit` where the newest one stands in the light. */
export function lineArt({ snap, say }, { open = false, lit = false, cloth = CLOTH } = {}) {
  const laid = snake(snap.line, snap.first, cloth);
  const at = lit ? newest(snap) : -1;
  const shown = at < 0 ? null : light(laid.bones[at], laid, say);
  return svg`${shown?.under ?? ""}
    ${repeat(laid.bones, ({ bone }) => [...bone].sort().join(""), (each) => svg`<g class="d-bone">${flat(each, laid.u)}</g>`)}
    ${open ? laid.open.map((each, i) => openPlace(each, snap.ends[i], laid.u)) : ""} ${shown?.over ?? ""}`;
}

/** How many bones the boneyard has, in words. */
export const yardInWords = ({ snap, say }) => (snap.boneyard ? say("table.yard", { count: snap.boneyard }) : say("table.yard.none"));

const heapArt = ({ snap }) => svg`${
  snap.boneyard ? svg`<ellipse cx=${HEAP.x} cy=${HEAP.y + 10} rx="150" ry="122" fill="#000" fill-opacity=".22"></ellipse>` : ""
}${heapShape(snap.boneyard, { x: HEAP.x, y: HEAP.y, u: HEAP.u, seed: snap.round })}`;

/** Where the first bone will lie. */
const FIRST = svg`<rect class="d-open" x="659" y="517" width="154" height="77" rx="9"></rect>`;

export function lineScreen(ctx) {
  const { snap, say } = ctx;
  const name = nameOf(snap, snap.active);
  const begins = !snap.line.length;
  return {
    name: "line",
    title: say(begins ? "table.begin" : "table.turn", { name }),
    line: done(ctx),
    label: [lineInWords(ctx), done(ctx)].join(" "),
    art: svg`${begins ? FIRST : lineArt(ctx, { open: true, lit: true })} ${heapArt(ctx)}`,
    over: html`<p class="d-yard">${yardInWords(ctx)}</p>`,
    corner: true,
    rail: true,
  };
}

export function dealScreen({ snap, say }) {
  const title = say(snap.key_missing ? "table.deal.locked" : "table.deal");
  return {
    name: "deal",
    title,
    label: title,
    art: svg`<ellipse cx="960" cy="560" rx="330" ry="240" fill="#000" fill-opacity=".2"></ellipse>
      ${heapShape(WHOLE_SET, { x: 960, y: 550, u: 5, seed: snap.round })}`,
    corner: true,
    rail: true,
  };
}
