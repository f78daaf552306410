/** A ruling and its reason: undo a step, turn a verdict round, take an accident back, void a round. */
import { html } from "../vendor/lit-html/lit-html.js";
import { byHand, key, nameOf, names } from "../core/page.js";
import { close, sheet } from "../core/sheet.js";

const REASONS = {
  undo: ["mistap", "agreed"],
  verdict: ["looked", "camera", "mistap"],
  accident: ["looked", "mistap", "agreed"],
  void: ["moved", "unfair", "agreed"],
};
const COMMANDS = { undo: "undo", verdict: "correct_verdict", accident: "accident_undo", void: "void" };

/** What exactly will happen. */
function lead(s, ui, kind) {
  if (kind === "undo" && s.undo) {
    return ui.t(`why.undo.${s.undo.what}`, { name: nameOf(s, ui, s.undo.seat) });
  }
  const winners = (won) => names(s, ui, s.seats.map((seat) => seat.seat).filter((seat) => won?.[seat])) || ui.t("nobody");
  const last = s.history[s.history.length - 1];
  if (kind === "verdict" && last) {
    const params = { round: last.round, losers: winners(last.won), winners: winners(last.otherwise) };
    return ui.t(last.outcome === "fell" ? "why.verdict.stood" : "why.verdict.fell", params);
  }
  if (kind === "accident" && s.accident_paid) {
    const { culprit, won } = s.accident_paid;
    return ui.t("why.accident.lead", { round: s.round, name: nameOf(s, ui, culprit), losers: winners(won) });
  }
  return ui.t(`why.${kind}.lead`);
}

export function why(s, ui) {
  const kind = ui.local.why;
  const reasons = REASONS[kind].filter((each) => each !== "camera" || !byHand(s));
  const rule = (reason) => {
    ui.send(COMMANDS[kind], { reason });
    close(ui)();
  };
  const own = (event) => {
    event.preventDefault();
    rule(new FormData(event.target).get("reason").trim());
  };
  return sheet(ui, {
    id: "why",
    heading: ui.t(`why.${kind}`),
    body: html`<p>${lead(s, ui, kind)}</p>
      <p class="label">${ui.t("why.because")}</p>
      <div class="stack">${reasons.map((each) => key(ui.t(`reason.${each}`), () => rule(each)))}</div>
      <form class="rename" @submit=${own}>
        <label class="label" for="reason">${ui.t("why.own")}</label>
        <div class="pair pair-uneven">
          <input class="field" id="reason" name="reason" maxlength="80" required autocomplete="off" />
          <button type="submit" class="key key-plain"><span>${ui.t("why.rule")}</span></button>
        </div>
      </form>
      <p class="hint">${ui.t("why.kept")}</p>`,
  });
}
