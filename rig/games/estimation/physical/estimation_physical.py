"""What camera and pusher are for in Estimation Domino: `rig.row.physical.Physical`. Pure."""

from collections.abc import Sequence

from physics.row.row_rules import RowRules
from physics.row.tile import TileSpec
from rig.games.estimation import commands as cmd
from rig.games.estimation.game import lower_end
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.games.estimation.terms import CAMERA, REFEREE, End, Extent, Phase, Result, Side
from rig.row.physical import Duty, PhoneCommand, Physical, RowChange, Said, Stage

_STAGES = {
    Phase.TURN: Stage.PLACING,
    Phase.BALLOT: Stage.STANDING,
    Phase.ACCIDENT: Stage.STANDING,
    Phase.TOPPLE: Stage.PUSHING,
}


class EstimationPhysical(Physical[EstimationTable]):
    """A tile a turn, in the end one push."""

    def row_rules(self, table: EstimationTable, spec: TileSpec) -> RowRules:
        """The limits of a row at a table that plays by these options.

        Where a gap may be as wide as one likes, the widest that any tile can reach still counts as
        what the camera asks about; nothing comes of it.
        """
        if table.game.options.max_gap == "tile_height":
            return RowRules(reach_mm=spec.length_mm)
        return RowRules()

    def duty(self, table: EstimationTable) -> Duty:
        """A turn, a ballot, a push: what is looked for in each."""
        game = table.game
        return Duty(
            stage=_STAGES.get(game.phase, Stage.IDLE),
            values=game.row,
            tiles=table.row,
            choosable=game.choosable,
            from_row=not game.supply,
            # How far apart tiles stand is free at most tables: spacing is the bluff.
            any_gap=game.options.max_gap == "free",
            end=game.end,
            active=game.active,
            toppler=game.toppler,
        )

    def change(self, before: EstimationTable, after: EstimationTable) -> RowChange:
        """A deal takes all back, the end of a turn what nobody confirmed."""
        was_accident = before.game.phase is Phase.ACCIDENT
        return RowChange(
            dealt=_is_fresh(after) and not _is_fresh(before),
            taken=_taken_back(before, after),
            stands_up=was_accident and after.game.phase is not Phase.ACCIDENT,
            placed=before.game.row != after.game.row,
            passed=_turn_over(before, after),
        )

    def likely_end(self, values: Sequence[int]) -> str | None:
        """The end with the lower value."""
        return lower_end(tuple(values))

    def accident(self, table: EstimationTable) -> Said:
        """During a turn it is that of the player whose turn it is."""
        game = table.game
        actor = game.active if game.active is not None else REFEREE
        culprit = actor if table.game.phase is Phase.TURN else None
        return Said(actor, cmd.ClaimAccident(culprit, Extent.SOME))

    def outcome(self, table: EstimationTable, outcome: str) -> Said:
        """The camera reports it as itself."""
        return Said(CAMERA, cmd.Report(Result(outcome)))

    def wrong_end(self, table: EstimationTable) -> Said:
        """Claimed in the name of the one whose accident it would be: the camera is no player."""
        return Said(table.game.toppler or "", cmd.WrongEnd())

    def to_the_push(self, table: EstimationTable) -> Sequence[PhoneCommand]:
        """Somebody calls, both vote, the toppler chooses an end."""
        game = table.game
        others = [player.seat for player in table.players if player.seat != game.placer]
        other = others[0] if others else ""
        match table.game.phase:
            case Phase.TURN:
                return (PhoneCommand(other, "call"),)
            case Phase.BALLOT:
                return (
                    PhoneCommand(other, "vote", {"side": Side.FAILURE.value}),
                    PhoneCommand(game.placer or "", "vote", {"side": Side.SUCCESS.value}),
                )
            case Phase.TOPPLE if game.end is None:
                return (PhoneCommand(game.toppler or "", "choose_end", {"end": End.LEFT.value}),)
            case _:
                return ()


def _taken_back(before: EstimationTable, after: EstimationTable) -> tuple[int, ...]:
    """The tiles of a placement that no longer counts: as it was illegal, or undone."""
    gone = tuple(value for value in before.game.row if value not in after.game.row)
    if after.game.phase is not Phase.TURN or after.game.round != before.game.round:
        return ()
    if len(gone) == 1:
        return gone
    if len(after.pasts) < len(before.pasts) and before.game.row != after.game.row:
        return tuple(t.value for t in after.row if t not in before.row)
    return ()


def _is_fresh(table: EstimationTable) -> bool:
    """Whether a round has been dealt whose first tile nobody has read yet."""
    return table.game.phase is Phase.TURN and len(table.game.row) == 1 and not table.row


def _turn_over(before: EstimationTable, after: EstimationTable) -> bool:
    """Whether a turn ended without a placement: by a call, or as its seat was passed over."""
    if before.game.phase is not Phase.TURN:
        return False
    passed = after.game.phase is Phase.TURN and before.game.active != after.game.active
    return after.game.phase is Phase.BALLOT or passed
