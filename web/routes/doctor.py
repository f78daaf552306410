"""Why a phone cannot get in: what this machine's network looks like, and what to do about it.

A firewall or a guest network cannot be seen from inside; all that can be seen is whether a phone
ever got through. Until one has, the page names what usually blocks phones.
"""

import ipaddress
import re
import socket
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, g, make_response

from web.access.address import is_outside, lan_adapters
from web.base.errors import Denied
from web.content.page import page
from web.live.parts import Parts, parts

pages = Blueprint("doctor", __name__)

_VPN = re.compile(r"^(tun|tap|wg|utun|ppp|ipsec|tailscale|zt|nordlynx|proton|mullvad)", re.I)
_VIRTUAL = re.compile(r"^(docker|veth|br-|virbr|vmnet|vbox|lxc|lxd|podman|vethernet)", re.I)
_ANSWER_S = 0.5


@dataclass(frozen=True, slots=True)
class Adapter:
    """One address of this machine.

    Attributes:
        address: where phones may reach it.
        name: the system's name of the adapter, "" if it gives none.
        default: whether the default route goes through it.
        answers: whether the table answers there, tried from this machine.
    """

    address: str
    name: str = ""
    default: bool = False
    answers: bool = True

    @property
    def kind(self) -> str:
        """What it seems to be: vpn, virtual, lonely, public or home."""
        if _VPN.match(self.name):
            return "vpn"
        if _VIRTUAL.match(self.name):
            return "virtual"
        if ipaddress.ip_address(self.address).is_link_local:
            return "lonely"
        return "public" if is_outside(self.address) else "home"


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything that the doctor can see.

    Attributes:
        bind: the address the table is served on.
        adapters: this machine's addresses, best first.
        system: linux, windows or macos.
        visitor: the phone that got through last, None if none has.
    """

    bind: str
    adapters: Sequence[Adapter]
    system: str
    visitor: str | None = None


def findings(facts: Facts) -> tuple[str, ...]:
    """Name the findings, the most important first; the catalogue has their words.

    >>> findings(Facts("127.0.0.1", [], "linux"))
    ('alone',)
    >>> findings(Facts("0.0.0.0", [Adapter("192.168.1.2", "wlan0", True)], "linux", "192.168.1.9"))
    ('through',)
    """
    if facts.bind not in ("0.0.0.0", "") and ipaddress.ip_address(facts.bind).is_loopback:
        return ("alone",)
    if not facts.adapters:
        return ("offline",)
    kinds = [adapter.kind for adapter in facts.adapters]
    found = ["through"] if facts.visitor else []
    if not all(adapter.answers for adapter in facts.adapters if adapter.kind == "home"):
        found.append("silent")
    if "vpn" in kinds:
        found.append("vpn")
    if facts.adapters[0].kind != "home" and "home" in kinds:
        found.append("first")
    if kinds.count("home") > 1:
        found.append("several")
    if "home" not in kinds:
        found += [kind for kind in ("lonely", "public") if kind in kinds]
    if not facts.visitor:
        found += [f"firewall_{facts.system}", "guest", "phone_vpn"]
    return tuple(found)


def system() -> str:
    """The catalogue's name of this system."""
    return {"win32": "windows", "darwin": "macos"}.get(sys.platform, "linux")


def look(bind: str, port: int, visitor: str | None = None, answering: bool = True) -> Facts:
    """Look at this machine's network; nothing leaves it.

    Args:
        bind: the address the table is served on.
        port: its port.
        visitor: the phone that got through last.
        answering: whether a table is being served there, so that silence means something is wrong.
    """
    fixed = bind not in ("0.0.0.0", "")
    found = [(a, name) for a, name in lan_adapters() if not fixed or a == bind]
    adapters = [
        Adapter(address, name, i == 0, not answering or answers(address, port))
        for i, (address, name) in enumerate(found)
    ]
    return Facts(bind, adapters, system(), visitor)


def answers(address: str, port: int) -> bool:
    """Whether something listens there, seen from this machine."""
    try:
        with socket.create_connection((address, port), timeout=_ANSWER_S):
            return True
    except OSError:
        return False


@pages.get("/doctor")
def doctor() -> Response:
    """The page: the network, what to do, and a code that turns green; for host and this machine."""
    web = parts(current_app)
    may_see(web)
    visitor = web.net.visitor
    facts = look(web.net.bind, web.net.port, visitor)
    body = page(
        "doctor.html",
        facts=facts,
        found=findings(facts),
        port=web.net.port,
        url=web.net.url(f"{web.base}/j/{web.auth.code}"),
        code=web.auth.code,
        setup=web.setup is not None,
    )
    return make_response(body)


def may_see(web: Parts) -> None:
    """Let in this machine and the host.

    Raises:
        Denied: 403.
    """
    device = g.viewer.device
    if g.viewer.local or (device and web.session.you(device)["host"]):
        return
    raise Denied(
        403, "not_host", "Only the host can check the network; ask the person who runs the table."
    )
