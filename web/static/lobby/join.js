/** Take a seat: a name, a mark, one button. */
import { html } from "../vendor/lit-html/lit-html.js";
import { live } from "../vendor/lit-html/directives/live.js";
import { MARK_ORDER, mark } from "../core/objects/marks.js";
import { tileFront } from "../core/objects/tile.js";
import { key, lamp, nameOf, page, quiet, seatOf, title } from "../core/page.js";

/** So many can play where a snapshot does not say. */
const MOST_SEATS = 5;
const NAME_LENGTH = 20;

/** Five tiles on a shelf, the last two on their way down. */
function welcome(ui) {
  const u = Math.min(ui.height < 700 ? 1.05 : 2.1, (ui.width - 40) / 170);
  const base = 58 * u;
  const standing = [3, 8, 6].map((value, i) => tileFront(value, { x: (6 + 29.5 * i) * u, y: base, u }));
  return html`<svg class="welcome" width=${170 * u} height=${base + 11} viewBox="0 0 ${170 * u} ${base + 11}" aria-hidden="true">
    <rect class="board" x="2" y=${base} width=${166 * u} height="9" rx="4"></rect>
    ${standing}
    <g transform="translate(${94 * u} ${base}) rotate(14)">${tileFront(11, { y: 0, u, shadow: false })}</g>
    <g transform="translate(${128 * u} ${base - 12 * u}) rotate(30)">${tileFront(9, { y: 0, u, shadow: false })}</g>
  </svg>`;
}

/** The marks of this table, taken ones struck through; labelled by the text with the id `mark-label`. */
export function markChoice(s, ui, chosen) {
  const free = new Set(s.marks_free);
  const offered = new Set([...free, ...s.seats.map((seat) => seat.mark)]);
  return html`<div class="marks ${offered.size > 6 ? "marks-many" : ""}" role="radiogroup" aria-labelledby="mark-label">
    ${MARK_ORDER.filter((kind) => offered.has(kind)).map((kind) => {
      const taken = !free.has(kind);
      const word = ui.t(`mark.${kind}`);
      return html`<label class="mark-choice ${taken ? "is-taken" : ""}">
        <input type="radio" name="mark" value=${kind} .checked=${live(kind === chosen)} ?disabled=${taken}
          @change=${() => ui.set({ mark: kind })} />
        ${mark(kind, { size: ui.height < 700 ? 32 : 44, pale: taken })}
        <span>${word}</span>${taken ? html`<span class="unseen">${ui.t("join.taken")}</span>` : ""}
      </label>`;
    })}
  </div>`;
}

/** Where a name is written. */
export function nameField(ui, { id, label, value = "", input = () => {} }) {
  return html`<label class="label" for=${id}>${label}</label>
    <input class="field" id=${id} name="name" autocomplete="nickname" maxlength=${NAME_LENGTH} required
      .value=${live(value)} @input=${input} />`;
}

/** Why nobody can sit down now, in two sentences; null when there is a seat. */
function obstacle(s, ui) {
  if (s.may.sit) {
    return null;
  }
  if (s.seats.length < (s.most ?? MOST_SEATS)) {
    return [ui.t("join.running"), ui.t("join.running_hint")];
  }
  return [ui.t("join.full"), s.most ? ui.t("join.full_count", { count: s.most }) : ui.t("join.full_hint")];
}

/** Whoever comes into a running game says which seat was theirs; the host says yes with one tap. */
function whose(s, ui, lost) {
  const claimed = ui.pending("claim_seat", s.you.seat)?.seat;
  const asked = s.claims?.some(({ seat }) => seat === claimed) && seatOf(s, claimed);
  const claim = (seat) => () => ui.send("claim_seat", { seat });
  return page(s, ui, {
    name: "join",
    bare: true,
    body: html`${welcome(ui)} ${title(asked ? ui.t("join.asked", { name: asked.name }) : ui.t("join.whose"))}
      <p class="lead" role="status">${ui.t(asked ? "join.asked_lead" : "join.whose_lead")}</p>
      <div class="stack">${lost.map(
        (seat) => html`<button type="button" class="key key-plain" aria-pressed=${seat === asked ? "true" : "false"}
          ?disabled=${seat !== asked && s.claims?.some((claim) => claim.seat === seat.seat)} @click=${claim(seat.seat)}>${mark(seat.mark, { size: 30 })}<span>${nameOf(s, ui, seat.seat)}</span></button>`,
      )}</div>`,
    foot: html`${key(ui.t("join.next"), () => ui.send("watch", { waiting: true }))}
      ${quiet(ui.t("join.watch"), () => ui.send("watch"))}`,
  });
}

export function join(s, ui) {
  const name = ui.local.name ?? ui.suggested;
  const chosen = s.marks_free.includes(ui.local.mark) ? ui.local.mark : s.marks_free[0];
  const sit = (event) => {
    event.preventDefault();
    ui.send("sit", { name: name.trim(), mark: chosen });
  };
  const closed = obstacle(s, ui);
  const lost = closed ? s.seats.filter((seat) => !seat.bot && !seat.connected) : [];
  if (lost.length) {
    return whose(s, ui, lost);
  }
  if (closed) {
    return page(s, ui, {
      name: "join",
      bare: true,
      body: html`${welcome(ui)} ${title(closed[0])}
        <p class="lead">${closed[1]}</p>`,
      foot: html`${lamp(ui.t("join.next"), () => ui.send("watch", { waiting: true }))}
        ${quiet(ui.t("join.watch"), () => ui.send("watch"))}`,
    });
  }
  return page(s, ui, {
    name: "join",
    bare: true,
    body: html`${welcome(ui)} ${title(ui.t("join.title"))}
      <form class="card" id="join" @submit=${sit}>
        ${nameField(ui, { id: "name", label: ui.t("join.name"), value: name, input: (event) => ui.set({ name: event.target.value }) })}
        <span class="label" id="mark-label">${ui.t("join.mark")}</span>
        ${markChoice(s, ui, chosen)}
      </form>`,
    foot: html`<button type="submit" form="join" class="key key-lamp">${ui.t("join.sit")}</button>
      ${s.may.solo ? key(ui.t("join.solo"), () => ui.send("solo", { name: name.trim() || ui.suggested, mark: chosen }), { icon: "bot" }) : ""}
      ${quiet(ui.t("join.watch"), () => ui.send("watch"))}`,
  });
}
