/** An award of a game: its picture, its name, who or how much, why, and the rule it is earned by. */
import { html, svg } from "../../../vendor/lit-html/lit-html.js";
import { list } from "../../../core/i18n.js";

const wood = (x, y, turn = 0) => svg`<rect x=${x} y=${y} width="24" height="82" rx="4" fill="url(#g-wood)" stroke="#7b4c1f"
  stroke-width="2.4" transform="rotate(${turn} ${x + 12} ${y + 82})"></rect>`;

const PICTURES = {
  eye: svg`<path d="M4 60Q60 8 116 60Q60 112 4 60Z" fill="#fff3da" stroke="#3a2210" stroke-width="5"></path>
    <circle cx="60" cy="60" r="24" fill="#8a5a28" stroke="#3a2210" stroke-width="4"></circle>
    <circle cx="60" cy="60" r="10" fill="#1a0d06"></circle><circle cx="52" cy="52" r="6" fill="#fff"></circle>`,
  bluff: svg`<g transform="rotate(-5 60 60)"><rect x="18" y="6" width="84" height="106" rx="13" fill="#4a2f1a" stroke="#8b6d48" stroke-width="4"></rect>
    ${[1, 0.64, 0.3].map((k) => svg`<path d="M60 ${59 - 40 * k}L${60 + 28 * k} 59L60 ${59 + 40 * k}L${60 - 28 * k} 59Z" fill="none" stroke="#c99f63" stroke-width="2.6"></path>`)}</g>`,
  close: svg`${wood(10, 24)}${wood(86, 24)}
    <path d="M42 62H78M50 52L40 62L50 72M70 52L80 62L70 72" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round"
      stroke-linejoin="round"></path>`,
  odds: svg`${wood(72, 24)}<g transform="translate(0 2)">${wood(8, 22, 66)}</g>
    <path d="M56 30Q74 4 98 14" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round" stroke-dasharray="2 12"></path>`,
};

/** The drawing, on a grid of 120. */
export const awardPicture = (kind, size) => html`<svg class="award-picture" width=${size} height=${size} viewBox="0 0 120 120"
  aria-hidden="true">${PICTURES[kind]}</svg>`;

/** A chance in words: never none and never all, where it is neither. */
const percent = (p) => (p > 0 && p < 1 ? Math.min(99, Math.max(1, Math.round(100 * p))) : Math.round(100 * p));

/** A measure in the page's own digits. */
export const millimetres = (mm, lang) => new Intl.NumberFormat(lang, { maximumFractionDigits: 1 }).format(mm);

/**
 * @param {object} award of a snapshot
 * @param {{t: (key: string, params?: object) => string, lang: string, name: (seat: string) => string}} words
 * @returns {{title: string, hero: string, why: string, rule: string}}
 */
export function awardWords(award, { t, lang, name }) {
  const { kind, seats, rounds, p_fall: p, short_mm: mm, between } = award;
  const said = { title: t(`${kind}`), rule: t(`${kind}.rule`) };
  const where = { count: rounds.length, rounds: list(lang, rounds.map(String)) };
  if (seats.length) {
    return { ...said, hero: seats.map(name).join(", "), why: t(`${kind}.why`, { p: percent(p ?? 0) }) };
  }
  const hero = mm === null ? t("chance", { p: percent(p) }) : t("close.mm", { mm: millimetres(mm, lang) });
  const why = between ? t("close.between", { a: between[0], b: between[1] }) : t(`${kind}.why`, where);
  return { ...said, hero, why };
}

/** The badge beside the name of whoever has earned it over evenings. */
export const eyeBadge = (label, size = 26) => html`<svg class="eye-badge" width=${size} height=${size} viewBox="0 0 120 120" role="img"
  aria-label=${label}>${PICTURES.eye}</svg>`;
