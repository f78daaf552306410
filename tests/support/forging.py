"""A forger at work on game files, with an editor or with a program that makes all links anew."""

import base64
import json
from copy import deepcopy
from dataclasses import replace

from rig.history.gamefile import dumped, loaded
from rig.session.fingerprint import Linked, first_link, next_link

OTHER = {"success": "failure", "failure": "success", "fell": "stood", "stood": "fell"}
OTHER |= {"left": "right", "right": "left"}


class Forged:
    """A game file as somebody who can edit JSON sees it.

    Attributes:
        json: the file.
        events: its events, each an object.
        at: the number of the event that the edit at hand is about, 0 for the file as a whole.
    """

    def __init__(self, file):
        self.json = json.loads(dumped(file))
        self.events = self.json["events"]
        self.at = 0

    def find(self, kind, n=0, where=lambda event: True):
        """The nth event of a kind; what is forged is that one."""
        found = [e for e in self.events if e["type"] == kind and where(e)]
        self.at = found[n]["v"]
        return found[n]

    def data(self, kind, n=0, where=lambda event: True):
        return self.find(kind, n, where)["data"]

    def index(self, event):
        return next(i for i, each in enumerate(self.events) if each is event)

    def seat_but(self, *seats):
        """A seat of the game that is none of these."""
        start = next(e for e in self.events if e["type"] == "GameStarted")
        return next(s for s in start["data"]["seats"] if s not in seats)

    def insert(self, before, kind, actor, /, **data):
        """Put in an event; the numbers after it move on."""
        i = self.index(before)
        new = {**deepcopy(before), "type": kind, "actor": actor, "data": data}
        self.events.insert(i, new)
        for event in self.events[i + 1 :]:
            event["v"] += 1
        self.at = new["v"]
        return new

    def take_out(self, event):
        """Take out an event; the numbers after it close up."""
        i = self.index(event)
        self.at = event["v"]
        del self.events[i]
        for other in self.events[i:]:
            other["v"] -= 1

    def picture(self, n, jpeg):
        self.json["pictures"][str(n)] = base64.b64encode(jpeg).decode()

    def as_it_is(self):
        """The file as the editor left it."""
        return loaded(json.dumps(self.json).encode())

    def linked_anew(self):
        """The file with every link, and the end in its head, made to fit."""
        file = self.as_it_is()
        link, events = first_link(file), []
        for each in file.events:
            link = next_link(link, each.record)
            events.append(Linked(each.record, link))
        return replace(file, events=tuple(events), count=len(events), last=link)
