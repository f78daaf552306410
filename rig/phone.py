"""A phone without a person: joins, follows the event stream and sends commands over HTTP."""

import http.client
import http.cookies
import json
import threading
import uuid
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from rig.errors import RigError


class NoTable(RigError):
    """The referee did not let the phone in, or does not answer."""


class HttpPhone:
    """One device at a table.

    Args:
        join_url: where the QR code leads.

    Attributes:
        snapshot: the newest view.
    """

    def __init__(self, join_url: str) -> None:
        parts = urlsplit(join_url)
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
        return http.client.HTTPConnection(*self._address, timeout=30)

    def _join(self, path: str) -> str:
        connection = self._connect()
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
        except OSError as error:
            raise NoTable(f"The referee does not answer at {self._address}: {error}.") from None
        finally:
            connection.close()
        jar = http.cookies.SimpleCookie(answer.getheader("Set-Cookie", ""))
        if not jar:
            raise NoTable(f"The referee did not let this phone in: HTTP {answer.status}.")
        return "; ".join(f"{name}={morsel.value}" for name, morsel in jar.items())

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        connection = self._connect()
        try:
            headers = {"Cookie": self._cookie, "Content-Type": "application/json"}
            payload = None if body is None else json.dumps(body)
            connection.request(method, path, payload, headers)
            return dict(json.loads(connection.getresponse().read()))
        finally:
            connection.close()

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
