"""What people read of a game and of its proof."""

from rig.cli.teller import teller
from tests.support import marked


def in_english(told, game=""):
    """What a narrator or a proof has told, in words."""
    return teller("en", game).tell(told)


def unmarked(told, game="", facts=()):
    """The words of it that come from no catalogue, apart from facts; in the language of marks."""
    return marked.unmarked(teller(marked.CODE, game).tell(told), *facts)


def unmarked_findings(findings, file):
    """Those without words, or with some from no catalogue, names and types of the file aside."""
    records = [event.record for event in file.events]
    known = {player.name for player in file.players} | {record.type for record in records}
    known |= {record.public.get(name, "") for record in records for name in ("name", "command")}
    found = []
    for finding in findings:
        of = finding.told.of
        # Why something is no event is for who can read JSON: the reader's own words say it.
        facts = {*known, *(of.get(name, "") for name in ("field", "shown", "why"))} - {""}
        left = unmarked(finding.told, file.game, facts)
        if left or not in_english(finding.told, file.game):
            found.append((left, finding))
    return found
