"""What a game with faults left behind, looked at without the code that played it.

The journal is read anew, the chips are counted from ballots and outcomes, and everything is
compared with the log: the answers people got, and the strokes that the board made.
"""

from collections import Counter

from rig.config import load_config
from rig.games.estimation.game import Game, Options
from rig.games.estimation.table.estimation_play import apply, from_record
from rig.games.estimation.table.estimation_table import EstimationTable
from rig.history.gamefile import made
from rig.history.verify import verified
from rig.journal import Journal
from rig.row.push_events import ARM, PushEnded, PushRequested, PushStep
from tests.soak.game import fingerprint
from tests.support.recount import miscounted
from tests.support.telling import in_english


def audit(path, log, over=True):
    """Say in sentences what is wrong, and count what happened.

    Args:
        path: the journal, closed.
        log: what was written beside it.
        over: whether the game must have come to its end.

    Returns:
        The sentences, and a counter of what there was to look at.
    """
    journal = Journal(path)
    try:
        records = list(journal.events())
        kept = {
            (line["device"], line["ack"]): journal.reply(line["device"], line["ack"])
            for line in log.all("ack")
        }
        file = made(records, picture=journal.picture)
    finally:
        journal.close()
    wrong, counts = [], Counter()
    events = [from_record(record) for record in records]
    counts["events"] = len(events)
    wrong += _answers(log, kept, counts)
    wrong += _states(log, records, events, counts)
    wrong += _strokes(log, events, counts)
    proof = verified(file)
    wrong += [f"event {finding.v}: {in_english(finding.told)}" for finding in proof.findings]
    wrong += miscounted(records)
    wrong += [line["leak"] for line in log.all("leak")]
    if over and not proof.over:
        wrong.append("the game did not come to its end")
    counts["rounds"], counts["chips"] = proof.rounds, proof.chips
    return wrong, counts


def _answers(log, kept, counts):
    """Every command that was answered is in the journal with that answer."""
    for line in log.all("ack"):
        reply = {k: v for k, v in line["reply"].items() if k != "dup"}
        counts["answered"] += 1
        if reply["ok"] and kept[line["device"], line["ack"]] != reply:
            yield f"command {line['ack']} was answered {reply} and is lost"


def _states(log, records, events, counts):
    """The table was at every version what the journal makes of it."""
    if [record.v for record in records] != list(range(1, len(records) + 1)):
        yield "the journal has a hole"
    told = {line["state"]: line["is_"] for line in log.all("state")}
    table = EstimationTable(game=Game(options=Options.parse(load_config().rules)))
    for record, event in zip(records, events, strict=True):
        table = apply(table, event)
        if record.v in told:
            counts["states"] += 1
            if fingerprint(table) != told[record.v]:
                yield f"at version {record.v} the table was another one"
    if any(v > len(records) for v in told):
        yield "what had been written is gone"


def _strokes(log, events, counts):
    """No push was made twice, and none that nobody asked for."""
    kinds = {event.number: event.kind for event in events if isinstance(event, PushRequested)}
    asked = list(kinds)
    ended = {event.number: event.step for event in events if isinstance(event, PushEnded)}
    made_of = Counter(line["stroke"] for line in log.all("stroke"))
    counts["pushes"], counts["strokes"] = len(asked), sum(made_of.values())
    counts["pushes by a finger"] = sum(kind != ARM for kind in kinds.values())
    if asked != list(range(1, len(asked) + 1)):
        yield f"pushes are numbered {asked}"
    for number, strokes in made_of.items():
        if strokes > 1:
            yield f"push {number} was made {strokes} times"
        if kinds.get(number) != ARM:
            yield f"the arm moved and nobody had asked (push {number})"
    for number, step in ended.items():
        counts[f"push {step.value}"] += 1
        if step is PushStep.REFUSED and made_of[number]:
            yield f"push {number} is said not to have been made, and was"
        if step is PushStep.DONE and kinds[number] == ARM and not made_of[number]:
            yield f"push {number} is said to have been made, and was not"
