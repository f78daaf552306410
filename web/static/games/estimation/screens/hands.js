/** What a hand does to the game beyond a press: it calls, and holds the ring. */
import { HoldRing } from "../../../core/hold.js";

/** Commands that are worse late than never: sent once, or not at all. */
export const ONCE = ["call", "hold", "push"];

/** What is heard as a command is sent, where that is no tap. */
export const SOUNDS = { vote: "sealed" };

/**
 * The call and the ring, for a phone.
 * @param {object} phone
 * @param {() => object} phone.snapshot
 * @param {() => object} phone.drafts
 * @param {() => number} phone.now
 * @param {(patch: object) => void} phone.set
 * @param {(type: string, fields?: object) => Promise<object>} phone.command
 */
export function hands({ snapshot, drafts, now, set, command }) {
  const ring = new HoldRing({
    fullMs: () => snapshot().push?.hold_ms,
    begin: () => command("hold", drafts().byEye ? { by_eye: true } : {}),
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

/** What is in the hand once a command was taken: nothing, or again what had been put down. */
export function taken(type, seat, pending) {
  if (type === "stand") {
    return { tile: null };
  }
  if (type === "take_back") {
    pending.forget((each) => each.type === "stand");
    return { tile: pending.taken("stand", seat)?.draft ?? null };
  }
  return {};
}
