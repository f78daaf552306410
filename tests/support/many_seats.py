"""Snapshots of a game that has no screens of its own, with as many seats as asked for."""

from rig.session.session import Session
from rig.session.state import MARKS
from tests.support.sessions import session_on
from tests.support.shares import shuffled

NAMES = (
    *("Olena", "Borys", "Maximiliane", "Petro", "Ivana"),
    *("Konstantin", "Zoya", "Alexandra", "Mira", "Svetoslav"),
)
QR = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'%3E"
    "%3Cpath d='M1 1h2v2H1zM6 1h2v2H6zM1 6h2v2H1zM4 4h1v1H4zM6 6h1v1H6zM5 3h1v1H5z'/%3E%3C/svg%3E"
)
NET = {"code": "PINE", "url": "http://192.168.7.1:8000/", "qr": QR, "others": []}


def snapshots(folder, play, seats):
    """What host, table screen and somebody new see: in the lobby, in the game, and at its end."""
    session = session_on(folder / f"{play.name}.sqlite3", play=play, of=Session)
    shown, number = {}, 0

    def send(phone, kind, **data):
        nonlocal number
        number += 1
        view = session.view(phone)
        named = {"phase_id": view["phase_id"], "trick_id": view["trick_id"]}
        reply = session.submit(phone, {"id": f"c{number}", "type": kind, **named, **data})
        assert reply["ok"], reply
        return reply

    def note(moment):
        views = {"phone": ("p0", "phone"), "guest": ("p99", "phone"), "table": (None, "table")}
        for who, (device, role) in views.items():
            shown[f"{who}-{moment}"] = {**session.view(device, role), "net": NET}

    for n in range(seats):
        if n == 3:
            note("few")
        send(f"p{n}", "sit", name=NAMES[n], mark=MARKS[n])
        if n != 1:
            send(f"p{n}", "ready")
    note("lobby")
    send("p1", "ready")
    send("p0", "start")
    shuffled(session, [f"p{n}" for n in range(seats)], send)
    note("all")
    for n, seat in enumerate(session.table.game.seats):
        send(f"p{n}", "give", card=session.table.game.hands[seat][0])
    note("turn")
    send("p1", "leave")
    note("over")
    session.close()
    return shown
