/** What a phone sounds or buzzes when one snapshot follows another; the table screen sounds the rest. */
import { countAt } from "./vote/countdown.js";

const COUNTS = ["count3", "count2", "count1"];

/**
 * @param {object|null} before
 * @param {object} after
 * @param {import("../../../core/sound.js").Sound} sound
 */
export function moments(before, after, sound) {
  if (before === null || before.phase === undefined) {
    return;
  }
  const mine = after.phase === "TURN" && after.active === after.you.seat;
  const was = before.phase === "TURN" && before.active === before.you.seat;
  if (mine && !was) {
    sound.play("turn");
  }
  if (after.phase === "TURN" && after.last !== before.last && after.last !== null) {
    sound.buzz("accepted");
  }
  if (after.shout && !before.shout) {
    sound.buzz("shout");
  }
  if (after.phase === "REVEAL" && before.phase !== "REVEAL") {
    sound.buzz("reveal");
  }
  if (after.stopped_by && !before.stopped_by) {
    sound.play("stop");
  }
  if (after.push?.state === "fault" && before.push?.state !== "fault") {
    sound.play("fault");
  }
  if (after.verdict && !before.verdict) {
    sound.buzz(after.verdict.outcome);
  }
}

/** Buzz on each step of the countdown; give the step now shown. */
export function countBuzz(countdown, now, step, sound) {
  const at = countAt(countdown, now).step;
  if (at !== step && COUNTS[at]) {
    sound.buzz(COUNTS[at]);
  }
  return at;
}
