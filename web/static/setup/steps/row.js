/** The test row: stood, pushed and judged as in a game. */
import { html } from "../../vendor/lit-html/lit-html.js";
import { key, ring, stopKey } from "../parts.js";
import { tilePicture } from "../../core/objects/tile.js";

/** How to move the pusher, as somebody behind it would be told. */
function way(say, guide) {
  if (guide.round) return say("setup.row.round");
  const parts = [
    [guide.forward_mm, "towards", "back", "mm"],
    [guide.left_mm, "left", "right", "mm"],
    [guide.turn_deg, "turn.left", "turn.right", "degrees"],
  ];
  return parts
    .filter(([much]) => Math.abs(much) >= 1)
    .map(([much, more, less, unit]) => say(`setup.row.${much > 0 ? more : less}`, { [unit]: Math.abs(much).toFixed(0) }))
    .join(", ");
}

/** What is said while it goes on. */
function now(say, row) {
  const reading = row.reading === "looking" || row.reading === "hand" || row.reading === "proposal";
  const first = row.standing === 0 || (row.standing === 1 && row.reading === "looking" && row.state === "stand");
  switch (row.state) {
    case "stand":
      if (reading && !first) return { mark: "waiting", key: "row.reading", of: {} };
      return { mark: "todo", key: row.standing ? "row.next" : "row.first", of: {} };
    case "done":
      return row.sure
        ? { mark: "fine", key: `row.${row.outcome}`, of: {} }
        : { mark: "todo", key: "row.unsure", of: {} };
    case "guide":
      return { mark: "todo", key: "row.guide", of: { end: row.end, way: way(say, row.guide) } };
    case "switch":
    case "finger":
    case "hold":
      return { mark: "todo", key: `row.${row.state}`, of: { end: row.end } };
    case "clear":
      return { mark: "waiting", key: "row.refused.not_clear", of: {} };
    case "pushing":
      return { mark: "waiting", key: "row.pushing", of: {} };
    default:
      return { mark: "failed", key: `row.${row.state}`, of: {} };
  }
}

function standing(page, row) {
  const values = [6, 3, 9].slice(0, row.of);
  return html`<figure class="card setup-row" aria-label=${page.say("setup.row.standing", { n: row.standing, of: row.of })}>
    ${values.map((value, n) => html`<span class=${n < row.standing ? "is-standing" : "is-wanted"}>${tilePicture(value, { height: 110 })}</span>`)}
    <figcaption>${page.say("setup.row.standing", { n: row.standing, of: row.of })}</figcaption></figure>`;
}

export function row(page, step) {
  const { say, told } = page;
  const { row: going } = told;
  if (step.mark === "off") return {};
  const off = told.playing;
  if (!going) {
    const word = step.mark === "fine" ? "setup.row.again" : "setup.row.begin";
    const lamp = step.mark !== "fine";
    const begin = key(page, word, { do: "row" }, { lamp, off });
    return lamp ? { main: begin } : { keys: begin };
  }
  const done = going.state === "done";
  const said = [now(say, going)];
  const away = going.push === "away";
  if (away) said.push({ mark: "todo", key: "pusher.away", of: {} });
  if (going.again) said.push({ mark: "failed", key: "row.nothing", of: {} });
  if (going.guide && !going.guide.seen) said.push({ mark: "todo", key: "row.unseen", of: {} });
  if (going.p_fall !== undefined && (done || going.state === "pushing")) {
    said.push({ mark: "fine", key: "row.predicted", of: { percent: Math.round(100 * going.p_fall) } });
  }
  const pushing = ["guide", "switch", "clear", "hold", "finger", "pushing"].includes(going.state);
  const leave = key(page, "setup.row.end", { do: "end" });
  return {
    left:
      done && going.picture
        ? html`<figure class="setup-frame"><img src="${page.evidence ?? "api/setup/row.jpg"}?n=${going.picture}" width="960" height="540" alt=${say("setup.row.picture")}></figure>`
        : standing(page, going),
    points: said,
    hands: pushing ? html`${ring(page, { word: "setup.row.push", push: true, off: going.state !== "hold" })}${stopKey(page)}` : "",
    main: next(page, going) || (done || pushing ? "" : leave),
    keys: done ? key(page, "setup.row.again", { do: "row" }) : pushing || next(page, going) ? leave : "",
  };
}

/** What only a key can do now; nothing where hands do it. */
function next(page, going) {
  if (going.push === "away") return key(page, "setup.air.home", { do: "homed" }, { lamp: true });
  if (going.push === "stopped" || going.push === "fault") return key(page, "setup.air.free", { do: "clear" }, { lamp: true });
  if (!going.virtual) return "";
  const lamp = { lamp: true };
  if (going.state === "switch") return key(page, "setup.air.turn.on", { do: "switch", on: true }, lamp);
  if (going.state === "finger") return key(page, "setup.row.touch", { do: "touch" }, lamp);
  const wanted = going.state === "stand" && going.standing < going.of;
  return wanted ? key(page, "setup.row.stand", { do: "stand" }, { lamp: true, off: going.reading !== "waiting" }) : "";
}
