// What is said beside any screen, in a line under the title.
import { list } from "../core/i18n.js";
import { byHand, missing, shuffleNews } from "../core/page.js";
import { nameOf } from "./names.js";

/** What the host has ruled, and what runs out now; empty most of the time. */
export function aside(ctx) {
  return [stopped(ctx.snap, ctx.say), ruling(ctx.snap, ctx.say), shuffled(ctx), runsOut(ctx), modes(ctx.snap, ctx.say)].filter(Boolean).join(" · ");
}

/** What people do for a camera or pusher that is lost or left out; where a tile is due, the line above says it, and before a game nobody needs it. */
function modes(snap, say) {
  if (snap.phase === "LOBBY") return "";
  const gone = missing(snap).filter((which) => which === "pusher" || snap.phase !== "TURN" || !byHand(snap));
  return gone.map((which) => say(`table.mode.${which}`)).join(" ");
}

/** Who has stopped the pusher, while no push is shown that says so. */
function stopped({ stopped_by: by, phase, seats }, say) {
  if (!by || phase === "TOPPLE") return "";
  return by === "host" ? say("table.push.stoppedhost") : say("table.push.stopped", { name: nameOf({ seats }, by) });
}

function ruling(snap, say) {
  if (!snap.ruling || snap.phase === "GAME_OVER") return "";
  const { kind, why, seat } = snap.ruling;
  const known = say(`table.reason.${why}`);
  const words = known === `table.reason.${why}` ? why : known;
  return say(`table.ruling.${kind}`, { name: nameOf(snap, seat), why: words });
}

/** Who is waited for while it is shuffled, and whose share is not in it. */
function shuffled({ snap, say, lang }) {
  return shuffleNews(snap)
    .map(([what, seats]) => say(`table.deck.${what}`, { names: list(lang, seats.map((seat) => nameOf(snap, seat))) }))
    .join(" ");
}

function runsOut({ snap, say, now, later }) {
  if (!snap.timer || snap.timer.kind === "verdict" || snap.paused_by) return "";
  const left = Math.max(0, snap.timer.until_ms - now());
  const seconds = Math.ceil(left / 1000);
  if (left) later(left % 1000 || 1000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  return say(`table.timer.${snap.timer.kind}`, { clock });
}
