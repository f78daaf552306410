"""HTTPS without the internet: an authority of this machine's own, and a certificate it signs.

The authority is made once and kept; a phone that trusts it trusts what it signs, so it may only
sign home networks' addresses and `.local` names, and its key never leaves the folder. What the
server shows is signed anew whenever this machine's addresses change or its time runs out.
"""

import datetime
import hashlib
import importlib.util
import ipaddress
import logging
import os
import ssl
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from web.base.errors import WebError

log = logging.getLogger(__name__)

_FIRST = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
"""A clock before this has not been set yet: an authority of 1970 has long expired."""
_LEAF_DAYS = 90
"""Phones refuse longer ones of private authorities: some from 825 days, some from 398."""
_RENEW_DAYS = 30
_HOME = (
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
    "::1/128",
)
"""All that the authority may sign, besides `localhost` and `.local` names."""


class NoHttps(WebError):
    """HTTPS was asked for and cannot be had; nothing has been started."""


class Certificates:
    """What the HTTPS side shows to phones.

    Args:
        folder: where the authority is kept between evenings.
        names: gives the names and addresses that the certificate has to hold now.
        now: gives the time.

    Raises:
        NoHttps: the extra is not installed, or the folder cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        names: Callable[[], Sequence[str]],
        now: Callable[[], datetime.datetime] = lambda: datetime.datetime.now(datetime.UTC),
    ) -> None:
        if importlib.util.find_spec("cryptography") is None:
            raise NoHttps(
                "HTTPS needs the package cryptography from the extra https: 'domino-rig doctor' "
                "prints the command that installs it, or leave --https out.",
                "extras.https",
            )
        self._folder = folder
        self._names = names
        self._now = now
        self._lock = threading.Lock()
        self._held: tuple[str, ...] = ()
        self._until = self._now()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._authority()
            self.context = self._signed()
        except (OSError, ValueError, ssl.SSLError) as error:
            raise NoHttps(
                f"{folder}: the certificates there cannot be used ({error}); look at its rights, "
                "or take the folder away and have new ones made.",
                "certificates",
                folder=folder,
            ) from error

    @property
    def authority(self) -> bytes:
        """The authority's certificate for phones to install, in PEM."""
        return (self._folder / "ca.pem").read_bytes()

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the authority's certificate, as phones show it."""
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(self.authority.decode())).hexdigest()
        return ":".join(digest[i : i + 2] for i in range(0, len(digest), 2)).upper()

    def renew(self) -> ssl.SSLContext:
        """Give the context for the next handshake, signed anew if it has to be."""
        with self._lock:
            left = self._until - self._now()
            wanted = _wanted(self._names())
            in_time = _RENEW_DAYS <= left.days <= _LEAF_DAYS  # more: the clock was set back
            if not (in_time and set(wanted) <= set(self._held)):
                try:
                    self.context = self._signed()
                except OSError as error:  # the old one may do for this phone
                    log.warning(
                        "%s: cannot keep a new certificate (%s); the old one stays in use",
                        self._folder,
                        error,
                    )
            return self.context

    def _signed(self) -> ssl.SSLContext:
        from web.access.signing import sign

        wanted, now = _wanted(self._names()), self._now()
        until = now + datetime.timedelta(days=_LEAF_DAYS)
        path = self._folder / "server.pem"
        _write(path, sign(self._authority(), wanted, now, until))
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(path)
        context.sni_callback = self._shake
        self._held, self._until = wanted, until
        return context

    def _shake(self, side: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
        """Have a handshake use the certificate of now."""
        side.context = self.renew()

    def _authority(self) -> tuple[bytes, bytes]:
        """The authority's key and certificate, made where they are not there yet."""
        from web.access.signing import new_authority

        key, certificate = self._folder / "ca.key", self._folder / "ca.pem"
        if not (key.exists() and certificate.exists()):
            made_key, made = new_authority(_HOME, max(self._now(), _FIRST))
            _write(key, made_key)
            _write(certificate, made)
        return key.read_bytes(), certificate.read_bytes()


def _wanted(names: Sequence[str]) -> tuple[str, ...]:
    """What the certificate has to hold: only what the authority may sign."""
    return tuple(dict.fromkeys(each for each in (*names, "localhost", "127.0.0.1") if _may(each)))


def _may(name: str) -> bool:
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".local")
    return any(address in ipaddress.ip_network(network) for network in _HOME)


def _write(path: Path, content: bytes) -> None:
    """Write a file that only this user may read, whole or not at all."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with open(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
    fresh.replace(path)
