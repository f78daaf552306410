"""The parts of one table's web side, as routes find them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from flask import Flask

from web.limits import Limits
from web.ports import Session, Setup

if TYPE_CHECKING:
    from web.address import Net
    from web.auth import Auth
    from web.handover import Tickets
    from web.hub import Hub
    from web.replay import Past
    from web.stop import Stops
    from web.tables import Tables
    from web.view import Views


@dataclass(frozen=True, slots=True)
class Parts:
    """What `create_app` put together.

    Attributes:
        base: where the table's addresses begin: nowhere for the first, or `/t/NAME`.
        tables: this one and the others of the process.
        setup: what is set up at this table, None where it has no devices.
    """

    base: str
    tables: "Tables"
    session: Session
    net: "Net"
    auth: "Auth"
    views: "Views"
    hub: "Hub"
    limits: Limits
    tickets: "Tickets"
    stops: "Stops"
    past: "Past"
    development: bool
    setup: Setup | None = None


def parts(app: Flask) -> Parts:
    """The parts behind an application."""
    return cast(Parts, app.extensions["domino"])
