"""What happens if an actor does something now: the table of section 4 of the rules."""

from rig.games.dominoes import commands as cmd
from rig.games.dominoes import events as ev
from rig.games.dominoes.bones import DOUBLES, SET, Bone, NoBone, bone, fits, laid
from rig.games.dominoes.game import Game, How, Phase, Result, blocked, changed, may_stake
from rig.games.dominoes.lead import dealt, found_lead, must_redeal, searches
from rig.games.dominoes.scoring import decided, pips, rating, scored
from rig.games.dominoes.terms import Reason, Refused
from rig.games.interface import REFEREE, BadOption, Seat

_ENDS = ("left", "right")


def decide(game: Game, actor: str, command: cmd.Command) -> tuple[ev.Event, ...]:
    """Say what happens if this actor does this now.

    Raises:
        Refused: the phase, the actor or the rules do not allow it; nothing has changed.
    """
    match game.phase, command:
        case Phase.LOBBY, cmd.Start():
            return _started(game, command)
        case Phase.DEAL, cmd.Deal(order) if actor == REFEREE:
            return _dealt(game, order)
        case Phase.ROUND_END, cmd.NextRound() if actor == REFEREE:
            return (ev.RoundBegan(game.round + 1),)
        case Phase.GAME_OVER, cmd.Rematch():
            return (ev.LobbyReopened(),)
        case ((Phase.LEAD | Phase.TURN), cmd.Timeout(seat)) if actor == REFEREE:
            return _timed_out(game, seat)
        case ((Phase.LOBBY | Phase.GAME_OVER), cmd.Leave()):
            raise Refused(Reason.WRONG_PHASE)
        case _, cmd.Leave(seat):
            return ev.SeatLeft(seat), ev.GameEnded((), (), (None,) * len(game.seats))
        case (
            (Phase.LEAD | Phase.TURN),
            (cmd.Place() | cmd.PlaceTwo() | cmd.DrawBone() | cmd.Pass() | cmd.Stake()),
        ):
            return _played(game, _acting(game, actor, command), command)
        case _:
            raise Refused(Reason.WRONG_PHASE)


def _acting(game: Game, actor: str, command: cmd.Command) -> Seat:
    """The seat that does this: the actor, or the active one for whom the referee acts."""
    assert game.active is not None
    if actor == REFEREE:
        return game.active
    if actor not in game.seats:
        raise Refused(Reason.NOT_FOR_YOU)
    if actor != game.active and not isinstance(command, cmd.Stake):
        raise Refused(Reason.NOT_YOUR_TURN)
    return actor


def _started(game: Game, command: cmd.Start) -> tuple[ev.Event, ...]:
    seats = command.seats
    if len(set(seats)) != len(seats):
        raise Refused(Reason.PLAYER_COUNT, "Every seat needs a name of its own.")
    try:
        game.options.for_players(len(seats))
    except BadOption as error:
        why = str(error).removeprefix("seats: ")
        raise Refused(
            Reason.PLAYER_COUNT, f"{why}; choose another number of players or other options."
        ) from None
    return (ev.GameStarted(seats, game.options, command.id),)


def _dealt(game: Game, order: tuple[int, ...]) -> tuple[ev.Event, ...]:
    if sorted(order) != list(range(len(SET))):
        raise Refused(Reason.BAD_DEAL)
    each = game.options.hand_of(len(game.seats))
    hands, boneyard = dealt(order, game.seats, each)
    shown: list[ev.Event] = [ev.HandDealt(seat, hand) for seat, hand in hands.items()]
    shown.append(ev.BoneyardLaid(len(boneyard), boneyard))
    return (*shown, *led(changed(game, hands=hands)))


def led(game: Game) -> tuple[ev.Event, ...]:
    """What follows from the hands that were dealt: dealing anew, or who leads."""
    if any(must_redeal(game.options, hand) for hand in game.hands.values()):
        return (ev.RedealOrdered(),)
    if not searches(game):
        assert game.leader is not None
        return (ev.LeadGiven(game.leader, False, None),)
    found = found_lead(game.options, game.hands)
    return (ev.RedealOrdered(),) if found is None else (ev.LeadGiven(found[0], True, found[1]),)


def _played(game: Game, seat: Seat, command: cmd.Command) -> tuple[ev.Event, ...]:
    match command:
        case cmd.Stake():
            return _staked(game, seat)
        case cmd.Place(tile, end) if game.phase is Phase.LEAD:
            return _led(game, seat, _named(tile), end)
        case _ if game.phase is Phase.LEAD:
            raise Refused(Reason.WRONG_PHASE)
        case cmd.Place(tile, end):
            return _placed(game, seat, ((_named(tile), end),))
        case cmd.PlaceTwo(tiles, ends):
            return _placed_two(game, seat, tuple(map(_named, tiles)), ends)
        case cmd.DrawBone():
            return _drawn(game, seat)
        case _:
            return _passed(game, seat)


def _named(tile: object) -> Bone:
    try:
        return bone(tile)
    except NoBone:
        raise Refused(Reason.BAD_BONE) from None


def _staked(game: Game, seat: Seat) -> tuple[ev.Event, ...]:
    if not may_stake(game, seat):
        raise Refused(Reason.NO_STAKE)
    return (ev.StakeClaimed(seat),)


def _led(game: Game, seat: Seat, one: Bone, end: str | None) -> tuple[ev.Event, ...]:
    if one not in game.hands[seat]:
        raise Refused(Reason.NOT_IN_HAND)
    if end:
        raise Refused(Reason.LEAD_NEEDS_NO_END)
    if game.forced not in (None, one):
        raise Refused(Reason.MUST_LEAD)
    return _laid(game, seat, ((one, None),))


def _placed(
    game: Game, seat: Seat, moves: tuple[tuple[Bone, str | None], ...]
) -> tuple[ev.Event, ...]:
    left, right = game.ends
    for one, end in moves:
        if one not in game.hands[seat]:
            raise Refused(Reason.NOT_IN_HAND)
        if end not in _ENDS:
            raise Refused(Reason.BAD_END)
        if not fits(one, (left,) if end == "left" else (right,)):
            raise Refused(Reason.DOES_NOT_FIT)
    return _laid(game, seat, moves)


def _placed_two(
    game: Game, seat: Seat, tiles: tuple[Bone, ...], ends: tuple[str, ...]
) -> tuple[ev.Event, ...]:
    if not game.options.multi_double:
        raise Refused(Reason.ONE_BONE)
    two = len(tiles) == len(set(tiles)) == 2 and all(one in DOUBLES for one in tiles)
    if not two or sorted(ends) != sorted(_ENDS):
        raise Refused(Reason.TWO_DOUBLES)
    return _placed(game, seat, tuple(zip(tiles, ends, strict=True)))


def _laid(
    game: Game, seat: Seat, moves: tuple[tuple[Bone, str | None], ...]
) -> tuple[ev.Event, ...]:
    """Lay bones that fit; the round may be over then."""
    hand, line = game.hands[seat], game.line
    for one, end in moves:
        hand = tuple(each for each in hand if each != one)
        line = laid(one, line, end)
    done = tuple(ev.BonePlaced(seat, one, end or "") for one, end in moves)
    after = changed(game, hands={**game.hands, seat: hand}, line=line, placer=seat)
    if not hand:
        return (*done, *_ended(after, How.OUT, seat, moves[-1][0]))
    if blocked(after):
        return (*done, *_ended(after, How.FISH, seat, moves[-1][0]))
    return (*done, ev.TurnBegan(game.after(seat)))


def _drawn(game: Game, seat: Seat) -> tuple[ev.Event, ...]:
    if game.can_place(seat):
        raise Refused(Reason.CAN_PLACE)
    if not game.drawable:
        raise Refused(Reason.BONEYARD_CLOSED)
    if not game.may_draw:
        raise Refused(Reason.ALREADY_DRAWN)
    return (ev.BoneDrawn(seat, game.boneyard[0]),)


def _passed(game: Game, seat: Seat) -> tuple[ev.Event, ...]:
    if game.can_place(seat):
        raise Refused(Reason.CAN_PLACE)
    if game.may_draw:
        raise Refused(Reason.CAN_DRAW)
    if blocked(game):
        assert game.placer is not None
        return (ev.Knocked(seat), *_ended(game, How.FISH, game.placer, ""))
    return ev.Knocked(seat), ev.TurnBegan(game.after(seat))


def _ended(game: Game, how: How, seat: Seat, last: Bone) -> tuple[ev.Event, ...]:
    counted = {each: pips(game.options, hand) for each, hand in game.hands.items()}
    books = scored(game, how, seat, counted)
    result = Result(how, seat, game.hands, counted, books.credited)
    ended = ev.RoundEnded(result, books.account, books.memory, books.carry, books.opener)
    over = decided(game, books, how, seat, last, counted)
    if over is None:
        return (ended,)
    winners, losers = over
    return ended, ev.GameEnded(winners, losers, rating(game, books.account, losers))


def _timed_out(game: Game, seat: Seat) -> tuple[ev.Event, ...]:
    if not (game.options.rating and game.options.move_clock):
        raise Refused(Reason.NO_CLOCK)
    if seat != game.active:
        raise Refused(Reason.NOT_YOUR_TURN)
    lost = (game.side_of(seat),)
    won = tuple(side for side in range(len(game.sides)) if side not in lost)
    points = rating(game, game.account, lost, late=seat)
    return ev.TimedOut(seat), ev.GameEnded(won, lost, points)
