/** The camera: which, what it sees, what to change; then its lens from four sides. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { anew, key, kinds, picture, waits, without } from "../parts.js";
import { takeKey, viewKeys, views } from "../views.js";

const KINDS = ["opencv", "phone", "virtual", "none"];

function list(page) {
  const { say, told } = page;
  const { cameras, id } = told.camera;
  if (!cameras) return "";
  if (!cameras.length) {
    return html`<p class="card setup-nobody"><b>${say("setup.camera.nobody")}.</b> ${say("setup.camera.nobody.do")}</p>`;
  }
  const pick = (camera) => {
    page.choose(false);
    page.wish({ do: "camera", id: camera.id });
  };
  return html`<ul class="setup-cameras">${cameras.map(
    (camera, n) => html`<li><button type="button" class="setup-camera" aria-pressed=${camera.id === id ? "true" : "false"}
      ?disabled=${waits(page) || Boolean(camera.trouble)} @click=${() => pick(camera)}>
      ${camera.preview ? html`<img src="${page.previews ?? "api/setup/preview"}/${n}.jpg" width="160" height="90" alt="">` : html`<span class="setup-dark"></span>`}
      <span><b>${camera.name || camera.id}</b><small>${camera.trouble ? say(`setup.${camera.trouble}`) : camera.id}</small></span></button></li>`,
  )}</ul>`;
}

export function camera(page, step) {
  const { told } = page;
  const { kind, id, accepted, shot, cameras } = told.camera;
  if (["none", "phone", "folder"].includes(kind)) return without(page, "camera", KINDS, kind);
  const lens = step.points.some((each) => each.key === "lens.todo");
  if (accepted && lens && !page.choosing) {
    return {
      title: "lens",
      left: picture(page),
      points: step.points.filter((each) => each.key.startsWith("lens.")),
      right: views(page),
      main: takeKey(page),
      keys: html`${viewKeys(page)}${key(page, "setup.camera.other", () => page.choose(true))}`,
    };
  }
  // A virtual camera opens by itself; there is nothing to plug in, and nothing to look for.
  const lacks = kind !== "virtual" && (!id || !shot);
  const choosing = page.choosing || lacks;
  const asked = choosing && (cameras ? html`${list(page)}` : "");
  const found = step.points.some((each) => each.key.startsWith("aim.mat") || each.key === "aim.partly" || each.key === "aim.soft");
  const good = found && !accepted && !page.choosing;
  const look = () => {
    page.choose(true);
    page.wish({ do: "cameras" });
  };
  const known = Boolean(id) || kind === "virtual";
  const other = key(page, known ? "setup.camera.other" : "setup.camera.look", look, { lamp: !known, off: told.playing });
  return {
    left: html`${picture(page)}${asked || ""}`,
    right: choosing ? kinds(page, "camera", KINDS, kind) : "",
    main: good ? key(page, "setup.camera.good", { do: "accept" }, { lamp: true, off: told.playing }) : known ? "" : other,
    keys: html`${known ? other : ""} ${accepted ? anew(page, { off: told.playing }) : ""}`,
    last: good,
  };
}
