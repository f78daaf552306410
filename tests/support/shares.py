"""What a phone does by itself in a shuffle: it draws a share, and sends its hash before it."""

import hashlib

from rig.games.shuffle import share_hash


class Shares:
    """The shares of one phone.

    Args:
        name: of the phone; its shares follow from it and from the shuffle.
    """

    def __init__(self, name):
        self.name = name

    def of(self, shuffle):
        return hashlib.sha256(f"{self.name} {shuffle['commitment']}".encode()).hexdigest()

    def owed(self, view):
        """The command that this phone owes, as kind and fields; None while it owes nothing."""
        shuffle, seat = view.get("shuffle"), view["you"]["seat"]
        if not shuffle or seat not in shuffle["missing"]:
            return None
        share, named = self.of(shuffle), {"shuffle": shuffle["commitment"]}
        if shuffle["stage"] == "shares":
            return "shuffle_share", {**named, "share": share}
        told = share_hash(shuffle["game"], shuffle["round"], seat, share)
        return "shuffle_hash", {**named, "hash": told}


def shuffled(session, phones, send):
    """Have phones send what they owe until nothing is shuffled any more.

    Args:
        session: the table.
        phones: names of devices that are awake.
        send: sends a command, given device, kind and fields.
    """
    while session.play.rules.needs(session.table.game):
        session.tick()
        for phone in phones:
            if owed := Shares(phone).owed(session.view(phone)):
                kind, fields = owed
                assert send(phone, kind, **fields)["ok"]
