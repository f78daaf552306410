// The moment of a call: the lamp narrows to the row, the name slides in from the caller's seat.
import { html } from "../../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../../core/objects/marks.js";
import { rowPicture } from "../row/row.js";
import { fitted, nameOf, seatOf } from "../../../../table/names.js";
import { LEAST_TITLE, titleStep } from "../../../../table/width.js";
import { rowInWords } from "../words.js";

export const SHOUT_MS = 2200;

/** Stage px a caller's name has beside the great word. */
const NAME_ROOM = 880;

/** Who was a blink later, or what the photo finish shows. */
function lateLine(snap, caller, say) {
  const late = snap.shout?.late?.[0];
  const tie = snap.shout?.tie_ms;
  if (!late) return "";
  if (!tie) return say("table.shout.late", { name: nameOf(snap, late.seat), ms: late.ms });
  const name = nameOf(snap, caller);
  return late.ms < tie ? say("table.shout.tie", { name, ms: tie }) : say("table.shout.finish", { name, ms: late.ms });
}

export function shoutScreen(ctx) {
  const { snap, say } = ctx;
  const caller = snap.shout?.caller ?? snap.caller;
  const name = fitted(nameOf(snap, caller), NAME_ROOM, LEAST_TITLE, "display");
  const index = snap.seats.findIndex((seat) => seat.seat === caller);
  const side = index < snap.seats.length / 2 ? "t-from-left" : "t-from-right";
  return {
    name: "shout",
    title: say("table.shout.title"),
    line: lateLine(snap, caller, say),
    label: rowInWords(snap.row, say),
    art: rowPicture(ctx),
    over: html`<p class="t-caller ${side}">${mark(seatOf(snap, caller)?.mark, { size: 120 })}<b
      class="display t-title ${titleStep(name, NAME_ROOM)}">${name}</b></p>`,
    mood: "t-narrow",
    big: true,
    rail: true,
    quiet: true,
  };
}
