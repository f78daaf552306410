/** What does not fit on the screen that is drawn now: the main control, the words, and how large they are. */
(() => {
  /** What a screen is for; a sheet that lies over it has its own. */
  const MAIN = ".key-lamp, .hold, .dome, .answers, .stop, .topview, button.supply-tile, .setup-ring, .setup-stop, .setup-door";
  const NEXT = ".foot .key, .setup-bar .key";
  const STEPS = [0.03, 0.5, 0.97];
  /** What is pressed: as large as a finger, and its words are whole. */
  const KEYS = "button, summary, a[href], label:has(input), input:not([type=radio], [type=checkbox]), textarea, select, [role=button], [role=radio]";
  const FINGER_PX = 44;
  /** The smallest letters: of a page where its text has 16 px, and of the table screen where it is 1080 px high. */
  const LEAST_PX = 14;
  const LEAST_OF_TABLE_PX = 51;

  /** One for all: each that there is has to hear of every change of the page, until it is forgotten. */
  const range = document.createRange();

  const within = (value, least, most) => value >= least - 0.5 && value <= most + 0.5;
  const named = (el) => `${el.getAttribute("class") ?? el.tagName} "${(el.getAttribute("aria-label") ?? el.textContent).trim().replace(/\s+/g, " ").slice(0, 28)}"`;
  const drawn = (el) => el.checkVisibility() && el.getClientRects().length > 0 && getComputedStyle(el).visibility !== "hidden";

  /** The part of the page that may be used now. */
  function front() {
    return document.querySelector("[role=dialog], [role=alertdialog], .t-sheet") ?? document.body;
  }

  /** What hides something of each element, since the words were looked for last: until then nothing moves. */
  let known = new Map();

  /** Every element above another that hides what sticks out of it, also by its shape; a scrolled one only hides for now. */
  function clips(el) {
    if (!el || el === document.body) return [];
    if (!known.has(el)) known.set(el, [...clip(el), ...clips(el.parentElement)]);
    return known.get(el);
  }

  function clip(el) {
    const { clipPath, overflowX, overflowY, textOverflow, webkitLineClamp: lines } = getComputedStyle(el);
    const shaped = clipPath !== "none";
    if (el.tagName === "text" || el.tagName === "tspan" || !(shaped || overflowX !== "visible" || overflowY !== "visible")) return [];
    const hides = (overflow) => shaped || ["hidden", "clip"].includes(overflow);
    return [{ box: el.getBoundingClientRect(), x: hides(overflowX), y: hides(overflowY), dots: textOverflow === "ellipsis", clamped: lines !== "none" }];
  }

  /** Main controls that are not wholly on the screen as it opens, or have something over them. */
  function hidden() {
    const place = front();
    const shown = (selector) => [...place.querySelectorAll(selector)].filter((el) => drawn(el) && !el.closest("[inert], .unseen"));
    const main = shown(MAIN).filter((el) => !el.disabled);
    const faults = [];
    const all = main.length ? main : shown(NEXT).filter((el) => !el.disabled).slice(0, 1);
    for (const el of place === document.body ? all : [...main, ...shown(".sheet-head .key")]) {
      const box = el.getBoundingClientRect();
      const out = Math.max(-box.left, -box.top, box.right - innerWidth, box.bottom - innerHeight);
      if (out > 0.5) {
        faults.push(`${named(el)}: ${Math.round(out)} px outside`);
        continue;
      }
      for (const part of STEPS.flatMap((x) => STEPS.map((y) => [x, y]))) {
        const [x, y] = [box.left + part[0] * box.width, box.top + part[1] * box.height];
        const top = document.elementFromPoint(x, y);
        const round = el.matches(".hold, .dome, .stop, .setup-ring");
        if (top && !el.contains(top) && !top.contains(el) && !top.closest(".zooms") && !(round && part[0] !== 0.5 && part[1] !== 0.5)) {
          faults.push(`${named(el)}: under ${named(top)}`);
          break;
        }
      }
    }
    return faults;
  }

  /** Words that somebody would read here, with the boxes of their lines. */
  function words(place) {
    known = new Map();
    const walk = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const el = node.parentElement;
      if (!node.data.trim() || !drawn(el) || el.closest("[inert], .unseen, defs, style, script, title, option")) continue;
      range.selectNodeContents(node);
      // Of a text that ends in dots after so many lines, the others are not drawn.
      const end = Math.min(...clips(el).filter((each) => each.clamped).map((each) => each.box.bottom));
      const lines = [...range.getClientRects()].filter((box) => box.width > 0.5 && box.height > 0.5 && (box.top + box.bottom) / 2 < end);
      if (lines.length) found.push({ el, text: node.data.trim().replace(/\s+/g, " ").slice(0, 30), lines });
    }
    return found;
  }

  /** Words that are cut off, lie over other words, or under something else. */
  function cut() {
    const place = front();
    const faults = [];
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) faults.push(`the page is wider by ${wide}`);
    const all = words(place);
    for (const { el, text, lines } of all) {
      const around = clips(el);
      const slides = around.some((each) => !each.x);
      for (const line of lines.map((box) => seen(el, box))) {
        if (!slides && !within(line.left, 0, Infinity)) faults.push(`"${text}": left of the page`);
        if (!slides && !within(line.right, -Infinity, innerWidth)) faults.push(`"${text}": right of the page`);
        for (const { box, x, y, dots } of around) {
          const over = x && !dots ? Math.max(box.left - line.left, line.right - box.right) : 0;
          // A line's box is higher than its letters.
          const high = y ? Math.max(box.top - line.top, line.bottom - box.bottom) - 0.25 * line.height : 0;
          if (Math.max(over, high) > 1) faults.push(`"${text}": cut by ${Math.round(Math.max(over, high))} px`);
        }
        if (within(line.top, 0, innerHeight) && within(line.bottom, 0, innerHeight)) {
          const top = document.elementFromPoint((line.left + line.right) / 2, (line.top + line.bottom) / 2);
          const mine = document.body.matches(".table") || (top && (top.contains(el) || el.contains(top) || [".well, svg", "label, button, a"].some((both) => top.closest(both)?.contains(el))));
          if (top && !mine && !(stuck(top) && stuck(top) !== stuck(el))) faults.push(`"${text}": under ${named(top)}`);
        }
      }
    }
    for (const coin of [...place.querySelectorAll(".chip, .chips, .t-coin")].filter(drawn)) {
      const { left, right, top, bottom } = coin.getBoundingClientRect();
      for (const { el, text, lines } of all) {
        const over = (box) => Math.min(right, box.right) - Math.max(left, box.left) > 1 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 0.35 * box.height;
        if (!coin.contains(el) && stuck(el) === stuck(coin) && lines.some((line) => over(seen(el, line)))) faults.push(`"${text}" lies over chips`);
      }
    }
    const flat = all.flatMap(({ el, text, lines }) => lines.map((box) => ({ el, text, box: seen(el, box) })));
    flat.sort((a, b) => a.box.top - b.box.top);
    for (const [i, a] of flat.entries()) {
      for (let j = i + 1; j < flat.length && flat[j].box.top < a.box.bottom; j += 1) {
        const b = flat[j];
        if (a.el === b.el || stuck(a.el) !== stuck(b.el)) continue;
        const across = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
        const down = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
        if (across > 1 && down > 0.35 * Math.min(a.box.height, b.box.height)) faults.push(`"${a.text}" and "${b.text}" lie over each other`);
      }
    }
    return [...new Set(faults)];
  }

  /** Words of keys that go on in the next line. */
  function broken() {
    const faults = [];
    for (const key of [...front().querySelectorAll(KEYS)].filter(drawn)) {
      if (key.closest("[inert], .unseen")) continue;
      const walk = document.createTreeWalker(key, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!drawn(node.parentElement) || node.parentElement.closest("svg, .unseen")) continue;
        for (const { 0: word, index } of node.data.matchAll(/[\p{L}\p{M}]+/gu)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = [...range.getClientRects()].filter((box) => box.width > 0.5);
          if (lines.some((box) => box.top > lines[0].bottom - 1)) faults.push(`"${word}" of ${named(key)} is broken`);
        }
      }
    }
    return [...new Set(faults)];
  }

  /** Letters too small to read, and keys too small for a finger. */
  function small() {
    const faults = [];
    const table = document.body.matches(".table");
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
    for (const { el, text } of words(front())) {
      const drawing = el.closest("svg");
      if (drawing?.closest("[aria-hidden=true]")) continue; // its words stand beside it, too
      const { a = 1, b = 0 } = drawing ? el.getScreenCTM() : {};
      // Drawings are as large as the page is wide, whatever the size of text.
      const least = table ? LEAST_OF_TABLE_PX * Math.min(innerWidth / 1920, innerHeight / 1080) : LEAST_PX * (drawing ? 1 : rem);
      const px = parseFloat(getComputedStyle(el).fontSize) * Math.hypot(a, b);
      if (px < least - 0.05) faults.push(`"${text}": letters of ${px.toFixed(1)} px`);
    }
    for (const key of table ? [] : [...front().querySelectorAll(KEYS)].filter(drawn)) {
      const { width, height } = key.getBoundingClientRect();
      if (!key.disabled && !key.closest("[inert], .unseen, label") && Math.min(width, height) < FINGER_PX - 0.5) {
        faults.push(`${named(key)}: ${Math.round(width)} x ${Math.round(height)} px`);
      }
    }
    return [...new Set(faults)];
  }

  /** What is seen of a line whose end may be dots. */
  function seen(el, { top, bottom, left, right }) {
    const limit = clips(el).filter((each) => each.dots).map((each) => each.box.right);
    const to = Math.min(right, ...limit);
    return { top, bottom, left, right: to, height: bottom - top };
  }

  /** What stays at its place while the page below it is scrolled. */
  function stuck(el) {
    for (let up = el; up && up !== document.body; up = up.parentElement) {
      if (["sticky", "fixed"].includes(getComputedStyle(up).position)) return up;
    }
    return null;
  }

  if (!window.fits) {
    const calm = new CSSStyleSheet();
    calm.replaceSync("*, *::before, *::after { animation: none !important; transition: none !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, calm];
  }

  window.fits = { hidden, cut, broken, small };
})();
