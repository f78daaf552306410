"""The host's side of the line against the pusher's own program, over lines that lose bytes."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig.pusher.dialogue import SILENCE, Dialogue
from rig.pusher.protocol import BeamNews, BootNews, StateNews
from rig.pusher.wasm_board import Board
from rig.pusher.wire import FrameKind, Receiver, SerialFrame, encode
from tests.support.noise import Channel

STEP_MS = 5


class Talk:
    """A host and a board, a few milliseconds at a time."""

    def __init__(self, seed=1, rate=0.0, back=None):
        rng = np.random.default_rng(seed)
        self.board = Board(itertools.cycle(int(n) for n in rng.integers(1, 1 << 16, 50)))
        self.dialogue = Dialogue(int(n) for n in rng.integers(0, 1 << 32, 1000))
        self.there = Channel(rng, rate)
        self.back = Channel(rng, rate if back is None else back)
        self.news = []
        self.dialogue.begin(0.0)

    def run(self, seconds, until=lambda: False):
        """Let time pass, at most so long; say whether it ended early."""
        end_s = self.board.time_s + seconds
        while self.board.time_s < end_s and not until():
            self.board.run(STEP_MS)
            now_s = self.board.time_s
            self.dialogue.feed(self.back.carry(self.board.give()), now_s)
            self.dialogue.tick(now_s)
            self.board.take(self.there.carry(self.dialogue.take_bytes()))
            self.news += self.dialogue.take_news()
        return until()

    def ask(self, text, urgent=False):
        """Ask and wait; give the reply, or None."""
        told = []
        self.dialogue.ask(text, told.append, self.board.time_s, urgent=urgent)
        self.run(10.0, lambda: bool(told))
        return told[0]

    def greeted(self):
        return self.run(8.0, lambda: self.dialogue.device is not None)

    def switched(self):
        self.board.switch_on = False
        self.run(0.02)
        self.board.switch_on = True
        self.run(0.02)


@pytest.fixture
def talk():
    talk = Talk()
    assert talk.greeted()
    talk.run(0.02)
    return talk


def states(talk):
    return [news.state for news in talk.news if isinstance(news, StateNews)]


def test_the_greeting_says_who_is_there(talk):
    device = talk.dialogue.device
    assert (device.protocol, device.state) == (1, "SAFE")
    assert len(device.boot_id) == 4


def test_a_question_has_its_answer_and_a_refusal_says_so(talk):
    assert len(talk.ask("LIM").words) == 7
    refused = talk.ask("ARM")
    assert (refused.refused, refused.words) == (True, ("7", "SAFE"))


def test_questions_are_answered_in_their_order_and_the_urgent_one_before(talk):
    order = []
    for text, urgent in [("LIM", False), ("CNT", False), ("HB", False), ("STOP", True)]:
        talk.dialogue.ask(
            text, lambda reply, text=text: order.append(text), talk.board.time_s, urgent=urgent
        )
    talk.run(0.2)
    assert order == ["LIM", "STOP", "CNT", "HB"]


def test_silence_never_lasts_so_long_that_the_board_gives_up(talk):
    talk.switched()
    talk.ask("ARM")
    talk.run(9.0)
    assert talk.board.state == "ARMED"


def test_without_a_board_the_greeting_ends_and_says_so():
    dialogue = Dialogue(iter(range(100)))
    dialogue.begin(0.0)
    sent = 0
    for tick in range(100):
        dialogue.tick(tick * 0.05)
        sent += bool(dialogue.take_bytes())
    assert dialogue.wrong == SILENCE
    assert sent == 16


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("OK HELLO PRINTER 1 1.0 3F2A S1 SAFE", "another device"),
        ("OK HELLO PUSHER 2 1.0 3F2A S1 SAFE", "version 2"),
        ("ER HELLO 6 SAFE", "another version"),
        ("OK HELLO PUSHER", "another device"),
    ],
)
def test_who_is_no_pusher_of_this_protocol_is_named(text, words):
    dialogue = Dialogue(iter(range(100)))
    dialogue.begin(0.0)
    dialogue.feed(encode(SerialFrame(FrameKind.REPLY, 1, 0, text)), 0.0)
    assert words in dialogue.wrong
    assert dialogue.device is None


def test_an_own_echo_is_no_answer():
    dialogue = Dialogue(iter(range(100)))
    dialogue.begin(0.0)
    dialogue.feed(dialogue.take_bytes(), 0.0)
    assert dialogue.device is None
    assert not dialogue.wrong


def test_a_session_number_in_use_is_changed():
    talk = Talk()
    talk.greeted()
    other = Dialogue(iter(range(100)))
    other.begin(talk.board.time_s)
    talk.dialogue = other
    assert talk.greeted()
    assert not talk.ask("LIM").refused


def test_after_eight_vain_tries_the_answer_is_nothing_and_the_session_new(talk):
    talk.there.cut = True
    sessions = talk.dialogue.sessions
    assert talk.ask("LIM") is None
    assert talk.dialogue.sessions == sessions + 1
    talk.there.cut = False
    assert talk.greeted()
    assert not talk.ask("LIM").refused


def test_a_lost_reply_is_told_again_and_nothing_done_twice(talk):
    talk.switched()
    token = talk.ask("ARM").words[0]
    talk.run(0.65)
    talk.back.cut = True
    told = []
    talk.dialogue.ask(f"PUSH {token} 200 300 0 300", told.append, talk.board.time_s)
    talk.run(0.3)
    assert not told
    talk.back.cut = False
    talk.run(0.6, lambda: bool(told))
    assert told[0].words == ("1",)
    talk.run(2.0)
    assert talk.board.strokes == 1


def test_a_missing_event_is_asked_for_while_a_push_wants_it(talk):
    talk.dialogue.gathering = True
    talk.switched()
    talk.ask("ARM")
    talk.run(0.2)
    talk.board.set_beam(0, True)
    talk.board.give()
    talk.board.set_beam(0, False)
    talk.run(0.3)
    assert [n.broken for n in talk.news if isinstance(n, BeamNews)] == [False, True]


def flood(talk, count):
    """Beams change so often without anybody hearing of it, and then once more."""
    talk.switched()
    talk.ask("ARM")
    talk.run(0.1)
    for _ in range(count):
        for broken in (True, False):
            talk.board.set_beam(0, broken)
            talk.board.run(20)
            talk.board.give()
    talk.board.set_beam(0, True)


def test_outside_a_push_nobody_asks_for_what_was_missed(talk):
    flood(talk, 4)
    talk.run(0.3)
    assert sum(isinstance(n, BeamNews) for n in talk.news) == 1


def test_what_was_missed_comes_behind_what_people_ask_and_never_more_than_eight(talk):
    talk.dialogue.gathering = True
    flood(talk, 6)
    said, told = [], []
    carry = talk.there.carry

    def listen(data):
        said.extend(frame.text for frame in Receiver().feed(data))
        return carry(data)

    talk.there.carry = listen
    talk.board.run(5)
    now_s = talk.board.time_s
    talk.dialogue.feed(talk.board.give(), now_s)
    for text in ("LIM", "CNT"):
        talk.dialogue.ask(text, told.append, now_s)
    said.clear()
    talk.run(0.5)
    asked = [text[:2] for text in said if text != "HB"]
    assert asked == ["LI", "CN"] + 8 * ["EV"]
    assert len(told) == 2


def test_what_comes_behind_comes_behind_all_that_was_missed(talk):
    talk.dialogue.gathering = True
    flood(talk, 3)
    talk.board.run(5)
    now_s = talk.board.time_s
    talk.dialogue.feed(talk.board.give(), now_s)
    told = []
    talk.dialogue.ask("CNT", lambda reply: told.append(len(talk.news)), now_s, behind=True)
    talk.run(0.5, lambda: bool(told))
    assert sum(isinstance(n, BeamNews) for n in talk.news) == 7


def greetings(refusal, seconds):
    """When a board that refuses every session is greeted."""
    dialogue, times = Dialogue(iter(range(10_000))), []
    dialogue.begin(0.0)
    for tick in range(int(seconds * 200)):
        now_s = tick / 200
        dialogue.tick(now_s)
        for frame in Receiver().feed(dialogue.take_bytes()):
            if frame.text.startswith("HELLO"):
                times.append(now_s)
            for answer in refusal(frame):
                dialogue.feed(encode(answer), now_s)
    return times


def in_use(frame):
    return [SerialFrame(FrameKind.REPLY, frame.session, frame.number, "ER HELLO 3 SAFE")]


def another_session(frame):
    if frame.text.startswith("HELLO"):
        text = "OK HELLO PUSHER 1 1.1 3F2A S1B2E1F0 SAFE"
        return [SerialFrame(FrameKind.REPLY, frame.session, frame.number, text)]
    return [SerialFrame(FrameKind.NAK, 0, 0, "SES")]


@pytest.mark.parametrize("refusal", [in_use, another_session])
def test_a_board_that_refuses_every_session_is_greeted_ever_more_slowly(refusal):
    times = greetings(refusal, 60.0)
    gaps = np.diff(times)
    assert len(times) <= 16
    assert all(b >= a - 0.2 for a, b in itertools.pairwise(gaps))
    assert 7.5 <= gaps[-1] <= 8.5


@pytest.mark.parametrize(
    "text",
    [
        "ST FAST NONE 0 00000001",
        "ST SAFE BROKEN 0 00000001",
        "BEAM 2 1 00000001",
        "BOOM",
        "ST SAFE",
    ],
)
def test_an_event_of_words_that_have_no_place_is_named_until_a_heartbeat_makes_sense(talk, text):
    frame = SerialFrame(FrameKind.EVENT, talk.dialogue._session, talk.dialogue._event or 0, text)
    talk.dialogue.feed(encode(frame), talk.board.time_s)
    assert "does not belong" in str(talk.dialogue.confused)
    talk.run(0.3)
    assert talk.dialogue.confused is None


def test_a_restart_is_told_and_a_new_session_opened(talk):
    boot_id = talk.dialogue.device.boot_id
    talk.board.restart()
    talk.run(0.5)
    assert any(isinstance(n, BootNews) and not n.away for n in talk.news)
    talk.greeted()
    assert talk.dialogue.device.boot_id != boot_id


def test_beam_times_go_on_when_the_boards_own_counter_starts_afresh(talk):
    wrap_s = (1 << 32) / 1e6
    talk.board.run(round(1000 * (wrap_s - 1.0)))
    talk.dialogue.begin(talk.board.time_s)
    talk.greeted()
    talk.run(0.1)
    for _ in range(4):
        talk.board.set_beam(0, True)
        talk.run(0.5)
        talk.board.set_beam(0, False)
        talk.run(0.5)
    times = [n.time_us / 1e6 for n in talk.news if isinstance(n, BeamNews)]
    assert np.diff(times) == pytest.approx(0.5, abs=0.01)
    assert times[-1] > wrap_s


def a_noisy_evening(seed, rate):
    """Three armings and pushes over a bad line; what was asked, confirmed and done, per token."""
    talk = Talk(seed, rate)
    rows = []
    for _ in range(3):
        talk.greeted()
        talk.switched()
        armed = talk.ask("ARM")
        if armed is None or armed.refused:
            if talk.board.state in ("ESTOP", "FAULT", "AWAY"):
                talk.board.switch_on = False
                talk.run(0.02)
                talk.ask("CLEAR")
                talk.ask("HOMED")
            continue
        talk.run(0.7)
        before, boots = talk.board.strokes, len(talk.news)
        reply = talk.ask(f"PUSH {armed.words[0]} 200 300 0 300")
        talk.run(1.2)
        restarted = any(isinstance(n, BootNews) for n in talk.news[boots:])
        assert not restarted
        confirmed = reply is not None and not reply.refused
        rows.append((confirmed, talk.board.strokes - before))
    return rows


@settings(max_examples=25)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0005, 0.002, 0.005, 0.01, 0.02]))
def test_no_token_is_ever_good_for_two_strokes_and_what_is_confirmed_moved(seed, rate):
    for confirmed, strokes in a_noisy_evening(seed, rate):
        assert strokes <= 1
        assert strokes == 1 or not confirmed


def test_a_quiet_line_confirms_every_push():
    assert a_noisy_evening(1, 0.0) == [(True, 1)] * 3


@settings(max_examples=80)
@given(st.lists(st.binary(max_size=80), max_size=8))
def test_whatever_comes_on_the_line_is_lived_through(noise):
    talk = Talk()
    talk.greeted()
    for data in noise:
        talk.dialogue.feed(data, talk.board.time_s)
        talk.run(0.02)
    assert talk.greeted()
    assert talk.ask("LIM") is not None or talk.ask("LIM") is not None
