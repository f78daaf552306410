/** After a screen is drawn: what a template cannot say. Focus goes where the new screen begins. */

let screen = null;
let opener = null;
let held = null;

const NEW_MS = 550;
const NEAR_PX = 40;
/** The keys that were drawn last, and how far the page was scrolled then. */
let keys = null;
let top = 0;

// What goes with a new drawing of the page says nothing: what had the focus before is known from here.
addEventListener("focusin", (event) => (held = event.target));

/** Strips that scroll start at the tile placed last, or at the chosen one. */
function scrollStrips(root) {
  for (const well of root.querySelectorAll("[data-scroll-to]")) {
    if (well.dataset.scrolled !== well.dataset.scrollTo) {
      well.dataset.scrolled = well.dataset.scrollTo;
      well.scrollLeft = Number(well.dataset.scrollTo) - well.clientWidth / 2;
    }
  }
}

/** A sheet takes the focus, and gives it back. */
function focusSheet(root) {
  const sheet = root.querySelector("[role=dialog], [role=alertdialog]");
  if (sheet && !sheet.contains(document.activeElement)) {
    opener = document.activeElement;
    sheet.querySelector("button, input")?.focus();
  } else if (!sheet && opener) {
    if (opener.isConnected) {
      opener.focus();
    }
    opener = null;
  }
}

/** A new screen begins at its title, unless somebody is typing. */
function focusTitle(root) {
  const pad = root.querySelector(".pad");
  const name = pad?.dataset.screen ?? null;
  if (name === screen) {
    return;
  }
  const first = screen === null;
  screen = name;
  if (!first && !root.querySelector("[aria-modal]")) {
    scrollTo(0, 0);
    focusHeading(root);
  }
}

function focusHeading(root) {
  const heading = root.querySelector("main h1");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
}

/** A key that is gone, or cannot be pressed any more, leaves the focus where its screen begins. */
function keepFocus(root) {
  const gone = held && (!held.isConnected || held.disabled);
  if (gone && document.activeElement === document.body && !root.querySelector("[aria-modal]")) {
    focusHeading(root);
  }
}

/** Where a screen is longer than the phone, its answers stay in sight. */
function holdFoot(root) {
  const pad = root.querySelector(".pad");
  // Measured as it is without: what stays in sight needs some room of its own.
  pad?.classList.remove("is-long");
  pad?.classList.toggle("is-long", pad.offsetHeight > pageSize().height + 1);
}

/**
 * A key that has just come cannot be pressed for a moment: the thumb was on its way to what was there before. One
 * that was there already can be, and one with which a last ballot is turned over in time. STOP, the dome and
 * the ring are no keys, and what lies over a screen was opened by whoever presses it.
 * @param {HTMLElement} root
 * @param {() => void} draw lets go of them again
 */
export function holdBack(root, draw) {
  const now = performance.now();
  const before = keys;
  const scrolled = top !== scrollY;
  top = scrollY;
  keys = [...root.querySelectorAll("main:not(.screen-sealed) .key, .answer")].map((key) => {
    const { x, y } = key.getBoundingClientRect();
    const name = key.textContent;
    const same = (old) => old.name === name && (scrolled || Math.hypot(old.x - x, old.y - y) < NEAR_PX);
    const since = before ? (before.find(same)?.since ?? now) : -NEW_MS;
    key.style.pointerEvents = now - since < NEW_MS ? "none" : "";
    return { name, x, y, since };
  });
  if (keys.some(({ since }) => now - since < NEW_MS)) {
    setTimeout(draw, NEW_MS + 20);
  }
}

/** @param {HTMLElement} root */
export function settle(root) {
  holdFoot(root);
  scrollStrips(root);
  focusTitle(root);
  focusSheet(root);
  keepFocus(root);
}

/** Width and height of the page in its own px, beside a notch: on a tablet the style makes all of it larger. */
export function pageSize() {
  const larger = parseFloat(getComputedStyle(document.body).zoom) || 1;
  const { paddingLeft: left, paddingRight: right } = getComputedStyle(document.body);
  const notch = parseFloat(left) + parseFloat(right);
  return { width: document.documentElement.clientWidth / larger - notch, height: innerHeight / larger };
}
