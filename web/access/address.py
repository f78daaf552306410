"""This machine's addresses: which to show on the QR code, which names it answers to."""

import ipaddress
import socket
import struct
import sys
import threading
from collections.abc import Callable, Iterable

_FRESH_S = 5.0
"""Seconds for which a look at this machine's addresses stays good."""


def is_outside(peer: str) -> bool:
    """Whether an address belongs to the open internet.

    >>> is_outside("192.168.1.20"), is_outside("127.0.0.1"), is_outside("8.8.8.8")
    (False, False, True)
    """
    try:
        return ipaddress.ip_address(peer.partition("%")[0]).is_global
    except ValueError:
        return True


def is_loopback(peer: str) -> bool:
    """Whether the peer is this machine itself."""
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False


def split_host(host: str) -> str:
    """The name or address in a Host header, lower case and without its port.

    >>> split_host("Domino.local:8000"), split_host("[::1]:8000"), split_host("192.168.1.20")
    ('domino.local', '::1', '192.168.1.20')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def owns(address: str) -> bool:
    """Whether this machine has the address now: only its own can be bound."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if ip.is_unspecified or ip.is_multicast or ip == ipaddress.ip_address("255.255.255.255"):
        return False
    family = socket.AF_INET if ip.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((address, 0))
    except OSError:
        return False
    return True


def local_name() -> str:
    """The name under which mDNS may know this machine."""
    return socket.gethostname().partition(".")[0].lower() + ".local"


def lan_addresses() -> tuple[str, ...]:
    """IPv4 addresses that phones may reach, that of the default route first."""
    return tuple(address for address, _ in lan_adapters())


def lan_adapters() -> tuple[tuple[str, str], ...]:
    """The same with the system's names of their adapters, "" if it gives none."""
    by_interface = _by_interface()
    found: dict[str, str] = {}
    # A name server out of reach costs seconds: it is asked only if the adapters tell nothing.
    for address in (*_default_route(), *(by_interface or _by_name())):
        ip = ipaddress.IPv4Address(address)
        if not (ip.is_loopback or ip.is_unspecified):
            found[address] = by_interface.get(address, "")
    return tuple(found.items())


def _default_route() -> tuple[str, ...]:
    """The address from which a packet to the internet would leave; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ()
        return (str(probe.getsockname()[0]),)


def _by_interface() -> dict[str, str]:
    if sys.platform != "linux":
        return {}
    import fcntl

    siocgifaddr = 0x8915
    found: dict[str, str] = {}
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                reply = fcntl.ioctl(probe, siocgifaddr, struct.pack("256s", name.encode()[:15]))
            except OSError:  # an interface without an IPv4 address
                continue
            found[socket.inet_ntoa(reply[20:24])] = name
    return found


def _by_name() -> tuple[str, ...]:
    try:
        infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        return ()
    return tuple(str(info[4][0]) for info in infos)


class Net:
    """Where this server is reached; looks again every few seconds, as addresses change.

    Attributes:
        port: the port it is served on.
        bind: the address it is served on; "0.0.0.0" is all of this machine's.
        local: the `.local` name that it announced, if it did.
        visitor: the address of the phone that got through last.
    """

    def __init__(
        self,
        monotonic_s: Callable[[], float],
        names: Iterable[str] = (),
        addresses: Callable[[], tuple[str, ...]] = lan_addresses,
    ) -> None:
        self.port = 8000
        self.bind = "0.0.0.0"
        self._names = {"localhost", local_name(), *(name.lower() for name in names)}
        self._monotonic_s = monotonic_s
        self._addresses = addresses
        self._lock = threading.Lock()
        self._known: tuple[str, ...] = ()
        self._known_s = -_FRESH_S
        self._hosts: dict[str, tuple[bool, float]] = {}
        self.local: str | None = None
        self.visitor: str | None = None

    def addresses(self) -> tuple[str, ...]:
        """Addresses for phones, best first; this machine's own loopback if there is no network."""
        now_s = self._monotonic_s()
        with self._lock:
            if now_s - self._known_s >= _FRESH_S:
                fixed = self.bind not in ("0.0.0.0", "")
                self._known = (self.bind,) if fixed else self._addresses()
                self._known_s = now_s
            return self._known or ("127.0.0.1",)

    def came(self, peer: str) -> None:
        """Remember a phone that got through; a request from this machine itself proves nothing."""
        if peer != self.visitor and not is_loopback(peer) and not self._own(peer):
            self.visitor = peer

    def announce(self, name: str) -> None:
        """Answer to a `.local` name too, and show it."""
        self._names.add(name)
        self.local = name

    def own_names(self) -> tuple[str, ...]:
        """Every address and name that phones may use for this machine."""
        return (*self.addresses(), *sorted(self._names))

    def url(self, path: str, address: str | None = None) -> str:
        """The full address of a page, by the best adapter unless one is named."""
        return f"http://{address or self.addresses()[0]}:{self.port}{path}"

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this server, against DNS rebinding."""
        name = split_host(host)
        return name in self._names or self._own(name)

    def _own(self, name: str) -> bool:
        """Whether this machine has the address now; looked up only every few seconds."""
        now_s = self._monotonic_s()
        with self._lock:
            verdict, then_s = self._hosts.get(name, (False, now_s - _FRESH_S))
        if now_s - then_s >= _FRESH_S:
            verdict = owns(name)
            with self._lock:
                if len(self._hosts) >= 64:
                    self._hosts.clear()
                self._hosts[name] = (verdict, now_s)
        return verdict
