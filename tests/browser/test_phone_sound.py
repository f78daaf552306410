"""Sounds and buzzes of a phone: made on the spot, silent when muted."""

import pytest

pytestmark = pytest.mark.browser

PLAY_ALL = """async () => {
  const { Sound } = await import("/static/core/sound.js");
  const kept = new Map();
  const getItem = (key) => kept.get(key) ?? null;
  const storage = { getItem, setItem: (key, value) => kept.set(key, value) };
  const sound = new Sound(storage);
  const buzzes = [];
  navigator.vibrate = (ms) => buzzes.push(ms);
  sound.wake();
  await sound.context.resume();
  const moments = ["tap", "accepted", "turn", "shout", "sealed", "count3", "count2", "count1",
    "reveal", "armed", "fell", "stood", "chip", "refused", "fault", "stop"];
  for (const moment of moments) sound.play(moment);
  sound.tile(3, true);
  sound.disarmed();
  const loud = buzzes.length;
  sound.mute(true);
  for (const moment of moments) sound.play(moment);
  const again = new Sound(storage);
  const state = sound.context.state;
  await sound.context.close();
  return { loud, after: buzzes.length - loud, muted: again.muted, state };
}"""


HUSHED = """async () => {
  const { Sound } = await import("/static/core/sound.js");
  const sound = new Sound(null);
  sound.wake();
  await sound.context.resume();
  const played = [];
  for (const moment of ["turn", "stop"]) sound[moment] = () => played.push(moment);
  sound.hush(true);
  for (const moment of ["turn", "stop"]) sound.play(moment);
  sound.hush(false);
  sound.play("turn");
  await sound.context.close();
  return played;
}"""


def test_while_the_table_screen_speaks_a_phone_sounds_for_stop_alone(new_stage, heard):
    page = heard(new_stage())
    page.mouse.click(5, 5)
    assert page.evaluate(HUSHED) == ["stop", "turn"]
    page.context.close()


def test_every_moment_sounds_until_the_phone_is_muted_and_stays_so(new_stage, heard):
    page = heard(new_stage())
    page.mouse.click(5, 5)
    told = page.evaluate(PLAY_ALL)
    assert told["state"] == "running"
    assert told["loud"] >= 15
    assert told["after"] == 0
    assert told["muted"] is True
    page.context.close()
