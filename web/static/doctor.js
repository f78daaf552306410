/** The network doctor's page: looks again every few seconds whether a phone got through. */

const LOOK_MS = 3000;
const PARTS = ["way", "through", "found"];

async function look() {
  const reply = await fetch("doctor", { cache: "no-store" }).catch(() => null);
  if (!reply?.ok) {
    return;
  }
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html");
  for (const id of PARTS) {
    const shown = document.getElementById(id);
    const now = fresh.getElementById(id);
    shown.className = now.className;
    if (id !== "way" && shown.innerHTML !== now.innerHTML) {
      shown.replaceChildren(...now.childNodes);
    }
  }
}

setInterval(look, LOOK_MS);
