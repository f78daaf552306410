// What the rail shows of a seat beside its name: its chips, and at most one word.
import { html } from "../../../vendor/lit-html/lit-html.js";
import { LEAST_TYPE, plateWidth } from "../../../table/rail.js";
import { wordWidth } from "../../../table/width.js";
import { chip } from "../objects/chip.js";

function roleOf(snap, seat) {
  if (!seat.connected && !seat.bot && seat.phone !== false) return "away";
  if (snap.caller === seat.seat) return "caller";
  if (snap.phase === "TURN" && snap.active === seat.seat) return "turn";
  return snap.placer === seat.seat ? "last" : "";
}

/** Stage px: disc and number with what is beside them, and mark and margins of a plate. */
const DISC = { few: 60, five: 54 };
const BESIDE = { few: 118, five: 84 };

// Where a long word and a large number leave no room, a shorter word is taken, then the disc goes, and then the word.
function fitting(words, chips, count) {
  const size = count > 4 ? "five" : "few";
  const room = plateWidth(count) - BESIDE[size] - wordWidth(String(chips), count > 4 ? 52 : 62, "display");
  const fits = (rest) => words.find((word) => wordWidth(word, LEAST_TYPE) <= rest);
  const beside = fits(room - DISC[size]);
  const alone = beside ?? fits(room);
  return { disc: beside !== undefined, word: alone ?? words.at(-1), shown: alone !== undefined };
}

export function plate({ snap, say }, seat) {
  const role = roleOf(snap, seat);
  const words = [role ? say(`table.role.${role}`) : "", ...(role === "last" ? [say("table.row.last")] : [])];
  const { disc, word, shown } = fitting(words, seat.chips, snap.seats.length);
  return {
    active: snap.phase === "TURN" && !snap.paused_by && snap.active === seat.seat,
    holds: html`${disc ? chip({ size: 46 }) : ""}<b class="t-count">${seat.chips}</b>
        ${word ? html`<span class=${shown ? "t-role" : "unseen"}>${word}</span>` : ""}`,
  };
}
