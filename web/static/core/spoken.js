/** What the figures of a player say in three sentences, and what is behind each. */

const ENOUGH = 2;

function times(count, say) {
  return count === 1 ? say("once") : count === 2 ? say("twice") : say("times", { count });
}

function calls({ pushed, right_calls: right }, say) {
  const counted = { calls: times(pushed, say), right: times(right, say) };
  if (!pushed) return say("calls.none");
  return right ? say("calls", counted) : say("calls.never", counted);
}

function eye({ compared, brier, model_brier: model }, say) {
  if (compared < ENOUGH) return say("eye.none");
  if (brier === model) return say("eye.same");
  return brier < model ? say("eye.better") : say("eye.worse");
}

function bluff({ doubted, held }, say) {
  if (!doubted) return say("bluff.none");
  if (doubted === 1) return held ? say("bluff.held") : say("bluff.fell");
  if (held === doubted) return say("bluff.held.all", { count: doubted });
  return held ? say("bluff.some", { held, doubted }) : say("bluff.fell.all", { count: doubted });
}

/**
 * @param {object} figures of a player, as the statistics have them
 * @param {(key: string, params?: object) => string} say words of the group that the page has for this
 */
export const spoken = (figures, say) => [calls(figures, say), eye(figures, say), bluff(figures, say)];

/** What each of the three is reckoned from, with its figures. */
export function reckoning(figures, say, lang) {
  const { pushed, right_calls: right, compared: count, doubted, held } = figures;
  const score = new Intl.NumberFormat(lang, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const scores = { brier: score.format(figures.brier ?? 0), model: score.format(figures.model_brier ?? 0), count };
  return [
    say("how.calls", { pushed, right }),
    count < ENOUGH ? say("how.eye.none") : say("how.eye", scores),
    say("how.bluff", { doubted, held }),
  ];
}
