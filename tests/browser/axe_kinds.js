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

  /** What has something to say inside of a drawing. */
  const TOLD = "text, title, desc, foreignObject, a, image, [role], [tabindex], [aria-label]";

  /** What may be wrong by what it holds. */
  const HOLDERS = "[role], a, button, label, ul, ol, dl, table, fieldset, details, select, figure";

  const PARTS = "h1, h2, h3, h4, main, nav, header, footer, aside, dialog, [role=dialog]";
  const outline = () => [...document.querySelectorAll(PARTS)].map((el) => el.localName).join(" ");

  // A theme is changed at once: nothing may still have the colours of the one before.
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { transition: none !important; }");
  document.adoptedStyleSheets = [still];

  const known = new Set();

  /** What was met on pages that are gone. */
  window.knowKinds = (kinds) => kinds.forEach((each) => known.add(each));

  /** The elements in a part of the page, by their kind; all of it by how the page is built. */
  function kindsIn(root) {
    const ids = new Set();
    const inside = [...root.querySelectorAll("*")];
    const told = inside.filter((el) => !el.parentElement.closest("svg"));
    const kinds = new Map([[outline(), [root]]]);
    for (const el of told) {
      const its = kind(el, ids);
      kinds.set(its, [...(kinds.get(its) ?? []), el]);
    }
    return kinds;
  }

  const newOf = (met, all) => [...met.keys()].filter((each) => all || !known.has(each));

  /** Whether there is anything to check in a part of the page. */
  window.isNew = (selector, { all = false }) => newOf(kindsIn(document.querySelector(selector)), all).length > 0;

  /** What is still fading in, or from one theme to the other, has the colours of neither. */
  function settle() {
    for (const moving of document.getAnimations()) {
      moving.effect.getComputedTiming().endTime === Infinity ? moving.cancel() : moving.finish();
    }
  }

  /**
   * Take out what is inside of drawings without words and names, which the checker passes over:
   * half of all elements, and it weighs every one. Gives what puts it back.
   */
  function withoutStrokes() {
    const drawings = [...document.querySelectorAll("svg")].filter(
      (each) => !each.parentElement.closest("svg") && !each.querySelector(TOLD),
    );
    const strokes = drawings.map((each) => [...each.childNodes]);
    drawings.forEach((each) => each.replaceChildren());
    return () => drawings.forEach((each, n) => each.replaceChildren(...strokes[n]));
  }

  async function broken(parts, rules, still) {
    settle();
    const putBack = still ? withoutStrokes() : () => {};
    const only = rules.length ? { runOnly: { type: "rule", values: rules } } : {};
    const usual = { preload: false, resultTypes: ["violations"], ...only };
    const whole = parts.includes(document.documentElement);
    const { violations } = await axe.run(whole ? document : { include: parts }, usual);
    putBack();
    return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 160))]);
  }

  /**
   * The kinds that are new in a part of the page and, where there are any, the rules that they break:
   * these elements are looked at with what holds them, and all where the page is built in a new way.
   * `theme` is another theme in which to look at the contrast as well (with `all`: at everything).
   * On a page that is `still`, on which nothing is drawn meanwhile, drawings are emptied for it.
   */
  window.checkNew = async (selector, { all = false, theme = "", still = false } = {}) => {
    const root = document.querySelector(selector);
    const met = kindsIn(root);
    const kinds = newOf(met, all);
    if (!kinds.length) {
      return { kinds, faults: [] };
    }
    knowKinds(kinds);
    const found = kinds.flatMap((each) => met.get(each));
    const holders = found.map((each) => each.parentElement?.closest(HOLDERS) ?? each);
    const parts = [...new Set(holders.map((each, n) => (root.contains(each) ? each : found[n])))];
    const faults = await broken(parts, [], still);
    if (theme) {
      const { dataset } = document.documentElement;
      const before = dataset.theme;
      dataset.theme = theme;
      const there = await broken(parts, all ? [] : ["color-contrast"], still);
      faults.push(...there.map((each) => [theme, ...each]));
      before ? (dataset.theme = before) : delete dataset.theme;
    }
    return { kinds, faults };
  };
})();
