// What the referee found when it looked through the whole game once more.
import { html } from "../vendor/lit-html/lit-html.js";

const inFours = (fingerprint) => fingerprint.slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");

const WITHOUT_SEAT = { camera: "past.by.camera", host: "past.by.host", referee: "past.by.referee" };

/** What a finding names, with words for whoever has no seat. */
const named = (of, say) => ({ ...of, name: of.name in WITHOUT_SEAT ? say(WITHOUT_SEAT[of.name]) : of.name });

/** The proof of a game in a few lines. */
export function proofWords({ proof }, say) {
  const found = proof.findings;
  const good = proof.older ? "past.proof.found.none" : "past.proof.good";
  const counted = (key, count) => (count ? say(key, { count }) : "");
  return html`<section class="past-proof ${proof.good ? "" : "past-wrong"}">
    <h2>${say(proof.good ? good : "past.proof.bad")}</h2>
    ${
      proof.good
        ? html`<p>${counted("past.proof.ballots", proof.ballots)} ${counted("past.proof.chips", proof.chips)} ${counted("past.proof.shuffles", proof.shuffles)}</p>`
        : html`<ul>${found.map(({ v, kind, of }) => html`<li>${v ? `${say("past.proof.event", { v })}: ` : ""}${say(`past.found.${kind}`, named(of, say))}</li>`)}</ul>`
    }
    ${proof.unsealed ? html`<p>${say("past.proof.unsealed", { count: proof.unsealed })}</p>` : ""}
    ${proof.older ? html`<p>${say("past.proof.older")}</p>` : ""}
    <p class="past-fingerprint">${say("past.proof.fingerprint")} <code>${inFours(proof.fingerprint)}</code><br />
      ${say("past.proof.compare")}</p>
  </section>`;
}
