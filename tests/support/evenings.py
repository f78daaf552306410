"""Whole evenings of chance, as journals would have them: people sit down and play by the rules."""

from functools import cache, reduce
from random import Random

from physics.row.push import Push
from rig.games.estimation import commands as cmd
from rig.games.estimation.decide import TABLE, decide
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import apply, to_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, End, Phase, Refused, Result, Side
from rig.journal import Record
from rig.row.push_events import (
    Forecast,
    OutcomeSeen,
    PushBegun,
    PushEnded,
    PushRequested,
    PushStep,
    Seen,
    Standing,
)
from rig.row.row_table import RowRead, WorldChanged
from rig.session.events import HostGiven, Paused, Readied, Seated, TableOpened, Undone

NAMES = ("Olena", "Борис", "Zoë", "Іра", "Max")
MARKS = ("circle", "triangle", "square", "star", "diamond")
RARE = (
    cmd.ClaimAccident,
    cmd.WrongEnd,
    cmd.TakeBack,
    cmd.FixRow,
    cmd.VoidRound,
    cmd.Leave,
    cmd.SkipTurn,
    cmd.SkipBallot,
    cmd.CorrectVerdict,
    cmd.Rematch,
)


class Evening:
    """Plays on and keeps every event as a record of a journal.

    With `filmed`, there are pictures of every push; `pictures` has them by number.
    """

    def __init__(self, seed, players=4, options=None, filmed=False):
        self.chance = Random(seed)
        self.filmed, self.pictures = filmed, {}
        self.table = EstimationTable(game=Game(options=options or Options()))
        self.records = []
        self.at_s = 1_700_000_000.0
        self.note(TableOpened("PINE", "the secret of the host"), actor=REFEREE)
        self.note(HostGiven("device-hash-host"), actor=REFEREE)
        for i in range(players):
            bot = i == 2
            device = None if bot else f"device-hash-{i}"
            seat = f"s{i + 1}"
            self.note(Seated(seat, NAMES[i], MARKS[i], device, bot), actor=HOST)
            self.note(Readied(seat, True), actor=HOST if bot else seat)

    def note(self, *events, actor):
        """Keep what happened at one time."""
        self.at_s += 1.5
        for event in events:
            self._keep(event, actor)

    def _keep(self, event, actor):
        self.table = apply(self.table, event)
        record = to_record(event, self.at_s, actor, f"cmd{len(self.records)}")
        self.records.append(
            Record(
                record.at,
                actor,
                record.type,
                record.public,
                record.secret,
                record.cmd_id,
                len(self.records) + 1,
            )
        )

    def salt(self):
        return f"{self.chance.getrandbits(256):064x}"

    def start(self):
        seats = tuple(p.seat for p in self.table.players)
        self.ask(HOST, cmd.Start(seats, draw=self.chance.randrange(99), id=self.salt()))

    def ask(self, actor, command):
        events = decide(self.table.game, actor, command)
        if isinstance(command, cmd.Place | cmd.Move):
            row = reduce(apply, events, self.table).game.row
            events = (*events, RowRead(tuple(self.standing(row))))
        self.note(*events, actor=actor)

    def moves(self):
        """Everything that anybody may ask for now."""
        game, pick = self.table.game, self.chance.randrange
        salts = {seat: self.salt() for seat in game.playing}
        supply = game.supply or (1,)
        order = list(game.row)
        self.chance.shuffle(order)
        commands = [
            cmd.Place(supply[pick(len(supply))], pick(len(game.row) + 1), self.at_s),
            cmd.Move(pick(len(game.row) or 1), list(End)[pick(2)], self.at_s),
            cmd.TakeBack(),
            cmd.FixRow(tuple(order)),
            cmd.ConsentRow(),
            cmd.DeclineRow(),
            cmd.Call(self.at_s, salts),
            cmd.Vote(list(Side)[pick(2)]),
            cmd.Timeout(self.at_s + 60.0),
            cmd.Reveal(),
            cmd.Continue(),
            cmd.ChooseEnd(End.LEFT),
            cmd.WrongEnd(),
            cmd.Report(list(Result)[pick(2)]),
            cmd.Confirm(),
            cmd.Object(),
            cmd.Stand(),
            cmd.Dispute(),
            cmd.TableVote(list(Result)[pick(2)]),
            cmd.NextRound(),
            cmd.ClaimAccident([*game.present, None][pick(len(game.present) + 1)]),
            cmd.ConfirmAccident(),
            cmd.RejectAccident(),
            cmd.LoneTileFell(),
            cmd.VoidRound("the cat"),
            cmd.SkipTurn(),
            cmd.SkipBallot(game.seats[pick(len(game.seats))] if game.seats else ""),
            cmd.CorrectVerdict("looked again"),
            cmd.Leave(game.seats[pick(len(game.seats))] if game.seats else ""),
        ]
        for command in commands:
            if (game.phase, type(command)) not in TABLE:
                continue
            for actor in (*game.seats, HOST, REFEREE, CAMERA):
                try:
                    if decide(game, actor, command):
                        yield actor, command
                except Refused:
                    continue

    def step(self):
        """Do one thing of those possible; seldom a mishap."""
        allowed = list(self.moves())
        rare = self.chance.randrange(25) == 0
        kinds = sorted({type(c).__name__ for _, c in allowed if isinstance(c, RARE) == rare})
        kinds = kinds or sorted({type(c).__name__ for _, c in allowed})
        kind = self.chance.choice(kinds)
        actor, command = self.chance.choice([m for m in allowed if type(m[1]).__name__ == kind])
        if isinstance(command, cmd.Report) and self.table.attempt is None:
            self.push(command.outcome)
        elif isinstance(command, cmd.Report) and actor == CAMERA:
            command = cmd.Report(Result(self.table.seen.outcome))
        self.ask(actor, command)
        if isinstance(command, cmd.Place | cmd.Move):
            self.note(WorldChanged({"hidden": self.chance.random()}), actor=CAMERA)
            if self.chance.randrange(12) == 0:
                self.note(Undone("placed"), actor=HOST)

    def standing(self, row):
        for i, value in enumerate(row):
            yield Standing(value, "vertical", 100.0 + 24.5 * i, 210.0, 0.0)

    def push(self, outcome):
        if self.table.game.end is None:
            return
        number = self.table.pushes + 1
        p = self.chance.random()
        weakest = tuple(self.table.game.row[:2])
        end = self.table.game.end
        value = self.table.game.row[0 if end is End.LEFT else -1]
        forecast = Forecast(p, max(0.0, p - 0.1), min(1.0, p + 0.1), weakest)
        self.note(PushRequested(number, end.value, value, forecast), actor=self.table.game.toppler)
        begun, seen = self.picture(), self.picture()
        if self.filmed:
            self.note(PushBegun(number, self.table.row, Push(), begun), actor=REFEREE)
        self.note(PushEnded(number, PushStep.DONE), actor=CAMERA)
        row = self.table.game.row
        down = row if outcome is Result.FELL else row[: len(row) // 2]
        up = tuple(v for v in row if v not in down)
        look = Seen(outcome.value, down, up, picture=seen)
        self.note(OutcomeSeen(look, {"push": 3.0}), actor=CAMERA)

    def picture(self):
        """Take a picture; its number."""
        if not self.filmed:
            return None
        n = len(self.pictures) + 1
        self.pictures[n] = b"\xff\xd8 what the camera saw, %d \xff\xd9" % n
        return n

    def play(self, steps=400):
        self.start()
        for _ in range(steps):
            if self.table.phase is Phase.GAME_OVER:
                break
            self.step()
        return self

    def again(self):
        """Back to the lobby, and one more game."""
        self.ask(HOST, cmd.Rematch())
        self.note(Paused("s1"), actor="s1")
        self.note(Paused(None), actor="s1")
        self.start()
        return self


@cache
def played(seed):
    """The records of an evening that was played to its end; nobody may change them."""
    return tuple(Evening(seed).play().records)
