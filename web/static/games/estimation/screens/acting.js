/** The host's phone in somebody else's name: the screens of that seat, and their secret ballot. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../core/objects/marks.js";
import { key, lamp, me, page, short, title } from "../../../core/page.js";

/** What is sent in the name of the seat acted for; everything else stays the host's own. */
const ACTED = new Set([
  ...["stand", "take_back", "confirm", "correct", "wait", "row_is_right", "look", "call", "vote", "switch", "hold", "release", "push"],
  ...["choose_end", "wrong_end", "report", "agree", "object", "table_vote", "next", "go_on", "accident", "accident_confirm"],
  ...["accident_reject", "accident_withdraw", "lone_tile_fell", "illegal", "fix_row", "consent_row", "decline_row"],
]);

/** The fields that make a command that of the seat acted for. */
export function inName(s, local, type) {
  return local.acting && s?.for?.[local.acting] && ACTED.has(type) ? { for: local.acting } : {};
}

/** A snapshot as the seat acted for would see it, without the side of its ballot. */
export function actedFor(s, ui) {
  const powers = s.for?.[ui.local.acting];
  if (!powers) {
    return s;
  }
  const own = ["pause", "void", "undo", "correct_verdict", "longer", "clear_stop", "resolve", "stop", "remove_seat"];
  const may = Object.fromEntries([...powers.may, ...own.filter((name) => s.may[name])].map((name) => [name, true]));
  const side = powers.forced ? (s.placer === ui.local.acting ? "success" : "failure") : powers.in ? "hidden" : null;
  return {
    ...s,
    acting: s.you.seat ?? "host",
    you: { ...s.you, role: "seat", seat: ui.local.acting },
    may,
    why: powers.why,
    ballot: s.ballot && { ...s.ballot, mine: side, forced: powers.forced },
  };
}

/** Before a secret ballot the phone changes hands. */
export function handOn(s, ui) {
  const name = short(me(s).name);
  return page(s, ui, {
    name: "handon",
    label: ui.t("ballot.rail"),
    body: html`<div class="middle">${title(ui.t("handon.title", { name }))}
        <p class="lead">${ui.t("handon.lead", { name })}</p></div>
      <div class="big-mark">${mark(me(s).mark, { size: 120 })}</div>`,
    foot: html`${lamp(ui.t("handon.here", { name }), () => ui.set({ handed: true }))}
      ${key(ui.t("acting.back"), () => ui.set({ acting: null }))}`,
  });
}

/** Whether the phone has to change hands before the screen may be shown. */
export function mustHandOn(s, ui) {
  return Boolean(s.acting) && s.phase === "BALLOT" && s.ballot?.mine === null && !ui.local.handed;
}
