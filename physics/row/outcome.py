"""What fell and when, according to the model, a camera or people."""

from dataclasses import dataclass

SURE = 0.8
"""From this confidence on, 0..1, an outcome stands unless somebody objects; below, people judge."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a row ended after a push, tile by tile from the pushed end.

    Attributes:
        fallen: whether each tile is down.
        arrival_s: when each began to topple, from the start of the push; None if it never did or
            nobody saw when.
        confidence: how sure `fallen` is, 0..1.
    """

    fallen: tuple[bool, ...]
    arrival_s: tuple[float | None, ...] = ()
    confidence: float = 1.0

    @property
    def all_fell(self) -> bool:
        """Whether every tile is down: the one thing the game asks."""
        return all(self.fallen)

    @property
    def first_standing(self) -> int | None:
        """Index of the first tile that stayed up, None if there is none.

        >>> Outcome((True, True, False)).first_standing
        2
        """
        return next((i for i, down in enumerate(self.fallen) if not down), None)
