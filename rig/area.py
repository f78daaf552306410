"""Whether anything has changed on the table since a push was asked for. Pure."""

from collections.abc import Sequence

from physics.row.chain import Chain
from physics.row.tile import State, Tile, apart_mm
from rig.attempt import Cause
from vision.look.eye import Look

SAME_MM = 10.0
"""A tile no farther than this from where one was is taken for that one."""


class Area:
    """Keeps an eye on the table from the last calm look until the tip goes.

    A hand is believed at once. What has come, or is down, has to be seen twice: a single look may
    miss a mark. A camera that trembles with the arm is waited for.

    Args:
        chain: the row that is to be pushed.
        tiles: all that lay and stood there in the last calm look.
    """

    def __init__(self, chain: Chain, tiles: Sequence[Tile]) -> None:
        self._chain = chain
        self._tiles = tuple(tiles)
        self.doubt = Cause.NONE
        """Why the push could not be made by the last look, if it could not."""

    def looked(self, look: Look) -> Cause:
        """Hear of a new look; say why the push must not be made at all, if it must not."""
        before, self.doubt = self.doubt, self._changed(look)
        sure = look.hand_in_view or (self.doubt is before and self.doubt is not Cause.BLIND)
        return self.doubt if sure else Cause.NONE

    def _changed(self, look: Look) -> Cause:
        if look.hand_in_view:
            return Cause.HAND
        if not look.steady:
            return Cause.BLIND
        if not all(self._stands(tile, look) for tile in self._chain.tiles):
            return Cause.FELL
        return Cause.HAND if self._came(look) else Cause.NONE

    def _stands(self, tile: Tile, look: Look) -> bool:
        return any(
            other.state is State.STANDING
            and other.value in (tile.value, None)
            and apart_mm(other, tile) <= SAME_MM
            for other in look.tiles
        )

    def _came(self, look: Look) -> bool:
        """Whether a tile, or something like one, is where nothing was."""
        return any(
            all(apart_mm(tile, other) > SAME_MM for other in self._tiles) for tile in look.tiles
        )
