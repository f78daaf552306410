"""The snapshot of a table of Estimation Domino: the rules' view, the row, the push, the camera.

The rules' `view` is the only way out for anything secret; what is added here, everybody may know.
"""

import math
from typing import Any

from physics.row.tile import TileSpec
from rig.films.film_script import USUAL, KnownFilm
from rig.games.estimation import commands as cmd
from rig.games.estimation.ballots import all_in
from rig.games.estimation.decide import may
from rig.games.estimation.game import goes_on
from rig.games.estimation.physical import dispute, photo_finish, proposal
from rig.games.estimation.physical.fall_view import fall_view
from rig.games.estimation.physical.push_view import may_push, push_view, verdict_view
from rig.games.estimation.story.character import character_of
from rig.games.estimation.table.awards import ending
from rig.games.estimation.table.estimation_table import (
    EstimationTable,
    RowPresent,
    asks_people,
    cast_itself,
    could_be_empty,
    game_key,
    is_of_bot,
    waits_for_word,
)
from rig.games.estimation.table.timing import closing_s
from rig.games.estimation.terms import HOST, Phase, Side
from rig.games.estimation.view import allowed
from rig.games.estimation.view import view as game_view
from rig.pusher.port import LATCHED, Heartbeat, PusherState
from rig.row.push_events import PushStep, Standing
from rig.row.row_live import Reading, RowLive, Seeing
from rig.row.written_row import marks
from rig.serialise import to_plain
from rig.session.devices import CAMERA, PUSHER
from rig.session.fingerprint import short
from rig.session.host import is_away
from rig.session.playing import Audience, countdown_step_s
from rig.session.views import Moment, table_may

WORK_AREA_MM = {"x": [0, 600], "y": [0, 420]}


def table_view(now: Moment[Any, Any, Any], who: Audience, base: dict[str, Any]) -> dict[str, Any]:
    """Give the snapshot of one audience.

    Args:
        now: the moment.
        who: who looks.
        base: what every table shows.
    """
    session: RowPresent = now
    table, live = session.table, session.live
    seat, is_host = who.seat, who.host
    rules = game_view(table.game, seat)
    machine = session.machine
    status = machine.pusher_status() if machine and table.devices.has(PUSHER) else None
    has_window = photo_finish.window_s(session) > 0
    voted = rules.pop("in")
    chips = rules.pop("chips")
    shot: dict[str, Any] = {
        **rules,
        **base,
        "seats": [
            {
                **p,
                "chips": chips.get(p["seat"], 0),
                "in": p["seat"] in voted,
                "character": character_of(p["seat"]).name if p["bot"] else None,
            }
            for p in base["seats"]
        ],
        "row": _row(table),
        "last": table.latest if table.game.placer else None,
        "virtual": table.devices.drags(machine),
        "tile": _tile(session.config.tiles),
        "area": WORK_AREA_MM,
        "shout": None,
        "countdown": None,
        "reading": None,
        "wanted": None,
        "push": None,
        "fall": None if live.telling is None else fall_view(session, who.role),
        "verdict": None,
        "photo_finish": has_window,
        "films": _films(session),
        "sight": _sight(live.seeing),
        "live": dispute.live_picture(session),
    }
    if session.config.camera.collect and table.devices.has(CAMERA):
        shot["collects"] = True
    if table.game.caller is not None:
        late = [{"seat": s, "ms": ms} for s, ms in live.shouts]
        tie_ms = round(photo_finish.TIE_S * 1000) if has_window else None
        shot["shout"] = {"caller": table.game.caller, "late": late, "tie_ms": tie_ms}
    if table.game.phase is Phase.COUNTDOWN:
        shot["countdown"] = {
            "from_ms": round(live.since_epoch_s * 1000),
            "step_ms": round(countdown_step_s(session) * 1000),
            "steps": 3,
        }
    if table.game.phase is Phase.TURN and machine is not None:
        shot["reading"] = {**_reading(live.reading, table), **_waits(session)}
        if live.wanted is not None and table.devices.sees:
            shot["wanted"] = _placed(live.wanted)
    if table.game.phase is Phase.BALLOT:
        shot["ballot"] = {**shot["ballot"], "closing": _closing(session, who)}
    shot["differs"] = dispute.told(session)
    shot["stopped_by"] = table.stopped_by
    if table.game.phase is Phase.TOPPLE:
        shot["push"] = push_view(session, status)
    if table.game.phase in (Phase.JUDGE, Phase.ROUND_END, Phase.GAME_OVER):
        shot["verdict"] = verdict_view(session, rules)
    if table.game.phase in (Phase.ROUND_END, Phase.GAME_OVER) and shot["verdict"] is not None:
        shot["verdict"]["film"] = _film_of_push(table, live)
    if table.game.phase is Phase.ACCIDENT:
        shot["accident"] = {
            **shot["accident"],
            "seen": list(live.noticed),
            "all_up": dispute.all_up(session),
        }
    if shot["reveal"] is not None:
        shot["reveal"] = {**shot["reveal"], "why": _why_called(table)}
    if shot["final"] is not None:
        told = ending(table.judged, table.game.present)
        told["films"] = [_film(film) for film in _known_films(table, live) if film.best]
        shot["final"] = {**shot["final"], **told, "fingerprint": short(now.fingerprint)}
    shot["may"] = _all_may(session, rules["may"], seat, is_host, status) | base["may"]
    if is_host:
        bench = machine.bench if machine else None
        shot["bench"] = None if bench is None else to_plain(bench.state())
        shot["lesson"] = {"state": live.lesson.state, "values": list(live.lesson.values)}
        shot["for"] = _powers(now, status)
    return shot


def _why_called(table: EstimationTable) -> str | None:
    """Why a bot called a row on which it votes Success; None where nothing has to be said."""
    game = table.game
    player = table.player(game.caller or "")
    if player is None or not player.bot or game.ballots.get(player.seat) is not Side.SUCCESS:
        return None
    return "bluff" if character_of(player.seat).bluff else "thought_again"


def _row(table: EstimationTable) -> list[dict[str, Any]]:
    """The row in the rules' order, at the places the camera measured."""
    seen = {tile.value: tile for tile in table.row}
    tiles = []
    for i, value in enumerate(table.game.row):
        tile = seen.get(value) or Standing(value, "vertical", 300.0 + 30.0 * i, 210.0, 0.0)
        tiles.append(
            {
                "value": value,
                "orientation": tile.orientation,
                "x_mm": tile.x_mm,
                "y_mm": tile.y_mm,
                "heading_deg": tile.heading_deg,
                "state": tile.state,
                "sigma_mm": tile.sigma_mm,
                "sigma_deg": tile.sigma_deg,
            }
        )
    return tiles


def _reading(reading: Reading, table: EstimationTable) -> dict[str, Any]:
    return {
        "state": reading.state,
        **_placed(reading),
        "violations": [{"kind": kind, "values": list(vs)} for kind, vs in reading.violations],
        "marks": [dispute.shown(one) for one in marks(reading)],
        "came": list(reading.came),
        "gone": list(reading.gone),
        "notices": [{"kind": kind, "values": list(vs)} for kind, vs in reading.notices],
        "ready": bool(table.row),
    }


def _placed(reading: Reading) -> dict[str, Any]:
    """A tile, and where in the row it stands or is to stand."""
    tile, position = reading.tile, reading.position
    row = [t.value for t in reading.row]
    place, between = None, None
    if tile is not None and position is not None and row:
        place = "left" if position == 0 else "right" if position == len(row) - 1 else "between"
        if place == "between":
            between = [row[position - 1], row[position + 1]]
    return {
        "tile": None
        if tile is None
        else {
            "value": tile.value,
            "orientation": tile.orientation.value if tile.orientation else None,
            "x_mm": round(tile.pose.x_mm, 2),
            "y_mm": round(tile.pose.y_mm, 2),
            "heading_deg": round(math.degrees(tile.pose.heading_rad), 2),
        },
        "position": position,
        "place": place,
        "between": between,
    }


def _closing(session: RowPresent, who: Audience) -> dict[str, Any] | None:
    """Whose ballot came in last, and until when it can be changed; None while one is missing.

    Told only to the seat, and to the host who gave its ballot: the time moves with each change.
    Others see from `v`, which counts all events, that something changed, but not whose ballot.
    """
    live, table = session.live, session.table
    if live.cast is None or not all_in(table.game):
        return None
    seat, player = live.cast[0], table.player(live.cast[0])
    given = seat in live.given and player is not None and is_away(live, player)
    if seat != who.seat and not (who.host and given):
        return None
    return {"seat": seat, "at_ms": round((live.since_epoch_s + closing_s(session)) * 1000)}


def _waits(session: RowPresent) -> dict[str, Any]:
    """Since when, and until when, a proposal waits for its placer; None where it may wait on."""
    live = session.live
    waits = proposal.waits(session) if live.proposal is not None else None
    if waits is None:
        return {"from_ms": None, "until_ms": None}
    from_s = live.since_epoch_s + waits.from_s - live.since_s
    return {"from_ms": round(from_s * 1000), "until_ms": round((from_s + waits.long_s) * 1000)}


def _tile(spec: TileSpec) -> dict[str, float]:
    return {
        "length_mm": spec.length_mm,
        "width_mm": spec.width_mm,
        "thickness_mm": spec.thickness_mm,
    }


def _sight(seeing: Seeing) -> dict[str, Any] | None:
    """What keeps the camera from seeing, None if nothing does."""
    return {"kind": seeing.kind, "blind": seeing.blind} if seeing.kind else None


def _films(session: RowPresent) -> dict[str, Any] | None:
    """What is wanted of films, and whether they can be made; None where this table makes none."""
    table, live = session.table, session.live
    if live.films is None:
        return None
    now = table.film_wishes(session.config.film)
    language = now.language or live.language or USUAL
    return {"on": now.on, "names": now.names, "language": language, "able": live.films.able}


def _film_of_push(table: EstimationTable, live: RowLive) -> dict[str, Any] | None:
    """The film of the last push, once it is begun."""
    of_round = [film for film in _known_films(table, live) if film.round == table.game.round]
    return _film(of_round[-1]) if of_round else None


def _known_films(table: EstimationTable, live: RowLive) -> list[KnownFilm]:
    """The films of this very game, in the order of the rounds."""
    key = game_key(table)
    return [film for film in (live.films.known if live.films else ()) if film.game == key]


def _film(film: KnownFilm) -> dict[str, Any]:
    """A film for pages: where it is, and what its caption says."""
    return {
        "round": film.round,
        "best": film.best,
        "outcome": film.outcome,
        "tiles": film.tiles,
        "up": list(film.up),
        "between": list(film.between) if film.between else None,
        "short_mm": film.short_mm,
        "ready": film.ready,
        "url": f"/film/{film.name}.mp4",
        "still": f"/film/{film.name}.jpg",
    }


ACCIDENT_ANSWERS = ("accident_confirm", "accident_reject")
"""What the host may say as well, whoever is accused."""


def _all_may(
    session: RowPresent,
    by_rules: dict[str, bool],
    seat: str | None,
    is_host: bool,
    status: Heartbeat | None,
) -> dict[str, bool]:
    """What a viewer may do; `take_back` is of the tile in hand, `illegal` of the last placement."""
    by_rules = {**by_rules, "illegal": by_rules["take_back"]}
    if is_host and session.table.game.accident is not None:
        settles, _ = allowed(session.table.game, HOST)
        by_rules |= {name: by_rules[name] or settles[name] for name in ACCIDENT_ANSWERS}
    if dispute.is_noticed(session):
        by_rules["accident_withdraw"] = False
    return {**by_rules, **_may(session, seat, is_host, status)}


def _may(
    session: RowPresent, seat: str | None, is_host: bool, status: Heartbeat | None
) -> dict[str, bool]:
    """What this viewer may do beyond the rules' own commands."""
    table, live, game = session.table, session.live, session.table.game
    lobby, over = game.phase is Phase.LOBBY, game.phase is Phase.GAME_OVER
    mine = seat is not None and game.active == seat and table.game.phase is Phase.TURN
    virtual = table.devices.drags(session.machine)
    says = dispute.may_say(session, seat, is_host)
    return {
        "correct_verdict": is_host and _may_correct(table),
        "go_on": seat is not None and goes_on(game, seat),
        "accident_undo": is_host and may(game, HOST, cmd.TakeBackAccident()),
        "void": is_host and not lobby and not over,
        "stand": mine and (virtual or is_of_bot(table)) and bool(table.row),
        "take_back": mine and virtual and live.reading.tile is not None,
        "confirm": mine and live.reading.state == "proposal" and not waits_for_word(table),
        "stood": seat is not None
        and not mine
        and game.phase is Phase.TURN
        and live.reading.state == "proposal"
        and asks_people(table),
        "correct": mine and live.reading.tile is not None,
        "wait": mine and live.proposal is not None,
        "row_is_right": says.right,
        "row_is_wrong": says.wrong,
        "look": mine,
        "learn_table": is_host and table.devices.sees and could_be_empty(table),
        **may_push(session, seat or (HOST if is_host else None), status),
        "stop": (seat is not None or is_host) and not (lobby or over) and table.devices.has(PUSHER),
        "clear_stop": is_host
        and (
            table.stopped_by is not None
            or (status is not None and (status.stopped or status.state in LATCHED))
        ),
        "homed": is_host
        and bool(session.live.away)
        and status is not None
        and status.state is PusherState.AWAY,
        "resolve": is_host
        and table.attempt is not None
        and table.attempt.step is PushStep.UNKNOWN
        and table.game.phase is Phase.TOPPLE,
    }


def _may_correct(table: EstimationTable) -> bool:
    """Whether the last verdict could be turned round now."""
    if table.game.phase is Phase.TOPPLE and table.attempt is not None:
        return False
    return may(table.game, HOST, cmd.CorrectVerdict())


def _powers(now: Moment[Any, Any, Any], status: Heartbeat | None) -> dict[str, dict[str, Any]]:
    """What the host may do for each seat that is away; never which side its ballot is on."""
    session: RowPresent = now
    game = session.table.game
    hidden = game.phase in (Phase.BALLOT, Phase.COUNTDOWN)
    told = {}
    for seat in (p.seat for p in session.table.players if is_away(session.live, p)):
        by_rules, why = allowed(game, seat)
        may = _all_may(session, by_rules, seat, False, status) | table_may(now, seat, False)
        may["vote"] = may["vote"] and not cast_itself(session, seat)
        told[seat] = {
            "may": [name for name, yes in may.items() if yes],
            "why": why,
            "in": seat in game.playing and seat in game.ballots,
            "forced": hidden and seat in game.forced,
        }
    return told
