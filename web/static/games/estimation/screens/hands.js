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
