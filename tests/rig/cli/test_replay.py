"""`domino-rig replay`: a game told, proved and exported in the terminal."""

import json
import re
from pathlib import Path

import pytest

from rig.cli.main import main
from rig.games.estimation.table.estimation_play import PLAY
from rig.history.gamefile import dumped, loaded, made
from rig.journal import Journal
from rig.session.fingerprint import games, short
from tests.support import marked
from tests.support.evenings import NAMES, Evening
from tests.support.forging import Forged


@pytest.fixture(scope="module")
def played():
    return Evening(19).play()


@pytest.fixture
def game(played, tmp_path):
    path = tmp_path / "game.json"
    path.write_bytes(dumped(made(played.records)))
    return path


def test_a_game_is_told_event_by_event(game, capsys):
    assert main(["replay", str(game)]) == 0
    told = capsys.readouterr().out
    for words in (
        "Olena sits down.",
        "The game begins: Olena, Борис, Zoë and Іра.",
        "Round 1: the 6 stands alone",
        "calls “Domino!”",
        "All ballots are locked.",
        "The game is over:",
    ):
        assert words in told
    assert all(line[2] == ":" and line[10:] for line in told.splitlines())


def test_a_name_in_a_file_is_shown_and_not_obeyed_by_the_terminal(game, capsys):
    forged = Forged(loaded(game.read_bytes()))
    forged.data("Seated")["name"] = "\x1b[2J\r\nEverything is right\u202e"
    game.write_bytes(dumped(forged.linked_anew()))
    assert main(["replay", str(game)]) == 0
    told = capsys.readouterr().out
    assert "?[2J??Everything is right? sits down." in told.splitlines()[0]
    assert not {"\x1b", "\r", "\u202e"} & set(told)


def test_the_version_of_a_file_is_shown_and_not_obeyed_by_the_terminal(game, capsys):
    game.write_text('{"format": "domino-rig-game", "version": "\\u001b[2J"}')
    assert main(["replay", str(game)]) == 2
    assert r"the file has version '\x1b[2J', and" in capsys.readouterr().err


OTHER = "0123 4567 89ab cdef"


@pytest.mark.parametrize(
    "how",
    [
        (),
        ("--verify",),
        ("--verify", "--no-names", "--game", "1"),
        ("--fingerprint", OTHER),
        ("--export", "out.json"),
    ],
    ids=" ".join,
)
def test_nothing_is_told_that_is_not_in_the_catalogues(played, tmp_path, monkeypatch, capsys, how):
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.append(played.records[:60] if "--verify" in how else played.records)
    journal.close()
    monkeypatch.chdir(tmp_path)
    marked.mark(tmp_path / "marked", monkeypatch)
    main(["replay", str(path), *how, "--language", marked.CODE])
    marked.forget()
    said = capsys.readouterr()
    assert "§" in said.out and said.err == ""
    told = re.sub(r"\b[0-9a-f]{4}\b", "", said.out)
    of_the_host = "the cat"  # why a round was void
    assert marked.unmarked(told, *NAMES, "out.json", of_the_host) == []


def test_a_game_is_told_in_the_language_of_the_machine(game, capsys, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main(["replay", str(game)]) == 0
    told = capsys.readouterr().out
    assert "Das Spiel beginnt: Olena, Борис, Zoë und Іра." in told
    assert main(["replay", str(game), "--language", "ru"]) == 0
    assert "Игра начинается: Olena, Борис, Zoë и Іра." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("steps", "lang", "said"),
    [
        (40, "ru", "8 жетонов, какими их запечатали, пересчитано: 1 толчок и 4 фишки,"),
        (60, "ru", "12 жетонов, какими их запечатали, пересчитано: 2 толчка и 8 фишек,"),
        (40, "en", "8 ballots as they were sealed, 1 push and 4 chips counted anew,"),
    ],
)
def test_a_proof_counts_in_the_plural_forms_of_a_language(tmp_path, capsys, steps, lang, said):
    path = tmp_path / "game.json"
    path.write_bytes(dumped(made(Evening(19).play(steps=steps).records)))
    assert main(["replay", "--verify", str(path), "--language", lang]) == 0
    assert said in capsys.readouterr().out


@pytest.mark.parametrize("how", [(), ("--verify",), ("--fingerprint", OTHER)], ids=" ".join)
def test_json_is_the_same_in_every_language(game, capsys, how):
    told = []
    for lang in ("en", "de"):
        main(["replay", str(game), "--json", *how, "--language", lang])
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] != ""


def test_no_event_is_told_with_the_side_of_a_ballot_before_the_reveal(game, capsys):
    assert main(["replay", str(game), "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    cast = [line for line in lines if line["type"] == "BallotCast"]
    assert cast
    assert all(line["words"].endswith("chooses.") for line in cast)
    assert [line["v"] for line in lines] == sorted(line["v"] for line in lines)


def test_an_honest_game_is_proved_with_exit_code_0(game, capsys):
    assert main(["replay", "--verify", str(game)]) == 0
    assert capsys.readouterr().out.startswith("Everything is right: ")


def test_a_forged_game_is_told_with_exit_code_1(game, capsys):
    text = game.read_text(encoding="utf-8")
    at = text.index('"type":"BallotsRevealed"')
    game.write_text(text[:at] + text[at:].replace('"success"', '"failure"', 1), encoding="utf-8")
    assert main(["replay", "--verify", str(game)]) == 1
    out = capsys.readouterr().out
    assert "sealed success, and failure was shown" in out
    assert "not the game as it was played" in out
    assert main(["replay", "--verify", "--json", str(game)]) == 1
    proof = json.loads(capsys.readouterr().out)
    assert not proof["good"]
    assert proof["findings"]


@pytest.mark.parametrize("content", [b"", b"hello", b"{}", b"\xff\xd8\xff"])
@pytest.mark.parametrize("how", [[], ["--verify"], ["--json"]])
def test_what_is_no_game_is_refused_with_exit_code_2(tmp_path, capsys, content, how):
    path = tmp_path / "other.json"
    path.write_bytes(content)
    assert main(["replay", *how, str(path)]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"domino-rig replay: {path}: ")
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "the file is empty"),
        (b"\n", "the file is empty"),
        (b"1v@0,0,0;2v@20,0,0\n", "this is not a game file of domino-rig"),
        (b"\xff\xd8\xff", "this is not a game file of domino-rig"),
        (b'{"format":"domino-rig-game",', "the file is damaged or cut short"),
    ],
)
def test_only_a_game_file_is_said_to_be_damaged(tmp_path, capsys, content, what):
    path = tmp_path / "other"
    path.write_bytes(content)
    assert main(["replay", str(path)]) == 2
    assert what in capsys.readouterr().err


def test_a_game_that_a_file_does_not_have_is_refused(game, capsys):
    assert main(["replay", str(game), "--game", "2"]) == 2
    assert "has 1 game; name one of them with --game" in capsys.readouterr().err
    assert main(["replay", str(game), "--game", "1"]) == 0


def test_a_file_that_is_not_there_is_said_to_be_missing(tmp_path, capsys):
    assert main(["replay", str(tmp_path / "none.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_a_game_that_cannot_have_happened_is_not_told_to_its_end(game, capsys):
    lines = game.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if '"type":"TilePlaced"' not in line]
    game.write_text("\n".join(kept), encoding="utf-8")
    assert main(["replay", str(game)]) == 2
    assert "cannot follow what stands before it" in capsys.readouterr().err


def test_a_journal_is_told_proved_and_exported(played, tmp_path, capsys):
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.append(played.records)
    journal.close()
    assert main(["replay", "--verify", str(path)]) == 0
    out = tmp_path / "out.json"
    assert main(["replay", str(path), "--game", "1", "--no-names", "--export", str(out)]) == 0
    file = loaded(out.read_bytes())
    assert [p.name for p in file.players] == ["A", "B", "C", "D"]
    assert short(file.fingerprint) in capsys.readouterr().out
    assert main(["replay", str(path), "--game", "2"]) == 2
    assert "has 1 game;" in capsys.readouterr().err


@pytest.mark.parametrize(
    "how", [(), ("--json",), ("--verify",), ("--game", "1"), ("--export", "out.json")], ids=" ".join
)
@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "no game was played there yet; play one first"), ("de", "noch kein Spiel gespielt")],
)
def test_a_journal_without_a_game_is_said_to_have_none(
    tmp_path, monkeypatch, capsys, how, language, said
):
    monkeypatch.chdir(tmp_path)
    journal = Journal(tmp_path / "table.sqlite3")
    journal.append(Evening(19, players=0).records)
    journal.close()
    assert main(["replay", "table.sqlite3", *how, "--language", language]) == 2
    told = capsys.readouterr()
    assert told.out == "" and said in told.err and "table.sqlite3" in told.err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    ("language", "advice"), [("en", "export the game on the host's phone"), ("de", "exportieren")]
)
def test_a_table_in_use_is_told_what_to_do_instead(tmp_path, capsys, language, advice):
    journal = Journal(tmp_path / "table.sqlite3")
    assert main(["replay", str(tmp_path / "table.sqlite3"), "--language", language]) == 2
    journal.close()
    told = capsys.readouterr().err
    assert advice in told
    assert "--journal" not in told


@pytest.mark.parametrize(
    "words",
    [["replay"], ["replay", "--verify"], ["predict", "--runs", "1"], ["pushes", "--out", "out"]],
    ids=" ".join,
)
def test_a_journal_of_what_cannot_be_is_refused_in_a_sentence(played, tmp_path, capsys, words):
    twice = next(r for r in played.records if r.type == "TilePlaced")
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.append([each for r in played.records for each in ([r, r] if r is twice else [r])])
    journal.close()
    assert main([words[0], str(path), *words[1:]]) == 2
    sentence = capsys.readouterr().err
    assert "cannot follow what stands before it" in sentence
    assert len(sentence.splitlines()) == 1


def test_of_a_damaged_journal_what_is_good_is_told_and_nothing_proved(played, tmp_path, capsys):
    path = tmp_path / "table.sqlite3"
    journal = Journal(path)
    journal.append(played.records)
    journal._db.execute("DELETE FROM event WHERE v = 40")
    journal.close()
    out = tmp_path / "out.json"
    assert main(["replay", str(path), "--export", str(out)]) == 0
    assert len(loaded(out.read_bytes()).events) == 39
    assert "event 40 is missing" in capsys.readouterr().err
    assert main(["replay", str(path), "--language", "de"]) == 0
    note = capsys.readouterr().err
    assert note.startswith(f"Hinweis: {path} ist beschädigt: ") and "Ereignis 40 fehlt" in note
    assert main(["replay", "--verify", str(path)]) == 2
    assert "not all of it is left to prove" in capsys.readouterr().err


def fingerprints(played):
    """That of the one game of an evening, and that of the whole evening."""
    (span,) = games(played.records, PLAY)
    return made(played.records, span).fingerprint, made(played.records).fingerprint


@pytest.mark.parametrize(
    "as_typed",
    [
        short,
        lambda whole: whole,
        lambda whole: short(whole).upper(),
        lambda whole: whole[:20].replace("", " ").strip(),
        lambda whole: short(whole).replace(" ", "-"),
    ],
)
def test_a_fingerprint_is_taken_as_it_is_shown_and_as_people_type(game, played, capsys, as_typed):
    for whole in fingerprints(played):
        assert main(["replay", str(game), "--fingerprint", as_typed(whole)]) == 0
        said = capsys.readouterr().out
        assert said.startswith("Everything is right: ")
        assert "This is the fingerprint that was given" in said


OLD_GAME = Path(__file__).parents[2] / "data" / "games" / "version-1-game.json"
UNSURE = {
    "en": "events are missing",
    "de": "fehlen",
    "bg": "липсват",
    "ru": "пропали",
    "uk": "бракує",
}


@pytest.mark.parametrize(("language", "words"), UNSURE.items())
def test_of_an_old_file_with_the_right_fingerprint_nothing_can_be_missing(capsys, language, words):
    proof = ("replay", str(OLD_GAME), "--language", language)
    assert main([*proof, "--verify"]) == 0
    assert words in capsys.readouterr().out
    assert main([*proof, "--fingerprint", "2a89024a373a661a"]) == 0
    assert words not in capsys.readouterr().out


def test_another_fingerprint_is_told_in_words_with_exit_code_1(game, played, capsys):
    other = "0123 4567 89ab cdef"
    assert main(["replay", str(game), "--fingerprint", other]) == 1
    said = capsys.readouterr().out
    shown = short(fingerprints(played)[1])
    assert said.startswith(f"Its fingerprint is {shown}, not {other}.\n")
    assert "It is another game, or the whole file was rewritten" in said
    assert main(["replay", str(game), "--fingerprint", other, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [f["kind"] for f in told["findings"]] == ["fingerprint"]
    assert (told["expected"], told["matches"]) == ("0123456789abcdef", False)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "digits 0-9 and a-f"),
        ("xyz", "digits 0-9 and a-f"),
        ("3f9a 12bc", "16 digits as it is shown and 64 in full, and this has 8"),
        (65 * "a", "and this has 65"),
    ],
)
def test_what_is_no_fingerprint_is_refused_in_a_sentence(game, capsys, given, said):
    assert main(["replay", str(game), "--fingerprint", given]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    "how", [("--verify",), ("--fingerprint", OTHER), ("--export", "out.json")], ids=" ".join
)
def test_hints_are_refused_where_no_game_is_retold(game, tmp_path, monkeypatch, capsys, how):
    monkeypatch.chdir(tmp_path)
    assert main(["replay", str(game), "--hints", *how]) == 2
    said = capsys.readouterr()
    assert said.out == "" and f"leave out --hints or {how[0]}\n" in said.err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize(
    "how", [("--verify",), ("--fingerprint", OTHER), ("--json",)], ids=" ".join
)
def test_export_refuses_options_that_it_ignores(game, tmp_path, capsys, how):
    assert main(["replay", str(game), "--export", str(tmp_path / "out.json"), *how]) == 2
    said = capsys.readouterr()
    assert said.out == "" and f"leave out --export or {how[0]}\n" in said.err
    assert not (tmp_path / "out.json").exists()


@pytest.mark.parametrize("how", [(), ("--verify",), ("--export", "out.json")], ids=" ".join)
def test_a_file_with_names_is_not_passed_on_as_one_without(
    game, tmp_path, monkeypatch, capsys, how
):
    monkeypatch.chdir(tmp_path)
    assert main(["replay", str(game), "--no-names", *how]) == 2
    said = capsys.readouterr()
    assert said.out == "" and "give --no-names with the table's journal" in said.err
    assert not (tmp_path / "out.json").exists()


def test_no_names_accepts_a_file_made_without_names(played, tmp_path, capsys):
    path = tmp_path / "game.json"
    (span,) = games(played.records, PLAY)
    path.write_bytes(dumped(made(played.records, span, names=False)))
    assert main(["replay", str(path), "--no-names"]) == 0
    assert not any(name in capsys.readouterr().out for name in NAMES)


def test_a_file_without_names_is_not_compared_with_the_final_screen_in_silence(
    played, tmp_path, capsys
):
    path = tmp_path / "game.json"
    (span,) = games(played.records, PLAY)
    path.write_bytes(dumped(made(played.records, span, names=False)))
    assert main(["replay", str(path), "--fingerprint", fingerprints(played)[0]]) == 1
    assert "Names were left out of this file" in capsys.readouterr().out


def test_a_game_that_is_not_over_is_right_so_far(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_bytes(dumped(made(Evening(19).play(steps=40).records)))
    assert main(["replay", "--verify", str(path)]) == 0
    assert "the game is not over" in capsys.readouterr().out


def test_a_file_whose_end_was_cut_off_is_told_so(game, capsys):
    lines = game.read_text(encoding="utf-8").splitlines()
    kept = [*lines[:-12], lines[-12].rstrip(","), *lines[-2:]]
    game.write_text("\n".join(kept), encoding="utf-8")
    assert main(["replay", "--verify", str(game)]) == 1
    said = capsys.readouterr().out
    assert "The end was cut off: 179 events are there, and there were 188." in said
    assert "Everything is right" not in said
