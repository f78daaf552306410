/** Bones on the board below the lobby. */
import { svg } from "../../../vendor/lit-html/lit-html.js";
import { boneShape } from "../objects/bone.js";

const U = 3;
const Y = 936;
const SHOWN = ["6-6", "6-3", "3-5", "5-5", "5-2"];

export const shelf = svg`<g>${SHOWN.map((bone, i) => boneShape(bone, { x: 150 + i * 118, y: Y, u: U }))}</g>`;
