"""A page that lists the tables of this process, for whoever runs the machine."""

from flask import Blueprint, Response, current_app, g, make_response

from web.access.auth import Viewer
from web.base.errors import Denied
from web.content.page import page
from web.live.parts import parts

pages = Blueprint("tables", __name__)


def only_here(viewer: Viewer) -> None:
    """Refuse requests that do not come from the machine that runs the tables.

    Raises:
        Denied: 403.
    """
    if not viewer.local:
        raise Denied(
            403, "not_here", "Only the machine that runs the tables shows this; open it there."
        )


@pages.get("/tables")
def tables() -> Response:
    """Every table with its code and addresses, for the person who runs the machine."""
    only_here(g.viewer)
    web = parts(current_app)
    rows = []
    for each in web.tables.parts:
        seen = each.session.view(None, "table")
        rows.append(
            {
                "code": each.auth.code,
                "url": each.net.url(f"{each.base}/j/{each.auth.code}"),
                "base": each.base,
                "secret": each.auth.host_secret,
                "names": [seat["name"] for seat in seen["seats"]],
            }
        )
    return make_response(page("tables.html", tables=rows))
