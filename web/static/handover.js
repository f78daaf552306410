/** The page that a seat's code leads to: one button, and what went wrong. */
const button = document.getElementById("take");
const error = document.getElementById("error");

async function take() {
  button.disabled = true;
  const reply = await fetch("../api/take", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ token: button.dataset.token }),
  }).catch(() => null);
  if (reply?.ok || reply?.status === 401) {
    location.replace("../play?from=join");
    return;
  }
  const told = await reply?.json().catch(() => null);
  error.textContent = button.dataset[told?.reason] ?? button.dataset.other;
  error.hidden = false;
  button.disabled = false;
}

button.addEventListener("click", take);
