/** Phones: the code to scan, and what stands in the way. */
import { html } from "../../vendor/lit-html/lit-html.js";

export function network(page, step) {
  const { say, told } = page;
  const { url, qr, finds, others } = told.network;
  const through = step.mark === "fine";
  const what = new Map(finds.map((find) => [`network.${find.name}`, find.what]));
  const said = new Set(step.points.map((point) => point.key));
  return {
    // What to do about a finding stands under it; what is only guessed has a place of its own.
    points: step.points.map((point) => ({ ...point, what: what.get(point.key) })),
    left: html`<figure class="setup-code ${through ? "is-through" : ""}">
      <img src=${qr} alt="" width="260" height="260">
      <figcaption>${say("setup.network.scan")} <b translate="no">${url}</b></figcaption></figure>`,
    right: html`${
      through
        ? ""
        : finds
            .filter((find) => !said.has(`network.${find.name}`))
            .map((find) => html`<details class="setup-find"><summary>${find.title}</summary><p>${find.what}</p></details>`)
    }${others.length ? html`<p class="setup-others">${say("setup.network.others")} <b translate="no">${others.join(", ")}</b></p>` : ""}`,
  };
}
