"""The parts of one table's web side, as routes find them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import Flask

from web.limits import Limits
from web.ports import Session

if TYPE_CHECKING:
    from web.address import Net
    from web.auth import Auth
    from web.hub import Hub
    from web.view import Views


@dataclass(frozen=True, slots=True)
class Parts:
    """What `create_app` put together."""

    session: Session
    net: "Net"
    auth: "Auth"
    views: "Views"
    hub: "Hub"
    limits: Limits
    development: bool


def parts(app: Flask) -> Parts:
    """The parts behind an application."""
    return cast(Parts, app.extensions["domino"])
