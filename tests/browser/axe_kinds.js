/**
 * Whether a page has elements of a kind that was not met before, and what axe says about such pages.
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

  // A theme is changed at once: nothing may still have the colours of the one before.
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { transition: none !important; }");
  document.adoptedStyleSheets = [still];

  const known = new Set();

  /** What was met on pages that are gone. */
  window.knowKinds = (kinds) => kinds.forEach((each) => known.add(each));

  /** The kinds of all that is in a part of the page, and the order of the page's parts. */
  function kindsIn(root) {
    const ids = new Set();
    const inside = [...root.querySelectorAll("*")];
    const told = inside.filter((el) => !el.parentElement.closest("svg"));
    return [...new Set([outline(), ...told.map((el) => kind(el, ids))])];
  }

  /** What is still fading in, or from one theme to the other, has the colours of neither. */
  function settle() {
    for (const moving of document.getAnimations()) {
      moving.effect.getComputedTiming().endTime === Infinity ? moving.cancel() : moving.finish();
    }
  }

  async function broken(root, rules) {
    settle();
    const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
    const usual = { preload: false, resultTypes: ["violations"], ...only };
    const { violations } = await axe.run(root === document.documentElement ? document : root, usual);
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
  }

  /**
   * The kinds that are new in a part of the page and, where there are any, the rules that it breaks.
   * `theme` is another theme in which to look at the contrast as well (with `all`: at everything).
   */
  window.checkNew = async (selector, { all = false, theme = "" } = {}) => {
    const root = document.querySelector(selector);
    const kinds = kindsIn(root).filter((each) => all || !known.has(each));
    if (!kinds.length) {
      return { kinds, faults: [] };
    }
    knowKinds(kinds);
    const faults = await broken(root, []);
    if (theme) {
      const { dataset } = document.documentElement;
      const before = dataset.theme;
      dataset.theme = theme;
      const found = await broken(root, all ? [] : ["color-contrast"]);
      faults.push(...found.map((each) => [theme, ...each]));
      before ? (dataset.theme = before) : delete dataset.theme;
    }
    return { kinds, faults };
  };
})();
