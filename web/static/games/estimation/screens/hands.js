/** What a hand does to the game beyond a press: it calls, holds the ring, and has a moment to think again. */
import { HoldRing } from "../../../core/hold.js";

/** So long the last ballot can be turned over before it is sent: it locks all of them. */
const CALM_MS = 1000;

/** Commands that are worse late than never: sent once, or not at all. */
export const ONCE = ["call", "hold", "push"];

/** What is heard as a command is sent, where that is no tap. */
export const SOUNDS = { vote: "sealed" };

/**
 * The call and the ring, for a phone.
 * @param {object} phone
 * @param {() => object} phone.snapshot
 * @param {() => object} phone.local
 * @param {() => number} phone.now
 * @param {(patch: object) => void} phone.set
 * @param {(type: string, fields?: object) => Promise<object>} phone.command
 */
export function hands({ snapshot, local, now, set, command }) {
  const ring = new HoldRing({
    fullMs: () => snapshot().push?.hold_ms,
    begin: () => command("hold", local().byEye ? { by_eye: true } : {}),
    push: (nonce) => command("push", { nonce }).then(() => set({ held: 0 })),
    cancel: () => command("release"),
    draw: (held) => set({ held }),
  });
  return {
    shout: () => command("call", snapshot()?.photo_finish ? { pressed_ms: now() } : {}),
    hold: () => ring.press(),
    release: () => ring.release(),
  };
}

/** So long a command is kept back before it is sent, in ms. */
export function keptBackMs(type, s, local) {
  return type === "vote" && isLastBallot(s, local) ? CALM_MS : 0;
}

/** Whether a ballot cast now would be the last one, which locks them all. */
function isLastBallot(s, local) {
  const acted = s.for?.[local.acting];
  const isIn = acted ? acted.in : Boolean(s.ballot?.mine);
  return s.phase === "BALLOT" && !isIn && s.ballot.count === s.ballot.of - 1;
}

/** What a phone remembers otherwise once a command was taken; the tile that was drawn comes back with it. */
export function taken(type, local, draft, pending) {
  if (type === "stand") {
    return { draft: null, put: draft };
  }
  if (type === "take_back") {
    pending.forget((each) => each.type === "stand");
    return { draft: local.put ?? null };
  }
  return {};
}
