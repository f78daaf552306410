/** The whole page from what the table told, and nothing else. */
import { html } from "../vendor/lit-html/lit-html.js";
import { defs } from "../core/objects/defs.js";
import { camera } from "./steps/camera.js";
import { mat } from "./steps/mat.js";
import { waits } from "./parts.js";
import { network } from "./steps/network.js";
import { point, points } from "./points.js";
import { pusher } from "./steps/pusher.js";
import { row } from "./steps/row.js";
import { sheets } from "./steps/sheets.js";
import { shelf } from "./steps/shelf.js";
import { tilePicture } from "../core/objects/tile.js";
import { tiles } from "./steps/tiles.js";

/**
 * Each step gives what is looked at (`left`), what is filled in (`right`) and its keys. `main` is the
 * key that the step is for, in the bar that stays in sight; `hands` are the button to hold and STOP,
 * where something may move. `last` where nothing else belongs below the keys.
 */
const STEPS = { network, print: sheets, camera, mat, tiles, pusher, row };

function rail(page) {
  const { say, told } = page;
  const at = told && !fresh(page) ? told.steps.findIndex((step) => step.name === told.at) : -1;
  return html`<header class="rail"><span class="rail-name">${say("setup.page")}</span>
    ${at >= 0 ? html`<span class="rail-word">${say("setup.step", { n: at + 1, of: told.steps.length, name: say(`setup.name.${told.at}`) })}</span>` : ""}
    <a class="key key-plain setup-back" href=${told?.local ? "table" : "play"}>${say("setup.back")}</a></header>`;
}

/** Whether nobody has begun yet: then the two doors come before all steps. */
function fresh(page) {
  return page.told.untouched && page.told.at === "network" && !page.inside;
}

/** The camera over its mat. */
function overhead() {
  return html`<svg width="84" height="74" viewBox="0 0 96 84" aria-hidden="true">
    <path class="hold-look" d="M48 16L84 80H12Z"></path><path class="hold-mat" d="M22 62H74L90 82H6Z"></path>
    <rect class="hold-body" x="33" y="4" width="30" height="18" rx="4"></rect><rect class="hold-body" x="42" y="20" width="12" height="8" rx="2"></rect></svg>`;
}

/** For whoever only wants to play, and for whoever has tiles and a camera. */
function doors(page) {
  const { say, told } = page;
  const words = (door) => html`<span><b class="display">${say(`setup.door.${door}`)}</b><span>${say(`setup.door.${door}.do`)}</span></span>`;
  return html`${defs()}${rail(page)}
    <main class="setup-main"><div class="setup-begin"><h1 class="display" tabindex="-1">${say("setup.title.doors")}</h1>
      <div role="alert">${page.said ? html`<ul class="setup-said card">${point(page, page.said)}</ul>` : ""}</div>
      <div class="setup-doors">
        <a class="card setup-door" href=${told.local ? "table" : "play"}>
          <span class="setup-door-art">${[6, 3].map((value) => tilePicture(value, { height: 62 }))}</span>${words("play")}</a>
        <button type="button" class="card setup-door" ?disabled=${waits(page)} @click=${() => page.wish({ do: "use", device: "camera", kind: "opencv" })}>
          <span class="setup-door-art">${overhead()}</span>${words("camera")}</button>
      </div>
      <button type="button" class="quiet" @click=${() => page.go("network")}>${say("setup.door.practise")}</button>
    </div></main>`;
}

function game(page) {
  const { say, told } = page;
  if (!told.playing && !told.paused) return "";
  const key = told.playing ? "playing" : "paused";
  return html`<section class="card setup-game">
    <ul>${point(page, { mark: "waiting", key, of: {} })}</ul>
    <button type="button" class="key key-plain" @click=${() => page.wish({ do: "pause", on: told.playing })}>${say(
      told.playing ? "setup.pause" : "setup.resume",
    )}</button></section>`;
}

/** The key that leads on: the lamp where the step is done, a plain one where it is not. */
function onward(page, step, done) {
  const { say, told } = page;
  const next = told.steps[told.steps.indexOf(step) + 1];
  const kind = done ? "key-lamp" : "key-plain";
  if (!next) {
    return done ? html`<a class="key ${kind}" href=${told.local ? "table" : "play"}>${say("setup.over")}</a>` : "";
  }
  return html`<button type="button" class="key ${kind}" @click=${() => page.go(next.name)}>${say(done ? "setup.next" : "setup.later")}</button>`;
}

/** All that is told of the step. */
function tells(page, step, made) {
  const said = page.said ?? page.told.said;
  return html`${page.lost ? html`<p class="setup-said card" role="alert">${page.say("setup.lost")}</p>` : ""}
    ${game(page)}
    <div role="alert">${said ? html`<ul class="setup-said card">${point(page, said)}</ul>` : ""}</div>
    ${points(page, made.points ?? step.points)}`;
}

/** The one thing to do now, always in sight; the other keys stand below it. */
function keys(page, step, made) {
  const { say, told } = page;
  const done = !made.main && (step.mark === "fine" || step.mark === "off");
  const on = made.main && made.last ? "" : onward(page, step, done);
  const main = made.main || (done || !made.hands ? on : "");
  return html`<div class="setup-bar" aria-busy=${told.busy ? "true" : "false"}>
      ${told.busy ? html`<p class="setup-busy" role="status">${say("setup.busy")}</p>` : ""}
      ${made.hands ? html`<div class="setup-hands">${made.hands}</div>` : ""}
      ${main}
    </div>
    <div class="setup-keys">${made.keys ?? ""} ${main === on ? "" : on}</div>`;
}

export function view(page) {
  const { say, told } = page;
  if (!told) {
    const word = page.denied ? "setup.denied" : page.lost ? "setup.lost" : "setup.busy";
    return html`${rail(page)}<main class="setup-main"><p class="setup-none" role="status">${say(word)}</p></main>`;
  }
  if (fresh(page)) return doors(page);
  const step = told.steps.find((each) => each.name === told.at);
  const made = STEPS[told.at](page, step);
  // What moves is held on one side, and what it reports is read on the other.
  const before = Boolean(made.hands);
  return html`${defs()}${rail(page)}
    <main class="setup-main at-${told.at}">
      <div class="setup-side setup-read">
        ${shelf(page)}
        <h1 class="display" tabindex="-1">${say(`setup.title.${made.title ?? told.at}`)}</h1>
        ${before ? tells(page, step, made) : ""}
        ${made.left ?? ""}
      </div>
      <div class="setup-side setup-act">
        ${before ? "" : tells(page, step, made)}
        ${made.right ?? ""}
        <i class="setup-edge"></i>
        ${keys(page, step, made)}
      </div>
    </main>`;
}

/** After it is drawn or scrolled: whether the bar lies over what is read. */
export function settle() {
  for (const bar of document.querySelectorAll(".setup-bar")) {
    const above = bar.previousElementSibling.getBoundingClientRect().bottom;
    bar.classList.toggle("is-over", above > bar.getBoundingClientRect().top + 1);
  }
}
