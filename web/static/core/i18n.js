/** Words of the page: a folder of catalogues a language, in the format of i18next; plurals by the language's own rules. */

/** What each language calls itself, by its code, as the page was told which there are. */
const told = document.querySelector("meta[name=languages]")?.content ?? '{"en": "English"}';
export const LANGUAGES = JSON.parse(told);

/**
 * The language to speak: the one chosen on this device, else the first of the browser's that we have.
 * @param {string|null} chosen
 * @param {readonly string[]} wanted
 */
export function pickLanguage(chosen, wanted) {
  const known = Object.keys(LANGUAGES);
  if (chosen && known.includes(chosen)) {
    return chosen;
  }
  const first = wanted.map((tag) => tag.toLowerCase().split("-")[0]).find((tag) => known.includes(tag));
  return first ?? "en";
}

/**
 * A translator over one catalogue. `t(key, params)` fills `{{name}}` places; of a text with plural forms
 * `params.count`, a whole number, chooses one. Other numbers are written as the language writes them. A key that is
 * missing comes back as itself, which a test catches.
 * @param {Record<string, string>} catalogue
 * @param {string} language
 */
export function translator(catalogue, language) {
  const plural = new Intl.PluralRules(language);
  const decimal = new Intl.NumberFormat(language, { useGrouping: false });
  const written = (value) => (typeof value === "number" && !Number.isInteger(value) ? decimal.format(value) : String(value));
  return function t(key, params = {}) {
    const text = catalogue[key] ?? catalogue[`${key}_${plural.select(params.count)}`] ?? catalogue[`${key}_other`] ?? key;
    return text.replace(/\{\{(\w+)\}\}/g, (whole, name) => written(params[name] ?? whole));
  };
}

/**
 * "A, B and C" in the language of the page; "A, B, C" in a browser that cannot say it.
 * @param {string} language
 * @param {string[]} parts
 */
export function list(language, parts) {
  return Intl.ListFormat ? new Intl.ListFormat(language, { type: "conjunction" }).format(parts) : parts.join(", ");
}

/**
 * @param {string} name of a catalogue, as "en/table" or "en/dominoes/table"
 * @param {object|null} [none] what to give where there is no such catalogue; an error unless given
 */
export async function loadCatalogue(name, none = null) {
  const reply = await fetch(`/locales/${name}.json`);
  if (none && reply.status === 404) {
    return none;
  }
  if (!reply.ok) {
    throw new Error(`no catalogue ${name}: ${reply.status}`);
  }
  return reply.json();
}
