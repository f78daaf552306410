/**
 * Keep the screen of a page on while it is in sight. A browser lets only pages over HTTPS or from its own computer ask
 * for it, and may refuse, as with a low battery; it ends when the page is hidden, so it is asked for anew.
 */
export function keepAwake() {
  const ask = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
