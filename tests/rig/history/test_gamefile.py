"""A game as one file: nothing secret in it, nothing lost, and nobody trips over a bad one."""

import json
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.games.estimation.table.estimation_play import PLAY, apply
from rig.history.gamefile import BadGameFile, dumped, loaded, made
from rig.history.replay import moments
from rig.history.restore import opening, revived
from rig.history.verify import verified
from rig.session.events import Renamed, Undone
from rig.session.fingerprint import games, next_link
from tests.support.evenings import NAMES, Evening
from tests.support.examples import examples
from tests.support.telling import in_english

PICTURE = b"\xff\xd8 what the camera saw \xff\xd9"


@pytest.fixture(scope="module")
def evening():
    """Two games at one table, the second of them not over."""
    first = Evening(5).play()
    first.again()
    for _ in range(12):
        first.step()
    return first


def fold(file):
    table = opening(file)
    for linked in file.events:
        event = revived(linked.record, PLAY)
        table = table if event is None else apply(table, event)
    return table


@examples(8)
@given(st.integers(0, 2**20), st.integers(2, 5), st.booleans())
def test_what_was_exported_is_what_is_read(seed, players, names):
    played = Evening(seed, players).play(steps=120)
    file = made(played.records, names=names, picture={1: PICTURE}.get, most=1)
    assert loaded(dumped(file)) == file


def test_the_table_of_a_file_is_the_table_that_was_played(evening):
    table = fold(made(evening.records))
    assert table.game.chips == evening.table.game.chips
    assert table.game.history == evening.table.game.history
    assert [p.name for p in table.players] == [p.name for p in evening.table.players]
    assert (table.row, table.phase_id) == (evening.table.row, evening.table.phase_id)


def test_one_game_stands_alone_with_the_people_who_played_it(evening):
    (low, high), (second, _) = games(evening.records, PLAY)
    file = made(evening.records, (low, high))
    assert [e.record.v for e in file.events] == list(range(low, high + 1))
    assert low < high < second
    assert [p.name for p in file.players] == list(NAMES[:4])
    assert fold(file).game.winners == evening_winners(evening, high)


def test_what_was_done_before_the_game_may_be_undone_in_it():
    table = Evening(1, players=2)
    table.note(Renamed("s1", "Lena"), actor="s1")
    table.start()
    table.note(Undone("renamed"), actor="host")
    file = made(table.records, games(table.records, PLAY)[0])
    assert [p.name for p in file.players] == ["Lena", "Борис"]
    assert [p.name for p in fold(file).players] == ["Olena", "Борис"]
    assert verified(file).good
    assert verified(made(table.records)).good


def evening_winners(evening, v):
    (ended,) = (r for r in evening.records if r.type == "GameEnded" and r.v <= v)
    return tuple(ended.public["winners"])


@examples(12)
@given(st.integers(0, 2**20), st.integers(1, 90))
def test_no_file_holds_a_secret(seed, steps):
    played = Evening(seed).play(steps)
    text = dumped(made(played.records)).decode()
    assert "the secret of the host" not in text
    assert "PINE" not in text
    assert "device-hash" not in text
    assert "hidden" not in text
    revealed = {
        salt
        for r in played.records
        if r.type == "BallotsRevealed"
        for salt in r.public["salts"].values()
    }
    for record in played.records:
        if record.type == "DominoCalled":
            for salt in record.secret["salts"].values():
                assert (salt in text) == (salt in revealed)
    for line in text.splitlines():
        if '"type":"BallotCast"' in line:
            assert "success" not in line and "failure" not in line


def test_a_file_without_names_has_none_and_no_words_of_people():
    played = Evening(3)
    played.start()
    while not any(r.type == "RoundVoided" for r in played.records):
        played.step()
        void = [m for m in played.moves() if type(m[1]).__name__ == "VoidRound"]
        if void:
            played.ask(*void[0])
    text = dumped(made(played.records, names=False)).decode()
    assert not any(name in text for name in NAMES)
    assert "the cat" not in text
    assert '"name":"B"' in text
    assert "the cat" in dumped(made(played.records)).decode()
    assert verified(loaded(text.encode())).good


@cache
def whole_file():
    return dumped(made(EVENING.records, picture={1: PICTURE}.get, most=1))


@examples(40)
@given(st.data())
def test_a_damaged_file_is_refused_in_a_sentence_or_read(data):
    whole = whole_file()
    at = data.draw(st.integers(0, len(whole) - 1))
    kind = data.draw(st.sampled_from(["cut", "byte", "swap", "double"]))
    if kind == "cut":
        damaged = whole[:at]
    elif kind == "byte":
        damaged = whole[:at] + bytes([data.draw(st.integers(0, 255))]) + whole[at + 1 :]
    elif kind == "swap":
        damaged = whole[at:] + whole[:at]
    else:
        damaged = whole[:at] + whole[max(0, at - 40) :]
    try:
        file = loaded(damaged)
    except BadGameFile as error:
        assert str(error) and "\n" not in str(error)
        return
    proof = verified(file)
    assert damaged == whole or file == loaded(whole) or not proof.good


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 5)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@examples(50)
@given(st.data())
def test_wrong_types_anywhere_never_trip_the_reader(data):
    given_file = json.loads(DUMPED)
    event = data.draw(st.sampled_from(given_file["events"]))
    where = data.draw(st.sampled_from([given_file, event, event["data"], given_file["events"]]))
    keys = list(where) if isinstance(where, dict) else range(len(where))
    if not keys:
        return
    key = data.draw(st.sampled_from(list(keys)))
    before = json.dumps(where[key])
    where[key] = data.draw(ANYTHING)
    changed = json.dumps(where[key]) != before
    try:
        file = loaded(json.dumps(given_file).encode())
    except BadGameFile:
        return
    assert not changed or not verified(file).good
    try:
        shown = moments(file)
    except BadGameFile as error:
        assert "\n" not in str(error)
    else:
        json.dumps(shown, allow_nan=False)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "not a game file"),
        (b"[" * 100_000, "not a game file"),
        (b'{"a":' * 100_000, "not JSON"),
        (b'\xef\xbb\xbf{"format": "domino-rig-game"}', "not JSON"),
        (b'{"format": 1}', "not a game file"),
        (b"[1, 2]", "not a game file"),
        (b'{"format": "domino-rig-game", "version": 99}', "version 99"),
        (b'{"format": "domino-rig-game", "version": 1}', "'hashes' is missing"),
        (b'{"format": "domino-rig-game", "version": 1, "names": 1e999}', "not JSON"),
        (b'{"format": "domino-rig-game", "version": 1, "names": NaN}', "not JSON"),
        (b'{"format": "domino-rig-game", "version": 1, "names": "\\ud800"}', "not JSON"),
        (
            b'{"format": "domino-rig-game", "version": 1, "hashes": {}, "players": [], '
            b'"names": true, "events": [], "game": "chess"}',
            "has no game 'chess'",
        ),
        (b'{"format": "domino-rig-game", "version": ' + b"9" * 5000 + b"}", "not JSON"),
    ],
)
def test_what_is_no_game_file_is_refused_in_a_sentence(text, said):
    with pytest.raises(BadGameFile, match=said):
        loaded(text)


def test_a_huge_file_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setattr("rig.history.gamefile.LARGEST_BYTES", 10)
    with pytest.raises(BadGameFile, match="larger than"):
        loaded(b" " * 11)


def test_an_empty_journal_has_no_game():
    with pytest.raises(BadGameFile, match="no game to export"):
        made([])


def relinked(file, at, **data):
    """A forger's copy: one event says something else, and all links after it are made anew."""
    events = list(file.events)
    record = events[at].record
    events[at] = replace(events[at], record=replace(record, public={**record.public, **data}))
    link = events[at - 1].link
    for i in range(at, len(events)):
        link = next_link(link, events[i].record)
        events[i] = replace(events[i], link=link)
    return replace(file, events=tuple(events), count=len(events), last=link)


EVENING = Evening(19).play()
FILE = made(EVENING.records)
DUMPED = dumped(FILE)
SHOWN = [i for i, e in enumerate(FILE.events) if e.record.type == "BallotsRevealed"]
JUDGED = [i for i, e in enumerate(FILE.events) if e.record.type == "OutcomeJudged"]


def test_an_honest_game_is_proved_whole():
    proof = verified(FILE)
    assert proof.findings == []
    assert proof.over
    assert proof.rounds == len(JUDGED) >= 3
    assert proof.ballots == sum(len(FILE.events[i].record.public["ballots"]) for i in SHOWN) > 9
    assert proof.fingerprint == FILE.fingerprint


@examples(20)
@given(st.data())
def test_a_ballot_turned_round_breaks_its_seal_even_if_all_links_are_made_anew(data):
    at = data.draw(st.sampled_from(SHOWN))
    ballots = FILE.events[at].record.public["ballots"]
    seat = data.draw(st.sampled_from(list(ballots)))
    other = {"success": "failure", "failure": "success"}[ballots[seat]]
    proof = verified(relinked(FILE, at, ballots={**ballots, seat: other}))
    name = next(p.name for p in EVENING.table.players if p.seat == seat)
    finding = next(f for f in proof.findings if f.v == FILE.events[at].record.v)
    assert in_english(finding.told) == f"{name} sealed {ballots[seat]}, and {other} was shown"


@examples(20)
@given(st.data())
def test_another_outcome_or_other_chips_are_noticed_even_if_all_links_are_made_anew(data):
    at = data.draw(st.sampled_from(JUDGED))
    public = FILE.events[at].record.public
    if data.draw(st.booleans()):
        other = {"fell": "stood", "stood": "fell"}[public["outcome"]]
        forged = relinked(FILE, at, outcome=other)
    else:
        won = {**public["won"]}
        seat = data.draw(st.sampled_from(["s1", "s2", "s3", "s4"]))
        won[seat] = won.get(seat, 0) + data.draw(st.sampled_from([-1, 1, 5]))
        forged = relinked(FILE, at, won=won)
    proof = verified(forged)
    finding = next(f for f in proof.findings if f.v == FILE.events[at].record.v)
    assert "the push is worth" in in_english(finding.told)


@pytest.mark.parametrize("at", [1, len(FILE.events) // 2, len(FILE.events) - 2])
def test_an_event_taken_out_or_put_elsewhere_is_noticed(at):
    events = list(FILE.events)
    taken = replace(FILE, events=(*events[:at], *events[at + 1 :]))
    assert any("taken out" in in_english(f.told) for f in verified(taken).findings)
    events[at], events[at + 1] = events[at + 1], events[at]
    assert not verified(replace(FILE, events=tuple(events))).good


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("PushOrdered", lambda data: {"end": {"left": "right", "right": "left"}[data["end"]]}),
        ("PushOrdered", lambda data: {"toppler": "s1" if data["toppler"] != "s1" else "s2"}),
        ("RoundDealt", lambda data: {"first": "s1" if data["first"] != "s1" else "s2"}),
        ("RoundDealt", lambda data: {"playing": data["playing"][1:]}),
        ("TilePlaced", lambda data: {"seat": "s1" if data["seat"] != "s1" else "s2"}),
        ("DominoCalled", lambda data: {"forced": {}}),
    ],
)
def test_what_the_rules_do_not_allow_is_noticed_even_if_all_links_are_made_anew(kind, change):
    at = [i for i, e in enumerate(FILE.events) if e.record.type == kind][-1]
    forged = relinked(FILE, at, **change(FILE.events[at].record.public))
    found = verified(forged).findings[0]
    v = FILE.events[at].record.v
    assert found.v in (v - 1, v)  # where two events are one command, the first is named
    assert in_english(found.told).startswith("by the rules, ")


def test_a_salt_or_a_seal_that_is_missing_is_noticed():
    at = SHOWN[0]
    public = FILE.events[at].record.public
    salts = dict(list(public["salts"].items())[1:])
    found = verified(relinked(FILE, at, salts=salts)).findings
    assert any("has no salt" in in_english(f.told) for f in found)
    locked = at - 1
    assert FILE.events[locked].record.type == "BallotsLocked"
    found = verified(relinked(FILE, locked, seals={})).findings
    assert any("has no seal" in in_english(f.told) for f in found)


def test_a_file_written_anew_by_another_program_is_still_proved():
    given_file = json.loads(dumped(FILE), parse_float=shortest)
    anew = json.dumps(given_file, indent=3, sort_keys=True).encode()
    assert b"1700000" in anew and b".0," not in anew
    assert verified(loaded(anew)).good


def shortest(text):
    """A number as JavaScript writes it."""
    return int(float(text)) if float(text).is_integer() else float(text)


def test_a_changed_event_is_named_by_its_number():
    events = list(FILE.events)
    record = events[30].record
    events[30] = replace(events[30], record=replace(record, at=record.at + 0.5))
    (finding,) = verified(replace(FILE, events=tuple(events))).findings
    assert finding.v == record.v
    assert "changed after the game" in in_english(finding.told)


def test_a_camera_that_claims_what_it_did_not_see_is_noticed():
    at = next(
        i
        for i, e in enumerate(FILE.events)
        if e.record.type == "OutcomeClaimed" and e.record.public["by"] == "camera"
    )
    seen = max(i for i in range(at) if FILE.events[i].record.type == "OutcomeSeen")
    public = FILE.events[seen].record.public["seen"]
    other = {"fell": "stood", "stood": "fell"}[public["outcome"]]
    found = verified(relinked(FILE, seen, seen={**public, "outcome": other})).findings
    assert [(f.v, f.kind) for f in found] == [(FILE.events[at].record.v, "camera")]
