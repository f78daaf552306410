// Hands off: the row alone, the felt dark round it; and what holds the push up, in words.
import { svg } from "../vendor/lit-html/lit-html.js";
import { lying } from "./fall.js";
import { standingRow } from "./row.js";
import { nameOf, rowInWords } from "./words.js";

const BACK_MM = 10;

function waiting({ snap, say }) {
  const { push } = snap;
  const name = nameOf(snap, push.toppler);
  const value = push.value;
  if (!push.machine) return say("table.push.hand", { name, value });
  if (push.clear === false) return say("table.push.clear", { value });
  if (push.state === "switch") return say("table.push.switch", { name });
  return say("table.push.ready", { name, value });
}

// Without a machine somebody's finger pushes, and there is nothing to wait for but that.
function stateOf({ push }) {
  const byHand = push && !push.machine && ["fault", "switch", "armed"].includes(push.state);
  return byHand ? "ready" : (push?.state ?? "looking");
}

function words(ctx) {
  const { snap, say } = ctx;
  const push = snap.push ?? { state: "looking", machine: true, value: snap.row[0]?.value };
  const stopper = push.stopped_by && nameOf(snap, push.stopped_by);
  switch (stateOf(snap)) {
    case "stopped":
      return {
        title: say("table.push.stoppedtitle"),
        line: stopper ? say("table.push.stopped", { name: stopper }) : say("table.push.stoppedline"),
      };
    case "fault":
      return { title: say("table.push.faulttitle"), line: say("table.push.fault") };
    case "unknown":
      return { title: say("table.push.unknowntitle"), line: say("table.push.unknown") };
    case "armed":
    case "moving":
    case "looking":
      return { title: say("table.push.title"), line: say(`table.push.${stateOf(snap)}`, { value: push.value }) };
    default:
      return { title: say("table.push.title"), line: waiting(ctx) };
  }
}

export function pushScreen(ctx) {
  const { snap } = ctx;
  const state = stateOf(snap);
  const { title, line } = words(ctx);
  const asks = ["stopped", "fault", "unknown"].includes(state);
  return {
    name: "push",
    title,
    line,
    label: rowInWords(snap.row, ctx.say),
    art: svg`<ellipse cx="860" cy="580" rx="980" ry="600" fill="url(#t-spot)"></ellipse>
      ${standingRow(ctx, {
        mode: "fall",
        room: lying(snap.row, snap.tile, snap.end, snap.row),
        push: { word: "", whole: true, back: state === "moving" ? 0 : BACK_MM },
      })}`,
    mood: asks ? "t-night t-asks" : "t-night",
    big: !asks,
    quiet: true,
  };
}
