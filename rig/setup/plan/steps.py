"""The state of each step of the evening and the words for it, from facts alone, without devices."""

from dataclasses import replace
from decimal import Decimal

from rig.setup.plan.aim import advice
from rig.setup.plan.facts import (
    Arm,
    CameraFacts,
    Chosen,
    Extra,
    House,
    Mark,
    Network,
    Point,
    Progress,
    SetupStep,
)
from rig.setup.plan.tile_size import STANDARD, NoTile, checked

VIEWS = 4
"""Fewest pictures for a lens and for a survey."""
RULER_GOOD_MM = 1.0
LEAST_MB, SCARCE_MB = 50.0, 500.0
REAL = ("opencv", "folder")
UNHUNG = ("none", "phone")
TROUBLES = ("alone", "offline", "silent", "vpn", "first", "lonely", "public")
"""Findings of the network doctor that it has seen; its others are only guesses."""


def evening(
    chosen: Chosen, kept: Progress, network: Network, sight: CameraFacts, arm: Arm
) -> tuple[SetupStep, ...]:
    """Give the state of every step.

    Args:
        chosen: the settings.
        kept: what has been set up so far.
        network: what can be told of it now.
        sight: the camera now.
        arm: the pusher now.
    """
    return (
        SetupStep("network", of_network(network, kept)),
        SetupStep("print", of_print(chosen, kept)),
        SetupStep("camera", (*of_camera(chosen, kept, sight), *of_lens(chosen, kept, sight))),
        SetupStep("mat", of_mat(chosen, kept, sight)),
        SetupStep("tiles", of_tiles(chosen, kept)),
        SetupStep("pusher", of_pusher(chosen, kept, arm)),
        SetupStep("row", of_row(chosen, kept)),
    )


def untouched(chosen: Chosen, kept: Progress) -> bool:
    """Whether nobody has set up or chosen anything yet; that a phone came does not count."""
    fresh = Chosen()
    devices = (chosen.camera, chosen.camera_id, chosen.pusher, chosen.tile)
    return devices == (fresh.camera, fresh.camera_id, fresh.pusher, fresh.tile) and (
        replace(kept, at="", visitor="") == Progress(at="")
    )


def of_network(network: Network, kept: Progress) -> tuple[Point, ...]:
    """Whether phones get in."""
    seen = tuple(
        Point(Mark.TODO, f"network.{name}") for name in network.findings if name in TROUBLES
    )
    visitor = network.visitor or kept.visitor
    if visitor:
        # A phone has got in: what else is odd about the network is no trouble of the evening.
        return (Point(Mark.FINE, "network.through", {"address": visitor}),)
    return seen or (Point(Mark.WAITING, "network.waiting"),)


def of_print(chosen: Chosen, kept: Progress) -> tuple[Point, ...]:
    """Whether the sheets are as large as they should be."""
    if not _real(chosen) and chosen.camera != "phone":
        return (Point(Mark.OFF, "print.none" if chosen.camera == "none" else "print.off"),)
    if kept.ruler_mm is None:
        return (Point(Mark.TODO, "print.measure"),)
    of = {"mm": Decimal(f"{kept.ruler_mm:.1f}")}
    if abs(kept.ruler_mm - 100.0) > RULER_GOOD_MM:
        return (Point(Mark.FAILED, "print.wrong", of),)
    return (Point(Mark.FINE, "print.fine" if _real(chosen) else "print.right", of),)


def of_camera(chosen: Chosen, kept: Progress, sight: CameraFacts) -> tuple[Point, ...]:
    """What the camera shows, and what to change."""
    if chosen.camera in UNHUNG:
        return (Point(Mark.OFF, f"camera.{chosen.camera}"),)
    if chosen.camera == "opencv" and not chosen.camera_id:
        return (Point(Mark.TODO, "camera.choose"),)
    if sight.trouble:
        return (Point(Mark.FAILED, f"camera.{sight.trouble}"),)
    accepted = bool(kept.camera) and kept.camera == (chosen.camera_id or kept.camera)
    if sight.picture is not None:
        said = advice(sight.picture)
        if accepted and sight.picture.error_px is not None:
            # Whoever said "good enough" has seen it; it stays said, and stops nothing.
            return tuple(replace(point, mark=Mark.FINE) for point in said[:2])
        if all(point.mark is Mark.FINE for point in said):
            return (*said[:2], Point(Mark.WAITING, "camera.agree"))
        return said
    if accepted:
        return (Point(Mark.FINE, "camera.accepted", {"id": kept.camera}),)
    return (Point(Mark.WAITING, f"camera.{'opens' if chosen.camera == 'virtual' else 'looking'}"),)


def of_lens(chosen: Chosen, kept: Progress, sight: CameraFacts) -> tuple[Point, ...]:
    """Whether the lens is known."""
    if chosen.camera not in ("opencv", "virtual") or not kept.camera:
        return ()
    if kept.lens_px is not None:
        return (Point(Mark.FINE, "lens.fine", {"error": Decimal(f"{kept.lens_px:.2f}")}),)
    return (Point(Mark.FINE, "lens.kept") if sight.lens else Point(Mark.TODO, "lens.todo"),)


def of_mat(chosen: Chosen, kept: Progress, sight: CameraFacts) -> tuple[Point, ...]:
    """Whether it is known where the strips of the mat lie."""
    if chosen.camera in UNHUNG:
        return (Point(Mark.OFF, f"mat.{chosen.camera}"),)
    if kept.survey_mm is not None and (chosen.mat or chosen.camera == "virtual"):
        return (Point(Mark.FINE, "mat.fine", {"worst": Decimal(f"{kept.survey_mm:.2f}")}),)
    if chosen.mat:
        return (Point(Mark.FINE, "mat.kept"),)
    if chosen.camera == "folder":
        return (Point(Mark.OFF, "mat.folder"),)
    if not sight.lens and kept.lens_px is None:
        return (Point(Mark.WAITING, "mat.lens"),)
    return (Point(Mark.TODO, "mat.todo", {"seen": sight.views, "of": VIEWS}),)


def of_tiles(chosen: Chosen, kept: Progress) -> tuple[Point, ...]:
    """Whether the tiles are known."""
    try:
        said = checked(chosen.tile)
    except NoTile as fault:
        return (fault.point,)
    if not kept.tile and chosen.tile == STANDARD:
        # Drawn tiles are of the standard size; only those in a hand can be measured.
        off = chosen.camera == "virtual"
        return (Point(Mark.OFF, "tiles.drawn") if off else Point(Mark.TODO, "tiles.todo"),)
    return said


def of_pusher(chosen: Chosen, kept: Progress, arm: Arm) -> tuple[Point, ...]:
    """Whether the pusher answers, has moved its arm, and is seen."""
    if chosen.pusher == "hand":
        return (Point(Mark.OFF, f"pusher.{'finger' if chosen.camera in UNHUNG else 'hand'}"),)
    if arm.kind:
        return (Point(Mark.FAILED, f"pusher.{arm.kind}", {"port": kept.port or chosen.port}),)
    if arm.trouble:
        return (Point(Mark.FAILED, "pusher.trouble", {"why": arm.trouble}),)
    firmware = arm.firmware or kept.firmware
    virtual = chosen.pusher == "virtual"
    if not firmware:
        opens = Point(Mark.WAITING, "pusher.opens")
        return (opens if virtual else Point(Mark.TODO, "pusher.find"),)
    said = [Point(Mark.FINE, "pusher.found", {"firmware": firmware, "port": kept.port})]
    if arm.state in ("ESTOP", "FAULT", "AWAY"):
        said.append(Point(Mark.TODO, f"pusher.{arm.state.lower()}"))
    elif kept.tried:
        said.append(Point(Mark.FINE, "pusher.tried"))
    else:
        todo = "ready" if arm.ready else "practise" if virtual else "try"
        said.append(Point(Mark.TODO, f"pusher.{todo}"))
    if chosen.camera in UNHUNG or (virtual and not kept.tag):  # nobody can stick one on it
        return tuple(said)
    tag = Point(Mark.FINE, "pusher.tag") if kept.tag else Point(Mark.TODO, "pusher.notag")
    return (*said, tag)


def of_row(chosen: Chosen, kept: Progress) -> tuple[Point, ...]:
    """Whether a row has been pushed and judged."""
    if chosen.camera in UNHUNG:
        return (Point(Mark.OFF, "row.off"),)
    if not kept.row:
        return (Point(Mark.TODO, "row.todo"),)
    said = [Point(Mark.FINE, f"row.{kept.row}")]
    if kept.p_fall is not None:
        said.append(Point(Mark.FINE, "row.predicted", {"percent": round(100 * kept.p_fall)}))
    return tuple(said)


def doctor(
    chosen: Chosen, kept: Progress, network: Network, arm: Arm | None, house: House
) -> tuple[SetupStep, ...]:
    """Give the state of everything that can be checked with nobody at the table.

    Args:
        chosen: the settings.
        kept: what has been set up so far.
        network: what can be told of it now.
        arm: the pusher now; None where nobody asked it.
        house: the rest of the computer.
    """
    return (
        SetupStep("config", (_said(house.config, "config"),)),
        SetupStep("opencv", (_said(house.opencv, "opencv"),)),
        SetupStep("network", _network(network, kept, house)),
        SetupStep("port", (_port(house),)),
        SetupStep("camera", _camera(chosen, house)),
        SetupStep("lens", _lens(chosen, house)),
        SetupStep("matfile", _mat_file(chosen, house)),
        SetupStep("tiles", _tiles(chosen, kept)),
        SetupStep("pusher", _pusher(chosen, arm)),
        SetupStep("disk", (_disk(house),)),
        SetupStep("journal", (_place(house),)),
        SetupStep("extras", tuple(_extra(name, extra) for name, extra in house.extras.items())),
    )


def _said(trouble: str, what: str) -> Point:
    if trouble:
        return Point(Mark.FAILED, f"{what}.trouble", {"why": trouble})
    return Point(Mark.FINE, f"{what}.fine")


def _network(network: Network, kept: Progress, house: House) -> tuple[Point, ...]:
    """Whether phones get in; there is a code to scan only while a table is open."""
    scan = Point(Mark.WAITING, "network.scan")
    return tuple(
        scan if point.mark is Mark.WAITING and house.port.table else point
        for point in of_network(network, kept)
    )


def _port(house: House) -> Point:
    port = house.port
    of = {"port": port.number, "other": port.number + 1, "by": port.holder}
    if port.table:
        return Point(Mark.FINE, "port.table", of)
    if port.trouble:
        key = "port.taken" if port.holder else "port.trouble"
        return Point(Mark.FAILED, key, {**of, "why": port.trouble})
    return Point(Mark.FINE, "port.free", of)


def _camera(chosen: Chosen, house: House) -> tuple[Point, ...]:
    if chosen.camera in (*UNHUNG, "virtual", "folder"):
        return (Point(Mark.OFF, f"camera.{chosen.camera}"),)
    if not chosen.camera_id:
        return (Point(Mark.TODO, "camera.choose"),)
    if house.camera:
        return (Point(Mark.FAILED, "camera.trouble", {"why": house.camera}),)
    return (Point(Mark.FINE, "camera.answers", {"id": chosen.camera_id}),)


def _lens(chosen: Chosen, house: House) -> tuple[Point, ...]:
    if chosen.camera != "opencv" or not chosen.camera_id:
        return (Point(Mark.OFF, "lens.off"),)
    return (Point(Mark.FINE, "lens.kept") if house.lens else Point(Mark.TODO, "lens.todo"),)


def _mat_file(chosen: Chosen, house: House) -> tuple[Point, ...]:
    if not _real(chosen):
        return (Point(Mark.OFF, "matfile.off"),)
    if house.mat:
        return (Point(Mark.FAILED, "matfile.trouble", {"why": house.mat}),)
    if not house.surveyed:
        return (Point(Mark.TODO, "matfile.printed"),)
    return (Point(Mark.FINE, "mat.kept"),)


def _tiles(chosen: Chosen, kept: Progress) -> tuple[Point, ...]:
    """Whether the tiles are known; only a real camera needs the real ones."""
    return of_tiles(
        chosen, kept if _real(chosen) or chosen.camera == "phone" else replace(kept, tile=True)
    )


def _pusher(chosen: Chosen, arm: Arm | None) -> tuple[Point, ...]:
    if chosen.pusher != "serial":
        return (Point(Mark.OFF, f"pusher.{chosen.pusher}"),)
    if arm is None or not arm.found:
        return (Point(Mark.FAILED, "pusher.trouble", {"why": arm.trouble if arm else ""}),)
    of = {"firmware": arm.firmware, "port": chosen.port}
    return (Point(Mark.FINE, "pusher.found", of),)


def _disk(house: House) -> Point:
    of = {"mb": f"{house.free_mb:.0f}", "folder": house.folder}
    if house.free_mb < LEAST_MB:
        return Point(Mark.FAILED, "disk.full", of)
    return Point(
        Mark.TODO if house.free_mb < SCARCE_MB else Mark.FINE, _DISK[house.free_mb < SCARCE_MB], of
    )


_DISK = ("disk.fine", "disk.scarce")


def _place(house: House) -> Point:
    of = {"folder": house.folder, "kind": house.remote, "file": house.file}
    if house.journal == "held" and house.port.table:
        return Point(Mark.FINE, "journal.open", of)
    if house.journal:
        return Point(Mark.FAILED, f"journal.{house.journal}", of)
    if house.damage:
        return Point(Mark.FAILED, "journal.damaged", {**of, "why": house.damage})
    if not house.writable:
        return Point(Mark.FAILED, "journal.shut", of)
    return (
        Point(Mark.TODO, "journal.remote", of)
        if house.remote
        else Point(Mark.FINE, "journal.fine", of)
    )


def _extra(name: str, extra: Extra) -> Point:
    of = {"name": name, "install": extra.install}
    if extra.there:
        return Point(Mark.FINE, "extras.there", of)
    if extra.wanted:
        return Point(Mark.TODO, "extras.wanted", of)
    return Point(Mark.OFF, "extras.none", of)


def _real(chosen: Chosen) -> bool:
    return chosen.camera in REAL
