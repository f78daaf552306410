"""Every reason that set-up can meet is told in the page's language, with its facts."""

import ast
import functools
import json
from decimal import Decimal
from pathlib import Path

import pytest

from rig.config import ConfigError
from rig.errors import RigError
from rig.games.estimation.terms import Reason
from rig.pusher.link import LineLost
from rig.pusher.port import PortLost, PusherState, PushRefused, Refusal, StrokeUnknown
from rig.pusher.protocol import PusherConfused
from rig.setup.errors import NotThere
from rig.setup.plan.facts import Arm
from rig.setup.plan.tile_size import checked
from rig.setup.reasons import why
from rig.setup.store import NotKept
from rig.virtual.table import NotPlaced
from tests.rig.setup.test_workshop import Evening
from tests.support.words import PLURALS, page_words, places
from vision.calibrate.lens_fit import NoLens
from vision.calibrate.mat_survey import NoSurvey
from vision.capture.camera import CameraClosed, CameraGone, CameraHangs, NoFrame, RanDry
from vision.capture.discovery import Found
from vision.geometry.diagnosis import Trouble
from vision.geometry.lens import BadCamera
from vision.geometry.mat import BadMat

ROOT = Path(__file__).parents[3]
ENGLISH = "words of the program"
FRAMES = {each.__name__: each.kind for each in (NoFrame, CameraGone, CameraHangs)}
KEYED = ("NotSo", "NotNow", "NotTaken", "NotThere", "NotKept", "SetupReason")


def nodes(*rooms, words=("",)):
    """All nodes of the files in which one of these words stands."""
    for room in rooms:
        place = ROOT / room
        for path in [place] if place.is_file() else sorted(place.rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in words):
                yield from ast.walk(ast.parse(text))


def calls(names, *rooms):
    for node in nodes(*rooms, words=names):
        match node:
            case ast.Call(ast.Name(name), args, keywords) if name in names:
                yield name, args, {each.arg for each in keywords}


def words_in(node):
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def kinds(name, group):
    """Each kind of an error of `vision` as the key of its words, with the facts it brings."""
    found = {}
    for _, args, facts in calls((name,), "vision", "rig/setup"):
        assert len(args) > 1, f"a {name} is raised without a kind: {ast.unparse(args[0])}"
        found |= {f"{group}.{kind}": facts for kind in words_in(args[1])}
    return found


def frames():
    found = {f"camera.{kind}": set() for kind in FRAMES.values()}
    for _, args, _ in calls(FRAMES, "vision/capture", "rig/setup"):
        found |= {f"camera.{kind}": set() for each in args[1:] for kind in words_in(each)}
    return found


def ports():
    """SetupReason a pusher is not found, as the line and what is said on it tell."""
    found = set()
    for _, args, _ in calls(("LineLost",), "rig/pusher"):
        found |= {kind for each in args[1:] for kind in words_in(each)}
    for node in nodes("rig/pusher"):
        match node:
            case ast.Assign(targets, value) if any(
                isinstance(each, ast.Attribute) and each.attr == "kind"
                for target in targets
                for each in ast.walk(target)
            ):
                found |= {word for word in words_in(value) if " " not in word and word}
    return {f"pusher.{kind}": {"port"} for kind in found}


def keyed():
    """Keys that set-up's own code names."""
    found = {}
    for _, args, facts in calls(KEYED, "rig/setup"):
        if args and not isinstance(args[0], ast.JoinedStr):
            found |= {key: facts for key in words_in(args[0]) if key[-1:].isalpha()}
    return found


def jobs():
    """What goes wrong in a job for a reason that nobody foresaw."""
    names = set()
    for node in nodes("rig/setup"):
        match node:
            case ast.Call(ast.Attribute(_, "line_up"), [ast.Constant(str(name)), *_]):
                names.add(name)
            case ast.Call(
                ast.Attribute(ast.Attribute(_, "_jobs"), "put"),
                [ast.Tuple([ast.Constant(str(name)), *_])],
            ):
                names.add(name)
    return {f"{name}.failed": set() for name in names}


def row():
    """What the table of the test row refuses, and what the virtual hand cannot do."""
    found = {"disk", RigError.reason, LineLost.reason, NotPlaced("").reason}
    for _, args, _ in calls(("NotPossible",), "rig/games/estimation/physical/push_commands.py"):
        found |= {args[0].value}
    for node in nodes("rig/games/estimation/physical/push_commands.py"):
        match node:
            case ast.Attribute(ast.Name("Reason"), name):
                found.add(Reason[name].value)
    for _, args, _ in calls(("NotPlaced",), "rig/virtual/table.py"):
        found |= {reason for each in args[1:] for reason in words_in(each)}
    return {f"row.refused.{reason}": set() for reason in found - NEVER_ASKED}


NEVER_ASKED = {
    *("bad_command", "real_device", "real_pusher"),
    *("not_allowed", "not_unknown", "not_toppler"),
}
"""Refusals of commands that the test row never gives, or never so."""
ARM = {f"row.refused.arm_{each.name.lower()}": set() for each in Refusal}
AIM = {f"aim.{each.value.replace(' ', '_')}": {"seen"} for each in Trouble}
SOURCES = {
    "lens": lambda: kinds("NoLens", "lens.refused"),
    "mat": lambda: kinds("NoSurvey", "mat.refused"),
    "camera": frames,
    "pusher": ports,
    "set-up": keyed,
    "jobs": jobs,
    "arm": lambda: {**ARM, f"row.refused.{PusherConfused.reason}": set()},
    "aim": lambda: AIM,
    "row": row,
}
LEAST = {"lens": 10, "mat": 8, "camera": 6, "pusher": 8, "set-up": 28, "jobs": 7, "row": 20}


@functools.cache
def reasons(source):
    """Every reason of a source, with its facts, read out of the code when somebody asks."""
    return SOURCES[source]()


@pytest.mark.parametrize("lang", sorted(PLURALS))
@pytest.mark.parametrize("source", SOURCES)
def test_every_reason_has_its_sentence_and_names_only_facts_that_come_with_it(source, lang):
    found, words = reasons(source), page_words(f"{lang}/setup")
    assert len(found) >= LEAST.get(source, 1)
    english = page_words("en/setup")
    for key, facts in found.items():
        said = [f"setup.{key}", f"setup.{key}.do"]
        assert said[0] in words, key
        shown = [places(words[each]) for each in said if each in words]
        assert shown == [places(english[each]) for each in said if each in english], key
        assert set().union(*shown) <= facts, key
        if lang != "en":
            assert words[said[0]] != english[said[0]], key


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path / "data")
    yield made
    made.shop.close()


def no_tile():
    try:
        checked((24.0, 48.0, 7.5, 8.0))
    except RigError as error:
        return error


@pytest.mark.parametrize(
    ("error", "key", "of"),
    [
        (
            NoLens(ENGLISH, "no_fit", error_px=3.14159, picture=2),
            "lens.refused.no_fit",
            {"error_px": 3.1, "picture": 2},
        ),
        (NoSurvey(ENGLISH, "unplaced", picture=3), "mat.refused.unplaced", {"picture": 3}),
        (CameraGone(ENGLISH), "camera.gone", {}),
        (CameraGone(ENGLISH, "mute"), "camera.mute", {}),
        (CameraHangs(ENGLISH), "camera.hangs", {}),
        (CameraClosed(ENGLISH), "camera.silent", {}),
        (RanDry(ENGLISH), "camera.silent", {}),
        (NoFrame(ENGLISH, "choose"), "camera.choose", {}),
        (BadCamera(ENGLISH, "uncalibrated"), "refused.lens", {}),
        (BadMat(ENGLISH, "unwritten", file="mat.json"), "refused.kept", {"file": "mat.json"}),
        (
            NotKept("refused.unread", ENGLISH, file="rig.toml"),
            "refused.unread",
            {"file": "rig.toml"},
        ),
        (NotThere("pusher.busy", ENGLISH, port="COM3"), "pusher.busy", {"port": "COM3"}),
        (LineLost(ENGLISH, "unplugged"), "pusher.unplugged", {}),
        (PushRefused(Refusal.AWAY, PusherState.AWAY), "row.refused.arm_away", {}),
        (PusherConfused(("OK",), "a word"), "row.refused.arm_confused", {}),
        (PortLost(), "air.lost", {}),
        (StrokeUnknown(1), "air.unheard", {}),
        (no_tile(), "tiles.order", {}),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_what_fails_in_a_job_is_told_by_key_and_facts_without_the_programs_words(
    evening, error, key, of
):
    def fails():
        raise error

    evening.shop.line_up("take", fails)
    evening.work()
    told = evening.told()
    assert told["said"] == {"mark": "failed", "key": key, "of": of, "detail": ""}
    assert str(error) not in json.dumps(told)


@pytest.mark.parametrize(
    ("error", "key"),
    [
        (RigError(ENGLISH), "take.failed"),
        (BadMat(ENGLISH), "take.failed"),
        (NoLens(ENGLISH), "take.failed"),
        (LineLost(ENGLISH), "take.failed"),
        (NotThere("", ENGLISH), "take.failed"),
        (ConfigError(ENGLISH), "refused.settings"),
    ],
)
def test_what_nobody_foresaw_has_general_words_and_those_of_the_program_folded_away(
    evening, error, key
):
    def fails():
        raise error

    evening.shop.line_up("take", fails)
    evening.work()
    said = evening.told()["said"]
    assert (said["key"], said["of"], said["detail"]) == (key, {}, ENGLISH)


def test_a_stroke_that_was_refused_says_why(evening, monkeypatch):
    evening.do("find", port="")
    refused = PushRefused(Refusal.SWITCH, PusherState.SAFE)
    monkeypatch.setattr(evening.shop.air, "tend", lambda: refused)
    evening.shop.step()
    told = evening.told()
    assert told["said"]["key"] == "row.refused.arm_switch" and not told["said"]["detail"]
    assert str(refused) not in json.dumps(told)


def test_a_pusher_that_speaks_another_version_is_a_refusal_with_words(evening, monkeypatch):
    evening.do("find", port="")

    def confused():
        raise PusherConfused(("OK",), "a word")

    monkeypatch.setattr(evening.shop.air.pusher, "status", confused)
    assert evening.refused("hold") == "row.refused.arm_confused"


def test_a_camera_of_the_list_that_gives_no_picture_says_why_by_key(evening):
    evening.shop.watcher.cameras = (Found("a", "Cam", trouble=ENGLISH, kind="denied"),)
    told = evening.told()
    assert told["camera"]["cameras"][0]["trouble"] == "camera.denied"
    assert ENGLISH not in json.dumps(told)


def test_a_lost_pusher_says_why_by_key(evening):
    evening.do("use", device="pusher", kind="serial")
    evening.shop.arm = Arm(trouble=ENGLISH, kind="unplugged")
    told = evening.told()
    points = next(step["points"] for step in told["steps"] if step["name"] == "pusher")
    assert [point["key"] for point in points] == ["pusher.unplugged"]
    assert ENGLISH not in json.dumps(told)


def test_a_camera_that_goes_while_it_is_looked_at_says_why_by_key(evening, monkeypatch):
    evening.do("go", step="camera")
    evening.look()

    def gone():
        raise CameraGone(ENGLISH, "mute")

    monkeypatch.setattr(evening.shop.watcher.eyes, "frame", gone)
    evening.look()
    told = evening.told()
    assert told["steps"][2]["points"][0]["key"] == "camera.mute"
    assert ENGLISH not in json.dumps(told)


def test_facts_cannot_be_changed_and_the_message_stays_as_it_is():
    error = NoLens(ENGLISH, "blurred", blur_px=2.25)
    assert str(error) == ENGLISH and dict(error.facts) == {"blur_px": 2.25}
    with pytest.raises(TypeError):
        error.facts["blur_px"] = 0.0
    assert why(error, "take.failed").of == {"blur_px": Decimal("2.2")}
