/** Where no camera hangs over the table: this phone photographs the row, and the table reads the photo. */
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { list } from "../../../../core/i18n.js";
import { key, lamp, page, quiet, title } from "../../../../core/page.js";
import { outcomePair } from "../push/push.js";
import { frame } from "../push/verdict.js";
import { pretend } from "./reading.js";

/** px of a photo's longer side: the table measures no finer. */
const MOST_PX = 2560;
const QUALITY = 0.9;
/** ms for a photo to get through and be read. A link that dies meanwhile gives no error. */
const PATIENCE_MS = 60000;
/** px of the photo as this phone shows it, and keeps it for itself. */
const SHOWN_PX = 800;
/** mm that a place is rounded by on its way. */
const SAME_MM = 0.05;

/** The key that opens the phone's camera, and what is said while the table looks at the photo. */
function taking(s, ui, draw) {
  return ui.local.photoSent ? html`<p class="hint" role="status">${ui.t("turn.photo_wait")}</p>` : draw(() => take(s, ui));
}

/** During a turn: the main key where phones are the camera, elsewhere words to press. */
function photo(s, ui) {
  return taking(s, ui, (open) =>
    s.devices.photographs ? lamp(ui.t("turn.photograph"), open) : html`<p class="hint">${quiet(ui.t("turn.photo"), open)}</p>`,
  );
}

/** After the push, of what lies there. */
function fallPhoto(s, ui) {
  return taking(s, ui, (open) => (s.devices.photographs ? lamp : key)(ui.t("report.photograph"), open));
}

/** What a photo shows of the fallen row: a proposal, or that it does not tell; people have the word. */
function photographed(s, ui) {
  const { outcome, up, unclear } = s.push.photo;
  const values = (all) => list(ui.lang, all.map(String));
  const say = (said) => ui.send("report", { outcome: said });
  const other = outcome === "fell" ? "stood" : "fell";
  const again = s.may.report ? retake(s, ui) : "";
  const confirm = html`${lamp(ui.t("verdict.right"), () => say(outcome))}
    <div class="pair">${key(ui.t(`outcome.${other}.means`), () => say(other))} ${again}</div>`;
  return page(s, ui, {
    name: "report",
    label: ui.t("push.rail"),
    body: html`${title(ui.t(`report.photo.${outcome || "unclear"}`, { values: values(up) }))}
      ${frame(ui, s.push.picture, "reading.shot_fall")}
      <p class="lead">${outcome ? ui.t("report.photo.lead") : ui.t("report.photo.look", { values: values(unclear) })}</p>`,
    act: s.may.report && !outcome ? outcomePair(s, ui, say) : "",
    foot: s.may.report ? (outcome ? confirm : again) : html`<p class="hint">${ui.t("report.wait")}</p>`,
  });
}

/** Once more, as the first one did not tell. */
function retake(s, ui) {
  return taking(s, ui, (open) => key(ui.t("reading.retake"), open));
}

/** The photo that the tile was read from, if this phone took it. */
function source(s, ui) {
  const tile = s.reading?.tile;
  const same = (each) => Math.hypot(each.x_mm - tile.x_mm, each.y_mm - tile.y_mm) < SAME_MM;
  return tile && ui.local.shots?.find(({ tiles }) => tiles.some(same));
}

/** That photo as it is shown; "" if there is none. */
function shot(s, ui) {
  const taken = source(s, ui);
  return taken ? frame(ui, taken.picture, "reading.shot") : "";
}

/**
 * Open the phone's camera; elsewhere a picture is chosen. The tile that was read would count by itself meanwhile:
 * it waits until another photo is read or the camera is closed.
 */
function take(s, ui) {
  const wait = (on) => s.reading?.state === "proposal" && ui.send("wait", { on });
  const input = document.createElement("input");
  Object.assign(input, { type: "file", accept: "image/*" });
  input.setAttribute("capture", "environment");
  input.addEventListener("change", () => input.files[0] && look(s, ui, input.files[0], wait));
  input.addEventListener("cancel", () => wait(false));
  wait(true);
  input.click();
}

async function look(s, ui, file, wait) {
  ui.set({ photoSent: true, notice: null });
  const reply = await read(file);
  ui.set({ photoSent: false });
  if (reply.ok && reply.tiles) {
    await wait(false);
    // If the table refuses this one, the tile from the one before still stands.
    ui.set({ shots: [{ tiles: reply.tiles, picture: reply.picture }, source(s, ui)].filter(Boolean) });
    ui.send("photographed", { tiles: reply.tiles });
  } else if (!reply.ok) {
    // Where no photo is wanted, any is too large.
    ui.set({ notice: why(s, ui, reply.reason === "too_large" ? "photo_unwanted" : reply.reason) });
  }
}

/** Why a photo was refused, in words for the phase in which it was taken. */
function why(s, ui, reason) {
  const keys = [`refused.${reason}.${s.phase}`, `refused.${reason}`];
  return ui.t(keys.find((each) => ui.t(each) !== each) ?? "refused.other");
}

/** Have the table read a photo: `{ok}`, of a turn with `tiles` and its `picture`, or the reason why it cannot. */
async function read(file) {
  const picture = await opened(file).catch(() => null);
  const body = picture && (await new Promise((done) => drawn(picture, MOST_PX).toBlob(done, "image/jpeg", QUALITY)));
  if (!body) {
    return { ok: false, reason: "photo_unreadable" };
  }
  const headers = { "Content-Type": "image/jpeg" };
  const stopper = new AbortController();
  const timer = setTimeout(() => stopper.abort(), PATIENCE_MS);
  return fetch("api/photo", { method: "POST", headers, body, signal: stopper.signal })
    .then((reply) => reply.json())
    .then((reply) => ({ ...reply, picture: drawn(picture, SHOWN_PX).toDataURL("image/jpeg", QUALITY) }))
    .catch(() => ({ ok: false, reason: "offline" }))
    .finally(() => clearTimeout(timer));
}

/** What a file shows. Phones of before 2021 cannot open it in one step. */
async function opened(file) {
  if (window.createImageBitmap) {
    return createImageBitmap(file);
  }
  const reader = new FileReader();
  await new Promise((done, fail) => {
    Object.assign(reader, { onload: done, onerror: fail });
    reader.readAsDataURL(file);
  });
  const picture = Object.assign(new Image(), { src: reader.result });
  await picture.decode();
  return picture;
}

/**
 * A picture the right way up and no larger than so many px: it is on its way a third as long. All that
 * its file says besides, of the place where it was taken or the phone, stays on this phone.
 */
function drawn(picture, most) {
  const share = Math.min(1, most / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * share);
  canvas.height = Math.round(picture.height * share);
  const pen = canvas.getContext("2d");
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

Object.assign(pretend, { fallPhoto, photo, photographed, retake, shot });
