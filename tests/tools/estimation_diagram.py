"""The state diagram of the game, drawn from the table that `decide()` consults.

`python -m tests.tools.estimation_diagram` prints it for the README.
"""

from rig.games.estimation.commands import Leave
from rig.games.estimation.decide import IN_ROUND, SEAT, TABLE
from rig.games.estimation.terms import Phase

ANY = "ANY"


def mermaid() -> str:
    """The phases and what leads from one to another, as a Mermaid state diagram.

    What only a seat can do carries no mark, the others are named. What leads to the same phase
    from every phase of a round is drawn once, from `ANY`; a seat that leaves without changing the
    phase is not drawn.
    """
    lines = ["stateDiagram-v2", f'    state "any phase of a round" as {ANY}']
    lines.append(f"    [*] --> {Phase.LOBBY}")
    for (start, to), labels in _edges().items():
        lines.append(f"    {start} --> {to}: {', '.join(labels)}")
    return "\n".join(lines)


def _edges() -> dict[tuple[str, str], list[str]]:
    """For every two states, what leads from the one to the other."""
    edges: dict[tuple[str, str], list[str]] = {}
    for (phase, command), transition in TABLE.items():
        label = command.__name__
        if transition.actors != (SEAT,):
            label += f" ({', '.join(transition.actors)})"
        for to in transition.to:
            if command is Leave and to is phase:
                continue
            everywhere = all((p, command) in TABLE and to in TABLE[p, command].to for p in IN_ROUND)
            labels = edges.setdefault((ANY if everywhere else phase.value, to.value), [])
            if label not in labels:
                labels.append(label)
    return edges


if __name__ == "__main__":
    print(mermaid())
