/** Words of the page: a catalogue a language, and the game's beside it; plurals by the language's own rules. */

export const LANGUAGES = { en: "English", uk: "Українська", ru: "Русский", bg: "Български" };

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
 * A translator over one catalogue. `t(key, params)` fills `{name}` places; an entry with plural forms
 * is chosen by `params.count`. A key that is missing comes back as itself, which a test catches.
 * @param {Record<string, string|Record<string, string>>} catalogue
 * @param {string} language
 */
export function translator(catalogue, language) {
  const plural = new Intl.PluralRules(language);
  return function t(key, params = {}) {
    let text = catalogue[key];
    if (text === undefined) {
      return key;
    }
    if (typeof text === "object") {
      const exact = text[`=${params.count}`];
      text = exact ?? text[plural.select(params.count)] ?? text.other;
    }
    return text.replace(/\{(\w+)\}/g, (whole, name) => String(params[name] ?? whole));
  };
}

/**
 * "A, B and C" in the language of the page.
 * @param {string} language
 * @param {string[]} parts
 */
export function list(language, parts) {
  return new Intl.ListFormat(language, { type: "conjunction" }).format(parts);
}

/**
 * @param {string} name of a catalogue, as "en" or "table.en"
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
