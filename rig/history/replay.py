"""The moments of a game file: what the table screen showed, event by event.

A real `Session` makes the views, with an empty journal that accepts nothing and without a machine,
so a replay can neither continue a game nor move anything.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Never, cast

from rig.config import load_config
from rig.errors import RigError
from rig.games.interface import Data
from rig.games.registry import play_of
from rig.history.fold import FoldStep, cannot_follow, steps
from rig.history.gamefile import BadGameFile
from rig.history.restore import hides, opening, revived
from rig.journal import Journal, Record
from rig.session.fingerprint import AnyPlay, GameFile
from rig.session.playing import Audience
from rig.session.session import Session
from rig.session.state import Table

MOST_EVENTS = 20_000
_MOST_TOLD = 64 << 20
"""Characters of all moments together, far above what so many events of a game change."""
_TABLE = Audience("table", None, False)
_NOW = ("timer", "undo", "live", "shuffle")
_TOLD = ("seat", "caller", "by", "value", "round", "outcome", "name", "toppler", "culprit", "kind")


class _NoJournal:
    """Where a journal would be: nothing in it, and nothing goes in."""

    version = 0
    damage = None
    key = None
    locked = ""

    def snapshot(self, made_by: str) -> None:
        return None

    def newest(self, kind: str) -> int:
        return 0

    def events(self, since: int = 0) -> Iterator[Record]:
        return iter(())

    def picture(self, n: int) -> bytes | None:
        return None

    def append(self, *_: Any, **__: Any) -> Never:
        raise BadGameFile("a replay cannot be played on")


class _Then:
    """The time of the event at hand."""

    at_s = 0.0

    def now_s(self) -> float:
        return self.at_s

    def monotonic_s(self) -> float:
        return self.at_s

    def sleep(self, duration_s: float) -> None:
        """Nothing waits here."""

    def wait(self, event: threading.Event, timeout_s: float | None = None) -> bool:
        return event.is_set()


def moments(file: GameFile) -> list[dict[str, Any]]:
    """Give every moment of a file at which the table screen changed, oldest first.

    Returns:
        JSON-ready, each with `v` and `at_ms` of its last event, `events` (type and what a sentence
        about it needs) and `changes`: the parts of the snapshot that differ from the moment before,
        all of it in the first. Where hands were dealt, `own` is what each seat saw that the table
        screen did not, or null from where something is still hidden.

    Raises:
        BadGameFile: an event is none, or cannot follow the ones before it.
    """
    if len(file.events) > MOST_EVENTS:
        raise BadGameFile(f"the file has more than {MOST_EVENTS} events; export one game alone")
    play = play_of(file.game)
    past = _Past(opening(file), play)
    made: list[dict[str, Any]] = []
    shown: dict[str, Any] = {}
    told: list[dict[str, Any]] = []
    length = 0
    for i, linked in enumerate(file.events):
        record = linked.record
        past.is_open &= not hides(record, play)
        try:
            event = revived(record, play)
            if event is not None:
                past.follow(event, record.at)
                told += _facts(event, play)
            if i + 1 < len(file.events) and file.events[i + 1].record.at == record.at:
                continue  # of one command: nobody saw the table in between
            snapshot = past.snapshot()
        except RigError as error:
            raise BadGameFile(f"event {record.v} is no event of a game: {error}") from None
        except Exception:  # a game's functions are not made for what cannot be
            raise BadGameFile(cannot_follow(record)) from None
        changes = {k: v for k, v in snapshot.items() if shown.get(k, _Then) != v}
        length += len(json.dumps(changes))
        if length > _MOST_TOLD:
            raise BadGameFile("the file tells of more than any table has: the file was changed")
        if changes:
            made.append(
                {
                    "v": record.v,
                    "at_ms": round(record.at * 1000),
                    "events": told,
                    "changes": changes,
                }
            )
            shown, told = snapshot, []
    return made


class _Past:
    """A session that only looks back.

    Attributes:
        is_open: whether nothing is hidden, so that all hands may be shown.
    """

    def __init__(self, table: Table, play: AnyPlay) -> None:
        self._clock = _Then()
        journal = cast(Journal, _NoJournal())
        self._session: Session[Any, Any, Any] = Session(
            journal, self._clock, load_config(), lambda: "", play
        )
        self._session.table = table
        self.is_open = True

    def follow(self, event: Data, at_s: float) -> None:
        """Let an event happen, at its time."""
        session = self._session
        before = session.table.phase_id
        self._clock.at_s = at_s
        session.table = session.play.apply(session.table, event)
        if session.table.phase_id != before:
            session.step_began(at_s, at_s)

    def snapshot(self) -> dict[str, Any]:
        """What the table screen showed; without what was only so at that time."""
        shot = self._session.view_of(_TABLE)
        for name in ("v", "proto", "opened_ms", "damaged", "may", "why", "marks_free", *_NOW):
            shot.pop(name, None)
        for seat in shot["seats"]:
            seat["connected"] = True
        del shot["now_ms"]
        if self._session.table.dealing is not None:
            for name in ("phase_id", "trick_id"):  # change with every step of a shuffle, too
                shot.pop(name, None)
            shot["own"] = self._own() if self.is_open else None
        return dict(self._session.play.looked_back(self._session.table, shot))

    def _own(self) -> dict[str, dict[str, Any]]:
        """What each seat saw that the table screen did not."""
        rules, game = self._session.play.rules, self._session.table.game
        shown = rules.view(game, None)
        return {
            seat: {k: v for k, v in rules.view(game, seat).items() if v != shown.get(k)}
            for seat in rules.seats(game)
        }


def _facts(event: Data, play: AnyPlay) -> list[dict[str, Any]]:
    """What a sentence about an event needs; nothing for what no player would speak of."""
    words: dict[str, Any] = {"type": type(event).__name__}
    for name in _TOLD:
        value = getattr(event, name, None)
        if isinstance(value, str | int):
            words[name] = value
    return [{**words, **play.figures(event)}]


def listed(records: Sequence[Record]) -> list[dict[str, Any]]:
    """Name the games of a journal, oldest first, for somebody to choose from."""
    listing = Listing()
    for step in steps(records, play_of()):
        listing.take(step)
    return listing.games


class Listing:
    """The games of a journal with what was played, by whom and who won, event by event.

    Attributes:
        games: what `listed` gives, of the events so far.
    """

    def __init__(self) -> None:
        self.games: list[dict[str, Any]] = []
        self._names: dict[str, str] = {}
        self._running = False

    def take(self, step: FoldStep) -> None:
        """Read the next event."""
        record = step.record
        games, names, public = self.games, self._names, record.public
        match record.type:
            case "Seated" | "Renamed":
                names[public["seat"]] = public["name"]
            case "GameStarted":
                self._running = True
                at_ms = round(record.at * 1000)
                game = {"number": len(games) + 1, "rules": step.play.name}
                games.append({**game, "from_ms": at_ms, "winners": []})
                games[-1]["players"] = [names.get(seat, seat) for seat in public["seats"]]
            case "LobbyReopened":
                self._running = False
            case "GameEnded":
                winners = step.play.winners(step.after.game)
                games[-1]["winners"] = [names.get(seat, seat) for seat in winners]
            case "VerdictCorrected":
                games[-1]["winners"] = []
            case _:
                pass
        if self._running:
            games[-1]["to_ms"] = round(record.at * 1000)
