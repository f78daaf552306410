"""Dominoes at a table: what phones see, the file of a match, and its proof."""

import json
from random import Random

import pytest

from rig.cli.main import main
from rig.games import dealing
from rig.games.dominoes.bones import SET
from rig.games.dominoes.game import changed
from rig.games.dominoes.options import Options
from rig.games.dominoes.table.dominoes_play import PLAY
from rig.history.gamefile import dumped, made
from rig.history.past_games import PastGames
from rig.history.verify import verified
from rig.session import playing
from rig.session.fingerprint import games, short
from tests.support import marked
from tests.support.card_table import SEATS
from tests.support.domino_public import Seen
from tests.support.domino_secrets import hands_of
from tests.support.domino_table import DominoTable
from tests.support.domino_walks import RULES, Walk, text
from tests.support.forging import Forged


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A table at which a match has been played to its end."""
    path = tmp_path_factory.mktemp("table") / "table.sqlite3"
    return DominoTable(path).begin(preset="goat-online/one", limit=30).play_out()


@pytest.fixture(scope="module")
def file(played):
    records = list(played.session.journal.events())
    return made(records, games(records, PLAY)[0], play=PLAY)


def test_the_file_of_a_match_is_proved_with_every_shuffle(played, file, tmp_path):
    proof = verified(file)
    assert proof.good and proof.over and proof.shuffles == played.game.round > 1
    assert file.fingerprint == played.session.moment.fingerprint
    assert dumped(PastGames(played.session.journal).file(1)) == dumped(file)


def test_people_sit_down_one_after_another_at_a_table_of_pairs(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3")
    assert table.send("phone0", "sit", name="Ana", mark="circle")["ok"]
    assert table.send("phone0", "set_options", options={"preset": "goat-yard", "pairs": True})["ok"]
    found, marks = [], ("circle", "square", "star", "cross")
    for number in range(1, 4):
        assert table.send(f"phone{number}", "sit", name=f"P{number}", mark=marks[number])["ok"]
        found.append(table.session.view(f"phone{number}", "phone")["teams"])
    assert found == [[], [], [["s1", "s3"], ["s2", "s4"]]]


def test_nobody_is_seated_without_a_phone_where_nobody_can_play_for_them(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3")
    assert table.send("phone0", "sit", name="Ana", mark="circle")["ok"]
    may = table.session.view("phone0", "phone")["may"]
    assert (may["add_bot"], may["add_player"]) == (True, False)


@pytest.mark.parametrize("clock_s", [0, 60])
def test_the_host_has_the_referee_play_for_whoever_is_away(tmp_path, clock_s):
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="goat-online", move_clock=clock_s)
    away = table.game.active
    assert table.send("phone0", "skip", seat=away)["ok"]
    assert (len(table.game.line), len(table.game.hands[away])) == (1, 6)
    assert not table.session.table.is_over


@pytest.fixture
def path(file, tmp_path):
    path = tmp_path / "match.json"
    path.write_bytes(dumped(file))
    return str(path)


def test_replay_proves_the_file_and_speaks_of_shuffles_alone(path, played, capsys):
    assert main(["replay", "--verify", path]) == 0
    said = capsys.readouterr().out
    assert f"{played.game.round} shuffles computed anew" in said
    assert "ballots" not in said and "chips" not in said


def test_replay_retells_a_match_in_sentences(path, played, file, capsys):
    assert main(["replay", path]) == 0
    told = [line[10:] for line in capsys.readouterr().out.splitlines()]
    assert told[0] == "A match begins: Ana, Bo, Cy and Di."
    first = next(e.record.public for e in file.events if e.record.type == "BonePlaced")
    name = ("Ana", "Bo", "Cy", "Di")[SEATS.index(first["seat"])]
    assert f"{name} leads and has to lay {first['bone']}." in told
    assert f"{name} lays {first['bone']}." in told
    hands = [line for line in told if line.startswith("Ana is dealt ")]
    assert len(hands) == played.game.round and len(hands[0].split()) == 3 + 7
    assert told[-1].startswith("The match is over. Won: ")
    lost = " and ".join(("Ana", "Bo", "Cy", "Di")[side] for side in played.game.losers)
    assert told[-1].endswith(f"Lost: {lost}.")


def test_replay_can_say_what_the_strong_bot_would_have_laid_and_how_likely_a_knock_was(
    path, file, capsys
):
    told = []
    for _ in range(2):
        assert main(["replay", path, "--hints", "--json"]) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1]
    lines = [json.loads(line) for line in told[0].splitlines()]
    kinds = {e.record.v: e.record.type for e in file.events}
    public = {e.record.v: e.record.public for e in file.events}
    hinted = [line for line in lines if line["hint"]]
    knocks = [line for line in hinted if "likely" in line["hint"]]
    assert {kinds[line["v"]] for line in knocks} <= {"Knocked", "BoneDrawn"}
    assert len(knocks) == sum(kind in ("Knocked", "BoneDrawn") for kind in kinds.values()) > 0
    assert all(0 < line["hint"]["likely"] <= 1 for line in knocks)
    choices = [line for line in hinted if "best" in line["hint"]]
    assert choices and {kinds[line["v"]] for line in choices} == {"BonePlaced"}
    for line in choices:
        hint = line["hint"]
        assert hint["worth_done"] <= 1 and 0 <= hint["worth_best"] <= 1
        assert hint["best"]["actor"] == SEATS.index(public[line["v"]]["seat"])
        same = hint["best"]["tile"] == public[line["v"]]["bone"]
        assert same or hint["best"]["tile"] in hint["words"]
    assert main(["replay", path, "--hints"]) == 0
    assert choices[0]["hint"]["words"] in capsys.readouterr().out


@pytest.mark.parametrize("how", [(), ("--hints",), ("--verify",)], ids=" ".join)
def test_nothing_is_told_of_a_match_that_is_not_in_the_catalogues(
    path, file, tmp_path, monkeypatch, capsys, how
):
    marked.mark(tmp_path / "marked", monkeypatch)
    assert main(["replay", path, *how, "--language", marked.CODE]) == 0
    marked.forget()
    names = {player.name for player in file.players}
    told = capsys.readouterr().out.replace(short(file.fingerprint), "")
    assert told.count("\n") > (0 if how == ("--verify",) else 60)
    assert marked.unmarked(told, *names) == []


def test_hints_are_for_rounds_that_are_over(tmp_path, capsys):
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="ru-classic")
    records = list(table.session.journal.events())
    path = tmp_path / "match.json"
    path.write_bytes(dumped(made(records, games(records, PLAY)[0], play=PLAY)))
    assert main(["replay", str(path), "--hints"]) == 2
    assert "no round is over" in capsys.readouterr().err


def test_replay_of_a_match_that_goes_on_tells_no_hidden_bone(tmp_path, capsys, monkeypatch):
    """Also where no package is installed that would keep its hands under a key."""
    monkeypatch.setattr(playing, "has_cipher", lambda: False)
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="bg-standard")
    chance = Random(4)
    for _ in range(12):
        table.play_on(chance)
    table.session.close()
    assert main(["replay", str(tmp_path / "table.sqlite3")]) == 0
    told = capsys.readouterr().out
    assert "Ana is dealt a hand." in told and "draws a bone." in told
    assert not any(bone in told for hand in table.game.hands.values() for bone in hand)


def other_bone(bone):
    return SET[(SET.index(bone) + 1) % len(SET)]


FORGED = {
    "HandDealt": lambda data: data["bones"].reverse(),
    "BoneyardLaid": lambda data: data["bones"].reverse() if data["bones"] else data.clear(),
    "LeadGiven": lambda data: data.update(seat="s1" if data["seat"] != "s1" else "s2"),
    "BonePlaced": lambda data: data.update(bone=other_bone(data["bone"])),
    "Knocked": lambda data: data.update(seat="s1" if data["seat"] != "s1" else "s2"),
    "TurnBegan": lambda data: data.update(seat="s1" if data["seat"] != "s1" else "s2"),
    "RoundEnded": lambda data: data["memory"].reverse() or data.update(carry=data["carry"] + 1),
    "RoundBegan": lambda data: data.update(round=data["round"] + 1),
    "GameEnded": lambda data: data.update(winners=data["losers"], losers=data["winners"]),
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_event_is_found(file, kind):
    edited = Forged(file)
    FORGED[kind](edited.data(kind))
    assert not verified(edited.linked_anew()).good


@pytest.mark.parametrize("kind", ["HandDealt", "CommandTaken"])
def test_what_everybody_may_know_is_not_withheld(file, kind):
    edited = Forged(file)
    data = edited.data(kind)
    del data["bones" if kind == "HandDealt" else "data"]
    assert not verified(edited.linked_anew()).good


def test_a_match_that_goes_on_or_was_left_is_proved_as_far_as_it_is_told(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="goat-online/one", limit=200)
    chance = Random(2)
    while table.game.round == 1:
        table.shuffle().play_on(chance)
    table.shuffle().play_on(chance)
    proof = verified(PastGames(table.session.journal).file(1))
    assert (proof.findings, proof.over, proof.good) == ([], False, True)
    assert table.send("phone1", "leave")["ok"]
    left = PastGames(table.session.journal).file(1)
    proof = verified(left)
    assert (proof.findings, proof.over, proof.good) == ([], True, True)
    edited = Forged(left)
    FORGED["BonePlaced"](edited.data("BonePlaced", -1))
    assert not verified(edited.linked_anew()).good


def test_the_file_of_a_match_that_goes_on_tells_no_hidden_bone(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="bg-standard")
    chance = Random(4)
    for _ in range(12):
        table.play_on(chance)
    assert table.game.round == 1 and any(r.type == "BoneDrawn" for r in events_of(table))
    told = json.loads(dumped(made(events_of(table), play=PLAY)))["events"]
    hidden = {bone for hand in table.game.hands.values() for bone in hand}
    assert hidden and not any(f'"{bone}"' in json.dumps(told) for bone in hidden)


def events_of(table):
    return list(table.session.journal.events())


def test_after_a_kill_at_any_moment_phones_see_the_same(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3").begin(preset="goat-125", open_at=0)
    chance = Random(8)
    for _ in range(40):
        before, views = table.session.table, [game_of(table, phone) for phone in range(4)]
        table.restart()
        assert table.session.table == before
        assert [game_of(table, phone) for phone in range(4)] == views
        table.play_on(chance)
        table.shuffle()


def game_of(table, phone):
    """What the game shows a phone, without what its session says besides."""
    view = table.session.view(f"phone{phone}")
    return {name: view[name] for name in RULES.view(table.game, SEATS[phone])}


def test_a_preset_brings_all_its_options_and_what_is_set_after_it_stays_apart(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3").sit()
    for options in ({"open_at": 7}, {"preset": "sea-goat"}, {"limit": 60}):
        assert table.send("phone0", "set_options", options=options)["ok"]
    assert table.game.options == RULES.new({"preset": "sea-goat", "limit": 60}).options


def test_the_clock_of_a_match_ends_it(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3").begin(move_clock=20)
    late = table.game.active
    table.clock.sleep(19.0)
    table.session.tick()
    assert not table.session.table.is_over
    table.clock.sleep(2.0)
    table.session.tick()
    assert table.session.table.is_over and table.game.losers == (SEATS.index(late),)


def begun_otherwise(seed, seat, steps):
    """Two deals, and moves of a round, that are one and the same for a seat."""
    walk = Walk("bg-standard", 4, {}, Random(seed))
    walk.step()
    deal = walk.history[0][1][1]
    seen = Seen(walk)
    for _ in range(steps):
        actor, command = walk.chance.choice(walk.moves())
        seen.saw(actor, command)
        walk.do(actor, command)
        if walk.rounds:
            break
    moves = walk.history[1:]
    name = None if seat is None else SEATS[seat]
    other = RULES.imagine(walk.game, name, Random(seed).randrange)
    size = 5
    order, drawn = [], {}
    for each, hand in enumerate(hands_of(other)):
        if each == seat:
            order += deal[each * size : (each + 1) * size]
            continue
        shares = seen.shares(each, hand)
        order += [SET.index(text(tile)) for number, tile in shares if number is None]
        drawn |= {number: text(tile) for number, tile in shares if number is not None}
    own = deal[4 * size :]
    rest = iter(other.boneyard)
    taken = sum(command == ("draw",) for _, command in moves)
    order += [
        (SET.index(drawn[n]) if n in drawn else own[n]) if n < taken else SET.index(next(rest))
        for n in range(len(own))
    ]
    return deal, tuple(order), moves


@pytest.mark.parametrize("seat", [0, 2, None])
def test_what_lies_hidden_can_be_otherwise_without_a_phone_noticing(tmp_path, monkeypatch, seat):
    """The same moves over two deals: every snapshot of the seat is the same to the last byte."""
    drew = 0
    for seed in range(3):
        *deals, moves = begun_otherwise(seed, seat, 18)
        assert deals[0] != deals[1]
        shown = []
        for n, order in enumerate(deals):
            monkeypatch.setattr(dealing, "order_of", lambda *_, order=order: order)
            table = DominoTable(tmp_path / f"{seed}{n}.sqlite3").begin(preset="bg-standard")
            shown.append([snapshot(table, seat)])
            for actor, command in moves:
                reply = table.send(f"phone{actor}", **command_of(command))
                assert reply["ok"], reply
                shown[-1].append(snapshot(table, seat))
            table.session.close()
        assert shown[0] == shown[1]
        drew += any(command == ("draw",) for _, command in moves)
    assert drew


def command_of(command):
    """A move as a phone sends it."""
    kind, *given = command
    return {"kind": kind} | ({"tile": text(given[0]), "end": given[1]} if given else {})


def snapshot(table, seat):
    if seat is None:
        return json.dumps(table.session.view(None, "table"))
    return json.dumps(table.session.view(f"phone{seat}"))


def test_a_host_is_offered_each_game_once_and_everybody_reads_what_means_something(tmp_path):
    table = DominoTable(tmp_path / "table.sqlite3")
    table.send("phone0", "sit", name="Ana", mark="circle")
    table.send("phone1", "sit", name="Bo", mark="square")

    def seen(preset, device="phone1"):
        assert table.send("phone0", "set_options", options={"preset": preset})["ok"]
        return table.session.view(device, "phone")

    offered = seen("goat-yard", "phone0")
    assert "goat-online" in offered["presets"] and "goat-online/all" not in offered["presets"]
    assert offered["choices"]["bald"]["presets"] == ["sea-goat"]
    assert ("bald" in seen("sea-goat")["options"], "bald" in seen("goat-yard")["options"]) == (
        True,
        False,
    )
    assert seen("goat-online/all")["options"]["preset"] == "goat-online/all"


def test_where_nobody_draws_nothing_of_the_boneyard_may_be_drawn():
    game = RULES.new({"preset": "goat-yard", "draw": "none"})
    game = changed(game, boneyard=SET[:9])
    assert RULES.view(game, None)["drawable"] == 0
    one = changed(game, options=Options.parse({"preset": "goat-125"}))
    assert RULES.view(one, None)["drawable"] == 8
