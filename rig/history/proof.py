"""What the proof of a game file has looked at and found."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rig.games.phrase import Fact, Phrase

Kind = Literal[
    "empty",
    "picture",
    "gap",
    "end",
    "half",
    "changed",
    "time",
    "event",
    "rules",
    "table",
    "actor",
    "paid",
    "winners",
    "unsealed",
    "no_seal",
    "no_salt",
    "swapped",
    "broken",
    "camera",
    "fingerprint",
    "secret",
    "share",
    "length",
    "withheld",
    "late",
    "deck",
    "void",
]
"""What can be wrong; pages have words for each."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a file.

    Attributes:
        v: the number of the event, 0 for the file as a whole.
        kind: key of the words in which pages say it.
        told: the same with all that is known of it.
    """

    v: int
    kind: Kind
    told: Phrase

    @property
    def of(self) -> Mapping[str, str | int]:
        """Values for the places in the words of pages."""
        return {name: fact for name, fact in self.told.of.items() if isinstance(fact, str | int)}


@dataclass(slots=True)
class Proof:
    """What was checked, and what was found.

    Attributes:
        findings: everything that is wrong, in the order of the events.
        rounds: pushes that were paid.
        ballots: ballots shown whose seal was proved.
        unsealed: ballots shown that never had a seal.
        chips: chips that the rules pay again.
        shuffles: shuffles that lie open and were computed again.
        over: whether the game came to its end.
        fingerprint: the last link, recomputed.
        older: whether the file is of version 1, so that a missing end cannot be noticed.
        expected: the fingerprint it was compared with; "" if none was given.
        matches: whether the file, or a game in it, has that fingerprint.
    """

    findings: list[Finding] = field(default_factory=list)
    rounds: int = 0
    ballots: int = 0
    unsealed: int = 0
    chips: int = 0
    shuffles: int = 0
    over: bool = False
    fingerprint: str = ""
    older: bool = False
    expected: str = ""
    matches: bool = False

    @property
    def good(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings

    def find(self, v: int, kind: Kind, how: str = "", **of: Fact) -> None:
        """Record an error; one of some kinds can come in several ways."""
        key = f"proof.{kind}.{how}" if how else f"proof.{kind}"
        self.findings.append(Finding(v, kind, Phrase(key, of)))

    def find_at_least(self, v: int, kind: Kind, how: str = "", **of: Fact) -> None:
        """Record an error only if nothing else is found about that event."""
        if not any(f.v == v and f.kind not in _LINKS for f in self.findings):
            self.find(v, kind, how, **of)


_LINKS: tuple[Kind, ...] = ("changed", "gap")
