// Hands off: the row alone, the felt dark round it; and what holds the push up, in words.
import { svg } from "../../../../vendor/lit-html/lit-html.js";
import { aimView, aimWords } from "../../objects/aimview.js";
import { lying } from "../row/rowart.js";
import { below, pushes, standingRow } from "../row/row.js";
import { project } from "../row/scene.js";
import { aside } from "../../../../table/aside.js";
import { nameOf, seatOf } from "../../../../table/names.js";
import { cameraWords, differing, rowInWords } from "../words.js";

const BACK_MM = 10;
const CAUSES = ["hand", "fell", "row", "blind", "passed", "nobody"];
/** Where the line under the great title begins, in stage px. */
const BIG_LINE = 190;
const AIM = { x: 1480, y: 40, width: 290, height: 314 };

function waiting({ snap, say }) {
  const { push } = snap;
  if (snap.differs) return differing(snap, say);
  const toppler = nameOf(snap, push.toppler);
  const name = nameOf(snap, push.hand) || toppler;
  const value = push.value;
  if (push.end === null) return say("table.push.choose", { name: toppler });
  if (!push.machine && push.kind !== "finger") return say(`table.push.${seatOf(snap, push.toppler)?.bot ? "bot" : "hand"}`, { name: toppler, value });
  if (push.clear === false) return say("table.push.clear", { value });
  if (push.guide && !push.guide.right) return guided(push, say, name);
  if (CAUSES.includes(push.cause)) return say(`table.push.cause.${push.cause}`, { name });
  if (push.state === "switch") return say("table.push.switch", { name });
  return say(`table.push.${push.kind === "finger" ? "finger" : "ready"}`, { name, value });
}

/** Whether the pusher has to be moved first. */
const aimed = ({ guide, state }) => guide?.seen && !guide.right && ["switch", "ready"].includes(state);

/** How far and which way the pusher has to go, as on the phone that pushes. */
function guided({ guide }, say, name) {
  return guide.seen ? aimWords(guide, (word, params) => say(`table.aim.${word}`, params)) : say("table.push.unseen", { name });
}

/** A finger's time, by the table's clock. */
function fingerWords({ snap, say, now, later }) {
  const { now_ms: from, toppler, value } = snap.push;
  const left = from - now();
  if (left > 0) later(left);
  return say(`table.push.${left > 0 ? "count" : "now"}`, { name: nameOf(snap, toppler), value });
}

// Without a machine somebody's finger pushes, and there is nothing to wait for but that.
function stateOf({ push }) {
  const byHand = push && !push.machine && ["fault", "away", "switch", "armed"].includes(push.state);
  return byHand ? "ready" : (push?.state ?? "looking");
}

function words(ctx) {
  const { snap, say } = ctx;
  const push = snap.push ?? { state: "looking", machine: true, value: snap.row[0]?.value };
  const by = snap.stopped_by;
  const stopper = by && nameOf(snap, by);
  switch (stateOf(snap)) {
    case "stopped":
      return {
        title: say("table.push.stoppedtitle"),
        line: stopper
          ? say("table.push.stopped", { name: stopper })
          : say(by ? "table.push.stoppedhost" : "table.push.stoppedline"),
      };
    case "fault":
      if (snap.sight?.blind) return { title: say("table.sight.title"), line: cameraWords(snap, say, true) };
      return { title: say("table.push.faulttitle"), line: say("table.push.fault") };
    case "away":
      return { title: say("table.push.awaytitle"), line: say("table.push.away") };
    case "unknown":
      return { title: say("table.push.unknowntitle"), line: say("table.push.unknown") };
    case "finger":
      return { title: say("table.push.title"), line: fingerWords(ctx) };
    case "armed":
    case "moving":
    case "looking":
      return { title: say("table.push.title"), line: say(`table.push.${stateOf(snap)}`, { value: push.value }) };
    default:
      return { title: say(aimed(push) ? "table.push.aimtitle" : "table.push.title", push), line: waiting(ctx) };
  }
}

/** The pusher from above, large enough to be read across the table. */
function aimArt(guide, line) {
  return svg`<g transform="translate(${AIM.x} ${AIM.y})">
    <rect fill="#10261d" fill-opacity=".85" width=${AIM.width} height=${AIM.height} rx="18"></rect>${aimView(guide, line, AIM.height)}</g>`;
}

/** The lamp, over the middle of the row. */
function spot({ look, snap }, room) {
  const camera = look(snap.row, "fall", room);
  const seen = snap.row.map((tile) => project(camera, [tile.x_mm, tile.y_mm, 20]));
  const middle = (axis) => (Math.min(...seen.map((at) => at[axis])) + Math.max(...seen.map((at) => at[axis]))) / 2;
  return svg`<ellipse rx="980" ry="600" transform="translate(${middle(0)} ${middle(1)})" fill="url(#t-spot)"></ellipse>`;
}

export function pushScreen(ctx) {
  const { snap } = ctx;
  const state = stateOf(snap);
  const { guide } = snap.push ?? {};
  const { title, line } = words(ctx);
  const asks = ["stopped", "fault", "away", "unknown"].includes(state);
  const room = lying(snap.row, snap.tile, snap.end, snap.row);
  return {
    name: "push",
    title,
    line,
    label: rowInWords(snap.row, ctx.say),
    art: svg`${snap.row.length ? spot(ctx, room) : ""}
      ${standingRow(ctx, {
        mode: "fall",
        ...below([line, aside(ctx)], asks ? undefined : BIG_LINE),
        room,
        push: { word: "", whole: true, back: state === "moving" ? 0 : BACK_MM, arm: pushes(snap) },
      })}
      ${guide?.seen && state !== "moving" ? aimArt(guide, words(ctx).line) : ""}`,
    mood: asks ? "t-night t-asks" : "t-night",
    big: !asks,
    quiet: true,
  };
}
