/** Where no camera hangs over the table: this phone photographs the row, and the table reads the photo. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { quiet } from "../../../../core/page.js";

/** px of a photo's longer side: the table measures no finer. */
const MOST_PX = 2560;
const QUALITY = 0.9;

/** "Or photograph it": a word to press, and what is said while the table looks at the photo. */
export function photo(s, ui) {
  return ui.local.photo
    ? html`<p class="hint" role="status">${ui.t("turn.photo_wait")}</p>`
    : html`<p class="hint">${quiet(ui.t("turn.photo"), () => take(ui))}</p>`;
}

/** Open the phone's camera; elsewhere a picture is chosen. */
function take(ui) {
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept: "image/*" });
  input.setAttribute("capture", "environment");
  input.addEventListener("change", () => input.files[0] && look(ui, input.files[0]));
  input.click();
}

async function look(ui, file) {
  ui.set({ photo: true, notice: null });
  const reply = await read(file);
  ui.set({ photo: false });
  if (reply.ok) {
    ui.send("photographed", { tiles: reply.tiles });
  } else {
    const known = ["offline", "too_fast"].includes(reply.reason) || reply.reason?.startsWith("photo_");
    ui.set({ notice: ui.t(`refused.${known ? reply.reason : "photo_unreadable"}`) });
  }
}

/** Have the table read a photo: `{ok, tiles}`, or the reason why it cannot. */
async function read(file) {
  const body = await shrunk(file).catch(() => null);
  if (!body) {
    return { ok: false, reason: "photo_unreadable" };
  }
  const headers = { "Content-Type": "image/jpeg" };
  return fetch("api/photo", { method: "POST", headers, body })
    .then((reply) => reply.json())
    .catch(() => ({ ok: false, reason: "offline" }));
}

/** The photo the right way up and no larger than it is measured: it is on its way a third as long. */
async function shrunk(file) {
  const picture = await createImageBitmap(file);
  const share = Math.min(1, MOST_PX / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * share);
  canvas.height = Math.round(picture.height * share);
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
}
