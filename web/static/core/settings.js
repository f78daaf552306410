/** What this device remembers by itself: language, theme, name, whether it only watches. */

const PREFIX = "domino.";

/** Storage that never throws: some browsers forbid it. */
function storage() {
  try {
    window.localStorage.getItem(PREFIX);
    return window.localStorage;
  } catch {
    return null;
  }
}

export const store = storage();

export function recall(name) {
  return store?.getItem(PREFIX + name) ?? null;
}

export function remember(name, value) {
  try {
    value === null ? store?.removeItem(PREFIX + name) : store?.setItem(PREFIX + name, value);
  } catch {
    // Full, or closed to this page.
  }
}

/** @returns {object} what was kept under a name, empty where nothing was or it cannot be read */
export function kept(store, name) {
  try {
    return JSON.parse(store?.getItem(PREFIX + name) ?? "{}");
  } catch {
    return {};
  }
}

export function keep(store, name, value) {
  try {
    store?.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Full: it is known for as long as the page is open.
  }
}

/** Put the theme on the page: the system's unless one was chosen. */
export function applyTheme(theme) {
  if (theme === "light" || theme === "dark") {
    document.documentElement.dataset.theme = theme;
  } else {
    delete document.documentElement.dataset.theme;
  }
}
