"""A terminal tells hosts and makers nothing but what stands in the catalogues of every language."""

import ast
import errno
import json
import re
import socket
import sqlite3
import sys
from contextlib import closing
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import serial

import rig.cli.pusher as pusher_command
from rig.cli import camera, collect, demo, doctor, pushes, speech
from rig.cli.main import main
from rig.cli.opening import OtherGame
from rig.clock import ManualClock
from rig.games.phrase import Phrase
from rig.journal import Journal, Record
from rig.journal_tables import SCHEMA
from rig.pusher.find_port import SerialPort
from rig.pusher.flash import Flashed, FlashFailed
from rig.pusher.link import LineLost
from rig.pusher.port import PusherState, PushRefused, Refusal, StrokeUnknown
from rig.pusher.protocol import BeamNews, BootNews, StateNews
from rig.pusher.virtual import VirtualPusher
from rig.setup import checks
from tests.support import marked
from tests.support.words import LANGUAGES, page_words, places
from vision.capture.discovery import Found
from vision.capture.settings import HELD, Setting
from vision.render.render import default_view
from web.routes.doctor import Facts
from web.server.server import Server

ROOT = Path(__file__).parents[3]
CTRL_C = 130
STATES = ("SAFE", "ARMED", "ESTOP", "AWAY", "MIDPUSH", "SWITCH")
"""What the protocol calls them is said as it stands."""


@pytest.fixture
def told(tmp_path, monkeypatch, capsys):
    """Run a command in a language of marks; give its exit code and the words that are no marks."""
    marked.mark(tmp_path / "marked", monkeypatch)

    def run(*words, facts=()):
        code = main([*map(str, words), "--language", marked.CODE])
        said = capsys.readouterr()
        assert "§" in said.out + said.err
        plain = re.sub(r"https?://\S+|\(§ \w+\)|domino-rig \w+: ", "", said.out + said.err)
        return code, marked.unmarked(plain, str(tmp_path), *facts)

    yield run
    marked.forget()


# The notes of a table


@pytest.fixture
def opened(told, tmp_path, monkeypatch):
    """Open a table with these settings, end it at once, and give the words that are no marks."""
    kept = tmp_path / "lens.json"
    lens, _ = default_view()
    kept.write_text(
        json.dumps(
            {
                "K": lens.matrix.tolist(),
                "dist": lens.dist.tolist(),
                "width": lens.width,
                "height": lens.height,
            }
        )
    )

    def end(server):
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "wait", end)

    def open_table(camera, pusher, *words, journal="t.sqlite3"):
        settings = tmp_path / "rig.toml"
        camera = camera.replace("LENS", str(kept))
        settings.write_text(f"[network]\nport = 0\n[camera]\n{camera}\n[pusher]\n{pusher}\n")
        words = ("play", "--no-browser", "--config", settings, *words)
        code, left = told(*words, "--journal", tmp_path / journal, facts=OF_PLAY)
        assert code == CTRL_C
        return left

    return open_table


OF_PLAY = ("domino-rig play", "--journal", "--config", "t.sqlite3", "rig.toml", "/dev/ttyNOPE")
CAMERAS = {
    "virtual": "kind = 'virtual'",
    "gone": "kind = 'opencv'\nid = '/dev/video97'\nlens = 'LENS'",
    "no lens": "kind = 'opencv'\nid = '/dev/video97'\nlens = '/nowhere/lens.json'",
    "no mat": "kind = 'opencv'\nid = '/dev/video97'\nlens = 'LENS'\nmat = '/nowhere/mat.json'",
    "phone": "kind = 'phone'",
    "none": "kind = 'none'",
}
PUSHERS = {
    "strange": "kind = 'virtual'\nstroke_mm = 3.0\ntip_height_mm = 44.0\n"
    "[tiles]\nlength_mm = 44.0\nwidth_mm = 22.0",
    "fast": "kind = 'virtual'\nspeed_mm_s = 400.0",
    "long": "kind = 'virtual'\nstroke_mm = 60.0",
    "gone": "kind = 'serial'\nport = '/dev/ttyNOPE'",
    "hand": "kind = 'hand'",
}


@pytest.mark.parametrize(("camera", "pusher"), list(product(CAMERAS, PUSHERS)))
def test_a_table_says_nothing_that_is_not_in_the_catalogues(opened, camera, pusher):
    assert opened(CAMERAS[camera], PUSHERS[pusher]) == []


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EACCES, errno.EIO])
def test_a_port_that_does_not_open_is_told_in_words_of_the_catalogues(opened, monkeypatch, number):
    def refuse(port):
        raise serial.SerialException(number, "could not open port")

    monkeypatch.setattr(serial.Serial, "open", refuse)
    left = opened(CAMERAS["none"], PUSHERS["gone"])
    assert left == []


def test_hands_that_lie_open_are_told_in_words_of_the_catalogues(opened, monkeypatch):
    monkeypatch.setattr("rig.cli.opening.has_cipher", lambda: False)
    assert opened(CAMERAS["none"], PUSHERS["hand"], "--game", "dominoes") == []


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM event WHERE v = 2",
        "DELETE FROM event WHERE v > 1",
        "UPDATE event SET actor = 'nobody' WHERE v = 2",
    ],
)
def test_a_damaged_journal_is_told_in_words_of_the_catalogues(opened, tmp_path, harm):
    assert opened(CAMERAS["none"], PUSHERS["hand"]) == []
    with closing(sqlite3.connect(tmp_path / "t.sqlite3")) as db:
        db.execute(harm)
        db.commit()
    assert opened(CAMERAS["none"], PUSHERS["hand"]) == ["damaged"]  # of the copy's name
    assert opened(CAMERAS["none"], PUSHERS["hand"], "--recover") == ["damaged"]


# Why commands stop


def newer(path):
    Journal(path).close()
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
        db.commit()


def is_no_journal(path):
    path.write_text("milk, bread\n")


def of_other_game(path):
    journal = Journal(path)
    journal.append([Record(1.0, "referee", "GameChosen", {"game": "estimation"})])
    journal.close()


@pytest.mark.parametrize(
    ("made", "facts"),
    [
        (Path.mkdir, ("--journal", "table.sqlite3")),
        (newer, ("--journal",)),
        (is_no_journal, ("--journal",)),
        (of_other_game, ("--journal", "--new")),
    ],
)
def test_a_journal_that_cannot_be_used_is_told_in_words_of_the_catalogues(
    told, tmp_path, made, facts
):
    path = tmp_path / "a"
    made(path)
    words = ("play", "--no-browser", "--port", "0", "--game", "dominoes", "--journal", path)
    assert told(*words, facts=facts) == (2, [])


def test_a_table_that_is_open_elsewhere_is_told_in_words_of_the_catalogues(told, tmp_path):
    held = Journal(tmp_path / "a")
    words = ("play", "--no-browser", "--port", "0", "--journal", tmp_path / "a")
    assert told(*words, facts=("--journal",)) == (2, [])
    held.close()


def game_file(**fields):
    known = {"hashes": {}, "players": [], "names": True, "events": [], "game": "chess"}
    return json.dumps({"format": "domino-rig-game", "version": 1, **known, **fields}).encode()


def of_two_kinds(path):
    journal = Journal(path)
    for each in ("estimation", "dominoes"):
        journal.append([Record(1.0, "referee", "GameChosen", {"game": each})])
    journal.close()


def damaged(path):
    of_two_kinds(path)
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE event SET actor = 'nobody' WHERE v = 2")
        db.commit()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda path: None, ()),
        (Path.mkdir, ()),
        (lambda path: path.write_bytes(b""), ()),
        (lambda path: path.write_bytes(b"{}"), ()),
        (lambda path: path.write_bytes(b"{"), ()),
        (lambda path: path.write_bytes(b" " * 11), ()),
        (lambda path: path.write_bytes(game_file(version=9)), ()),
        (lambda path: path.write_bytes(game_file()), ()),
        (lambda path: path.write_bytes(game_file(names=1)), ()),
        (lambda path: path.write_bytes(game_file(game="")), ("--export", "/")),
        (lambda path: Journal(path).close(), ()),
        (lambda path: Journal(path).close(), ("--game", "1")),
        (of_two_kinds, ()),
        (damaged, ("--verify",)),
    ],
)
def test_what_is_no_game_to_retell_is_told_whole_in_words_of_the_catalogues(
    say, tmp_path, capsys, monkeypatch, make, words
):
    path = tmp_path / "a"
    make(path)
    if path.is_file() and path.stat().st_size == 11:
        monkeypatch.setattr("rig.history.gamefile.LARGEST_BYTES", 10)
    assert main(["replay", str(path), *words, "--language", marked.CODE]) == 2
    said = capsys.readouterr().err.removeprefix("domino-rig replay: ")
    assert said.count("§") == 2
    assert marked.unmarked(said, str(path), "chess") == []


def test_a_port_that_is_taken_is_told_in_words_of_the_catalogues(told, tmp_path):
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        words = ("play", "--no-browser", "--port", port, "--journal", tmp_path / "a")
        assert told(*words) == (2, [])


@pytest.mark.parametrize("words", [("find",), ("watch",), ("try",), ("flash",)])
def test_a_pusher_without_a_port_is_told_in_words_of_the_catalogues(told, monkeypatch, words):
    monkeypatch.setattr(pusher_command, "ports", lambda: [])
    monkeypatch.setattr("rig.pusher.find_port.list_ports.comports", lambda: [])
    assert told("pusher", *words) == (2, [])


@pytest.mark.parametrize("words", [("try", "--port"), ("watch", "--port"), ("flash",)])
def test_a_port_that_is_not_there_is_told_in_words_of_the_catalogues(told, words):
    assert told("pusher", *words, "/dev/ttyNOPE", facts=("/dev/ttyNOPE",)) == (2, [])


@pytest.mark.parametrize("likely", [True, False])
def test_a_board_that_cannot_be_told_is_asked_for_in_words_of_the_catalogues(
    told, monkeypatch, likely
):
    listed = [SerialPort("/dev/a", "", likely), SerialPort("/dev/b", "", likely)]
    monkeypatch.setattr(pusher_command, "ports", lambda: listed)
    assert told("pusher", "flash", facts=("/dev/a", "/dev/b")) == (2, [])


@pytest.mark.parametrize(
    "words",
    [("list",), ("preview", "97", "a.jpg"), ("check", "97"), ("shoot", "97", "a")],
)
def test_a_camera_that_is_not_there_is_told_in_words_of_the_catalogues(told, monkeypatch, words):
    monkeypatch.setattr(camera, "list_cameras", lambda: ())
    assert told("camera", *words) == (2, [])


def test_where_no_camera_is_a_list_for_programs_has_no_line(monkeypatch, capsys):
    monkeypatch.setattr(camera, "list_cameras", lambda: ())
    assert main(["camera", "list", "--json"]) == 0
    assert capsys.readouterr() == ("", "")


KINDS = ("held", "instead", "refuses", "automatic", "none", "fixed")
OTHER_KINDS = (
    *(
        "size",
        "size.instead",
        "coding",
        "coding.slow",
        "rate",
        "rate.instead",
        "darker",
        "brighter",
    ),
    *("power_line", "power_line.stays"),
    *("power_line.none", "power_line.fixed"),
)


@pytest.mark.parametrize(
    ("name", "kind"), [*product(HELD, KINDS), *(("size", kind) for kind in OTHER_KINDS)]
)
def test_a_setting_of_a_camera_is_told_in_words_of_the_catalogues(say, name, kind):
    facts = {"value": "1", "wanted": "2", "percent": "3"}
    said = camera.in_words(Setting(name, None, False, kind, facts), say)
    assert said.startswith("§") and said.count("§") == 1 + (kind in KINDS)
    assert marked.unmarked(said) == []


def test_these_are_the_kinds_of_settings_that_there_are():
    found = set()
    for path in ("vision/capture/settings.py", "vision/capture/live_camera.py"):
        code = tree(path)
        for node in ast.walk(code):
            match node:
                case ast.Call(ast.Name("Setting"), [_, _, _, ast.Name(name), *_]):
                    found |= set(assigned(code, name))
                case ast.Call(ast.Name("Setting"), [_, _, _, kind, *_]):
                    found |= set(strings(kind))
    assert found == {*KINDS, *OTHER_KINDS}


@pytest.mark.parametrize("kind", ["gone", "mute", "denied", "hangs"])
def test_a_camera_of_the_list_says_what_is_wrong_in_words_of_the_catalogues(
    told, monkeypatch, kind
):
    found = (Found("7", "camera 7", trouble="The program's own words.", kind=kind),)
    monkeypatch.setattr(camera, "list_cameras", lambda: found)
    assert told("camera", "list") == (0, [])


def test_a_folder_that_cannot_be_collected_is_told_in_words_of_the_catalogues(told, tmp_path):
    (tmp_path / "a").write_text("")
    words = ("camera", "collect", tmp_path / "a", tmp_path / "t.sqlite3")
    assert told(*words, facts=("t.sqlite3",)) == (2, [])
    Journal(tmp_path / "t.sqlite3").close()
    assert told(*words, facts=("t-frames",)) == (2, [])


def test_a_page_of_frames_is_written_in_words_of_the_catalogues(say):
    wrong = ("wrong.fell", "wrong.stood", "unseen", "misread", "unread", "standing", "fallen")
    found = [(key, {"tile": 3, "read": 4}) for key in wrong]
    kinds = ("empty", "placed", "accepted", "claimed", "before", "after", "overruled")
    frames = [({"image": "1.jpg", "kind": kind, "tiles": []}, found) for kind in kinds]
    said = re.sub(r"<style>.*</style>|<[^>]*>", " ", collect.page(frames, say, marked.CODE))
    assert said.count("§") == 4 + len(kinds) * (2 + len(wrong))
    assert marked.unmarked(said, "1.jpg") == []


def test_a_damaged_journal_is_collected_from_with_a_note_of_the_catalogues(say, tmp_path, capsys):
    path = tmp_path / "t.sqlite3"
    journal = Journal(path)
    journal.append([Record(1.0, "referee", "Called", {})])
    journal.close()
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE event SET actor = 'nobody'")
        db.commit()
    pushes.opened(path, say).close()
    assert marked.unmarked(capsys.readouterr().err, f"{path}.damaged", str(path)) == []


def test_the_doctor_says_why_in_words_of_the_catalogues(told, tmp_path, monkeypatch):
    monkeypatch.setattr(doctor, "look", lambda *where, **how: Facts("0.0.0.0", (), "linux", None))
    monkeypatch.setattr(doctor, "holder", lambda port: "7")
    monkeypatch.setattr(checks, "install", lambda extra: "")
    journal = Journal(tmp_path / "t.sqlite3")
    journal.append([Record(1.0, "referee", "Called", {})])
    journal.close()
    with closing(sqlite3.connect(tmp_path / "t.sqlite3")) as db:
        db.execute("UPDATE event SET actor = 'nobody'")
        db.commit()
    settings = tmp_path / "rig.toml"
    settings.write_text(f"[camera]\n{CAMERAS['gone']}\n[pusher]\n{PUSHERS['gone']}\n")
    with socket.create_server(("0.0.0.0", 0)) as other:
        port = other.getsockname()[1]
        words = ("doctor", "--config", settings, "--journal", tmp_path / "t.sqlite3")
        facts = (*OF_PLAY, *checks.EXTRAS, "MB")
        code, left = told(*words, "--port", port, facts=facts)
    assert (code, left) == (1, [])


# What the pusher tells


@pytest.fixture
def instant(monkeypatch):
    """Time that passes as soon as somebody sleeps."""
    clock = ManualClock()
    monkeypatch.setattr(pusher_command, "SystemClock", lambda: clock)
    return clock


def test_a_stroke_in_the_air_is_told_in_words_of_the_catalogues(told, instant):
    assert told("pusher", "try", "--port", "virtual", facts=STATES) == (0, [])


def left_out(clock):
    """A virtual pusher whose arm was left out."""
    pusher = VirtualPusher(clock, np.random.default_rng(1))
    pusher.set_switch(True)
    token = pusher.arm().token
    clock.sleep(0.6)
    clock.after(0.3, pusher.restart)
    with pytest.raises(StrokeUnknown):
        pusher.push(token, pusher_command.IN_THE_AIR)
    return pusher


def test_an_arm_that_may_be_out_is_put_home_in_words_of_the_catalogues(told, instant, monkeypatch):
    pusher = left_out(instant)
    pusher.set_switch(False)
    pusher.set_estop(True)
    instant.after(0.5, lambda: pusher.set_estop(False))
    monkeypatch.setattr(pusher_command, "open_pusher", lambda port, clock: pusher)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda words: print(words) or "")
    assert told("pusher", "try", "--port", "virtual", facts=STATES) == (0, [])


def test_watching_tells_it_in_words_of_the_catalogues(told, instant, monkeypatch):
    pusher = left_out(instant)

    def end():
        raise KeyboardInterrupt

    for seconds, happens in enumerate(
        (
            lambda: pusher.set_beam(1, True),
            lambda: pusher.set_beam(1, False),
            pusher.restart,
            pusher.unplug,
            pusher.plug,
            end,
        ),
        start=1,
    ):
        instant.after(float(seconds), happens)
    monkeypatch.setattr(pusher_command, "open_pusher", lambda port, clock: pusher)
    monkeypatch.setattr(sys, "stdin", None)
    facts = (*STATES, "EXT", "home")
    assert told("pusher", "watch", "--port", "virtual", facts=facts) == (CTRL_C, [])


@pytest.fixture
def say(tmp_path, monkeypatch):
    """Says the texts of a language of marks."""
    marked.mark(tmp_path / "marked", monkeypatch)
    yield speech.speech(marked.CODE)
    marked.forget()


@pytest.mark.parametrize(
    "news",
    [
        StateNews("SAFE", "NONE", 0, 0),
        BeamNews(0, False, 1_500_000),
        BeamNews(0, True, 1_500_000),
        BootNews("EXT", True),
        BootNews("EXT", False),
    ],
)
def test_an_event_of_the_board_is_told_in_words_of_the_catalogues(say, news):
    said = pusher_command.in_words(news, say)
    assert "§" in said and marked.unmarked(said, *STATES, "EXT") == []


def test_what_is_typed_while_watching_is_answered_in_words_of_the_catalogues(say):
    pusher = left_out(ManualClock())
    typed = ["arm\n", "home\n"]
    answers = [pusher_command.obey(pusher, line, say) for line in typed]
    pusher.set_switch(False)
    answers += [pusher_command.obey(pusher, "home\n", say) for _ in range(2)]
    assert all("§" in said for said in answers)
    assert [marked.unmarked(said, *STATES, "home", "'arm'") for said in answers] == [[]] * 4


@pytest.mark.parametrize("written", [True, False])
def test_flashing_is_told_in_words_of_the_catalogues(told, monkeypatch, written):
    def flash(name, program, tell):
        tell("again", why=FlashFailed("The program's own words.", "flash.silent"))
        tell("writing", bytes=128)
        tell("reading")
        return Flashed(written, pusher_command.OLD_SPEED)

    def lost(name):
        raise LineLost("The program's own words.", "busy", port=name)

    monkeypatch.setattr(pusher_command, "flash", flash)
    monkeypatch.setattr(pusher_command, "SerialLine", lost)
    assert told("pusher", "flash", "/dev/a", facts=("/dev/a",)) == (1, [])


# What is in the source


SPEAK = (
    "rig/machine/preflight.py",
    *(f"rig/cli/{name}.py" for name in ("play", "opening", "pusher", "camera", "collect")),
)
RAISE = (
    *("rig/journal.py", "rig/journal_tables.py", "rig/salvage.py", "rig/storage.py"),
    *("rig/pusher/flash.py", "rig/cli/pushes.py", "rig/cli/demo.py", *SPEAK),
    *("web/server/listening.py", "web/server/mdns.py", "web/access/certificates.py"),
)
ERRORS = {
    *("JournalUnusable", "JournalHeld", "DiskTrouble", "JournalDamaged", "Broken", "LostKey"),
    *("FlashFailed", "_OutOfSync", "PusherNotFound", "NotCollected", "OtherGame", "CameraGone"),
    *("WebError", "NoHttps", "NoName", "KeyedError", "DemoStuck"),
}
"""What is raised where a host or a maker meets it."""
NO_SENTENCE = ("domino-rig ", "<", '">')
"""What commands and tags of a page begin with."""
SOME_WORDS = re.compile(r"[A-Za-z]{2,},? [A-Za-z]{2,}")


def tree(path):
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def strings(node):
    return [
        each.value
        for each in ast.walk(node)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    ]


def is_english_on_purpose(node):
    """Whether a piece of code is an error's own words, a line of the log, or a docstring."""
    match node:
        case ast.Raise() | ast.Expr(ast.Constant()):
            return True
        case ast.Call(ast.Name(name)) if name in ERRORS:
            return True
        case ast.Call(ast.Attribute(_, "info" | "warning" | "exception")):
            return True
        case ast.Assign([ast.Name("words" | "NONE_FOUND" | "STYLE" | "which")]):
            return True
    return False


def english(node):
    """The sentences in a piece of code that are neither errors nor for developers."""
    if is_english_on_purpose(node):
        return
    for each in ast.iter_child_nodes(node):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            if SOME_WORDS.search(each.value) and not each.value.startswith(NO_SENTENCE):
                yield each.value
        else:
            yield from english(each)


@pytest.mark.parametrize("path", SPEAK)
def test_what_speaks_to_people_has_no_sentence_of_its_own(path):
    assert list(english(tree(path))) == []


def test_a_sentence_in_the_source_would_be_found():
    code = "def f(say):\n    '''A docstring has words.'''\n    print(f'The {x} is blue.')\n"
    assert [each.strip() for each in english(ast.parse(code))] == ["is blue."]
    raised = "words = 'The pusher is blue.'\nraise KeyedError('It is blue.')\nlog.info('So it is.')"
    assert list(english(ast.parse(raised))) == []


def keys(path):
    """The keys that a file says, as patterns."""
    for node in ast.walk(tree(path)):
        match node:
            case ast.Call(ast.Name("say" | "english" | "Phrase"), [first, *_]):
                pass
            case _:
                continue
        for each in ast.walk(first):
            match each:
                case ast.JoinedStr(parts):
                    texts = [p.value if isinstance(p, ast.Constant) else None for p in parts]
                    pattern = "".join(".+" if t is None else re.escape(t) for t in texts)
                    yield pattern
                    break
                case ast.Constant(str(key)):
                    yield re.escape(key)


@pytest.mark.parametrize("path", SPEAK)
def test_every_key_that_is_said_has_words(path):
    known = [key for name in speech.CATALOGUES for key in page_words(f"en/{name}")]
    asked = set(keys(path))
    assert asked
    assert [key for key in asked if not any(re.fullmatch(key, each) for each in known)] == []


def raised():
    """Every error that is made: how, with which keys, and the facts that surely come with it."""
    for path in RAISE:
        code = tree(path)
        for node in ast.walk(code):
            match node:
                case ast.Call(ast.Name(name), args, facts) if name in ERRORS:
                    given = strings(args[1]) if len(args) > 1 else None
                    if len(args) > 1 and isinstance(args[1], ast.Name):
                        given = [text for text in assigned(code, args[1].id) if "." in text]
                    yield ast.unparse(node), given, {each.arg for each in facts}
                case ast.Call(ast.Attribute(_, "__init__"), [_, ast.Constant(key)], facts):
                    yield ast.unparse(node), [key], {each.arg for each in facts}


def assigned(code, name):
    """The strings that a name may stand for."""
    return [
        text
        for node in ast.walk(code)
        if isinstance(node, ast.Assign) and name in ast.unparse(node.targets[0])
        for text in strings(node.value)
    ]


WITHOUT_KEY = {
    "JournalDamaged(self.damage.brief)",  # only phones meet it
    "PusherNotFound('it does not answer')",  # it is told with general words
    "LostKey(v)",  # it knows its own
}


def test_every_error_that_a_host_or_a_maker_meets_has_its_sentence_in_every_language():
    found = {key: facts for _, given, facts in raised() for key in given or ()}
    assert len(found) >= 45
    of = {lang: page_words(f"{lang}/setup") | page_words(f"{lang}/terminal") for lang in LANGUAGES}
    for key, (lang, words) in product(found, of.items()):
        said = f"setup.{'camera.' * (key == 'nobody')}{key}"
        assert words.get(said), said
        shown = places(words[said], words.get(f"{said}.do", ""))
        assert shown <= found[key] or None in found[key], said
        assert lang == "en" or words[said] != of["en"][said], said


def test_no_error_that_a_host_or_a_maker_meets_is_without_a_key():
    assert {call for call, given, _ in raised() if given is None} == WITHOUT_KEY


@pytest.mark.parametrize("lang", LANGUAGES)
def test_journal_messages_do_not_name_an_option_that_only_play_has(lang):
    words = page_words(f"{lang}/terminal")
    assert {key for key, text in words.items() if "--journal" in text} == {
        "play.elsewhere",
        "setup.game.other.do",  # only play opens a table of a game
    }


# How reasons are said


def test_english_is_what_the_program_says_of_itself_and_others_have_the_words_of_set_up():
    error = LineLost("/dev/a is in use: close it", "busy", port="/dev/a")
    assert speech.explained(error, speech.speech("en")) == "/dev/a is in use: close it"
    assert speech.explained(error, speech.speech("de")) == (
        "Ein anderes Programm hat den Anschluss. /dev/a: Schließ dieses Programm, etwa einen "
        "seriellen Monitor."
    )


def test_a_demo_that_is_stuck_says_so_in_the_language_asked_for():
    clock = ManualClock()
    patience = demo.Patience(lambda: 7, clock)
    patience.look()
    clock.sleep(demo.STILL_S + 1)
    with pytest.raises(demo.DemoStuck) as stuck:
        patience.look("HTTP 503")
    said = speech.explained(stuck.value, speech.speech("de"))
    assert said.startswith("Im Spiel ist seit 120 s nichts passiert. Dieser Computer hat zu viel")


def test_a_game_is_called_as_people_call_it():
    error = OtherGame(
        "", "game.other", file="a", now=Phrase("game.estimation"), wanted=Phrase("game.dominoes")
    )
    said = speech.explained(error, speech.speech("de"))
    assert said.startswith("a ist ein Tisch für Domino nach Augenmaß, nicht für Domino.")


def test_what_is_not_known_is_not_said():
    error = LineLost("nobody answers", "silence", port="")
    assert speech.explained(error, speech.speech("de")) == "An diesem Anschluss antwortet niemand."


def test_what_has_no_words_is_said_as_the_program_says_it():
    assert speech.explained(LineLost("the moon is full"), speech.speech("de")) == "the moon is full"


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_of_the_arm_is_said_in_whole_sentences(refusal):
    error = PushRefused(refusal, PusherState.SAFE)
    assert speech.explained(error, speech.speech("en")) == str(error)
    assert re.fullmatch(
        r"[^\x21-\x7e].*[^\x21-\x7e]\.", speech.explained(error, speech.speech("uk"))
    )
