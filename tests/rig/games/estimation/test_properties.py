"""What holds in every game, however it is played: counts, secrecy, replay."""

import json
from collections.abc import Callable, Container, Iterator
from dataclasses import replace
from functools import reduce
from hashlib import sha256
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rig.games.estimation import commands as cmd
from rig.games.estimation import events as ev
from rig.games.estimation.decide import TABLE, decide
from rig.games.estimation.events import KINDS, decode, encode, secret
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Options
from rig.games.estimation.terms import (
    CAMERA,
    HOST,
    REFEREE,
    End,
    Extent,
    Phase,
    PlacementFault,
    Refused,
    Result,
    Side,
)
from rig.games.estimation.view import view
from rig.serialise import NotPlain
from tests.support.examples import examples

Move: TypeAlias = tuple[str, cmd.Command]
Pick: TypeAlias = Callable[[int], int]

RARE = (
    cmd.Leave,
    cmd.VoidRound,
    cmd.SkipTurn,
    cmd.SkipBallot,
    cmd.CorrectVerdict,
    cmd.TakeBackAccident,
    cmd.TakeBack,
    cmd.FixRow,
    cmd.ClaimAccident,
    cmd.WrongEnd,
    cmd.LoneTileFell,
    cmd.Rematch,
)
CLOSED = (Phase.BALLOT, Phase.COUNTDOWN)

options = st.builds(
    Options,
    tile_values=st.sampled_from([tuple(range(1, 12)), (6, 6, 6, 6, 6, 6, 1, 1, 9, 9, 9)]),
    first_player=st.sampled_from(["pick", "random"]),
    chips=st.sampled_from(["counter", "strict20"]),
    recall=st.sampled_from(["once", "allowed"]),
    max_gap=st.sampled_from(["free", "tile_height"]),
    call_window=st.sampled_from([0.0, 3.0]),
    caller=st.sampled_from(["free", "failure_only"]),
    toppler=st.sampled_from(["placer", "caller", "next"]),
    judge=st.sampled_from(["camera", "people", "host"]),
    next_first=st.sampled_from(["toppler", "left_of_toppler"]),
    extra_round=st.sampled_from(["everyone", "tied_only"]),
    accident=st.sampled_from(["any_standing", "whole_row"]),
    wrong_end=st.sampled_from(["accident", "stood"]),
    ballot_timeout=st.sampled_from([0.0, 20.0]),
    illegal=st.sampled_from(["take_back", "stands"]),
)
seatings = st.integers(2, 5).map(lambda n: tuple("ABCDE"[:n]))


def imaginable(game: Game, pick: Pick, at_s: float) -> Iterator[Move]:
    """Everything that anybody could ask, with details picked by chance."""
    order = tuple(sorted(game.row, key=lambda value: pick(100)))
    supply = game.supply or (1,)
    commands: list[cmd.Command] = [
        cmd.Place(supply[pick(len(supply))], pick(len(game.row) + 1), at_s),
        cmd.Move(pick(len(game.row) or 1), list(End)[pick(2)], at_s),
        cmd.TakeBack([None, *PlacementFault][pick(6)]),
        cmd.FixRow(order),
        cmd.ConsentRow(),
        cmd.DeclineRow(),
        cmd.Call(at_s, {seat: f"salt of {seat}" for seat in game.seats}),
        cmd.Vote(list(Side)[pick(2)], closes=bool(pick(2))),
        cmd.CloseBallots(),
        cmd.LockBallot(),
        cmd.Timeout(at_s),
        cmd.Reveal(),
        cmd.Continue(),
        cmd.ChooseEnd(list(End)[pick(2)]),
        cmd.WrongEnd(),
        cmd.Report(list(Result)[pick(2)]),
        cmd.Confirm(),
        cmd.Object(),
        cmd.Stand(),
        cmd.Dispute(),
        cmd.TableVote(list(Result)[pick(2)]),
        cmd.NextRound(),
        cmd.ClaimAccident([*game.present, None][pick(len(game.present) + 1)], Extent.WHOLE),
        cmd.ConfirmAccident(),
        cmd.RejectAccident(),
        cmd.WithdrawAccident(),
        cmd.TakeBackAccident(),
        cmd.LoneTileFell(),
        cmd.VoidRound(),
        cmd.SkipTurn(),
        cmd.SkipBallot(game.present[pick(len(game.present))] if game.present else "A"),
        cmd.CorrectVerdict(),
        cmd.Leave(game.present[pick(len(game.present))] if game.present else "A"),
        cmd.Rematch(),
    ]
    for command in commands:
        for actor in (*game.seats, HOST, REFEREE, CAMERA):
            yield actor, command


def possible(
    game: Game, pick: Pick, at_s: float, phases: Container[tuple[Phase, type]] | None = None
) -> list[tuple[Move, tuple[ev.Event, ...]]]:
    """What of all that the rules allow, with what would happen.

    With `phases`, only commands are asked for that have a place there: it saves most of the time.
    """
    allowed = []
    for move in imaginable(game, pick, at_s):
        if phases is not None and (game.phase, type(move[1])) not in phases:
            continue
        try:
            allowed.append((move, decide(game, *move)))
        except Refused:
            continue
    return allowed


def play(game: Game, seats: tuple[str, ...], pick: Pick, steps: int) -> Iterator["Step"]:
    """A game as chance has it; each thing possible is as likely, but mishaps are rare."""
    opening = cmd.Start(seats, draw=pick(len(seats)))
    move, events = (HOST, opening), decide(game, HOST, opening)
    for step in range(steps):
        rest = reduce(evolve, events, game)
        yield Step(game, move, events, rest)
        game = rest
        if game.phase is Phase.GAME_OVER:
            return
        allowed = possible(game, pick, 5.0 * step, phases=TABLE)
        rare = pick(12) == 0
        kinds = sorted({type(m[1]).__name__ for m, _ in allowed if (type(m[1]) in RARE) == rare})
        if not kinds:
            kinds = sorted({type(m[1]).__name__ for m, _ in allowed})
        kind = kinds[pick(len(kinds))]
        of_kind = [(m, e) for m, e in allowed if type(m[1]).__name__ == kind]
        move, events = of_kind[pick(len(of_kind))]


class Step:
    """One command that was allowed, with the game before and after it."""

    def __init__(self, before: Game, move: Move, events: tuple[ev.Event, ...], after: Game) -> None:
        self.before, self.move, self.events, self.after = before, move, events, after


def picker(data: st.DataObject) -> Pick:
    """Chance from one seed that Hypothesis can shrink and repeat."""
    chance = Random(data.draw(st.integers(0, 2**32), label="seed"))
    return chance.randrange


def check_state(game: Game) -> None:
    if game.round == 0:
        return
    assert sorted((*game.row, *game.supply)) == sorted(game.options.tile_values)
    assert len(game.row) >= 1
    assert 6 in game.row
    assert all(n >= 0 for n in game.chips.values())
    assert 1 <= game.round <= 4
    assert len(game.history) <= 4
    assert [scored.round for scored in game.history] == list(range(1, len(game.history) + 1))
    assert set(game.playing) <= set(game.present) <= set(game.seats)
    if game.phase is not Phase.GAME_OVER:
        assert len(game.playing) >= 2
        assert game.active is None or game.active in game.playing
        assert game.placer is None or game.placer in game.playing
    if game.phase is Phase.TOPPLE:
        assert game.toppler in game.playing
    if game.options.chips == "strict20":
        assert sum(game.chips.values()) <= 20


def check_event(before: Game, event: ev.Event, after: Game) -> None:
    strict = before.options.chips == "strict20"
    match event:
        case ev.RoundDealt(number, first, playing):
            assert after.row == (6,)
            assert (after.active, after.placer, after.ballots) == (first, None, {})
            assert first in playing
            if number != before.round and before.phase is not Phase.LOBBY:
                assert before.phase is Phase.ROUND_END
                assert number == before.round + 1
        case ev.BallotsRevealed(ballots, salts):
            assert set(ballots) == set(before.playing) == set(before.locked) == set(salts)
            assert ballots[before.placer] is Side.SUCCESS
            for seat, side in ballots.items():
                words = ("", str(before.round), seat, side.value, salts[seat])
                preimage = " ".join(("domino-rig-ballot/1", *words))
                assert before.seals[seat] == sha256(preimage.encode()).hexdigest()
        case ev.OutcomeJudged(outcome, won):
            sides = list(before.ballots.values())
            sizes = {side: sides.count(side) for side in Side}
            winners = [s for s in before.playing if before.ballots[s] is outcome.winning_side]
            due = sizes[outcome.winning_side.other] * len(winners)
            assert sum(won.values()) == due or (strict and sum(won.values()) < due)
            assert set(won) <= set(winners)
            if set(before.playing) == set(before.ballots):
                assert due == sizes[Side.SUCCESS] * sizes[Side.FAILURE]
        case ev.AccidentConfirmed(culprit, won):
            due = len([seat for seat in before.playing if seat != culprit]) if culprit else 0
            assert sum(won.values()) == due or (strict and sum(won.values()) < due)
            assert culprit not in won
            assert due == 0 or culprit not in before.playing or due == len(before.playing) - 1
        case ev.AccidentTakenBack(_, returned):
            assert before.accident_paid is not None
            assert {s: before.chips[s] - after.chips[s] for s in returned} == dict(returned)
            assert min(after.chips.values()) >= 0
    if not isinstance(event, ev.RoundDealt | ev.LobbyReopened):
        assert after.round == before.round


@examples(12)
@given(options, seatings, st.data())
def test_counts_and_rounds_are_right_in_every_game(given_options, seats, data):
    game = Game(options=given_options)
    for step in play(game, seats, picker(data), steps=120):
        game = step.before
        for event in step.events:
            after = evolve(game, event)
            check_event(game, event, after)
            game = after
        check_state(step.after)
        transition = TABLE[step.before.phase, type(step.move[1])]
        assert step.after.phase in transition.to
        assert step.after.turn >= step.before.turn
        if step.after.phase_id == step.before.phase_id:
            assert step.after.row == step.before.row or isinstance(step.events[0], ev.RowFixed)


@examples(12)
@given(options, seatings, st.data())
def test_replaying_the_written_events_gives_the_same_game(given_options, seats, data):
    written: list[str] = []
    game = Game(options=given_options)
    for step in play(game, seats, picker(data), steps=80):
        game = step.after
        written += [json.dumps(encode(event), allow_nan=False) for event in step.events]
    events = [decode(json.loads(line)) for line in written]
    assert reduce(evolve, events, Game()) == game
    assert [json.dumps(encode(event)) for event in events] == written


@examples(12)
@given(options, seatings, st.data())
def test_no_view_but_its_owners_depends_on_a_sealed_ballot(given_options, seats, data):
    for step in play(Game(options=given_options), seats, picker(data), steps=60):
        game = step.after
        viewers = (*game.seats, HOST, None)
        seen = {viewer: view(game, viewer) for viewer in viewers}
        json.dumps([*seen.values()], allow_nan=False)
        if game.stage not in CLOSED:
            continue
        for seat in set(game.ballots) - game.forced:
            other = {**game.ballots, seat: game.ballots[seat].other}
            twin = replace(game, ballots=other)
            for viewer in viewers:
                same = seen[viewer] == view(twin, viewer)
                assert same == (viewer != seat or game.phase is Phase.ACCIDENT)


@examples(12)
@given(options, seatings, st.data())
def test_nobody_else_can_find_out_a_sealed_ballot_by_trying(given_options, seats, data):
    pick = picker(data)
    for step in play(Game(options=given_options), seats, pick, steps=60):
        game = step.after
        if game.phase is not Phase.BALLOT:
            continue
        for seat in set(game.ballots) - game.forced:
            twin = replace(game, ballots={**game.ballots, seat: game.ballots[seat].other})
            for actor, command in imaginable(game, pick, at_s=1e6):
                if actor != seat:
                    assert answer(game, actor, command) == answer(twin, actor, command)


def answer(game: Game, actor: str, command: cmd.Command) -> object:
    """What the actor gets to know from a command: events, or the reason of the refusal.

    A seal tells nothing to whoever does not know its salt, so it counts as a word.
    """
    try:
        told = decide(game, actor, command)
        return [
            replace(event, seals=dict.fromkeys(event.seals, "seal"))
            if isinstance(event, ev.BallotsLocked)
            else event
            for event in told
        ]
    except Refused as refused:
        return refused.reason


def any_of(kind: type[ev.Event]) -> st.SearchStrategy[ev.Event]:
    """Events of one kind with whatever their fields can hold."""
    given_fields = {"options": options} if kind is ev.GameStarted else {}
    if "at_s" in kind.__dataclass_fields__:
        given_fields["at_s"] = st.floats(allow_nan=False, allow_infinity=False)
    return st.builds(kind, **given_fields)


@given(st.one_of([any_of(kind) for kind in KINDS.values()]))
def test_every_event_comes_back_from_json_as_it_was(event):
    assert decode(json.loads(json.dumps(encode(event)))) == event


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"type": "RowBlessed"}, "^event type 'RowBlessed' is not known, expected one of Game"),
        ({"type": ["RowFixed"]}, "^event type .* is not known"),
        ({"seat": "A"}, "^event type None is not known"),
        ({"type": "BallotCast", "seat": "A"}, "^BallotCast.side: the field is missing"),
        ({"type": "BallotLocked", "seat": "A", "side": "success"}, "^BallotLocked: .* no field"),
        ({"type": "BallotLocked", "seat": 7}, "^BallotLocked.seat: expected str, not 7"),
        ({"type": "BallotCast", "seat": "A", "side": "up"}, "side: expected one of success, fail"),
        ({"type": "RowFixed", "seat": "A", "order": 3}, "order: expected list, not 3"),
        ({"type": "RowFixed", "seat": "A", "order": [True]}, r"order\[0\]: expected int, not True"),
        (
            {"type": "BallotsRevealed", "ballots": {"A": 1}},
            r"ballots\['A'\]: expected one of success",
        ),
        ({"type": "GameStarted", "seats": [], "options": []}, "options: expected dict, not"),
    ],
)
def test_data_that_is_no_event_is_refused_by_field(data, message):
    with pytest.raises(NotPlain, match=message):
        decode(data)


def test_a_time_written_as_a_whole_number_is_still_a_time():
    event = decode({"type": "DominoCalled", "caller": "B", "forced": {}, "at_s": 3})
    assert type(event.at_s) is float


def test_a_game_written_before_an_option_was_known_has_its_default():
    event = decode({"type": "GameStarted", "seats": ["A", "B"], "options": {"recall": "allowed"}})
    assert event.options == Options(recall="allowed")


@given(st.sampled_from(Side))
def test_the_side_of_a_ballot_and_its_salt_are_the_only_secrets_in_the_events(side):
    assert secret(ev.BallotCast("A", side)) == {"side"}
    assert encode(ev.BallotCast("A", side)) == {
        "type": "BallotCast",
        "seat": "A",
        "side": side.value,
    }
    hidden = {name for name, kind in KINDS.items() if secret(kind)}
    assert hidden == {"BallotCast", "DominoCalled"}
    assert secret(ev.DominoCalled) == {"salts"}


def test_every_transition_of_the_table_happens_and_no_other():
    drawn = {(phase, command, to) for (phase, command), t in TABLE.items() for to in t.to}
    in_extra_rounds = {
        (phase, cmd.CorrectVerdict, to)
        for phase, command in TABLE
        if command is cmd.CorrectVerdict
        for to in (Phase.TURN, Phase.GAME_OVER)
    }
    drawn -= in_extra_rounds  # which chance hardly ever reaches
    seen = set()
    chance = Random(2)  # reaches all of it soonest of a few
    for _ in range(400):
        table = Options(
            tile_values=(6, 6, 6, 6, *range(2, 9)),
            caller=chance.choice(["free", "failure_only"]),
            judge=chance.choice(["camera", "host"]),
            wrong_end=chance.choice(["accident", "stood"]),
            ballot_timeout=20.0,
        )
        seats = tuple("ABC"[: chance.choice([2, 3])])
        for n, step in enumerate(play(Game(options=table), seats, chance.randrange, steps=60)):
            known = None if n % 4 == 0 else TABLE  # all the others are refused; a quarter is tried
            for move, events in possible(step.after, chance.randrange, 1e6, phases=known):
                after = reduce(evolve, events, step.after)
                seen.add((step.after.phase, type(move[1]), after.phase))
        if len(drawn - seen) == 1:
            break
    assert seen <= drawn | in_extra_rounds
    assert drawn - seen == {(Phase.LOBBY, cmd.Start, Phase.TURN)}
