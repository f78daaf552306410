/** The boneyard as a heap, small, beside its number. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { heapShape } from "./bone.js";

export const heapPicture = (count, seed) => html`<svg class="heap" width="84" height="60" viewBox="0 0 84 60" aria-hidden="true">
  ${heapShape(count, { x: 42, y: 30, u: 0.52, seed })}
</svg>`;
