"""What films of a journal's rounds would tell, read from its events. Pure but for the journal."""

import logging
from collections.abc import Callable, Mapping

from rig.config import FilmWishes
from rig.films.film_script import FilmScript, Voter
from rig.games.estimation import events as ev
from rig.games.estimation.story.rounds import Rounds, RoundStory
from rig.games.estimation.terms import Result
from rig.games.registry import play_of
from rig.history.fold import FoldStep, steps
from rig.history.votes import identity, is_erased
from rig.journal import Journal
from rig.row import fall_shown
from rig.row.push_events import ARM
from rig.session.state import Player

log = logging.getLogger(__name__)

_SETTLE = (ev.OutcomeJudged, ev.VerdictCorrected, ev.RoundVoided, ev.RoundDealt)
"""Events after which a round is settled, or no longer is."""


class FilmReader:
    """The settled rounds of a journal that goes on; only what is new in it is read.

    Args:
        journal: of a table that may be open.
        wishes: what the settings want of films, until the host says otherwise.
        erased: gives who is erased from the statistics, and until when; see `is_erased`.
    """

    def __init__(
        self,
        journal: Journal,
        wishes: FilmWishes,
        erased: Callable[[], Mapping[str, float]] = dict,
    ) -> None:
        self._journal, self._wishes, self._erased = journal, wishes, erased
        self._rounds = Rounds()
        self._last: FoldStep | None = None
        self._is_settled = False
        self._told: tuple[FilmScript, ...] = ()
        self._gone: Mapping[str, float] = {}
        self._scripts: tuple[FilmScript, ...] = ()

    def scripts(self) -> tuple[FilmScript, ...]:
        """What a film of every settled round would tell, oldest first; the same until it changes.

        One that would name somebody who is erased is left out. Cheap while nothing was settled: it
        is asked whenever anything happens at the table.
        """
        gone, told = self._erased(), self._read()
        if told is not self._told or gone != self._gone:
            self._told, self._gone = told, gone
            self._scripts = tuple(script for script in told if not _names_erased(script, gone))
        return self._scripts

    def _read(self) -> tuple[FilmScript, ...]:
        """Those of all rounds, with what is new in the journal."""
        last = self._last
        is_read = last is not None and last.record.v == self._journal.version
        if is_read and not self._is_settled:
            return self._told
        since, play = (0, play_of()) if last is None else (last.record.v, last.play)
        table = None if last is None else last.after
        for step in steps(self._journal.events(since), play, table):
            self._last = step
            self._is_settled = self._is_settled or isinstance(step.event, _SETTLE)
            self._rounds.take(step.before, step.event, step.after, step.record.at)
        if not self._is_settled:
            return self._told
        self._is_settled = False
        told = (self._script(each) for each in self._rounds.scored)
        return tuple(script for script in told if script is not None)

    def _script(self, told: RoundStory) -> FilmScript | None:
        try:
            return script_of(told, self._wishes)
        except Exception as error:  # only this film is lost
            log.warning("round %d has no film: %s", told.number, error)
            return None


def script_of(told: RoundStory, usual: FilmWishes) -> FilmScript | None:
    """What a film of a settled round tells; None where there is none to make.

    Args:
        told: the round.
        usual: what is wanted of films where the host has said nothing.
    """
    wishes = told.shown.film_wishes(usual)
    push = told.pushes[-1] if told.pushes else None
    if not wishes.on or push is None or not push.row or not told.ballots or told.outcome is None:
        return None
    judged = told.judged
    seen = push.seen if push.seen and push.seen.outcome == told.outcome.value else None
    wave = [tile.value for tile in push.row]
    fell = told.outcome is Result.FELL
    down = wave if fell else seen.fallen if seen else ()
    players = {player.seat: player for player in told.shown.players}
    return FilmScript(
        id=push.id,
        round=told.number,
        row=push.row,
        tips=fall_shown.tips(wave, down, seen.order if seen else ()),
        voters=_voters(told, players, wishes.names),
        outcome=told.outcome.value,
        up=tuple(value for value in wave if seen and value in seen.up),
        between=seen.between if seen else None,
        gap_mm=None if seen is None or seen.gap_mm is None else round(seen.gap_mm, 1),
        short_mm=judged.short_mm if judged else None,
        near=judged.near if judged else None,
        language=wishes.language,
        arm=push.kind == ARM,
        at_s=told.shown_at_s,
        **({} if push.begun is None else {"tile": push.begun.tile}),
    )


def _names_erased(script: FilmScript, erased: Mapping[str, float]) -> bool:
    return any(is_erased(erased, identity(name), script.at_s) for name in script.names)


def _voters(told: RoundStory, players: Mapping[str, Player], names: bool) -> tuple[Voter, ...]:
    game = told.shown.game
    return tuple(
        Voter(
            players[seat].name if names and seat in players else "",
            players[seat].mark if seat in players else "",
            told.ballots[seat].value,
            seat == game.placer,
            seat == game.caller,
        )
        for seat in game.playing
        if seat in told.ballots
    )
