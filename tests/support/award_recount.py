"""The awards of a game reckoned once more, from the lines of its journal and the rules as written.

Nothing here asks `games/estimation/table/awards.py`, nor any fold: the records are read as they
stand, by the rules in `rig/games/README.md`.
"""

from fractions import Fraction

TALL_MM = {"vertical": "length_mm", "horizontal": "width_mm"}
USUAL = {"length_mm": 48.0, "width_mm": 24.0}
NEAR_MM = Fraction(10)


def pushes_of(records):
    """What the last game's pushes were, and who was still in it, out of the plain records."""
    pushes, seats, shown = [], [], {}
    for record in records:
        said = record.public
        match record.type:
            case "GameStarted":
                pushes, seats, shown = [], list(said["seats"]), {}
            case "RoundDealt":
                shown = {"round": said["round"], "row": [], "choiceless": set()}
                over = False
            case "SeatLeft":
                seats.remove(said["seat"])
            case "RowRead":
                shown["row"] = said["tiles"]
            case "DominoCalled":
                shown["choiceless"] = set(said["forced"])
                # The placer is the one who may say nothing but Success.
                (shown["placer"],) = [s for s, side in said["forced"].items() if side == "success"]
            case "BallotsRevealed":
                shown["said"] = dict(said["ballots"])
                shown |= {"chance": None, "tile": USUAL, "saw": None, "fair": True}
            case "PushRequested":
                chance = said["forecast"] and Fraction(said["forecast"]["p_fall"])
                shown |= {"chance": chance, "saw": None}
            case "PushBegun":
                shown["tile"] = said["tile"]
            case "PushEnded":
                shown["fair"] = said.get("cause") != "wrong_end"
            case "OutcomeSeen":
                shown["saw"] = said["seen"]
            case "AccidentClaimed":
                shown["accident"] = said["kind"]
            case "AccidentRejected" | "AccidentWithdrawn" | "AccidentTakenBack":
                shown.pop("accident", None)
            case "OutcomeJudged":
                fair = shown["fair"] and shown.get("accident") != "wrong_end"
                pushes.append({**shown, "fair": fair, "did": said["outcome"]})
                over = True
            case "VerdictCorrected":
                pushes[-1]["did"] = said["outcome"]
            case "RoundVoided":
                if over:
                    pushes.pop()
                over = False
    return pushes, seats


def reckoned(records):
    """The awards of the last game in these records: kind, who or which rounds, and the measure."""
    pushes, seats = pushes_of(records)
    known = [p for p in pushes if p["fair"] and p["chance"] is not None]
    awards = {}

    eyes = {}
    for seat in seats:
        free = [p for p in known if seat in p["said"] and seat not in p["choiceless"]]
        if len(free) < 2:
            continue
        fell = [Fraction(p["did"] == "fell") for p in free]
        own = [Fraction(p["said"][seat] == "success") for p in free]
        brier = sum((said - did) ** 2 for said, did in zip(own, fell, strict=True)) / len(free)
        chances = [p["chance"] for p in free]
        model = sum((said - did) ** 2 for said, did in zip(chances, fell, strict=True)) / len(free)
        if float(model - brier) > 1e-9:
            eyes[seat] = model - brier
    if eyes:
        best = max(eyes.values())
        who = [seat for seat in eyes if abs(float(best - eyes[seat])) < 1e-9]
        awards["eye"] = (who, [], round(float(best), 4))

    bluffs = [
        p
        for p in known
        if p["did"] == "fell" and "failure" in p["said"].values() and p["placer"] in seats
    ]
    if bluffs:
        least = min(p["chance"] for p in bluffs)
    if bluffs and float(least) <= 0.9:
        best = [p for p in bluffs if p["chance"] == least]
        who = [seat for seat in seats if seat in [p["placer"] for p in best]]
        awards["bluff"] = (who, [p["round"] for p in best], round(float(least), 3))

    short = {}
    for i, p in enumerate(pushes):
        saw = p["saw"]
        if saw and saw["outcome"] == p["did"] and saw["between"] and saw["gap_mm"] is not None:
            how = next(t["orientation"] for t in p["row"] if t["value"] == saw["between"][0])
            missing = Fraction(saw["gap_mm"]) - Fraction(p["tile"][TALL_MM[how]])
            missing = Fraction(round(float(missing), 1))
            if 0 < missing <= NEAR_MM:
                short[i] = missing
    if short:
        least = min(short.values())
        rounds = [pushes[i]["round"] for i, mm in short.items() if mm == least]
        awards["close"] = ([], rounds, float(least))
    elif known:
        least = min(abs(p["chance"] - Fraction(1, 2)) for p in known)
        best = [p for p in known if abs(p["chance"] - Fraction(1, 2)) == least]
        if float(least) <= 0.4:
            awards["close"] = ([], [p["round"] for p in best], round(float(best[0]["chance"]), 3))

    stood = [p for p in known if p["did"] == "stood" and 2 * p["chance"] > 1]
    if stood:
        most = max(p["chance"] for p in stood)
        rounds = [p["round"] for p in stood if p["chance"] == most]
        awards["odds"] = ([], rounds, round(float(most), 3))
    return awards


def as_reckoned(found):
    """The awards that the game gave, as this reckoning names them."""
    measures = {award.kind: (award.margin, award.short_mm, award.p_fall) for award in found}
    return {
        award.kind: (
            list(award.seats),
            list(award.rounds),
            next(each for each in measures[award.kind] if each is not None),
        )
        for award in found
    }
