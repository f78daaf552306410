const AGAIN_MS = 1000;

/** For `@error` of a picture: the referee may be starting anew, so it is asked for again. */
export function again({ target }) {
  const name = target.hasAttribute("href") ? "href" : "src";
  const address = target.getAttribute(name);
  target.removeAttribute(name);
  setTimeout(() => target.hasAttribute(name) || target.setAttribute(name, address), AGAIN_MS);
}
