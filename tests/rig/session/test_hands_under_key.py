"""While a round runs its hands are in the journal under a key, which any one phone gives back."""

import json
import logging
import sqlite3
from functools import reduce
from random import Random

import pytest

from rig import private, snapshots
from rig.cli.main import main
from rig.cli.opening import about_keys
from rig.games import registry
from rig.games.dominoes.table import dominoes_play
from rig.games.phrase import Phrase
from rig.history.past_games import PastGames
from rig.journal import Journal, JournalUnusable
from tests.support import high_rounds
from tests.support.card_table import SEATS, Table
from tests.support.shares import Shares, shuffled

WRONG = "ab" * 32


@pytest.fixture(autouse=True)
def known(monkeypatch):
    monkeypatch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)


@pytest.fixture(params=[high_rounds.PLAY, dominoes_play.PLAY], ids=lambda play: play.name)
def table(request, tmp_path):
    """Four phones in the middle of the first round."""
    table = Table(tmp_path / "table.sqlite3", request.param).begin()
    for _ in range(2):
        table.play_on(Random(3))
    yield table
    table.session.close()


def on_disk(path):
    """Every byte of the journal, and of what SQLite keeps beside it."""
    return b"".join(each.read_bytes() for each in sorted(path.parent.glob(f"{path.name}*")))


def secrets_of(records):
    """What a journal without keys would have in its secret columns since the first hash."""
    names = [each.type for each in records]
    return [
        json.dumps(dict(each.secret), ensure_ascii=False, separators=(",", ":")).encode()
        for each in records[names.index("ShareHashed") :]
        if each.secret and each.type != "SeatHanded"
    ]


def killed(table):
    """The table as it is opened again after a kill."""
    table.session.close()
    table.session = table.opened()
    return table


def no_cipher(monkeypatch):
    """The package is there, and what it is built on is too old for the cipher."""

    def broken(key):
        raise ImportError("no ChaCha20 in libssl")

    monkeypatch.setattr(private.RoundKey, "_cipher", broken)
    private.has_cipher.cache_clear()


def after_a_round(tmp_path):
    """A table in the middle of its second round, as it is left by a kill."""
    table, chance = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).begin(), Random(2)
    while not table.game.rounds:
        table.play_on(chance)
    table.shuffle()
    key = key_of(table)
    table.session.close()
    return table, key


def asked(path, query):
    """The first row that SQL gives of a closed journal; it may change something there."""
    db = sqlite3.connect(path)
    row = db.execute(query).fetchone()
    db.commit()
    db.close()
    return row


def first_under_key(path):
    """The number of the first event whose secrets are under a key."""
    query = "SELECT min(v) FROM event WHERE secret_json LIKE '{\"round_key\":%'"
    return asked(path, query)[0]


def key_of(table, seat="s1"):
    return table.session.view(table.phone(seat))["round_key"]["value"]


def test_the_file_shows_no_hand_while_the_round_runs_and_all_of_them_after_it(table):
    path, records = table.path, list(table.session.journal.events())
    hidden = secrets_of(records)
    assert len(hidden) > 8
    held = on_disk(path)
    assert not any(each in held for each in hidden)
    assert not any(share.encode() in held for share in table.session.table.dealing.shares.values())
    assert key_of(table).encode() not in held
    chance = Random(2)
    while not table.session.table.is_between_rounds:
        table.play_on(chance)
    table.session.close()
    journal = Journal(path)
    assert not journal.locked and set(hidden) <= set(secrets_of(list(journal.events())))
    assert reduce(table.play.apply, map(table.play.read, journal.events()), table.play.table())
    journal.close()
    table.session = table.opened()


def test_every_seated_phone_has_the_key_and_nobody_else(table, caplog):
    caplog.set_level(logging.DEBUG)
    key = key_of(table)
    assert {key_of(table, seat) for seat in SEATS} == {key}
    for device, role in (
        (None, "table"),
        (None, "phone"),
        ("phone9", "phone"),
        ("phone0", "table"),
    ):
        assert key not in json.dumps(table.session.view(device, role))
    public = [dict(record.public) for record in table.session.journal.events()]
    assert key not in json.dumps(public) and key not in caplog.text


@pytest.mark.parametrize("seat", ["s1", "s4"])
def test_after_a_kill_any_one_phone_opens_the_hands_again(table, seat):
    key, before = key_of(table, seat), table.session.table
    shown = {who: table.session.view(table.phone(who)) for who in SEATS}
    killed(table)
    locked = table.session.view(table.phone(seat))
    assert locked["key_missing"] and "round_key" not in locked and not any(locked["may"].values())
    assert [each["name"] for each in locked["seats"]] == ["Ana", "Bo", "Cy", "Di"]
    assert table.session.tick() is None
    assert table.send(table.phone(seat), "unlock", key=key)["ok"]
    assert table.session.table == before
    for who, view in shown.items():
        now = table.session.view(table.phone(who))
        assert (now["hand"], now["round_key"]["value"]) == (view["hand"], key)
        assert "key_missing" not in now
    hidden = secrets_of(list(table.session.journal.events()))
    table.play_on(Random(1))
    assert not any(each in on_disk(table.path) for each in hidden)


def test_no_snapshot_shows_the_hands_either(table, monkeypatch):
    monkeypatch.setattr(snapshots, "LONG", 0)
    key, share = key_of(table), table.session.table.dealing.shares["s1"]
    killed(table)
    assert table.send("phone0", "unlock", key=key)["ok"]
    table.session.close()
    assert share.encode() not in on_disk(table.path)
    table.session = table.opened()


def test_a_wrong_key_and_every_command_before_the_right_one_are_refused_and_change_nothing(table):
    key = key_of(table)
    killed(table)
    before, version = table.session.table, table.session.journal.version
    for wrong in (WRONG, key[:-2], key.upper(), "", "no key"):
        reply = table.send("phone0", "unlock", key=wrong)
        assert (reply["reason"], reply["message"]) == (
            "wrong_key",
            "key has to be the one that phones have of this round.",
        )
    assert table.send("phone0", "unlock")["message"] == "key has to be a text."
    for kind, fields in (("leave", {}), ("pause", {"on": True}), ("give", {"card": 1})):
        reply = table.send("phone0", kind, **fields)
        assert reply["reason"] in ("locked", "bad_command") or "Waiting" in reply["message"]
    reply = table.session.hand_over("s1", "phone7")
    assert (
        reply["message"] == "Waiting for any phone that was in this round; then the game goes on."
    )
    assert (table.session.table, table.session.journal.version) == (before, version)
    assert table.send("phone1", "unlock", key=key)["ok"]
    assert table.send("phone2", "unlock", key=WRONG)["ok"], "there is nothing left to open"
    assert table.session.table.game.hands


def test_people_who_changed_phones_in_the_round_sit_there_while_it_is_locked(table):
    key = key_of(table)
    assert table.session.hand_over("s2", "phone8")["ok"]
    killed(table)
    people = table.session.table
    assert people.speaker("phone8").seat == "s2" and people.speaker("phone1") is None
    table.session.make_host("phone6")
    assert table.session.table.is_host("phone6")
    assert table.send("phone8", "unlock", key=key)["ok"]
    assert (
        table.session.table.is_host("phone6") and table.session.table.speaker("phone8").seat == "s2"
    )


def test_with_all_phones_gone_what_was_before_the_round_can_be_looked_at(table, tmp_path, capsys):
    killed(table)
    past = PastGames(table.session.journal)
    assert [game["players"] for game in past.listed()] == [["Ana", "Bo", "Cy", "Di"]]
    table.session.close()
    assert main(["replay", str(table.path)]) == 0
    told = capsys.readouterr()
    assert "encrypted with a key that only phones have" in told.err and told.out.count("\n") == 1
    table.session = table.opened()


def test_each_round_has_a_key_of_its_own(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).begin()
    first, chance = key_of(table), Random(2)
    while not table.game.rounds:
        table.play_on(chance)
    assert "round_key" not in table.session.view("phone0")
    table.shuffle()
    second = key_of(table)
    assert second != first
    killed(table)
    assert table.session.game.rounds == 1 and not table.game.hands
    assert table.send("phone0", "unlock", key=first)["reason"] == "wrong_key"
    assert table.send("phone0", "unlock", key=second)["ok"] and len(table.game.hands) == 4
    table.session.close()


def test_a_shuffle_that_never_became_a_round_is_opened_with_the_end_of_its_game(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).sit()
    assert table.send("phone0", "start")["ok"]
    table.session.tick()
    assert key_of(table)
    kind, fields = Shares("phone1").owed(table.session.view("phone1"))
    assert table.send("phone1", kind, **fields)["ok"]
    assert table.send("phone3", "leave")["ok"]
    before = table.session.table
    assert not killed(table).session.locked and table.session.table == before
    table.session.close()


def test_a_table_killed_before_a_phone_has_answered_shuffles_on_under_a_new_key(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).sit()
    assert table.send("phone0", "start")["ok"]
    table.session.tick()
    lost = key_of(table)
    assert not killed(table).session.locked
    key = key_of(table)
    assert key != lost
    kind, fields = Shares("phone1").owed(table.session.view("phone1"))
    assert table.send("phone1", kind, **fields)["ok"]
    locked = killed(table).session.view("phone0")
    assert locked["key_missing"] and locked["shuffle"] is None
    assert table.send("phone1", "unlock", key=key)["ok"]
    hands = table.shuffle().game.hands
    assert killed(table).session.locked and not table.game.hands
    assert table.send("phone2", "unlock", key=key)["ok"] and table.game.hands == hands
    table.session.close()


@pytest.mark.parametrize("void", [False, True])
def test_a_round_that_no_phone_answered_is_in_the_clear(tmp_path, void):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY).sit()
    assert table.send("phone0", "start")["ok"]
    if void:  # one hash under the key, and never its share
        table.session.tick()
        kind, fields = Shares("phone0").owed(table.session.view("phone0"))
        assert table.send("phone0", kind, **fields)["ok"]
        while not table.session.table.dealing.void:
            table.clock.sleep(table.session.tick() or 0.0)
    while table.session.play.rules.needs(table.game):
        table.clock.sleep(table.session.tick() or 0.0)
    assert "round_key" not in table.session.view("phone0")
    hands, chance = table.game.hands, Random(2)
    assert not killed(table).session.locked and table.game.hands == hands
    while not table.game.rounds:
        table.play_on(chance)
    key = key_of(table.shuffle())
    assert killed(table).session.locked and table.session.damage is None
    assert table.send("phone0", "unlock", key=key)["ok"]
    table.session.close()


def test_a_round_of_bots_alone_has_no_key_as_nobody_could_give_it_back(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY)
    table.session.make_host("phone9")
    for _ in SEATS:
        assert table.send("phone9", "add_bot")["ok"]
    assert table.send("phone9", "start")["ok"]
    shuffled(table.session, [], table.send)
    hands = table.game.hands
    assert len(hands) == 4 and not killed(table).session.locked and table.game.hands == hands
    table.session.close()


def test_without_the_package_journals_are_as_they_were_and_those_with_keys_say_what_is_missing(
    table, tmp_path, monkeypatch
):
    table.session.close()
    no_cipher(monkeypatch)
    with pytest.raises(JournalUnusable, match="needs the package cryptography"):
        Journal(table.path)
    other = Table(tmp_path / "other.sqlite3", high_rounds.PLAY).begin()
    assert "round_key" not in other.session.view("phone0")
    before = other.session.table
    assert killed(other).session.table == before
    other.session.close()
    with sqlite3.connect(other.path) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
    monkeypatch.undo()
    private.has_cipher.cache_clear()
    monkeypatch.setitem(registry.GAMES, high_rounds.PLAY.name, high_rounds.__name__)
    table.session = table.opened()


def test_play_says_once_where_hands_are_not_under_a_key(table, monkeypatch):
    assert about_keys([table.session]) == ()
    monkeypatch.setattr("rig.cli.opening.has_cipher", lambda: False)
    assert about_keys([table.session]) == (Phrase("note.open_hands"),)


@pytest.mark.parametrize("hurt", ["UPDATE round_key SET value = name", "DELETE FROM round_key"])
def test_without_the_key_of_an_older_round_nothing_is_written_behind_it(tmp_path, hurt):
    table, key = after_a_round(tmp_path)
    first = first_under_key(table.path)
    asked(table.path, f"{hurt} WHERE rowid = 1")
    asked(table.path, "DELETE FROM snapshot")
    table.session = table.opened()
    damage, written = table.session.damage, table.session.journal.version
    assert damage.why == f"the key of event {first} is not as it was written"
    assert damage.good == written == first - 1 and damage.lost > 0
    assert table.send("phone0", "unlock", key=key)["reason"] == "damaged"
    assert table.session.tick() is None and table.session.journal.version == written
    table.session.close()
    table.session = table.opened()
    assert str(table.session.damage) == str(damage)
    table.session.close()


def test_a_journal_whose_page_of_keys_is_damaged_is_shown_up_to_there(tmp_path):
    table, _ = after_a_round(tmp_path)
    (page,) = asked(table.path, "SELECT rootpage FROM sqlite_master WHERE name = 'round_key'")
    held = bytearray(table.path.read_bytes())
    held[(page - 1) * 4096 : page * 4096] = b"\xff" * 4096
    table.path.write_bytes(held)
    journal = Journal(table.path)
    first = first_under_key(journal.damage.copy)
    assert journal.damage.good == first - 1 == len(list(journal.events()))
    journal.close()


def test_what_is_good_of_a_round_can_be_gone_on_from_and_stays_under_its_key(table):
    assert table.session.hand_over("s2", "phone8")["ok"]
    key, before, written = key_of(table), table.session.table, table.session.journal.version
    assert table.session.hand_over("s3", "phone9")["ok"]
    shares = list(before.dealing.shares.values())
    table.session.close()
    asked(table.path, f"UPDATE event SET actor = 's4' WHERE v = {written + 1}")
    damage = snapshots.recover(table.path, {})
    assert (damage.good, damage.lost) == (written, 1)
    assert not any(hidden.encode() in on_disk(table.path) for hidden in (key, *shares))
    table.session = table.opened()
    assert table.session.journal.version == written and table.session.locked
    assert table.send("phone8", "unlock", key=key)["ok"]
    assert table.session.table == before and table.session.damage is None
    chance = Random(2)
    table.session.hand_over("s2", "phone1")
    while not table.session.table.is_between_rounds:
        table.play_on(chance)
    assert not killed(table).session.locked


def test_a_phone_that_has_the_key_puts_it_in_the_place_of_a_damaged_one(table):
    key, chance = key_of(table), Random(2)
    while not table.session.table.is_between_rounds:
        table.play_on(chance)
    before = table.session.table
    table.session.close()
    asked(table.path, "UPDATE round_key SET value = name")
    table.session = table.opened()
    assert table.session.locked
    assert table.send("phone0", "unlock", key=key)["ok"] and table.session.table == before
    assert not killed(table).session.locked and table.session.table == before


def test_a_phone_that_lost_its_seat_still_opens_the_hands(tmp_path):
    table = Table(tmp_path / "table.sqlite3", high_rounds.PLAY)
    table.session.make_host("phone9")
    assert table.send("phone0", "sit", name="Ana", mark="circle")["ok"]
    assert table.send("phone0", "ready")["ok"]
    for _ in SEATS[1:]:
        assert table.send("phone9", "add_bot")["ok"]
    assert table.send("phone9", "start")["ok"]
    table.shuffle(["s1"])
    key = key_of(table)
    assert table.send("phone9", "take_phone", seat="s1")["ok"]
    before = killed(table).session.table
    assert table.session.table.speaker("phone0") is None and not before.game.hands
    assert table.send("phone0", "unlock", key=key)["ok"] and table.game.hands
    table.session.close()
