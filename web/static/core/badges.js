/** Who has earned a badge over evenings: asked for once at the end of a game, and drawn when it comes. */

const asked = new Map();

/**
 * The seats with the badge; none until the answer is there.
 * @param {object} s a snapshot; `eyes` has the answer already, `badges` is where to ask
 * @param {() => void} redraw
 * @returns {string[]}
 */
export function eyesOf(s, redraw) {
  if (s.eyes || !s.badges) {
    return s.eyes ?? [];
  }
  const game = `${s.badges} ${s.final.fingerprint}`;
  if (!asked.has(game)) {
    asked.set(game, []);
    fetch(s.badges, { cache: "no-store" })
      .then((reply) => (reply.ok ? reply.json() : { seats: [] }))
      .then(({ seats }) => {
        asked.set(game, seats);
        if (seats.length) redraw();
      })
      .catch(() => asked.delete(game)); // asked again with the next snapshot
  }
  return asked.get(game);
}
