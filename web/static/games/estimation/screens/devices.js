/** What stands over the answers of any screen: what is in the camera's way, and whose work people do. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { triangle } from "../../../core/objects/signs.js";
import { capital, missing } from "../../../core/page.js";

/** Whether this phone's holder can do something about the camera now. */
function minds(s) {
  const acts = { TURN: s.active, TOPPLE: s.toppler }[s.phase];
  return s.you.host || (s.you.seat !== null && acts === s.you.seat);
}

/** What keeps the camera from seeing, on screens that are about something else. */
function cameraLine(s, ui, name) {
  if (!s.sight || !minds(s) || ["blind", "fault"].includes(name)) {
    return "";
  }
  const { kind, blind } = s.sight;
  if (!blind && s.phase === "TOPPLE") {
    return ""; // the row is what counts now, and STOP stays in sight
  }
  return html`<p class="camera-line ${blind ? "is-blind" : ""}" role="status">${blind ? triangle(24) : ""}
    <span><b>${capital(ui.t(`sight.${kind}`))}.</b> ${ui.t(`sight.${kind}.do`)}</span></p>`;
}

/** What is said of a device that is away, where people do its work: the keys behind "mode.". */
const MODES = {
  LOBBY: { camera: "camera", pusher: "pusher" },
  TURN: { camera: "camera" },
  TOPPLE: { camera: "camera_push", pusher: "pusher" },
};

/** Whose work people do for now, for those who do it. */
function modeLine(s, ui) {
  const said = missing(s).map((which) => MODES[s.phase]?.[which]).filter(Boolean);
  return said.length && minds(s)
    ? html`<p class="camera-line" role="status"><span>${said.map((key) => ui.t(`mode.${key}`)).join(" ")}</span></p>`
    : "";
}

/** Both, on the screen of this name. */
export const deviceLines = (s, ui, name) => html`${cameraLine(s, ui, name)} ${modeLine(s, ui)}`;
