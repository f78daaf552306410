/** The host's phone in somebody else's name: the screens of that seat, and their secret ballot. */
import { html } from "../../../vendor/lit-html/lit-html.js";
import { mark } from "../../../core/objects/marks.js";
import { key, lamp, me, nameOf, page, title } from "../../../core/page.js";
import { stopKey } from "../../../core/stop.js";
import { callDome } from "./turn/calling.js";
import { claimed } from "./push/verdict.js";
import { rowStrip } from "./row.js";

/** What is sent in the name of the seat acted for; everything else stays the host's own. */
const ACTED = new Set([
  ...["stand", "photographed", "take_back", "confirm", "correct", "wait", "row_is_right", "look", "call", "vote", "switch", "hold", "release", "push"],
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
  const name = nameOf(s, ui, s.you.seat);
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

/** What a seat without a phone is waited for: "turn", "ballot", "push" or "judge"; null while it is not. */
export function deedOf(s, seat) {
  if (!s.for?.[seat.seat] || seat.phone || s.paused_by) {
    return null;
  }
  if (s.phase === "TURN" && s.active === seat.seat) {
    // Before a camera they stand it themselves; only what it reads is answered here.
    return s.virtual || !["waiting", "looking", "hand"].includes(s.reading?.state ?? "waiting") ? "turn" : null;
  }
  if (s.phase === "BALLOT" && s.playing.includes(seat.seat) && !seat.in) {
    return "ballot";
  }
  const says = ["agree", "table_vote"].some((name) => s.for[seat.seat].may.includes(name));
  if (says && ["confirm", "vote"].includes(s.verdict?.step)) {
    return "judge";
  }
  const chooses = s.push?.end === null;
  const pushes = s.push?.[chooses ? "toppler" : "hand"] === seat.seat && (chooses || s.push.kind !== "hand");
  return pushes && (chooses || ["switch", "ready"].includes(s.push.state)) ? "push" : null;
}

/** Whether something of the host's own comes first. */
function busy(s, ui) {
  const { local } = ui;
  const votes = s.phase === "BALLOT" && s.playing.includes(s.you.seat) && s.ballot?.mine === null && !s.ballot.forced;
  const judges = s.phase === "JUDGE" && (s.may.agree || s.may.table_vote);
  return votes || judges || local.afterCall || local.change || local.mine || ui.pending("vote", s.you.seat) !== undefined;
}

/** The seat that the host's page offers to act for now; null where there is none, or something comes first. */
export function deedDue(s, ui) {
  if (!s.you.host || s.acting || !s.for || busy(s, ui)) {
    return null;
  }
  return s.seats.find((seat) => deedOf(s, seat)) ?? null;
}

/** "Petro is next: stand it for them." The page gives itself back as soon as it is done. */
export function deed(s, ui) {
  const seat = deedDue(s, ui);
  const what = deedOf(s, seat);
  const name = nameOf(s, ui, seat.seat);
  const act = () => ui.set({ acting: seat.seat, deed: what, handed: what === "ballot" });
  const first = what === "turn" && !s.virtual ? "read" : what;
  const calls = what === "turn" && s.may.call; // that is the host's own, whoever has no phone
  const who = ui.t(`deed.${what}.title`, { name });
  const told = what === "judge" ? `${s.verdict.step === "vote" ? ui.t("verdict.vote_title") : `${claimed(s, ui)}.`} ` : "";
  const lead = told + ui.t(`deed.${first}.lead`, { name });
  return page(s, ui, {
    name: "deed",
    label: ui.t("deed.rail"),
    body: html`${
        calls
          ? html`<div class="who">${mark(seat.mark, { size: 44 })}
              <div class="who-text"><p class="kicker">${lead}</p>${title(who, { size: "title-s" })}</div></div>`
          : html`${title(who)}<p class="lead">${lead}</p>
              <div class="big-mark">${mark(seat.mark, { size: ui.height < 700 ? 84 : 138 })}</div>`
      }
      ${what === "ballot" ? "" : rowStrip(s, ui)}`,
    act: calls ? html`<div class="dome-place">${callDome(s, ui, "small")}</div>` : "",
    foot: html`${calls ? "" : html`<p class="hint">${ui.t("deed.after")}</p>`}
      ${lamp(ui.t(`deed.${first === "judge" ? "read" : first}.key`, { name }), act)}
      ${what === "ballot" && s.ballot.mine && s.ballot.mine !== "hidden" ? key(ui.t("deed.mine"), () => ui.set({ mine: true })) : ""}
      ${what === "push" && s.may.stop ? stopKey(s, ui, "bar") : ""}`,
  });
}

/** Whether what was begun by that page is over, so that the phone is its host's again. */
export function isDone(s, local) {
  const seat = s.seats.find((each) => each.seat === local.acting);
  return Boolean(local.deed) && !(seat && deedOf(s, seat) === local.deed) && !running(s, local);
}

/** A push that was begun, a tile that is being read, or a ballot that can be mended, is still that seat's. */
function running(s, { acting, deed: what }) {
  if (what === "ballot" && s.ballot?.closing?.seat === acting) {
    return true;
  }
  const reads = what === "turn" && s.phase === "TURN" && s.active === acting;
  return reads || (what === "push" && s.phase === "TOPPLE" && s.push?.hand === acting && s.push.state === "armed");
}
