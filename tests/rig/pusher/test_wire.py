"""The frames of the serial line: the shared vectors, any text there and back, any noise."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.pusher.wire import (
    BODY_MAX,
    BadFrame,
    FrameKind,
    Receiver,
    SerialFrame,
    Spoilt,
    after,
    crc,
    encode,
)

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "vectors.json").read_text("ascii"))

words = st.text(
    st.characters(min_codepoint=0x21, max_codepoint=0x7E, exclude_characters="$*!?"), min_size=1
)
texts = st.lists(words, min_size=1).map(" ".join).filter(lambda text: len(text) <= BODY_MAX - 5)
frames = st.builds(
    SerialFrame, st.sampled_from(FrameKind), st.integers(0, 15), st.integers(0, 255), texts
)


def vector_id(vector):
    return vector["why"][:40]


@pytest.mark.parametrize("vector", [v for v in VECTORS if v["valid"]], ids=vector_id)
def test_a_valid_vector_is_one_frame_and_goes_out_as_it_came(vector):
    data = vector["frame"].encode("ascii")

    (frame,) = Receiver().feed(data)

    body = vector.get("accepts", data[1:].split(b"*")[0].decode("ascii"))
    assert f"{frame.kind}{frame.session:X}{frame.number:02X} {frame.text}" == body
    assert frame.kind == vector["kind"]
    assert encode(frame) in data


@pytest.mark.parametrize("vector", [v for v in VECTORS if not v["valid"]], ids=vector_id)
def test_an_invalid_vector_is_spoilt_or_not_of_this_session(vector):
    answer = vector["answer"].split()[1]

    (found,) = Receiver().feed(vector["frame"].encode("ascii"))

    if isinstance(found, SerialFrame):
        right = found.session == 1 and found.number == 6
        assert answer in ("SES", "SEQ") and not right
    else:
        assert found == answer


def test_the_checksum_is_that_of_the_catalogue():
    assert crc(b"123456789") == 0x29B1


@given(frames)
def test_every_frame_comes_back_as_it_went(frame):
    assert Receiver().feed(encode(frame)) == [frame]


@given(st.lists(frames, max_size=4), st.binary(max_size=40), st.data())
def test_however_a_stream_is_cut_the_same_is_found(sent, noise, data):
    stream = noise + b"".join(encode(frame) for frame in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    receiver = Receiver()

    pieces = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    found = [one for piece in pieces for one in receiver.feed(piece)]

    assert found == Receiver().feed(stream)
    assert found[len(found) - len(sent) :] == sent


@given(st.binary(max_size=300))
def test_no_noise_breaks_the_receiver(noise):
    receiver = Receiver()
    receiver.feed(noise)
    good = SerialFrame(FrameKind.COMMAND, 1, 5, "HB")

    assert receiver.feed(encode(good))[-1] == good


@given(frames, st.data())
def test_one_flipped_bit_never_makes_another_frame(frame, data):
    sent = bytearray(encode(frame))
    sent[data.draw(st.integers(0, len(sent) - 1))] ^= 1 << data.draw(st.integers(0, 7))

    found = Receiver().feed(bytes(sent))

    assert [one for one in found if isinstance(one, SerialFrame) and one != frame] == []


@given(frames, st.data())
def test_stop_and_status_inside_a_frame_leave_it_whole(frame, data):
    sent = encode(frame)
    at = data.draw(st.integers(0, len(sent)))

    assert Receiver().feed(sent[:at] + b"!?\r" + sent[at:]) == [frame]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (b"C1", [Spoilt.CHARACTER]),
        (b"CG05 HB", [Spoilt.CHARACTER]),
        (b"C1a5 HB", [Spoilt.CHARACTER]),
        (b"C105HB", [Spoilt.CHARACTER]),
        (b"X105 HB", []),
        (b"", []),
    ],
)
def test_a_head_that_cannot_be_read_is_told_or_ignored(body, found):
    assert Receiver().feed(b"$" + body + f"*{crc(body):04X}\n".encode()) == found


def test_more_than_four_digits_of_checksum_are_too_long():
    assert Receiver().feed(b"$C105 HB*68EB0\n") == [Spoilt.LENGTH]


@pytest.mark.parametrize(
    "frame",
    [
        SerialFrame(FrameKind.COMMAND, 16, 1, "HB"),
        SerialFrame(FrameKind.COMMAND, 1, 256, "HB"),
        SerialFrame(FrameKind.COMMAND, -1, 1, "HB"),
        SerialFrame(FrameKind.COMMAND, 1, 1, ""),
        SerialFrame(FrameKind.COMMAND, 1, 1, "A  B"),
        SerialFrame(FrameKind.COMMAND, 1, 1, "A "),
        SerialFrame(FrameKind.COMMAND, 1, 1, "A!"),
        SerialFrame(FrameKind.COMMAND, 1, 1, "A\n"),
        SerialFrame(FrameKind.COMMAND, 1, 1, "é"),
        SerialFrame(FrameKind.COMMAND, 1, 1, "A" * (BODY_MAX - 4)),
    ],
)
def test_words_that_have_no_place_in_a_frame_are_refused(frame):
    with pytest.raises(BadFrame, match="frame"):
        encode(frame)


def test_the_sequence_wraps_to_one():
    assert [after(0), after(1), after(254), after(255)] == [1, 2, 255, 1]
