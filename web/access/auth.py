"""Decides for every route who is asking and whether they may."""

import base64
import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from web.access.address import Net, is_loopback, is_outside, split_host
from web.base.errors import Denied
from web.base.rate_limits import Buckets, Guesses, Limits
from web.base.session_port import SessionPort

COOKIE = "domino"
_KEPT = 4096
"""Most devices remembered, so that somebody who joins again and again cannot fill the memory."""
COOKIE_AGE_S = 30 * 24 * 3600
_TOKENS = r"([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})\s*(?:;|$)"
_PAGES = frozenset(
    {
        "/",
        "/join",
        "/play",
        "/table",
        "/tables",
        "/trust",
        "/doctor",
        "/replay",
        "/setup",
        "/statistics",
        "/bench",
    }
)
_PAGES_UNDER = ("/j/", "/h/", "/host/", "/dev/", "/t/")
_FILES = frozenset({"/trust/ca.crt", "/favicon.ico"})
_FILES_UNDER = ("/static/", "/locales/")
_READ_ONLY = frozenset({"GET", "HEAD"})
_KINDS = frozenset({"application/json", "image/jpeg"})
"""What the body of a request may be: commands, and photos of the row."""
_PASSED_ON = frozenset(
    {"forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"}
)
"""Headers that proxies add to requests they pass on; browsers never send them."""
_IN_A_HURRY = ("stop", "call")
"""Commands that no flood of other requests may delay."""
_WRONG_CODES = "wrong codes"
"""Key of the bucket for wrong join codes from everywhere; there are only some 200 words to try."""


@dataclass(frozen=True, slots=True)
class AccessRequest:
    """The parts of a request that permission depends on; header names in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    peer: str


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who asks: a device that has joined with the code, or only an address on the network.

    Attributes:
        device: the hash of its token; None if it has not joined.
        peer: the address that the request came from.
        passed_on: whether a proxy has passed it on, so that `peer` is not its origin.
    """

    device: str | None
    peer: str
    passed_on: bool = False

    @property
    def local(self) -> bool:
        """Whether the request comes from the machine that runs the table."""
        return is_loopback(self.peer) and not self.passed_on

    def at_table(self) -> str:
        """Give its device.

        Raises:
            Denied: 401 if it has not joined.
        """
        if self.device is None:
            raise Denied(401, "join", "This browser is not at the table yet; join with the code.")
        return self.device


def device_of(token: str) -> str:
    """The device that a token stands for: the token's hash, from which nobody can recover it."""
    return hashlib.sha256(token.encode()).hexdigest()[:32]


class Auth:
    """The doorkeeper of one table."""

    def __init__(
        self,
        session: SessionPort,
        net: Net,
        buckets: Buckets,
        guesses: Guesses,
        limits: Limits,
        *,
        code: str,
        host_secret: str | None = None,
        allow_public: bool = False,
        name: str = "",
    ) -> None:
        self.code = code
        self.cookie = f"{COOKIE}_{name}" if name else COOKIE
        self._cookie = re.compile(rf"(?:^|;)\s*{self.cookie}={_TOKENS}")
        self.host_secret = host_secret or secrets.token_urlsafe(9)
        self._session = session
        self._net = net
        self._limits = limits
        self._allow_public = allow_public
        self._buckets = buckets
        self._guesses = guesses
        self._lock = threading.Lock()
        self._devices: dict[str, bool] = {}  # and whether it is a browser of this machine

    def authorise(self, asked: AccessRequest) -> Viewer:
        """Let a request in, or turn it away.

        Anybody on the home network may open pages: without a device they only ask for the join
        code. Everything else needs a device that has joined, or this machine itself.

        Raises:
            Denied: with status 400, 401, 403 or 415.
        """
        self.check(asked)
        self._net.came(asked.peer)
        viewer = Viewer(self._device(asked), asked.peer, is_passed_on(asked))
        if viewer.device is not None and viewer.local:
            self._remember(viewer.device, local=True)
        if not is_open(asked.path) and viewer.device is None and not viewer.local:
            raise Denied(
                401, "join", "This phone is not at the table yet; scan the code on the screen."
            )
        return viewer

    def check(self, asked: AccessRequest) -> None:
        """Check everything about a request except its sender; never waits.

        Raises:
            Denied: with status 400, 403 or 415.
        """
        if is_outside(asked.peer) and not self._allow_public:
            raise Denied(
                403,
                "public",
                "This table only answers its own network; join the same Wi-Fi and scan again.",
            )
        if not self._net.answers_to(asked.headers.get("host", "")):
            raise Denied(
                400,
                "host_name",
                "This table does not go by that name; open the address on the table screen.",
            )
        if not is_open(asked.path) or asked.method not in _READ_ONLY:
            _same_origin(asked)
        if asked.method not in _READ_ONLY:
            _no_form(asked)

    def sender(self, asked: AccessRequest) -> str:
        """The device if it can be told without asking the session, otherwise the address."""
        found = self._cookie.search(asked.headers.get("cookie", ""))
        if found is not None:
            token, signature = found.groups()
            device = device_of(token)
            with self._lock:
                known = device in self._devices
            if known or hmac.compare_digest(signature, self._signature(token)):
                return device
        return asked.peer

    def stopper(self, asked: AccessRequest) -> str:
        """The device that asks for STOP; waits for nothing and uses only what is in memory.

        Raises:
            Denied: 401 if it is not at the table.
        """
        found = self._cookie.search(asked.headers.get("cookie", ""))
        device = device_of(found[1]) if found else None
        if device is None or not (self._session.may_stop(device) or self.sender(asked) == device):
            device = None
        return Viewer(device, asked.peer, is_passed_on(asked)).at_table()

    def may_send_stop(self, device: str) -> bool:
        """Whether a device's STOP is sent again; if it comes too often, the last answer counts."""
        return not self._buckets.spend(("stop", device), self._limits.stop)

    def knows(self, device: str) -> bool:
        """Whether a device has joined, or has a seat or rights in the session."""
        with self._lock:
            if device in self._devices:
                return True
        if not self._has_place(device):
            return False
        self._remember(device)
        return True

    def admit(self) -> tuple[str, str]:
        """Make a device.

        Returns:
            The content of its cookie, and the device. The cookie is signed under the present code,
            so it is good after a restart, until somebody is put out.
        """
        token = secrets.token_urlsafe(16)
        device = device_of(token)
        self._remember(device)
        return f"{token}.{self._signature(token)}", device

    def devices_at(self, seat: str) -> tuple[str, ...]:
        """The joined devices that have this seat now."""
        with self._lock:
            devices = tuple(self._devices)
        return tuple(each for each in devices if self._session.you(each)["seat"] == seat)

    def put_out(self, devices: Iterable[str], code: str) -> None:
        """Forget devices; they can only come back with the new code.

        So must every device that has neither a seat nor the host's rights: whoever is put out may
        have another browser that watches, and reads the new code there. Browsers of this machine
        stay: its table screen never needed a code.
        """
        with self._lock:
            self.code = code
            for device in devices:
                self._devices.pop(device, None)
            known = self._devices.items()
            self._devices = {d: local for d, local in known if local or self._has_place(d)}

    def check_code(self, code: str, viewer: Viewer) -> None:
        """Compare a join code.

        Raises:
            Denied: 404 for a wrong code, 429 for too many of them.
        """
        self._guess("code", code.strip().upper(), self.code, viewer)

    def may_guess(self, kind: str, viewer: Viewer) -> None:
        """Refuse an address that has guessed wrong too often, until its wait is over.

        Raises:
            Denied: 429.
        """
        wait_s = self._guesses.wait_s((kind, viewer.peer))
        if kind == "code" and not viewer.local:
            wait_s = max(wait_s, self._buckets.wait_s(_WRONG_CODES, self._limits.wrong_codes))
        if wait_s:
            raise Denied(
                429,
                "too_fast",
                f"Too many wrong guesses; wait {wait_s:.0f} seconds and try again.",
                wait_s,
            )

    def check_host_secret(self, secret: str, viewer: Viewer) -> None:
        """Compare the host's secret.

        Raises:
            Denied: 403 for a wrong secret, 429 for too many of them.
        """
        self._guess("secret", secret.strip(), self.host_secret, viewer)

    def spend(self, viewer: Viewer, kind: str = "other") -> None:
        """Count one request against its device and its address.

        STOP and Domino! have buckets of their own, so that no flood of other requests delays them.
        So have past games, statistics and photos, because they cost most. This machine's address
        has none, because bots and the table screen share it.

        Raises:
            Denied: 429, with the seconds to wait.
        """
        limits, spend = self._limits, self._buckets.spend
        who = viewer.device or viewer.peer
        own = {
            "stop": limits.stop,
            "call": limits.shout,
            "past": limits.past,
            "bench": limits.bench,
            "photo": limits.photo,
            "upload": limits.photo,
        }
        of_address = {"page": limits.page, "file": limits.file}
        if kind in own:
            wait_s = spend((kind, who), own[kind])
        elif kind in of_address:
            wait_s = 0.0 if viewer.local else spend((kind, viewer.peer), of_address[kind])
        else:
            wait_s = spend(("device", who), limits.device)
            if not wait_s and not viewer.local:
                wait_s = spend(("address", viewer.peer), limits.address)
        if wait_s:
            raise Denied(429, "too_fast", "That was too fast; wait a moment and try again.", wait_s)

    def spend_command(self, viewer: Viewer, kind: str) -> None:
        """Count one command by its name, which a phone may make up: most names share one bucket.

        Raises:
            Denied: 429, with the seconds to wait.
        """
        self.spend(viewer, kind if kind in _IN_A_HURRY else "other")

    def _has_place(self, device: str) -> bool:
        you = self._session.you(device)
        return you["seat"] is not None or you["host"] is True

    def _remember(self, device: str, *, local: bool = False) -> None:
        with self._lock:
            self._devices[device] = local or self._devices.get(device, False)
            if len(self._devices) > _KEPT:  # whoever has a place is found again in the session
                del self._devices[next(iter(self._devices))]

    def _guess(self, kind: str, given: str, right: str, viewer: Viewer) -> None:
        self.may_guess(kind, viewer)
        key = (kind, viewer.peer)
        if hmac.compare_digest(given.encode(), right.encode()):
            # All guests have the code: one who gives it between wrong ones could use up the bucket
            # of everybody's wrong codes, and nobody could join.
            if kind != "code":
                self._guesses.forgive(key)
            return
        self._guesses.missed(key)
        if kind == "code":
            self._buckets.spend(_WRONG_CODES, self._limits.wrong_codes)
            raise Denied(
                404, "code", "That code is not this table's; look at the table screen again."
            )
        raise Denied(
            403, "secret", "That is not the host's secret; it is shown where the table was started."
        )

    def _device(self, asked: AccessRequest) -> str | None:
        # Searched, not parsed: what other pages of this machine left there may be anything.
        parts = self._cookie.search(asked.headers.get("cookie", ""))
        if parts is None:
            return None
        token, signature = parts.groups()
        device = device_of(token)
        with self._lock:
            if device in self._devices:
                return device
        if hmac.compare_digest(signature, self._signature(token)):
            self._remember(device)
            return device
        # A seat outlives its code. Forged cookies must not cost a look into the session each.
        if self._buckets.spend(("unknown", asked.peer), self._limits.unknown):
            raise Denied(429, "too_fast", "That was too fast; wait a moment and try again.", 1.0)
        return device if self.knows(device) else None

    def _signature(self, token: str) -> str:
        text = f"{self.code} {token}".encode()
        digest = hmac.digest(self.host_secret.encode(), text, "sha256")
        return base64.urlsafe_b64encode(digest).decode()[:22]


def is_page(path: str) -> bool:
    """Whether a path is a page for people; without a device it asks for the code."""
    return path in _PAGES or path.startswith(_PAGES_UNDER)


def is_open(path: str) -> bool:
    """Whether anybody on the network may ask for a path: a page, or a file that pages load."""
    return is_page(path) or path in _FILES or path.startswith(_FILES_UNDER)


def is_passed_on(asked: AccessRequest) -> bool:
    """Whether a proxy has passed a request on, so that its peer does not say who asks.

    A proxy that hides itself still shows in the Host header, which has the name people use.
    """
    if not is_loopback(asked.peer):
        return False
    host = split_host(asked.headers.get("host", ""))
    return not (is_loopback(host) or host == "localhost") or not _PASSED_ON.isdisjoint(
        asked.headers
    )


def _same_origin(asked: AccessRequest) -> None:
    """Refuse a request that another site made a browser send."""
    site = asked.headers.get("sec-fetch-site", "same-origin")
    origin = asked.headers.get("origin")
    own = asked.headers.get("host", "")
    foreign = origin is not None and origin.partition("://")[2] != own
    # "none" is a person typing the address of, say, the QR picture.
    if foreign or site not in ("same-origin", "none"):
        raise Denied(
            403, "origin", "Another page sent this; use the page that this table itself shows."
        )


def _no_form(asked: AccessRequest) -> None:
    """Refuse what a form of another page could send; a browser asks before it sends these."""
    kind = asked.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in _KINDS:
        raise Denied(415, "not_json", "Commands are JSON; send Content-Type: application/json.")
