"""The page that helps a phone to trust this machine's HTTPS, and the certificate to install."""

import re
from typing import Any

from flask import Blueprint, Response, current_app, make_response, request

from web.base.errors import Denied
from web.content.page import page
from web.live.parts import Parts, parts

pages = Blueprint("trust", __name__)

SYSTEMS = {
    "ios": ("iPhone, iPad", r"iPhone|iPad|iPod"),
    "android": ("Android", r"Android"),
    "windows": ("Windows", r"Windows"),
    "macos": ("macOS", r"Mac OS X|Macintosh"),
    "linux": ("Linux", r"Linux|X11"),
}
"""The name of each system, and what its browsers say of themselves; the first match counts."""


@pages.get("/trust")
def trust() -> Response:
    """How to install the authority; the steps for the visitor's system come first."""
    web = parts(current_app)
    on = web.tables.certificates
    values: dict[str, Any] = {"on": on is not None}
    if on is not None:
        mine = system_of(request.headers.get("User-Agent", ""))
        order = sorted(SYSTEMS, key=lambda name: name != mine)
        values.update(
            fingerprint=on.fingerprint,
            url=https_url(web),
            systems=[(name, SYSTEMS[name][0]) for name in order],
            mine=mine,
        )
    return make_response(page("trust.html", **values))


@pages.get("/trust/ca.crt")
def authority() -> Response:
    """The authority's certificate; it is public."""
    on = parts(current_app).tables.certificates
    if on is None:
        raise Denied(404, "not_found", "This table has no HTTPS; start it with --https.")
    response = Response(on.authority, mimetype="application/x-x509-ca-cert")
    response.headers["Content-Disposition"] = 'attachment; filename="domino-rig.crt"'
    return response


def https_url(web: Parts) -> str:
    """The table's HTTPS address, on the address by which the phone came."""
    address = request.host.rpartition(":")[0] or request.host
    return f"https://{address}:{web.tables.https_port}{web.base}/play"


def system_of(browser: str) -> str | None:
    """Guess the system from a browser's User-Agent.

    >>> system_of("Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140"), system_of("curl/8")
    ('android', None)
    """
    return next((name for name, (_, how) in SYSTEMS.items() if re.search(how, browser)), None)
