"""What each viewer may see: the session's snapshot, and how to reach the table."""

import json
from typing import cast

from web.address import Net
from web.auth import Auth, Viewer
from web.ports import Json, Role, Session


class Views:
    """Makes the one JSON that phones and the table screen draw from."""

    def __init__(self, session: Session, auth: Auth, net: Net) -> None:
        self._session = session
        self._auth = auth
        self._net = net

    def snapshot(self, viewer: Viewer, role: Role) -> Json:
        """The session's view for this viewer, with the way in under `"net"`."""
        path = f"/j/{self._auth.code}"
        first, *others = self._net.addresses()
        net = {
            "code": self._auth.code,
            "url": self._net.url(path, first),
            "qr": f"/qr.svg?c={self._auth.code}",
            "others": [
                {"url": self._net.url(path, other), "qr": f"/qr.svg?c={self._auth.code}&at={other}"}
                for other in others
            ],
        }
        return {**self._session.view(viewer.device, role), "net": net}

    def event(self, viewer: Viewer, role: Role) -> bytes:
        """The snapshot as one server-sent event, its version as the event's id."""
        snapshot = self.snapshot(viewer, role)
        return b"id: %d\ndata: %b\n\n" % (cast(int, snapshot["v"]), encode(snapshot))


def encode(value: object) -> bytes:
    """JSON in one line of UTF-8.

    >>> encode({"name": "Ołena"}).decode()
    '{"name":"Ołena"}'
    """
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
