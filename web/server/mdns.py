"""A `.local` name for the table that people can type.

Not every phone resolves such names, so the QR code keeps the numeric address.
"""

import importlib.util
import ipaddress
import logging
import threading
from collections.abc import Callable, Sequence
from types import TracebackType
from typing import Any, Self

from web.base.errors import WebError

log = logging.getLogger(__name__)

_SERVICE = "_http._tcp.local."
_TRIES = 9
_LOOK_S = 5.0
"""Every so many seconds it is checked that the name leads to this machine's addresses."""


class NoName(WebError):
    """The requested `.local` name cannot be announced."""


class Announced:
    """A name that this machine answers to while the context lasts, also at a new address.

    Args:
        addresses: gives the addresses behind the name, which change with the network.
        port: where the table is served.
        tell: hears the name each time it is announced; at a new address it may be another.
        label: the name without `.local`; a number is added if another machine has it.

    Attributes:
        name: the name that was announced.

    Raises:
        NoName: the extra is not installed, or the network does not let names be announced.
    """

    def __init__(
        self,
        addresses: Callable[[], Sequence[str]],
        port: int,
        tell: Callable[[str], None] = lambda name: None,
        label: str = "domino",
    ) -> None:
        if importlib.util.find_spec("zeroconf") is None:
            raise NoName(
                "A .local name needs the package zeroconf from the extra mdns: 'domino-rig doctor' "
                "prints the command that installs it, or leave --mdns out.",
                "extras.mdns",
            )
        self._addresses, self._port, self._tell, self._label = addresses, port, tell, label
        self._at = tuple(addresses())
        self._zeroconf: Any = None
        self._announce()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="local-name", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Announce the name anew if this machine's addresses have changed."""
        now = tuple(self._addresses())
        if now == self._at:
            return
        self._at = now
        self._zeroconf.close()
        try:
            self._announce()
        except NoName as error:
            self._at = ()  # the next look tries again: the network may not be up yet
            log.info("%s", error)

    def _follow(self) -> None:
        while not self._over.wait(_LOOK_S):
            self.look()

    def _announce(self) -> None:
        import zeroconf

        try:
            self._zeroconf = zeroconf.Zeroconf(interfaces=list(self._at))
        except OSError as error:
            raise NoName(_trouble(error), "mdns") from error
        for n in range(1, _TRIES + 1):
            self.name = f"{self._label if n == 1 else f'{self._label}-{n}'}.local"
            info = zeroconf.ServiceInfo(
                _SERVICE,
                f"{self.name.removesuffix('.local')}.{_SERVICE}",
                self._port,
                addresses=[ipaddress.ip_address(address).packed for address in self._at],
                server=f"{self.name}.",
                properties={"path": "/"},
            )
            try:
                self._zeroconf.register_service(info)
            except zeroconf.NonUniqueNameException:
                continue
            except (OSError, zeroconf.Error) as error:
                self._zeroconf.close()
                raise NoName(_trouble(error), "mdns") from error
            self._tell(self.name)
            return
        self._zeroconf.close()
        raise NoName(
            _trouble(f"{_TRIES} machines have names like {self._label}.local already"), "mdns"
        )

    def close(self) -> None:
        """Stop answering to the name."""
        self._over.set()
        self._thread.join()
        self._zeroconf.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _trouble(why: object) -> str:
    return f"No .local name could be announced ({why}); leave --mdns out, the QR code is enough."
