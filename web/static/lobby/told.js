/** What the table says over the answers of any screen: a ruling, what runs out, a row to nod to. */
import { html } from "../vendor/lit-html/lit-html.js";
import { key, nameOf, names, quiet, shuffleNews } from "../core/page.js";

/** A reason of the list has words; the host's own is said as it was written. */
function because(ui, why) {
  const words = ui.t(`reason.${why}`);
  return words === `reason.${why}` ? why : words;
}

function ruling(s, ui) {
  if (!s.ruling) {
    return "";
  }
  const { kind, by, why, seat } = s.ruling;
  const params = { name: by === "host" ? ui.t("the_host") : nameOf(s, ui, by), who: nameOf(s, ui, seat), why: because(ui, why) };
  return html`<p class="ruling" role="status">${ui.t(`ruling.${kind}`, params)}</p>`;
}

/** A phone says whose it was; the host says yes with one tap. */
function claimed(s, ui) {
  return (s.you.host ? (s.claims ?? []) : []).map(({ seat, claim }) => {
    const name = nameOf(s, ui, seat);
    const say = (on) => () => ui.send("grant_seat", { seat, claim, on });
    return html`<div class="card" role="status"><p>${ui.t("claim.asked", { name })}</p>
      <div class="pair">${key(ui.t("claim.yes"), say(true))} ${key(ui.t("claim.no"), say(false))}</div></div>`;
  });
}

/** "1:05", and 30 s more for the host to give. */
function runsOut(s, ui) {
  if (!s.timer || s.timer.kind === "verdict" || s.paused_by) {
    return "";
  }
  const seconds = Math.max(0, Math.ceil((s.timer.until_ms - ui.now()) / 1000));
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const word = seconds || s.timer.hard ? ui.t(`timer.${s.timer.kind}`, { clock }) : ui.t("timer.over");
  return html`<div class="timer" role="timer"><span>${word}</span>
    ${s.may.longer ? key(ui.t("timers.longer"), () => ui.send("longer")) : ""}</div>`;
}

/** Who is waited for while it is shuffled, whose share is not in it, and how it is proved once it lies open. */
function shuffled(s, ui) {
  const open = s.shuffle_opened && s.shuffle?.stage !== "dealt";
  return html`${shuffleNews(s).map(([what, seats]) => html`<p class="ruling" role="status">${ui.t(`deck.${what}`, { names: names(s, ui, seats) })}</p>`)}
    ${open && ui.deal?.isWrong ? html`<p class="notice" role="alert">${ui.t("deck.wrong")}</p>` : ""}
    ${open ? quiet(ui.t("deck.title"), () => ui.set({ sheet: "deck" })) : ""}`;
}

export function told(s, ui) {
  const { before, after } = ui.game?.asks ?? {};
  return html`${claimed(s, ui)} ${before?.(s, ui) ?? ""} ${ruling(s, ui)} ${after?.(s, ui) ?? ""} ${shuffled(s, ui)} ${runsOut(s, ui)}`;
}
