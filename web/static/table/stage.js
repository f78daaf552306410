// What every screen of a table hangs in: felt, title, art, corner, rail and veil.
import { html } from "../vendor/lit-html/lit-html.js";
import { keyed } from "../vendor/lit-html/directives/keyed.js";
import { again } from "../core/again.js";
import { defs } from "../core/objects/defs.js";
import { aside } from "./aside.js";
import { gamesSheet } from "./games.js";
import { rail } from "./rail.js";
import { screenKey, screenSheet } from "./screen.js";
import { titleStep } from "./width.js";

/** Stage px a title has for its line: alone, beside the corner, and beside the word that the link is gone. */
const TITLE_ROOM = { alone: 1700, corner: 1590, word: 1180 };

const corner = ({ snap, say, way }) => html`<figure class="t-corner">
  <img src=${way.qr} alt=${say("table.corner.picture")} @error=${again} />
  <figcaption>${snap.net.code}</figcaption>
</figure>`;

function lostLink(ctx) {
  if (ctx.lost === "word") return html`<p class="t-link-word" role="status">${ctx.say("table.link.word")}</p>`;
  if (ctx.lost === "closed")
    return html`<div class="t-veil"></div>
      <section class="t-sheet" role="alert">
        <h2 class="display">${ctx.say("table.closed.title")}</h2>
        <p>${ctx.say("table.closed.kept")}</p>
      </section>`;
  if (ctx.lost !== "sheet") return "";
  return html`<div class="t-veil"></div>
    <section class="t-sheet" role="alert">
      <h2 class="display">${ctx.say("table.link.title")}</h2>
      <p>${ctx.say("table.link.computer")}</p>
      <p>${ctx.say("table.link.wifi")}</p>
      <p>${ctx.say("table.link.saved")}</p>
    </section>`;
}

/**
 * The page of one screen.
 * @param {object} ctx see frame.js
 * @param {object} screen {name, title, line, mood, art, over, rail, corner, big, late}: art is SVG
 *   on the 1920 x 1080 stage, over is HTML above it; mood is "", t-narrow, t-night or t-out (the lamp is out).
 */
export function stage(ctx, screen) {
  const { name, title, mood = "", big = false } = screen;
  const why = ctx.snap?.damaged ? "table.damaged" : ctx.snap?.key_missing ? "table.locked" : "";
  const line = why ? ctx.say(why) : (screen.line ?? "");
  const note = screen.note || (ctx.snap?.seats ? aside(ctx) : "");
  const beside = ctx.lost === "word" ? "word" : screen.corner ? "corner" : "alone";
  const step = big ? "" : titleStep(title, TITLE_ROOM[beside]);
  return html`${defs()}${ctx.defs()}
    <main class="t-stage ${mood} ${ctx.live ? "t-live" : ""} ${screen.classes ?? ""}" data-screen=${name}>
      <div class="t-felt"></div>
      <svg class="t-art" viewBox="0 0 1920 1080" role=${screen.label ? "img" : "presentation"}
        aria-label=${screen.label ?? ""} aria-hidden=${screen.label ? "false" : "true"}>${screen.art ?? ""}</svg>
      ${keyed(
        `${name} ${title}`,
        html`<header class="t-words ${beside === "alone" ? "" : "t-beside-corner"}">
          <h1 class="display t-title ${big ? "t-title-big" : step} ${screen.titleClass ?? ""}">${title}</h1>
          <p class="t-line ${screen.lineClass ?? ""}" aria-live="polite">${line}</p>
          ${note ? html`<p class="t-line t-note">${note}</p>` : ""}
        </header>`,
      )}
      ${keyed(name, html`<div class="t-over">${screen.over ?? ""}</div>`)}
      ${screen.corner ? corner(ctx) : ""}
      ${screen.rail ? rail(ctx) : ""}
      ${screen.quiet ? "" : screenKey(ctx)}
      ${ctx.snap?.seats ? gamesSheet(ctx) : ""}
      ${screenSheet(ctx)}
      ${lostLink(ctx)}
    </main>`;
}
