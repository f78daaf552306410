"""A table at one moment, which never changes: what is looked at needs no lock and no disk."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from rig import timing
from rig.changes import Timers
from rig.clock import Clock
from rig.config import Config
from rig.games.estimation.game import Game
from rig.live import Live, MachinePort
from rig.salvage import Damage
from rig.table import Player, Table

if TYPE_CHECKING:
    from rig.session import Session


class Present(Protocol):
    """What can be read of a table, at this moment or just now."""

    @property
    def config(self) -> Config:
        """Its settings."""

    @property
    def clock(self) -> Clock:
        """Its time."""

    @property
    def machine(self) -> MachinePort | None:
        """The machine behind it."""

    @property
    def table(self) -> Table:
        """What the journal tells."""

    @property
    def live(self) -> Live:
        """What a restart may forget."""

    @property
    def game(self) -> Game:
        """The game as it stands."""

    @property
    def timers(self) -> Timers:
        """How long ballots and turns may take."""

    @property
    def damage(self) -> Damage | None:
        """What is wrong with the journal, None where nothing is."""

    @property
    def opened_epoch_s(self) -> float:
        """When the table was opened, as wall time."""

    def ago_s(self, at_s: float) -> float:
        """How long ago a moment was that the table remembers."""

    def limit(self) -> timing.Limit | None:
        """What runs out now, if anything does."""

    def player(self, device: str | None) -> Player | None:
        """Who is behind a device."""

    def is_host(self, device: str | None) -> bool:
        """Whether a device has the host's rights."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A session as it stood at one moment.

    Attributes:
        session: whose.
        table: what the journal told.
        live: what a restart may forget.
        version: how many events there were.
        fingerprint: that of the file of the game that is over, "" while none is.
    """

    session: "Session"
    table: Table
    live: Live
    version: int
    fingerprint: str = ""

    @property
    def config(self) -> Config:
        return self.session.config

    @property
    def clock(self) -> Clock:
        return self.session.clock

    @property
    def machine(self) -> MachinePort | None:
        return self.session.machine

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def timers(self) -> Timers:
        return self.table.timers or self.config.timers

    @property
    def damage(self) -> Damage | None:
        return self.session.damage

    @property
    def opened_epoch_s(self) -> float:
        return self.session.opened_epoch_s

    def ago_s(self, at_s: float) -> float:
        return self.session.ago_s(at_s)

    def limit(self) -> timing.Limit | None:
        return None if self.damage is not None else timing.limit(self)

    def player(self, device: str | None) -> Player | None:
        if device is not None and device.startswith("bot:"):
            player = self.table.player(device[4:])
            return player if player and player.bot else None
        return self.table.by_device(device)

    def is_host(self, device: str | None) -> bool:
        player = self.player(device)
        return device in self.table.host_devices or (
            player is not None and player.seat == self.table.host
        )
