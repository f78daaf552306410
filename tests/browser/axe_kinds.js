/**
 * Which elements of a page are of a kind that was not met before, and what axe says about those.
 *
 * A kind is what an element and its parent are (tag, classes, role and what they say to a screen
 * reader), whether there is anything in it, and the colours and the size of its own text.
 */
(() => {
  const TELLING = /^(role|type|tabindex|disabled|href|alt|lang|title|for|aria-.*)$/;
  /** Of numbers and words only whether there are any: they differ from screen to screen. */
  const SHORT = /^(|true|false|mixed|off|polite|assertive|page|step|[a-z]*(dialog|group)|-?[0-9])$/;

  function self(el) {
    const told = [...el.attributes]
      .filter(({ name }) => TELLING.test(name))
      .map(({ name, value }) => (SHORT.test(value) || name === "role" ? `${name}=${value}` : name));
    return [el.localName, ...[...el.classList].sort(), ...told.sort()].join(" ");
  }

  const hasText = (el) =>
    el.matches("input, textarea, select") ||
    [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());

  function ground(el) {
    for (let each = el; each; each = each.parentElement) {
      const { backgroundColor, backgroundImage } = getComputedStyle(each);
      if (backgroundImage !== "none" || backgroundColor !== "rgba(0, 0, 0, 0)") {
        return [backgroundColor, backgroundImage];
      }
    }
    return [];
  }

  function kind(el, ids) {
    const about = [self(el), self(el.parentElement), Boolean(el.textContent.trim())];
    if (el.id) {
      about.push(ids.has(el.id) ? "the same id again" : "an id");
      ids.add(el.id);
    }
    if (hasText(el)) {
      const { color, fontSize, fontWeight, opacity } = getComputedStyle(el);
      about.push(color, fontSize, fontWeight, opacity, ...ground(el));
    }
    return about.join("|");
  }

  const PARTS = "h1, h2, h3, h4, main, nav, header, footer, aside, dialog, [role=dialog]";
  const outline = () => [...document.querySelectorAll(PARTS)].map((el) => el.localName).join(" ");

  const known = new Set();

  /** What was met on pages that are gone. */
  window.knowKinds = (kinds) => kinds.forEach((each) => known.add(each));

  /**
   * The elements that are of a new kind, and these kinds. Where the parts of the page come in a new
   * order, or where all are asked for, that is the page as a whole.
   */
  function lookedFor(root, all) {
    const ids = new Set();
    const found = new Map();
    for (const el of root.querySelectorAll("*")) {
      if (!el.parentElement.closest("svg")) {
        const name = kind(el, ids);
        found.set(name, found.get(name) ?? el);
      }
    }
    const order = outline();
    const kinds = [...found.keys(), order].filter((name) => all || !known.has(name));
    knowKinds(kinds);
    return { kinds, parts: kinds.includes(order) ? [root] : kinds.map((name) => found.get(name)) };
  }

  async function broken(parts, rules) {
    const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
    const usual = { preload: false, resultTypes: ["violations"], ...only };
    const page = parts[0] === document.documentElement;
    const { violations } = await axe.run(page ? document : { include: parts }, usual);
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
  }

  /**
   * The kinds that are new in a part of the page, and the rules that are broken by them. `theme` is
   * another theme in which to look at the contrast as well (with `all`: at all).
   */
  window.checkNew = async (selector, { all = false, theme = "" } = {}) => {
    const { kinds, parts } = lookedFor(document.querySelector(selector), all);
    if (!kinds.length) {
      return { kinds, faults: [] };
    }
    const faults = await broken(parts, []);
    const { dataset } = document.documentElement;
    if (theme) {
      const before = dataset.theme;
      dataset.theme = theme;
      const found = await broken(parts, all ? [] : ["color-contrast"]);
      faults.push(...found.map((each) => [theme, ...each]));
      before ? (dataset.theme = before) : delete dataset.theme;
    }
    return { kinds, faults };
  };
})();
