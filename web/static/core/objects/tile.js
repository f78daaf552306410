/** A wooden tile seen from the front, upright (24 x 48 mm) or low (48 x 24 mm). */
import { html, nothing, svg } from "../../vendor/lit-html/lit-html.js";
import { numeral } from "./numerals.js";

/** @param {boolean} low @returns {[number, number]} width and height in mm */
export function tileSize(low) {
  return low ? [48, 24] : [24, 48];
}

/** Four grain lines along the tile, always the same for the same value. */
function grain(value, width, height, low) {
  let seed = value * 7919 + 17;
  const chance = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  const along = low ? width : height;
  const across = low ? height : width;
  const lines = [];
  for (let i = 0; i < 4; i += 1) {
    const at = across * (0.14 + 0.23 * i + 0.07 * chance());
    const bow = across * (0.05 + 0.1 * chance()) * (chance() < 0.5 ? -1 : 1);
    const points = [
      [0.8, at],
      [along * 0.3, at + bow],
      [along * (0.55 + 0.2 * chance()), at - bow * 0.8],
      [along - 0.8, at + bow * 0.4],
    ].map(([s, t]) => (low ? `${s.toFixed(2)} ${t.toFixed(2)}` : `${t.toFixed(2)} ${s.toFixed(2)}`));
    lines.push(`M${points[0]}C${points[1]} ${points[2]} ${points[3]}`);
  }
  return lines.join("");
}

/**
 * The face of a tile; its foot stands on (x, y), x being its left side. To be used inside an <svg>.
 * @param {number} value
 * @param {{x?: number, y: number, u?: number, low?: boolean, shadow?: boolean}} place u: px per mm
 */
export function tileFront(value, { x = 0, y, u = 1, low = false, shadow = true }) {
  const [width, height] = tileSize(low);
  const digits = low ? 14.5 : value >= 10 ? 15 : 17;
  const edge = Math.max(0.6, 1.2 / u);
  return svg`<g transform="translate(${x} ${y}) scale(${u})">
    ${
      shadow
        ? svg`<ellipse cx=${width * 0.6} cy="0" rx=${width * 0.58} ry=${low ? 1.9 : 1.7}
            fill="#000" fill-opacity=".42"></ellipse>`
        : ""
    }
    <g transform="translate(0 ${-height})">
      <rect width=${width} height=${height} rx="3" fill="url(#g-wood)"></rect>
      <path d=${grain(value, width, height, low)} fill="none" stroke="#b98345" stroke-opacity=".42"
        stroke-width=".55"></path>
      <rect x=".6" y=".6" width=${width - 1.2} height=${height - 1.2} rx="2.5" fill="none"
        stroke="#fff6df" stroke-opacity=".55" stroke-width=".7"></rect>
      <rect width=${width} height=${height} rx="3" fill="none" stroke="#7b4c1f" stroke-width=${edge}></rect>
      ${numeral(value, { x: width / 2, y: height / 2, height: digits, ink: "#3a2210", glint: true })}
    </g>
  </g>`;
}

/**
 * A tile alone as its own picture.
 * @param {number} value
 * @param {{height: number, low?: boolean, label?: string}} look height of an upright tile in px
 */
export function tilePicture(value, { height, low = false, label = "" }) {
  const u = height / 48;
  const [width, tall] = tileSize(low);
  const w = Math.ceil((width * 1.2 + 3) * u);
  const h = Math.ceil((tall + 4) * u);
  return html`<svg class="tile-picture" width=${w} height=${h} viewBox="0 0 ${w} ${h}"
    role=${label ? "img" : nothing} aria-label=${label || nothing} aria-hidden=${label ? nothing : "true"}>
    ${tileFront(value, { x: 1.5 * u, y: h - 2.2 * u, u, low })}
  </svg>`;
}
