"""What a command may bring along, word by word."""

import pytest

from rig.errors import NotPossible
from rig.session.request import Ask


def ask(**data):
    return Ask("phone", None, False, data)


def test_a_word_of_a_command_is_given_as_the_kind_that_was_asked_for():
    command = ask(name="Mira", side="left", limit_s=30, seats=4.0, on=False)
    assert command.text("name") == "Mira"
    assert command.text("side", ("left", "right")) == "left"
    assert repr(command.number("limit_s")) == "30.0"
    assert repr(command.whole("seats")) == "4"
    assert command.flag("on") is False


@pytest.mark.parametrize(
    ("read", "bad", "message"),
    [
        (lambda it: it.text("word"), (None, 1, ["a"]), "word has to be a text."),
        (
            lambda it: it.text("word", ("left", "right")),
            (None, "up", ["left"], {}),
            "word has to be one of left, right.",
        ),
        (
            lambda it: it.number("word"),
            (None, "1", True, float("nan"), float("inf"), 10**400),
            "word has to be a number.",
        ),
        (lambda it: it.whole("word"), (2.5,), "word has to be a whole number."),
        (lambda it: it.flag("word"), (None, 0, "true"), "word has to be true or false."),
    ],
)
def test_a_word_of_another_kind_is_refused_by_its_name(read, bad, message):
    for value in bad:
        with pytest.raises(NotPossible) as refused:
            read(ask(word=value))
        assert (refused.value.reason, str(refused.value)) == ("bad_command", message)
    with pytest.raises(NotPossible):
        read(ask())
