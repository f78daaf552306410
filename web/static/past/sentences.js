// What happened in a moment, in the words of the page.
import { list } from "../core/i18n.js";

function params(event, snap, say, lang) {
  const nameOf = (seat) => snap.seats.find((each) => each.seat === seat)?.name ?? "";
  const who = event.seat ?? event.caller ?? event.toppler ?? event.by;
  const by = event.by === "camera" || event.by === "host" ? say(`past.by.${event.by}`) : nameOf(event.by);
  const won = Object.entries(event.won ?? {}).map(([seat, n]) => `${nameOf(seat)} ${n < 0 ? "−" : "+"}${Math.abs(n)}`);
  return {
    name: event.type === "Seated" ? event.name : nameOf(who),
    by,
    value: event.value,
    bone: event.bone,
    round: event.round,
    count: event.winners?.length ?? won.length,
    names: list(lang, (event.winners ?? []).map(nameOf)),
    culprit: event.culprit ? nameOf(event.culprit) : say("past.by.nobody"),
    outcome: event.outcome ? say(`past.outcome.${event.outcome}`) : "",
    chips: won.join(", "),
  };
}

/** One sentence an event; empty for what no player would speak of. */
export function sentences(events, snap, say, lang) {
  return events
    .map((event) => {
      // Some happen in more than one way, each with words of its own.
      const key = event.way ? `past.event.${event.type}.${event.way}` : `past.event.${event.type}`;
      const words = say(key, params(event, snap, say, lang));
      return words === key ? "" : words;
    })
    .filter(Boolean)
    .join(" ");
}
