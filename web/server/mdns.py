"""A `.local` name for the table that people can type.

Not every phone resolves such names, so the QR code keeps the numeric address.
"""

import importlib.util
import ipaddress
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from web.base.errors import WebError

_SERVICE = "_http._tcp.local."
_TRIES = 9


class NoName(WebError):
    """The requested `.local` name cannot be announced."""


class Announced:
    """A name that this machine answers to while the context lasts.

    Args:
        addresses: the addresses behind the name.
        port: where the table is served.
        label: the name without `.local`; a number is added if another machine has it.

    Attributes:
        name: the name that was announced.

    Raises:
        NoName: the extra is not installed, or the network does not let names be announced.
    """

    def __init__(self, addresses: Sequence[str], port: int, label: str = "domino") -> None:
        if importlib.util.find_spec("zeroconf") is None:
            raise NoName(
                "A .local name needs the package zeroconf from the extra mdns: 'domino-rig doctor' "
                "prints the command that installs it, or leave --mdns out.",
                "extras.mdns",
            )
        import zeroconf

        packed = [ipaddress.ip_address(address).packed for address in addresses]
        try:
            self._zeroconf = zeroconf.Zeroconf(interfaces=list(addresses))
        except OSError as error:
            raise NoName(_trouble(error), "mdns") from error
        for n in range(1, _TRIES + 1):
            self.name = f"{label if n == 1 else f'{label}-{n}'}.local"
            info = zeroconf.ServiceInfo(
                _SERVICE,
                f"{self.name.removesuffix('.local')}.{_SERVICE}",
                port,
                addresses=packed,
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
            return
        self._zeroconf.close()
        raise NoName(_trouble(f"{_TRIES} machines have names like {label}.local already"), "mdns")

    def close(self) -> None:
        """Stop answering to the name."""
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
