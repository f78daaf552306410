"""Views as they are sent: the session's snapshot for each audience, and how to reach the table."""

from collections.abc import Hashable
from typing import cast

from web.access.address import Net
from web.access.auth import Auth, Viewer
from web.base.json import encode
from web.base.session_port import Json, Role, SessionPort
from web.live.puzzle import BETWEEN, PuzzleBox


class Views:
    """Makes the one JSON that phones and the table screen draw from."""

    def __init__(
        self, session: SessionPort, auth: Auth, net: Net, base: str, puzzle: PuzzleBox
    ) -> None:
        self._session = session
        self._auth = auth
        self._net = net
        self._base = base
        self._puzzle = puzzle
        self._seen_at: tuple[str, ...] = ()

    def has_moved(self) -> bool:
        """Whether this machine's addresses have changed since this was last asked."""
        before, self._seen_at = self._seen_at, self._net.addresses()
        return before not in ((), self._seen_at)

    def snapshot(self, viewer: Viewer, role: Role) -> Json:
        """The session's view for this viewer, with the table's addresses under `"net"`."""
        return self._dress(self._session.view(viewer.device, role))

    def event(self, audience: Hashable) -> bytes:
        """An audience's snapshot as the bytes of one server-sent event; its id is the version."""
        snapshot = self._dress(self._session.view_of(audience))
        return b"id: %d\ndata: %b\n\n" % (cast(int, snapshot["v"]), encode(snapshot))

    def _dress(self, view: Json) -> Json:
        """Add the table's addresses and its puzzle; put its prefix before those of pictures."""
        if self._base:
            if view.get("live"):
                view["live"] = self._base + view["live"]
            for name in ("push", "verdict"):
                shown = view.get(name)
                if shown and shown.get("picture"):
                    view[name] = {**shown, "picture": self._base + shown["picture"]}
        puzzle = self._puzzle.now if view.get("phase") in BETWEEN else None
        given: Json = {} if puzzle is None else {"puzzle": puzzle.shown()}
        if view.get("final"):
            given["badges"] = f"{self._base}/api/badges"
        return {**view, **given, "net": self._way_in()}

    def _way_in(self) -> Json:
        code = self._auth.code
        path, qr = f"{self._base}/j/{code}", f"{self._base}/qr.svg?c={code}"
        first, *others = (
            {"url": self._net.url(path, each), "qr": f"{qr}&at={each}"}
            for each in self._net.addresses()
        )
        local = self._net.url(self._base, self._net.local) if self._net.local else None
        return {"code": code, **first, "local": local, "others": others}
