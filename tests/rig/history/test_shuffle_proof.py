"""The proof of a game computes every shuffle again, and finds whoever cheated in one."""

import hashlib
from random import Random

import pytest

from rig.cli.main import main
from rig.games import registry
from rig.games.shuffle import committed, order_of
from rig.history.account import Taken, of_game
from rig.history.gamefile import dumped, loaded, made
from rig.history.verify import verified
from rig.session.fingerprint import games
from tests.support import high_rounds
from tests.support.card_table import SEATS, Table
from tests.support.forging import Forged
from tests.support.high_card import HAND
from tests.support.shares import Shares
from tests.support.telling import unmarked_findings

OTHER = hashlib.sha256(b"another").hexdigest()


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A game of two rounds, before the first of which a shuffle was void."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)
        table = Table(tmp_path_factory.mktemp("proof") / "table.sqlite3", high_rounds.PLAY).sit()
        table.send("phone0", "start")
        for seats in (SEATS, SEATS[:3]):
            table.session.tick()
            for seat in seats:
                phone = table.phone(seat)
                kind, fields = Shares(phone).owed(table.session.view(phone))
                assert table.send(phone, kind, **fields)["ok"]
        table.clock.sleep(8.5)
        table.session.tick()
        table.shuffle().play_out()
        yield table
        table.session.close()


@pytest.fixture
def file(table):
    records = list(table.session.journal.events())
    return made(records, games(records, table.play)[0], play=table.play)


def test_every_shuffle_of_an_honest_game_is_computed_again(file, table):
    proof = verified(loaded(dumped(file)))
    assert (proof.good, proof.over, proof.shuffles) == (True, True, 2)
    whole = made(list(table.session.journal.events()), play=table.play)
    assert verified(whole).shuffles == 2


def test_what_is_still_sealed_proves_nothing_and_accuses_nobody(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).begin()
    chance = Random(1)
    for rounds in (0, 1):
        records = list(table.session.journal.events())
        proof = verified(loaded(dumped(made(records, play=table.play))))
        told = [each for each in proof.findings if each.kind != "rules"]  # commands are sealed too
        assert (told, proof.shuffles) == ([], rounds)
        while not rounds and not table.game.rounds:
            table.play_on(chance)


def forged_share(forged):
    forged.data("ShareSent", 4)["share"] = OTHER


def forged_share_of_a_void_shuffle(forged):
    forged.data("ShareSent", 1)["share"] = OTHER


def short_share(forged):
    data = forged.data("ShareSent", 5)
    data["share"] = data["share"][:-2]


def swapped_deck(forged):
    """Everything that was dealt fits, but for two cards of the deck."""
    deal = forged.data("CommandTaken", where=lambda e: "order" in e["data"]["data"])["data"]
    at, other = HAND - 1, HAND
    deal["order"][at], deal["order"][other] = deal["order"][other], deal["order"][at]
    for n in range(len(SEATS)):
        forged.data("HandDealt", n)["cards"] = deal["order"][HAND * n : HAND * (n + 1)]
    forged.data("ShuffleMade")["order"] = deal["order"]


def deck_dealt_otherwise(forged):
    deal = forged.find("CommandTaken", where=lambda e: "order" in e["data"]["data"])
    order = deal["data"]["data"]["order"]
    order[0], order[1] = order[1], order[0]


def withheld_share(forged):
    forged.take_out(forged.find("ShareSent", 4))
    forged.find("ShuffleMade")


def share_that_is_not_told(forged):
    del forged.data("ShareSent", 4)["share"]
    forged.find("ShuffleMade")


def late_commit(forged):
    hashed, shown = forged.find("ShareHashed", 5), forged.find("HashesShown", 1)
    data = hashed["data"]
    forged.take_out(hashed)
    forged.insert(forged.find("ShareSent", 3), "ShareHashed", data["seat"], **data)
    forged.at = shown["v"]


def hash_that_was_another(forged):
    forged.data("ShareHashed", 5)["hash"] = OTHER
    forged.find("HashesShown", 1)


def other_secret(forged):
    forged.data("ShuffleBegun", 1)["secret"] = OTHER


def secret_never_opened(forged):
    for opened in [e for e in forged.events if e["type"] == "ShuffleOpened"]:
        forged.take_out(opened)
    forged.find("ShuffleBegun", 2)


def void_without_need(forged):
    forged.data("ShuffleVoid")["missing"] = ["s2"]


def no_shuffle_at_all(forged):
    made = forged.find("ShuffleMade")
    forged.take_out(made)
    forged.find("CommandTaken", where=lambda e: "order" in e["data"]["data"])


CHEATS = {
    forged_share: "share",
    forged_share_of_a_void_shuffle: "share",
    short_share: "length",
    swapped_deck: "deck",
    deck_dealt_otherwise: "deck",
    withheld_share: "withheld",
    share_that_is_not_told: "withheld",
    late_commit: "late",
    hash_that_was_another: "late",
    other_secret: "secret",
    secret_never_opened: "secret",
    void_without_need: "void",
    no_shuffle_at_all: "deck",
}


@pytest.mark.parametrize(
    ("cheat", "kind"), CHEATS.items(), ids=lambda value: getattr(value, "__name__", value)
)
def test_a_cheat_is_found_although_every_link_was_made_anew(cheat, kind, file, marks):
    forged = Forged(file)
    cheat(forged)
    anew = forged.linked_anew()
    found = verified(anew).findings
    assert unmarked_findings(found, anew) == []
    assert any(each.kind == kind for each in found), found
    at = forged.at
    if cheat is not swapped_deck:
        assert (at, kind) in [(each.v, each.kind) for each in found]


def test_a_server_that_chose_its_secret_after_the_shares_is_found(file):
    """It tries secrets until it likes the order, and makes everything that it wrote itself fit."""
    forged = Forged(file)
    begun = forged.data("ShuffleBegun", 1)
    shares = {s: forged.data("ShareSent", 3 + n)["share"] for n, s in enumerate(SEATS)}
    order = order_of(begun["game"], 1, begun["count"], OTHER, SEATS, shares)
    begun["secret"] = OTHER
    forged.data("ShuffleMade")["order"] = list(order)
    found = {each.kind for each in verified(forged.linked_anew()).findings}
    assert "secret" in found
    assert committed(begun["game"], 1, OTHER) != begun["commitment"]


def test_the_page_of_past_games_and_the_command_line_say_so(file, table, tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_bytes(dumped(file))
    assert main(["replay", "--verify", str(path)]) == 0
    assert "2 shuffles computed anew" in capsys.readouterr().out
    forged = Forged(file)
    forged_share(forged)
    path.write_bytes(dumped(forged.linked_anew()))
    assert main(["replay", "--verify", str(path)]) == 1
    told = capsys.readouterr().out
    assert f"Event {forged.at}: the share of seat s2 in round 1 does not fit the hash" in told
    start = table.session.table.started
    records = tuple(event.record for event in file.events)
    assert b'"shuffles":' in of_game(Taken(start, records, {}, table.play.name), "")
