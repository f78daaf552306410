/** The pusher: found at its port, its arm swung in the air while a thumb holds, its tag seen. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { armAway } from "../../core/objects/arm.js";
import { key, kinds, picture, ring, stopKey, without } from "../parts.js";

const KINDS = ["serial", "virtual", "hand"];

function ports(page) {
  const { say, told } = page;
  const { ports: found, open } = told.pusher;
  if (!found || open) return "";
  return html`<section class="card setup-ports"><h2>${say("setup.pusher.ports")}</h2><ul>${found.map(
    (port) => html`<li><span><b translate="no">${port.name}</b><small>${port.chip}</small></span>
      ${key(page, "setup.pusher.port", { do: "find", port: port.name }, { off: told.playing })}</li>`,
  )}</ul></section>`;
}

export function pusher(page, step) {
  const { told } = page;
  const { kind, open, virtual, ready, moving, state } = told.pusher;
  if (kind === "hand") return without(page, "pusher", KINDS, kind);
  const away = open && state === "AWAY";
  const stopped = open && (away || state === "ESTOP" || state === "FAULT");
  const done = step.mark === "fine";
  const search = key(page, "setup.pusher.search", { do: "find", port: "" }, { lamp: !done, off: told.playing });
  if (!open) {
    // A virtual one comes by itself; nobody has to plug it in.
    const comes = kind === "virtual" && !told.pusher.trouble;
    return {
      left: picture(page),
      right: html`${kinds(page, "pusher", KINDS, kind)}${comes ? "" : ports(page)}`,
      main: done || comes ? "" : search,
      keys: done && !comes ? search : "",
    };
  }
  const turn = virtual && !stopped;
  const lamp = turn && !ready && !moving && !done;
  const turned = turn ? key(page, ready ? "setup.air.turn.off" : "setup.air.turn.on", { do: "switch", on: !ready }, { lamp }) : "";
  const free = away ? key(page, "setup.air.home", { do: "homed" }, { lamp: true }) : key(page, "setup.air.free", { do: "clear" }, { lamp: true });
  // What it does now is read first; where it is plugged in comes last.
  const found = (each) => each.key === "pusher.found";
  return {
    points: [...step.points.filter((each) => !found(each)), ...step.points.filter(found)],
    left: html`${away ? armAway(300) : ""}${picture(page)}`,
    hands: html`${ring(page, { word: "setup.air.hold", push: false, off: !ready && !moving && !page.thumb.down })}${stopKey(page)}`,
    main: stopped ? free : lamp ? turned : "",
    right: page.choosing ? kinds(page, "pusher", KINDS, kind) : "",
    keys: html`${lamp ? "" : turned} ${page.choosing ? "" : key(page, "setup.change", () => page.choose(true), { off: told.playing })}`,
  };
}
