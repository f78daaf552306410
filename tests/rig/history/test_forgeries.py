"""Whatever is changed in a game file is found, and said to be what it is."""

from functools import cache

import pytest

from rig.games.estimation.table.estimation_play import PLAY
from rig.history.gamefile import digits, made
from rig.history.restore import games_in
from rig.history.verify import verified
from rig.session.fingerprint import games, short
from tests.support.evenings import Evening
from tests.support.forging import OTHER, Forged
from tests.support.telling import unmarked_findings


@cache
def files(seed):
    """The first game of an evening, and the whole of it; with pictures."""
    evening = Evening(seed, filmed=True).play()
    evening.again()
    for _ in range(4):
        evening.step()
    how = {"picture": evening.pictures.get, "most": 40}
    span = games(evening.records, PLAY)[0]
    return made(evening.records, span, **how), made(evening.records, **how)


GAME, TABLE = (19, 0), (19, 1)
"""Accident denied, disputes, table votes, a void round, an undone step, a ballot that ran out."""
OTHER_GAME, OTHER_TABLE = (103, 0), (103, 1)
"""Accidents, a corrected verdict, a seat that left, a row that was taken back."""


def file_of(evening):
    """The file of an evening's seed: of its first game, or of its whole table."""
    seed, which = evening
    return files(seed)[which]


EDITS = []
"""What somebody does with an editor, who leaves the links alone; and what is said of it."""
ANEW = []
"""The same for somebody who makes all links anew: only what the events mean can betray it."""


def edit(kind, file=GAME):
    return lambda forge: EDITS.append((forge.__name__, forge, file, kind)) or forge


def anew(kind, file=GAME):
    return lambda forge: ANEW.append((forge.__name__, forge, file, kind)) or forge


def both(kind, file=GAME):
    return lambda forge: edit(kind, file)(anew(kind, file)(forge))


@both("swapped")
def a_ballot_turned_round(forged):
    ballots = forged.data("BallotsRevealed")["ballots"]
    seat = next(iter(ballots))
    ballots[seat] = OTHER[ballots[seat]]


@both("broken")
def another_salt(forged):
    salts = forged.data("BallotsRevealed")["salts"]
    salts[next(iter(salts))] = 64 * "0"


@both("no_salt")
def a_salt_taken_out(forged):
    salts = forged.data("BallotsRevealed")["salts"]
    del salts[next(iter(salts))]


@anew("broken")
def another_seal(forged):
    seals = forged.data("BallotsLocked")["seals"]
    seals[next(iter(seals))] = 64 * "0"
    forged.find("BallotsRevealed")


@anew("no_seal")
def a_seal_taken_out(forged):
    seals = forged.data("BallotsLocked")["seals"]
    del seals[next(iter(seals))]
    forged.find("BallotsRevealed")


@both("unsealed")
def all_seals_taken_out(forged):
    for event in forged.events:
        for name in ("seals", "salts"):
            event["data"].pop(name, None)
    forged.find("BallotsLocked")


@both("unsealed")
def all_seals_emptied(forged):
    for event in forged.events:
        for name in {"seals", "salts"} & event["data"].keys():
            event["data"][name] = {}
    forged.find("BallotsLocked")


@anew("unsealed")
def all_seals_taken_out_and_the_name_of_the_game(forged):
    all_seals_taken_out(forged)
    del forged.data("GameStarted")["id"]
    forged.find("BallotsLocked")


@anew("unsealed")
def all_seals_taken_out_of_what_is_said_to_be_an_older_file(forged):
    as_version_1(forged)
    all_seals_taken_out(forged)


@both("broken")
def another_name_of_the_game(forged):
    forged.data("GameStarted")["id"] = 64 * "0"
    forged.find("BallotsRevealed")


@both("paid")
def another_outcome(forged):
    data = forged.data("OutcomeJudged")
    data["outcome"] = OTHER[data["outcome"]]


@both("paid")
def a_chip_more(forged):
    won = forged.data("OutcomeJudged")["won"]
    won[next(iter(won))] += 1


@both("paid")
def a_chip_for_somebody_else(forged):
    data = forged.data("OutcomeJudged")
    won = {seat: n for seat, n in data["won"].items() if n}
    first, *rest = won
    data["won"] = {forged.seat_but(*won): won[first], **{s: won[s] for s in rest}}


@both("paid", OTHER_GAME)
def an_accident_that_pays_nobody(forged):
    forged.data("AccidentConfirmed", where=lambda e: any(e["data"]["won"].values()))["won"] = {}


@both("paid", OTHER_GAME)
def a_corrected_verdict_that_gives_nothing_back(forged):
    forged.data("VerdictCorrected", where=lambda e: any(e["data"]["returned"].values()))[
        "returned"
    ] = {}


@both("winners")
def another_winner(forged):
    data = forged.data("GameEnded")
    data["winners"] = [forged.seat_but(*data["winners"])]


@both("winners")
def another_ranking(forged):
    forged.data("GameEnded")["ranking"].reverse()


@both("rules")
def a_tile_that_is_not_there(forged):
    forged.data("TilePlaced")["value"] = 6


@both("rules")
def a_tile_placed_by_another(forged):
    event = forged.find("TilePlaced", 3)
    event["data"]["seat"] = event["actor"] = forged.seat_but(event["data"]["seat"])


@both("rules")
def a_tile_placed_out_of_turn(forged):
    one, other = (forged.find("TilePlaced", n) for n in (2, 1))
    one["actor"], other["actor"] = other["actor"], one["actor"]
    for name in ("seat", "value", "position"):
        one["data"][name], other["data"][name] = other["data"][name], one["data"][name]


@both("rules")
def a_call_by_the_placer(forged):
    event = forged.find("DominoCalled")
    (placer,) = event["data"]["forced"]
    event["data"]["caller"] = event["actor"] = placer


@both("rules")
def a_placer_without_a_forced_ballot(forged):
    forged.data("DominoCalled")["forced"] = {}


@both("rules")
def another_first_player_of_a_round(forged):
    data = forged.data("RoundDealt", 1)
    data["first"] = forged.seat_but(data["first"])


@both("rules")
def a_round_that_one_seat_sits_out(forged):
    forged.data("RoundDealt", 1)["playing"].pop()


@both("rules")
def a_push_of_the_other_end(forged):
    data = forged.data("PushOrdered")
    data["end"] = OTHER[data["end"]]


@both("rules")
def a_push_by_another(forged):
    data = forged.data("PushOrdered")
    data["toppler"] = forged.seat_but(data["toppler"])


@both("rules")
def a_vote_that_was_passed_before_all_ballots_were_in(forged):
    forged.insert(forged.find("BallotCast"), "EstimationPassed", "referee")


@anew("rules")
def a_call_that_was_made_twice(forged):
    call = forged.find("DominoCalled")
    forged.insert(call, "DominoCalled", call["actor"], **call["data"])
    forged.at += 1


@anew("rules")
def a_vote_taken_out(forged):
    call = forged.find("DominoCalled")
    cast = forged.events[forged.index(call) + 1]
    seat = cast["data"]["seat"]
    for each in [e for e in forged.events[forged.index(call) :][:9] if e["type"] == "BallotCast"]:
        if each["data"]["seat"] == seat:
            forged.take_out(each)
    forged.find("BallotsLocked")


@both("actor")
def a_vote_given_by_another(forged):
    event = forged.find("BallotCast")
    event["actor"] = forged.seat_but(event["data"]["seat"])


@both("actor")
def a_vote_given_by_the_host_as_such(forged):
    forged.find("BallotCast")["actor"] = "host"


@both("actor")
def a_vote_given_by_a_hand_that_is_not_the_hosts(forged):
    event = forged.find("BallotCast", where=lambda e: e["data"]["seat"] != "s3")
    own = event["data"]["seat"]
    event["actor"] = f"{forged.seat_but(own, forged.json['host'])} for {own}"


@both("actor")
def a_vote_of_a_bot_given_by_a_hand(forged):
    forged.find("BallotCast", where=lambda e: e["data"]["seat"] == "s3")["actor"] = "host for s3"


@both("actor")
def a_reveal_by_a_seat(forged):
    forged.find("BallotsRevealed")["actor"] = "s2"


@both("actor")
def a_tile_placed_by_the_camera(forged):
    forged.find("TilePlaced")["actor"] = "camera"


@both("actor")
def an_outcome_settled_by_nobody_in_particular(forged):
    forged.find("OutcomeJudged", where=lambda e: e["actor"] == "referee")["actor"] = "s1"


@both("actor", OTHER_GAME)
def a_verdict_corrected_by_a_guest(forged):
    forged.find("VerdictCorrected")["actor"] = "s2"


@both("actor")
def a_round_made_void_by_a_guest(forged):
    forged.find("RoundVoided")["actor"] = "s4"


@both("actor")
def a_step_undone_by_a_guest(forged):
    forged.find("Undone")["actor"] = "s2"


@both("actor")
def a_push_asked_for_by_another(forged):
    event = forged.find("PushRequested")
    event["actor"] = forged.seat_but(event["actor"])


@both("actor")
def a_look_by_a_seat(forged):
    forged.find("OutcomeSeen")["actor"] = "s2"


@both("actor")
def an_actor_that_nobody_is(forged):
    forged.find("BallotCast")["actor"] = "s9"


@both("actor", TABLE)
def a_name_changed_by_another(forged):
    first = forged.find("GameStarted")
    forged.insert(first, "Renamed", "s2", seat="s4", name="Mallory")


@anew("actor", TABLE)
def the_hosts_rights_taken_by_a_phone(forged):
    start = forged.find("GameStarted")
    forged.insert(start, "HostGiven", "s2", device="phone 3")


@anew("actor")
def a_drawer_handed_on_by_a_guest(forged):
    forged.insert(forged.find("BallotCast"), "HostHanded", "s2", seat="s4")


@anew("actor", TABLE)
def a_game_begun_by_a_guest(forged):
    event = forged.find("GameStarted")
    for each in forged.events[forged.index(event) :][:2]:
        each["actor"] = "s2"
    forged.find("GameStarted")


@both("table")
def options_changed_in_the_game(forged):
    options = forged.data("GameStarted")["options"]
    other = {**options, "toppler": "caller"}
    forged.insert(forged.find("BallotCast"), "OptionsChosen", "host", options=other)


@anew("table", TABLE)
def options_other_than_those_that_were_chosen(forged):
    start = forged.find("GameStarted")
    options = {**start["data"]["options"], "chips": "strict20"}
    forged.insert(start, "OptionsChosen", "host", options=options)
    forged.find("GameStarted")


@both("table")
def another_order_of_seats(forged):
    forged.json["players"].reverse()
    forged.find("GameStarted")


@both("table", TABLE)
def a_seat_that_is_taken_already(forged):
    forged.data("Seated", 1)["seat"] = "s1"


@both("table", TABLE)
def a_name_that_is_taken_already(forged):
    forged.data("Seated", 1)["name"] = "OLENA"


@both("table")
def a_push_of_the_wrong_end(forged):
    data = forged.data("PushRequested")
    data["end"] = OTHER[data["end"]]


@anew("table")
def a_push_that_nobody_asked_for(forged):
    forged.take_out(forged.find("PushRequested"))


@anew("table")
def an_end_of_another_push(forged):
    forged.data("PushEnded")["number"] += 1


@anew("table")
def a_push_that_was_asked_for_twice(forged):
    end = forged.find("PushEnded")
    asked = forged.find("PushRequested")
    number = asked["data"]["number"] + 1
    forged.insert(end, "PushRequested", asked["actor"], **{**asked["data"], "number": number})


@anew("table")
def a_step_undone_that_nobody_took(forged):
    forged.insert(forged.find("BallotCast"), "Undone", "host", what="placed")


@both("camera")
def a_camera_that_saw_the_opposite(forged):
    claim = forged.find("OutcomeClaimed", where=lambda e: e["data"]["by"] == "camera")
    seen = [e for e in forged.events[: forged.index(claim)] if e["type"] == "OutcomeSeen"][-1]
    seen["data"]["seen"]["outcome"] = OTHER[seen["data"]["seen"]["outcome"]]


@anew("camera")
def a_camera_that_saw_nothing(forged):
    claim = forged.find("OutcomeClaimed", where=lambda e: e["data"]["by"] == "camera")
    seen = [e for e in forged.events[: forged.index(claim)] if e["type"] == "OutcomeSeen"][-1]
    seen.update(type="Withheld", data={})


@both("time")
def a_time_that_runs_backwards(forged):
    forged.find("BallotsRevealed")["at"] -= 3600


@both("time")
def a_time_that_runs_ahead(forged):
    event = forged.find("BallotCast")
    forged.at = forged.events[forged.index(event) + 1]["v"]
    event["at"] += 3600


@anew("time")
def half_a_command_at_another_time(forged):
    start = forged.find("GameStarted")
    dealt = forged.events[forged.index(start) + 1]
    start["at"] -= 5
    forged.at = dealt["v"]


@both("time")
def a_tile_placed_in_time_to_come(forged):
    forged.data("TilePlaced")["at_s"] += 3600


@both("half")
def the_end_cut_within_a_command(forged):
    dealt = forged.index(forged.find("RoundDealt"))  # written together with the game's start
    del forged.events[dealt:]
    forged.at = forged.events[-1]["v"]


@both("picture")
def a_picture_exchanged(forged):
    forged.picture(1, b"\xff\xd8 another one \xff\xd9")


@both("picture")
def two_pictures_changed_over(forged):
    pictures = forged.json["pictures"]
    pictures["1"], pictures["2"] = pictures["2"], pictures["1"]


@both("picture")
def a_picture_and_its_hash_taken_out(forged):
    del forged.json["pictures"]["1"], forged.json["hashes"]["1"]
    forged.find("PushBegun")


@both("event")
def an_event_of_no_known_kind(forged):
    forged.find("BallotCast")["type"] = "BallotBought"


@both("event")
def an_event_with_a_word_too_many(forged):
    forged.data("BallotCast")["side"] = "failure"


@edit("end")
def the_last_event_cut(forged):
    forged.events.pop()


@edit("end")
def the_last_twenty_events_cut(forged):
    del forged.events[-20:]


@edit("end")
def all_but_the_beginning_cut(forged):
    del forged.events[2:]


@edit("end")
def the_last_event_doubled(forged):
    forged.events.append({**forged.events[-1], "v": forged.events[-1]["v"] + 1})


@edit("end")
def another_count(forged):
    forged.json["count"] += 1


@edit("end")
def another_last_link(forged):
    forged.json["last"] = 64 * "0"


@edit("gap")
def an_event_taken_out(forged):
    event = forged.find("BallotCast")
    del forged.events[forged.index(event)]
    forged.at += 1


@edit("gap")
def numbers_that_leap(forged):
    event = forged.find("BallotCast")
    for each in forged.events[forged.index(event) :]:
        each["v"] += 1
    forged.at += 1


@edit("gap")
def two_events_changed_over(forged):
    i = forged.index(forged.find("BallotCast"))
    forged.events[i], forged.events[i + 1] = forged.events[i + 1], forged.events[i]
    forged.at += 1


@edit("changed")
def another_name_in_the_head(forged):
    forged.json["players"][0]["name"] = "Mallory"
    forged.at = forged.events[0]["v"]


@edit("changed")
def another_mark(forged):
    forged.json["players"][0]["mark"] = "cross"
    forged.at = forged.events[0]["v"]


@edit("changed")
def another_host(forged):
    forged.json["host"] = "s2"
    forged.at = forged.events[0]["v"]


@edit("changed")
def another_hash(forged):
    forged.json["hashes"]["1"] = 64 * "0"
    forged.at = forged.events[0]["v"]


@edit("changed")
def as_version_1(forged):
    forged.json["version"] = 1
    forged.at = forged.events[0]["v"]


@edit("changed")
def another_link(forged):
    forged.find("BallotCast")["link"] = 64 * "0"


@edit("changed")
def a_time_moved_by_a_blink(forged):
    forged.find("BallotCast")["at"] += 0.25


@edit("changed")
def another_reason(forged):
    forged.data("RoundVoided")["why"] = "the dog"


@edit("changed")
def a_prediction_made_better(forged):
    forged.data("PushRequested")["forecast"]["p_fall"] = 1.0


@edit("changed")
def an_event_withheld(forged):
    forged.find("OutcomeSeen").update(type="Withheld", data={})


def found(forged, file, kind):
    """Whether this is said of the event that was forged, or of the file; in no foreign word."""
    findings = verified(file).findings
    assert unmarked_findings(findings, file) == []
    return any(f.kind == kind and f.v in (forged.at, 0) for f in findings), findings


@pytest.mark.parametrize(
    ("forge", "file", "kind"), [e[1:] for e in EDITS], ids=[e[0] for e in EDITS]
)
def test_an_edit_is_found_for_what_it_is(forge, file, kind, marks):
    forged = Forged(file_of(file))
    forge(forged)
    said, findings = found(forged, forged.as_it_is(), kind)
    assert said, (forged.at, findings)


@pytest.mark.parametrize(("forge", "file", "kind"), [e[1:] for e in ANEW], ids=[e[0] for e in ANEW])
def test_an_edit_is_found_for_what_it_is_even_if_all_links_are_made_anew(forge, file, kind, marks):
    forged = Forged(file_of(file))
    forge(forged)
    said, findings = found(forged, forged.linked_anew(), kind)
    assert said, (forged.at, findings)


def test_there_are_as_many_edits_as_are_promised():
    assert len(EDITS) >= 40
    assert len(ANEW) >= 33


@pytest.mark.parametrize("file", [GAME, TABLE, OTHER_GAME, OTHER_TABLE])
def test_what_was_not_forged_is_not_said_to_be(file):
    file = file_of(file)
    assert verified(Forged(file).as_it_is()).findings == []
    assert Forged(file).linked_anew() == file


def test_the_last_events_can_be_cut_anywhere_and_it_is_noticed():
    game = file_of(GAME)
    for kept in range(1, len(game.events), 7):
        forged = Forged(game)
        del forged.events[kept:]
        assert "end" in {f.kind for f in verified(forged.as_it_is()).findings}


@pytest.mark.parametrize(("forge", "file"), [e[1:3] for e in ANEW], ids=[e[0] for e in ANEW])
def test_whoever_makes_all_links_anew_changes_the_fingerprint(forge, file):
    file = file_of(file)
    forged = Forged(file)
    forge(forged)
    anew = forged.linked_anew()
    pictures_alone = anew.events == file.events
    assert pictures_alone or not anew.fingerprint.startswith(digits(short(file.fingerprint)))


def test_what_only_the_fingerprint_betrays_is_found_by_it():
    game = file_of(GAME)
    forged = Forged(game)
    forged.json["players"][0]["name"] = "Mallory"
    anew = forged.linked_anew()
    assert verified(anew).good
    (finding,) = verified(anew, digits(short(game.fingerprint))).findings
    assert (finding.v, finding.kind) == (0, "fingerprint")
    assert verified(game, digits(short(game.fingerprint))).good


def test_a_game_has_one_fingerprint_alone_and_in_the_file_of_its_table():
    for game, table in map(files, (19, 103)):
        assert next(games_in(table)).fingerprint == game.fingerprint
        assert verified(table, game.fingerprint).matches
        assert verified(table, table.fingerprint).matches
