/** The whole page from what the table told, and nothing else. */
import { html } from "../vendor/lit-html/lit-html.js";
import { defs } from "../core/objects/defs.js";
import { camera } from "./steps/camera.js";
import { mat } from "./steps/mat.js";
import { network } from "./steps/network.js";
import { point, points } from "./points.js";
import { pusher } from "./steps/pusher.js";
import { row } from "./steps/row.js";
import { sheets } from "./steps/sheets.js";
import { shelf } from "./steps/shelf.js";
import { tiles } from "./steps/tiles.js";

/**
 * Each step gives what stands on either side, and its keys: `main` where one of them is the main
 * answer, `last` where nothing else belongs below them.
 */
const STEPS = { network, print: sheets, camera, mat, tiles, pusher, row };

function rail(page) {
  const { say, told } = page;
  const at = told ? told.steps.findIndex((step) => step.name === told.at) : -1;
  return html`<header class="rail"><span class="rail-name">${say("setup.page")}</span>
    ${told ? html`<span class="rail-word">${say("setup.step", { n: at + 1, of: told.steps.length, name: say(`setup.name.${told.at}`) })}</span>` : ""}
    <a class="key key-plain setup-back" href=${told?.local ? "table" : "play"}>${say("setup.back")}</a></header>`;
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

/** The keys that lead on: the lamp where the step is done, a plain one where it is not. */
function onward(page, step, main) {
  const { say, told } = page;
  const at = told.steps.indexOf(step);
  const next = told.steps[at + 1];
  const done = step.mark === "fine" || step.mark === "off";
  const lamp = done && !main;
  const kind = lamp ? "key-lamp" : "key-plain";
  if (!next) {
    return done ? html`<a class="key ${kind}" href=${told.local ? "table" : "play"}>${say("setup.over")}</a>` : "";
  }
  const word = done ? "setup.next" : "setup.later";
  return html`<button type="button" class="key ${kind}" @click=${() => page.go(next.name)}>${say(word)}</button>`;
}

export function view(page) {
  const { say, told } = page;
  if (!told) {
    const word = page.denied ? "setup.denied" : page.lost ? "setup.lost" : "setup.busy";
    return html`${rail(page)}<main class="setup-main"><p class="setup-none" role="status">${say(word)}</p></main>`;
  }
  const step = told.steps.find((each) => each.name === told.at);
  const made = STEPS[told.at](page, step);
  const said = page.said ?? told.said;
  const leads = !made.main && (step.mark === "fine" || step.mark === "off");
  return html`${defs()}${rail(page)}
    <main class="setup-main at-${told.at}">
      ${shelf(page)}
      <h1 class="display" tabindex="-1">${say(`setup.title.${made.title ?? told.at}`)}</h1>
      <div class="setup-sides">
        <div class="setup-side">${made.left ?? ""}</div>
        <div class="setup-side">
          ${page.lost ? html`<p class="setup-said card" role="alert">${say("setup.lost")}</p>` : ""}
          ${game(page)}
          <div role="alert">${said ? html`<ul class="setup-said card">${point(page, said)}</ul>` : ""}</div>
          ${points(page, made.points ?? step.points)}
          ${made.right ?? ""}
          <div class="setup-keys" aria-busy=${told.busy ? "true" : "false"}>
            ${told.busy ? html`<p class="setup-busy" role="status">${say("setup.busy")}</p>` : ""}
            ${leads ? onward(page, step, made.main) : ""}
            ${made.keys ?? ""}
            ${leads || made.last ? "" : onward(page, step, made.main)}
          </div>
        </div>
      </div>
    </main>`;
}
