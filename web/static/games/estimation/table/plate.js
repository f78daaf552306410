// What the rail shows of a seat beside its name: its chips, and at most one word.
import { html } from "../../../vendor/lit-html/lit-html.js";
import { plateWidth } from "../../../table/rail.js";
import { wordWidth } from "../../../table/width.js";
import { chip } from "../objects/chip.js";

function roleOf(snap, seat) {
  if (!seat.connected && !seat.bot && seat.phone !== false) return "away";
  if (snap.caller === seat.seat) return "caller";
  if (snap.phase === "TURN" && snap.active === seat.seat) return "turn";
  return snap.placer === seat.seat ? "last" : "";
}

// Five plates are narrow: a long word beside a large number leaves no room for the disc.
function fitsDisc(word, chips, count) {
  const digits = String(chips).length * 36;
  return count < 5 || 42 + digits + 20 + wordWidth(word, 34) <= plateWidth(count) - 76;
}

export function plate({ snap, say }, seat) {
  const role = roleOf(snap, seat);
  const word = role ? say(`table.role.${role}`) : "";
  const disc = fitsDisc(word, seat.chips, snap.seats.length) ? chip({ size: 46 }) : "";
  return {
    active: snap.phase === "TURN" && !snap.paused_by && snap.active === seat.seat,
    holds: html`${disc}<b class="t-count">${seat.chips}</b>
        ${word ? html`<span class="t-role">${word}</span>` : ""}`,
  };
}
