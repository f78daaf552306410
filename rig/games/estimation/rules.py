"""Estimation Domino as every table needs a game: the port `rig.games.interface.Rules`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import decide, may
from rig.games.estimation.events import KINDS, Event
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game, Options
from rig.games.estimation.terms import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    End,
    Phase,
    Result,
    Side,
    Step,
)
from rig.games.estimation.view import view
from rig.games.interface import Asked, Draw, Due, Guard, PlayOrder, Seat, Spec
from rig.serialise import to_plain


class Estimation:
    """The rules of Estimation Domino, behind the port."""

    name = "estimation"
    events: Mapping[str, type[Event]] = KINDS
    presets: Mapping[str, Mapping[str, object]] = {}
    choices: Mapping[str, Mapping[str, object]] = {}  # its own page of options has them
    fewest, most = FEWEST_PLAYERS, MOST_PLAYERS
    commands: Mapping[str, Spec] = {
        "place": Spec(cmd.Place),
        "move": Spec(cmd.Move),
        "illegal": Spec(cmd.TakeBack),
        "fix_row": Spec(cmd.FixRow),
        "consent_row": Spec(cmd.ConsentRow),
        "decline_row": Spec(cmd.DeclineRow),
        "call": Spec(cmd.Call),
        "vote": Spec(cmd.Vote),
        "choose_end": Spec(cmd.ChooseEnd),
        "wrong_end": Spec(cmd.WrongEnd),
        "report": Spec(cmd.Report),
        "agree": Spec(cmd.Confirm),
        "object": Spec(cmd.Object),
        "table_vote": Spec(cmd.TableVote),
        "accident": Spec(cmd.ClaimAccident),
        "void": Spec(cmd.VoidRound, host=True),
    }

    referee: Sequence[type[Any]] = (
        *(cmd.Start, cmd.CloseBallots, cmd.Timeout, cmd.Reveal, cmd.Continue, cmd.Stand),
        *(cmd.NextRound, cmd.Leave, cmd.SkipTurn, cmd.SkipBallot, cmd.CorrectVerdict, cmd.Rematch),
    )

    def new(self, options: Mapping[str, object]) -> Game:
        """A game in the lobby."""
        return Game(Options.parse(options))

    def options(self, game: Game) -> Mapping[str, object]:
        """The options it is played by."""
        return dict(to_plain(game.options))

    def start(self, seats: Sequence[Seat], first: Seat | None, draw: int, name: str) -> cmd.Start:
        """The command that begins a game."""
        return cmd.Start(tuple(seats), first, draw, name)

    def deal(self, order: Sequence[int]) -> cmd.Command:
        """Nothing is ever shuffled."""
        raise NotImplementedError("tiles lie open in this game")

    def leave(self, seat: Seat) -> cmd.Leave:
        """The command that takes a seat out of the game for good."""
        return cmd.Leave(seat)

    def rematch(self) -> cmd.Rematch:
        """The command that leads back to the lobby."""
        return cmd.Rematch()

    def seats(self, game: Game) -> tuple[Seat, ...]:
        """Those who play."""
        return game.present

    def play_order(self, game: Game) -> PlayOrder:
        """Turns go clockwise."""
        return PlayOrder.CLOCKWISE

    def teams(self, game: Game, seats: Sequence[Seat]) -> Sequence[Sequence[Seat]]:
        """Everybody is alone."""
        return ()

    def decide(self, game: Game, actor: str, command: cmd.Command) -> tuple[Event, ...]:
        """What happens if this actor does this now."""
        return decide(game, actor, command)

    def evolve(self, game: Game, event: Event) -> Game:
        """The game after an event."""
        return evolve(game, event)

    def view(self, game: Game, seat: Seat | None) -> Mapping[str, Any]:
        """All that a viewer may know."""
        return view(game, seat)

    def moment(self, game: Game, guard: Guard) -> str:
        """Changes with the phase, the row and the seat whose turn it is; a trick is a round."""
        if guard is Guard.TRICK:
            return str(game.round)
        return f"{game.phase} {game.row} {game.active}"

    def asked(self, game: Game) -> Sequence[Asked]:
        """Whose turn it is, or whose ballot is missing."""
        if game.phase is Phase.TURN and game.active is not None:
            return (Asked(game.active, "turn", cmd.SkipTurn()),)
        if game.phase is Phase.BALLOT:
            missing = [seat for seat in game.playing if seat not in game.ballots]
            return tuple(Asked(seat, "ballot", cmd.SkipBallot(seat)) for seat in missing)
        return ()

    def due(self, game: Game) -> Due[cmd.Command] | None:
        """The reveal, the way on from it, the verdict nobody objects to, the next round."""
        match game.phase:
            case Phase.COUNTDOWN:
                return Due("countdown", cmd.Reveal())
            case Phase.REVEAL:
                return Due("reveal", cmd.Continue())
            case Phase.JUDGE if game.step is Step.SHOWN:
                return Due("window", cmd.Stand())
            case Phase.ROUND_END:
                return Due("round_end", cmd.NextRound())
            case _:
                return None

    def needs(self, game: Game) -> int:
        """Nothing is ever shuffled."""
        return 0

    def over(self, game: Game) -> Mapping[Seat, float] | None:
        """The chips of a game that is over."""
        return dict(game.chips) if game.phase is Phase.GAME_OVER else None

    def legal(self, game: Game, seat: Seat) -> Iterator[cmd.Command]:
        """Every command that the seat could give now, times as late as can be."""
        yield from (one for one in _conceivable(game) if may(game, seat, one))

    def imagine(self, game: Game, seat: Seat | None, draw: Draw) -> Game:
        """The same game with other ballots of the others, as far as they are hidden."""
        if game.revealed or not game.salts:
            return game
        salts = {each: f"{draw(1 << 60):016x}" for each in game.salts}
        hidden = [each for each in game.ballots if each != seat and each not in game.forced]
        drawn = {each: tuple(Side)[draw(2)] for each in hidden}
        return replace(game, ballots={**game.ballots, **drawn}, salts=salts)


def _conceivable(game: Game) -> Iterator[cmd.Command]:
    late_s = float("inf")
    yield from (cmd.Place(v, i, late_s) for v in game.supply for i in range(len(game.row) + 1))
    yield from (cmd.Move(i, end, late_s) for i in range(1, len(game.row) - 1) for end in End)
    yield from (cmd.TakeBack(), cmd.ConsentRow(), cmd.DeclineRow(), cmd.LoneTileFell())
    yield from (cmd.Call(), cmd.WrongEnd(), cmd.Confirm(), cmd.Object(), cmd.Dispute())
    yield from (cmd.LockBallot(), cmd.ConfirmAccident(), cmd.RejectAccident())
    yield from (cmd.WithdrawAccident(), cmd.TakeBackAccident())
    yield from (cmd.Vote(side) for side in Side)
    yield from (cmd.ChooseEnd(end) for end in End)
    yield from (cmd.Report(result) for result in Result)
    yield from (cmd.TableVote(result) for result in Result)
    yield from (cmd.ClaimAccident(culprit) for culprit in (None, *game.playing))
