"""A phone without a person: joins, follows the event stream and sends commands over HTTP."""

import http.client
import http.cookies
import json
import threading
import uuid
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from rig.errors import RigError

LONGEST_S = 30.0
BUSY = (408, 429, 503)
"""What a server answers that would rather be asked again."""


class NoTable(RigError):
    """The referee did not let the phone in, or does not answer."""


def give_up(trouble: str) -> None:
    """Have no patience with a referee that does not answer."""
    raise NoTable(f"The referee does not answer: {trouble}.")


class HttpPhone:
    """One device at a table.

    Args:
        join_url: where the QR code leads.
        patience: hears why an answer did not come; what it raises ends the asking, otherwise the
            same thing is asked again, by the same id.
        longest_s: an answer that takes longer than this did not come.

    Attributes:
        snapshot: the newest view.
    """

    def __init__(
        self,
        join_url: str,
        patience: Callable[[str], None] = give_up,
        longest_s: float = LONGEST_S,
    ) -> None:
        parts = urlsplit(join_url)
        self._patience = patience
        self._longest_s = longest_s
        self._address = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._cookie = self._join(parts.path)
        self._closing = False
        self._news = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="phone", daemon=True)
        self.snapshot: dict[str, Any] = self.state()
        self._thread.start()

    def command(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Send a command with a fresh id and give the answer."""
        body = {"id": uuid.uuid4().hex, "type": kind, **fields}
        return self._ask("POST", "/api/command", body)

    def state(self) -> dict[str, Any]:
        """Ask for the view of this moment."""
        return self._ask("GET", "/api/state", None)

    def next_view(self, timeout_s: float) -> dict[str, Any]:
        """Give the newest view, after a newer one or the time."""
        self._news.wait(timeout_s)
        self._news.clear()
        return self.snapshot

    def close(self) -> None:
        """Leave the stream."""
        self._closing = True
        self._thread.join(10.0)

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self._address, timeout=self._longest_s)

    def _join(self, path: str) -> str:
        answer, _ = self._answered("GET", path, None, {})
        jar = http.cookies.SimpleCookie(answer.getheader("Set-Cookie", ""))
        if not jar:
            raise NoTable(f"The referee did not let this phone in: HTTP {answer.status}.")
        return "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
        payload = None if body is None else json.dumps(body)
        return dict(json.loads(self._answered(method, path, payload, headers)[1]))

    def _answered(
        self, method: str, path: str, payload: str | None, headers: Mapping[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        """Ask until there is an answer, or patience ends."""
        while True:
            connection = self._connect()
            try:
                connection.request(method, path, payload, dict(headers))
                answer = connection.getresponse()
                told = answer.read()
            except (OSError, http.client.HTTPException) as error:
                trouble = str(error) or type(error).__name__
            else:
                if answer.status not in BUSY:
                    return answer, told
                trouble = f"HTTP {answer.status}"
            finally:
                connection.close()
            self._patience(trouble)

    def _follow(self) -> None:
        connection = self._connect()
        try:
            connection.request("GET", "/events", headers={"Cookie": self._cookie})
            stream = connection.getresponse()
            while not self._closing:
                line = stream.readline()
                if not line:
                    break
                if line.startswith(b"data:") and line[5:].strip() not in (b"", b"{}"):
                    data = json.loads(line[5:])
                    if isinstance(data, dict) and "phase" in data:
                        self.snapshot = data
                        self._news.set()
        except (OSError, http.client.HTTPException):
            pass
        finally:
            connection.close()
            self._news.set()
