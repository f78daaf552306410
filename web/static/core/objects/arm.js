/** The pusher: its picture, its switch, and the marks of what a push needs. */
import { html, svg } from "../../vendor/lit-html/lit-html.js";
import { tileFront, tileSize } from "./tile.js";

/** A round condition mark: met, or still missing. */
export function met(on) {
  return html`<svg class="met ${on ? "met-on" : "met-off"}" width="26" height="26" viewBox="0 0 26 26" aria-hidden="true">
    <circle cx="13" cy="13" r="11"></circle>
    ${on ? svg`<path d="M7.8 13.4L11.6 17.2L18.4 9.4"></path>` : ""}
  </svg>`;
}

/** The arm at the lower end and the first tiles it will meet; mirrored when it comes from the right. */
export function pusherPicture(row, end, width) {
  const near = end === "right" ? row.slice(-3).reverse() : row.slice(0, 3);
  const length = near.reduce((sum, tile) => sum + tileSize(tile.orientation === "horizontal")[0] + 9, 0);
  const u = Math.min(1.72, (width - 100) / length);
  const base = 14 + 48 * u;
  const all = length * u + 96;
  const flip = (x, w) => (end === "right" ? width - x - w : x);
  let at = (width - all) / 2 + 104;
  const arm = svg`<g transform=${end === "right" ? `translate(${width} 0) scale(-1 1)` : ""}>
    <g transform="translate(${(width - all) / 2} ${base - 36 * u})">
      <rect x="0" y="-9" width="56" height="19" rx="6" fill="#4a2c15" stroke="#22110a" stroke-width="2"></rect>
      <circle cx="55" cy="0" r="13.5" fill="url(#g-metal)" stroke="#22110a" stroke-width="2"></circle>
      <path class="push-arrow" d="M74 0H92M86 -6L92.5 0L86 6"></path>
    </g>
  </g>`;
  const tiles = near.map((tile) => {
    const low = tile.orientation === "horizontal";
    const w = tileSize(low)[0] * u;
    const drawn = tileFront(tile.value, { x: flip(at, w), y: base, u, low });
    at += w + 9 * u;
    return drawn;
  });
  const boardLeft = (width - all) / 2 + 2;
  return html`<svg class="pusher" width=${width} height=${base + 14} viewBox="0 0 ${width} ${base + 14}" aria-hidden="true">
    <rect class="board" x=${flip(boardLeft, all)} y=${base} width=${all} height="12" rx="5"></rect>
    ${tiles}${arm}
  </svg>`;
}

/** The arm that is out, from above: where it belongs, and a finger that pushes it back there. */
export function armAway(width) {
  const height = Math.round(width * 0.5);
  return html`<svg class="arm-away" width=${width} height=${height} viewBox="0 0 320 160" aria-hidden="true">
    <rect x="34" y="84" width="150" height="66" rx="10" fill="#4a2c15" stroke="#22110a" stroke-width="2.4"></rect>
    <rect x="66" y="62" width="16" height="30" rx="4" fill="url(#g-metal)" stroke="#22110a" stroke-width="2"></rect>
    <rect x="92" y="14" width="17" height="108" rx="8.5" fill="none" stroke="currentColor" stroke-width="2.4"
      stroke-dasharray="7 6" transform="rotate(0 100 116)"></rect>
    <g transform="rotate(40 100 116)">
      <rect x="91" y="12" width="18" height="112" rx="9" fill="url(#g-brass)" stroke="#5b3407" stroke-width="2.4"></rect>
      <circle cx="100" cy="116" r="13.5" fill="url(#g-metal)" stroke="#22110a" stroke-width="2.4"></circle>
    </g>
    <path d="M150 32Q136 18 120 16M128 9L119.5 16L128.5 22.5" fill="none" stroke="currentColor" stroke-width="3.6"
      stroke-linecap="round" stroke-linejoin="round"></path>
    <path d="M190 62L244 26Q258 18 266 30Q273 42 261 50L212 82Q198 90 189 79Q183 69 190 62Z" fill="#e8c9a8" stroke="#22110a"
      stroke-width="2.4" stroke-linejoin="round"></path>
    <path d="M192 66Q188 74 195 81" fill="none" stroke="#22110a" stroke-width="1.8" stroke-linecap="round"></path>
  </svg>`;
}

/** The arm switch of the pretend rig: a toggle on a plate. */
export function toggle({ on, label, flip }) {
  return html`<button type="button" class="toggle" role="switch" aria-checked=${on ? "true" : "false"}
    aria-label=${label} @click=${flip}>
    <svg width="64" height="40" viewBox="0 0 64 40" aria-hidden="true">
      <rect x="2" y="6" width="60" height="28" rx="14" fill="#22110a" stroke="#e9c58d" stroke-width="2"></rect>
      <circle cx=${on ? 47 : 17} cy="20" r="15" fill=${on ? "url(#g-brass)" : "url(#g-metal)"} stroke="#22110a"
        stroke-width="2"></circle>
      <path d=${on ? "M41 20.5L45.5 25L53 15.5" : "M11.5 20H22.5"} fill="none" stroke="#2a1705" stroke-width="2.6"
        stroke-linecap="round" stroke-linejoin="round"></path>
    </svg>
  </button>`;
}
