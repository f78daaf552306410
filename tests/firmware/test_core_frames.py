"""How the core takes frames: the shared vectors, sessions, repeats, naks and counters."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rig.pusher.wire import FrameKind, SerialFrame, crc, encode

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "vectors.json").read_text("ascii"))


def command(session, number, text):
    return encode(SerialFrame(FrameKind.COMMAND, session, number, text))


def raw_frame(body):
    return b"$" + body + f"*{crc(body):04X}\n".encode("ascii")


def expecting_six(core):
    core.hello()
    for _ in range(5):
        core.ask("HB")
    return core


@pytest.mark.parametrize("vector", [v for v in VECTORS if not v["valid"]], ids=lambda v: v["why"])
def test_an_invalid_vector_is_answered_by_its_nak(core, vector):
    (nak,) = expecting_six(core).send(vector["frame"].encode("ascii"))

    assert f"{nak.kind}{nak.session:X}{nak.number:02X} {nak.text}" == vector["answer"]
    assert core.ask("HB").startswith("OK HB SAFE")


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["valid"]], ids=lambda v: v["why"])
def test_of_the_valid_vectors_only_commands_are_answered(core, vector):
    expecting_six(core)

    answers = core.send(vector["frame"].encode("ascii"))

    assert bool(answers) == (vector["kind"] == "C")
    if "accepts" in vector:
        assert answers[0].text.startswith("OK HB")


def test_the_first_thing_said_is_the_boot_event(core):
    assert core.send(b"") == []
    assert core.events == [SerialFrame(FrameKind.EVENT, 0, 0, "BOOT POR 0 1 3F2A")]


def test_hello_names_protocol_boot_and_state(core):
    assert core.hello() == "OK HELLO PUSHER 1 1.1 3F2A S1B2E1F0 SAFE"


def test_hello_repeated_is_answered_again_until_something_was_done(core):
    first = core.hello()

    assert core.hello() == first
    core.ask("HB")
    assert core.hello() == "ER HELLO 3 SAFE"


def test_the_limits_are_told(core):
    core.hello()

    assert core.ask("LIM") == "OK LIM 1200 400 1500 200 5000 500 10000"


def test_a_repeat_is_answered_again_and_done_once(core):
    core.hello()
    core.turn_switch()
    again = core.frame("ARM")
    first = core.send(again)
    core.run(3)

    assert core.send(again) == first
    core.live(700)
    push = core.frame(f"PUSH {first[0].text.split()[2]} 300 800 150 600")
    replies = [core.send(push) for _ in range(20)]
    assert replies == [[SerialFrame(FrameKind.REPLY, 1, core.sequence, "OK PUSH 1")]] * 20
    assert core.strokes == 1


def test_a_sequence_for_another_body_does_nothing_and_forgets_nothing(core):
    core.hello()
    first = core.ask("HB")

    assert core.send(command(1, 1, "STOP"))[0].text == "ER STOP 3 SAFE"
    assert core.send(command(1, 1, "HB"))[0].text == first


def test_a_refusal_uses_its_sequence_up(core):
    core.hello()

    assert core.ask("ARM") == "ER ARM 8 SAFE"
    assert core.ask("ARM") == "ER ARM 8 SAFE"


def test_the_sequence_goes_round(core):
    core.hello()
    for _ in range(600):
        assert core.ask("LIM").startswith("OK")
    assert core.sequence == 600 - 2 * 255


@pytest.mark.parametrize(
    ("frame", "answer"),
    [
        (command(0, 0, "HELLO 1 00000000"), "ER HELLO 1 SAFE"),
        (command(1, 0, "HELLO 1 00000009"), "ER HELLO 3 SAFE"),
        (command(2, 0, "HELLO 2 00000000"), "ER HELLO 6 SAFE"),
        (command(2, 0, "HELLO 1"), "ER HELLO 1 SAFE"),
        (command(2, 0, "HELLO 01 00000000"), "ER HELLO 1 SAFE"),
        (command(2, 0, "HELLO 1 00000000 X"), "ER HELLO 1 SAFE"),
        (command(2, 0, "HELLO 1 0000000g"), "ER HELLO 1 SAFE"),
        (command(2, 0, "HELLO 123456 00000000"), "ER HELLO 1 SAFE"),
        (command(1, 1, "EV Z0"), "ER EV 1 SAFE"),
        (command(1, 1, "EV 00 X"), "ER EV 1 SAFE"),
        (command(2, 1, "HELLO 1 00000000"), "SEQ"),
        (command(2, 0, "HELLO 1 00000000"), "OK HELLO PUSHER 1 1.1 3F2A S1B2E1F0 SAFE"),
        (command(2, 1, "HB"), "SES"),
        (command(0, 1, "HB"), "SES"),
        (command(1, 0, "HB"), "ER HB 3 SAFE"),
        (raw_frame(b"C1"), "CHR"),
        (raw_frame(b"C1a1 HB"), "CHR"),
        (raw_frame(b"C101HB"), "CHR"),
        (raw_frame(b"C101 "), "ER - 10 SAFE"),
    ],
)
def test_odd_frames_in_a_session_are_answered_as_the_contract_says(core, frame, answer):
    core.hello()

    assert [one.text for one in core.send(frame)] == [answer]


def test_without_a_session_only_hello_counts(core):
    assert core.send(command(0, 7, "HB")) == [SerialFrame(FrameKind.REPLY, 0, 7, "ER HB 9 SAFE")]
    assert core.send(command(3, 7, "HB")) == [SerialFrame(FrameKind.NAK, 0, 0, "SES")]


@pytest.mark.parametrize("kind", ["R", "E", "N"])
def test_what_the_device_says_itself_is_ignored_when_it_comes_back(core, kind):
    core.hello()

    assert core.send(encode(SerialFrame(FrameKind(kind), 1, 1, "HB"))) == []


@pytest.mark.parametrize(
    "text",
    ["HB ", "HB 1", "ARM 1", "CLEAR 0", "EV", "EV 0", "EV 0a", "EV 000", "PUSH", "STOP  "]
    + [
        f"PUSH 1234 {rest}"
        for rest in ("1 2 3", "1 2 3 4 5", "01 2 3 4", "65536 2 3 4", "+1 2 3 4")
    ],
)
def test_wrong_words_behind_a_verb_are_a_syntax_error(core, text):
    core.hello()

    (reply,) = core.send(raw_frame(b"C101 " + text.encode()))

    assert reply.text == f"ER {text.split()[0]} 1 SAFE"


@pytest.mark.parametrize("text", ["FOO", "H", "HBB", "hb", "-"])
def test_an_unknown_word_is_told_as_such(core, text):
    core.hello()

    assert core.ask(text) == "ER - 10 SAFE"


def test_events_can_be_asked_for_again_while_they_are_kept(core):
    core.hello()
    for us in range(9):
        core.library.pusher_beam(core.p, us % 2, us % 3 == 0, us)
        core.hear()
        core.run(16)

    assert core.ask("EV 01") == "ER EV 6 SAFE"
    assert core.ask("EV 02") == "OK EV 02 BEAM 1 0 00000001"
    assert core.ask("EV 09") == "OK EV 09 BEAM 0 0 00000008"
    assert core.ask("EV 0A") == "ER EV 6 SAFE"


def test_no_beam_drives_a_state_out_of_what_is_kept(core):
    core.bring("SAFE")
    core.push()
    core.live(100)
    core.hear()
    out = next(event for event in core.events if event.words[:2] == ("ST", "OUT"))
    for us in range(100):
        core.library.pusher_beam(core.p, 0, us % 2 == 0, us)
        core.run(20)
        core.ask("HB")

    assert core.ask(f"EV {out.number:02X}") == f"OK EV {out.number:02X} {out.text}"


def test_a_number_that_comes_again_means_what_came_last(core):
    core.hello()
    for us in range(255):
        core.library.pusher_beam(core.p, 0, us % 2 == 0, us)
        core.hear()
        core.run(16)
        core.ask("HB")
    assert core.ask("EV 00").startswith("OK EV 00 BOOT")
    core.library.pusher_beam(core.p, 0, False, 1)
    core.hear()

    assert core.ask("EV 00") == "OK EV 00 BEAM 0 0 00000001"


@pytest.mark.parametrize("hertz", [200, 1000, 5000])
def test_a_beam_that_chatters_keeps_nobody_from_being_answered(core, hertz):
    core.bring("SAFE")
    core.push("300 800 150 600")
    core.hear()
    core.events.clear()
    broken, sent = False, b""
    for ms in range(1800):
        for edge in range(hertz // 1000 or ms % (1000 // hertz) == 0):
            broken = not broken
            core.library.pusher_beam(core.p, 0, broken, 1000 * ms + edge)
        if ms % 100 == 0:
            frame = core.frame("HB")
            core.library.shim_receive(core.p, frame, len(frame))
        core.run(1)
        sent += core.take(11)  # what a line of 115200 baud carries in a millisecond

    found = core.receiver.feed(sent)
    replies = [one for one in found if one.kind is FrameKind.REPLY]
    states = [one.words[1] for one in found if one.text.startswith("ST ")]
    beams = [one for one in found if one.text.startswith("BEAM")]
    assert len(replies) == 18
    assert states == ["HOLD", "BACK", "SAFE"]
    assert 50 <= len(beams) <= 8 + 1800 / 16
    core.run(50)
    core.hear()
    told = [one.words[2] for one in [*beams, *core.events] if one.text.startswith("BEAM")]
    assert told[-1] == str(int(broken))


def test_naks_leave_room_for_replies(core):
    core.hello()
    bad = b"$x*0000\n" * 20
    core.library.shim_receive(core.p, bad, len(bad))
    frame = core.frame("HB")
    core.library.shim_receive(core.p, frame, len(frame))
    assert [one.text[:5] for one in core.hear() if one.kind is FrameKind.REPLY] == ["OK HB"]


def test_naks_run_out_and_come_back(core):
    naks = [core.send(b"$x*0000\n") for _ in range(30)]
    core.run(640)
    later = [core.send(b"$x*0000\n") for _ in range(30)]

    assert sum(map(len, naks)) == 20
    assert sum(map(len, later)) == 10


def test_what_cannot_go_out_whole_is_counted_as_dropped(core):
    core.hello()
    one = command(1, 1, "HB")
    core.library.shim_receive(core.p, one * 10, len(one) * 10)
    core.hear()
    core.sequence = 1

    counters = core.ask("CNT").split()
    assert int(counters[2]) == 12
    assert int(counters[6]) > 0


def test_counters_tell_what_came(core):
    core.hello()
    core.send(b"$x*0000\n" + b"$" + b"A" * 60 + b"\n" + command(2, 1, "HB"))

    assert core.ask("CNT") == "OK CNT 2 1 1 1 0 0 3F2A"


def test_the_status_byte_is_answered_by_an_event_even_inside_a_frame(core):
    core.hello()
    core.send(b"")
    frame = core.frame("HB")

    (reply,) = core.send(frame[:5] + b"?" + frame[5:])

    assert reply.text.startswith("OK HB")
    assert core.events[-1].text == "ST SAFE NONE 0 00000000"


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.binary(max_size=400))
def test_no_noise_moves_it_or_keeps_it_from_listening(boot, noise):
    core = boot()
    core.raw = 0
    for at in range(0, len(noise), 20):
        core.send(noise[at : at + 20])
        core.run(1)

    assert not any(core.pulses)
    assert core.state in ("SAFE", "ESTOP")
    core.send(b"$")
    assert core.hello(9).startswith("OK HELLO")
