"""The view of the set-up page, as one value ready for JSON."""

from typing import Any

from rig.setup.plan.facts import Network, Point, as_json
from rig.setup.plan.steps import VIEWS, evening, untouched
from rig.setup.store import chosen_of
from rig.setup.wishes import TILE
from rig.setup.workshop import Workshop


def view_of(shop: Workshop, network: Network) -> dict[str, Any]:
    """Give all that the page shows, and note that somebody looks.

    Args:
        shop: where it is set up.
        network: what can be told of it now.
    """
    with shop.lock:
        shop.seen()
        if network.visitor and network.visitor != shop.kept.visitor:
            shop.keep(visitor=network.visitor)
        chosen = chosen_of(shop.config)
        steps = evening(chosen, shop.kept, network, shop.watcher.sight(), shop.arm)
        return {
            "at": shop.kept.at,
            "busy": shop.busy,
            "said": None if shop.said is None else {**_plain(shop.said), "detail": shop.detail},
            "untouched": untouched(chosen, shop.kept),
            "playing": shop.lending.playing,
            "paused": shop.lending.paused,
            "steps": [
                {"name": s.name, "mark": s.mark, "points": [_plain(p) for p in s.points]}
                for s in steps
            ],
            "ruler": shop.kept.ruler_mm,
            "camera": _camera(shop),
            "tile": dict(zip(TILE, chosen.tile, strict=True)),
            "pusher": _pusher(shop),
            "row": shop.row_view,
        }


def _camera(shop: Workshop) -> dict[str, Any]:
    watcher = shop.watcher
    cameras = watcher.cameras
    return {
        "kind": shop.config.camera.kind,
        "id": watcher.id or shop.config.camera.id,
        "virtual": bool(watcher.eyes and watcher.eyes.virtual),
        "cameras": None
        if cameras is None
        else [
            {
                "id": c.id,
                "name": c.name,
                "trouble": f"camera.{c.kind}" if c.kind else "",
                "preview": bool(c.preview),
            }
            for c in cameras
        ],
        "shot": watcher.shot if watcher.jpeg is not None else 0,
        "accepted": bool(watcher.id) and shop.kept.camera == watcher.id,
        "views": len(watcher.views),
        "of": VIEWS,
        "lens": watcher.lens is not None,
        "strips": []
        if watcher.survey is None
        else [
            {
                "ids": [min(s.ids), max(s.ids)],
                "right_mm": round(s.right_mm, 1),
                "away_mm": round(s.away_mm, 1),
                "flat": s.flat,
            }
            for s in watcher.survey.strips
        ],
    }


def _pusher(shop: Workshop) -> dict[str, Any]:
    air, arm, kind = shop.air, shop.arm, shop.config.pusher.kind
    return {
        "kind": kind,
        "port": shop.kept.port,
        "ports": shop.ports,
        "virtual": kind == "virtual",
        "found": arm.found,
        "firmware": arm.firmware,
        "trouble": arm.kind or ("other" if arm.trouble else ""),
        "state": arm.state,
        "ready": arm.ready,
        "open": air is not None,
        "moving": air is not None and air.moving,
    }


def _plain(point: Point) -> dict[str, Any]:
    return {"mark": point.mark, "key": point.key, "of": as_json(point.of)}
