"""Every step of the first evening in its states, made by the rules of setting up from facts.

`python tests/support/setup_states.py` writes them beside the other saved snapshots.
"""

import json
from dataclasses import replace
from pathlib import Path

from rig.setup.plan.facts import Arm, CameraFacts, Chosen, Network, Picture, Progress, as_json
from rig.setup.plan.steps import evening, untouched

SNAPSHOTS = Path(__file__).parents[1] / "data" / "snapshots"

REAL = Chosen("opencv", "usb-HD_Cam-index0", "", "serial", "/dev/serial/by-id/usb-1a86-port0")
PHONES = Chosen("phone", "", "", "hand")
KEPT = Progress(visitor="192.168.1.33", ruler_mm=100.0, camera="usb-HD_Cam-index0", lens_px=0.31)
GOOD = Picture(
    markers=30,
    error_px=0.4,
    paper=(190.0, 215.0),
    room={"near": 0.09, "far": 0.11, "left": 0.1, "right": 0.1},
    lean_deg=9.0,
)
LOW = replace(GOOD, room={**GOOD.room, "near": 0.01})
BAD = replace(LOW, markers=17, paper=(60.0, 85.0), blur_px=2.2)
HIDDEN = Picture(markers=3, trouble="hidden")
SEEN = CameraFacts(GOOD, lens=True)
ARM = Arm(True, "1.0", state="SAFE")
STRIPS = [
    {"ids": [5 * n, 5 * n + 4], "right_mm": right, "away_mm": away, "flat": n != 4}
    for n, (right, away) in enumerate(
        [(0.6, 0.8), (-0.4, -0.7), (0.2, 1.0), (-1.1, 0.4), (-0.2, -0.7), (1.0, -0.8)]
    )
]
FINDS = [
    {
        "name": "firewall_linux",
        "title": "A firewall may be in the way",
        "what": "With ufw: sudo ufw allow 8000/tcp.",
    }
]
OFFLINE = {
    "name": "offline",
    "title": "This machine is not on any network",
    "what": "Join the Wi-Fi your phones are in.",
}
GUIDE = {
    "seen": True,
    "right": False,
    "forward_mm": 12.4,
    "left_mm": -3.2,
    "turn_deg": 6.1,
    "round": False,
    "touching": False,
}
ROW = {
    "state": "stand",
    "standing": 1,
    "of": 3,
    "reading": "waiting",
    "faults": [],
    "sight": "",
    "virtual": True,
}


def state(
    at,
    chosen=REAL,
    kept=KEPT,
    network=None,
    sight=SEEN,
    arm=None,
    *,
    camera=None,
    pusher=None,
    row=None,
    ui=None,
    said=None,
    **more,
):
    """What the page would be told, as `rig.setup.setup_view` tells it."""
    network = network or Network(visitor="192.168.1.33")
    arm = arm or Arm()
    steps = evening(chosen, kept, network, sight, arm)

    def plain(point):
        return {"mark": point.mark, "key": point.key, "of": as_json(point.of)}

    told = {
        "proto": 1,
        "at": at,
        "busy": "",
        "said": said,
        "untouched": untouched(chosen, kept),
        "playing": False,
        "paused": False,
        "local": True,
        "steps": [
            {"name": s.name, "mark": s.mark, "points": [plain(p) for p in s.points]} for s in steps
        ],
        "ruler": kept.ruler_mm,
        "camera": {
            "kind": chosen.camera,
            "id": chosen.camera_id,
            "virtual": chosen.camera == "virtual",
            "cameras": None,
            "shot": 1 if sight.picture else 0,
            "accepted": bool(kept.camera),
            "views": sight.views,
            "of": 4,
            "lens": sight.lens,
            "strips": [],
            **(camera or {}),
        },
        "tile": dict(zip(("length", "width", "thickness", "weight"), chosen.tile, strict=True)),
        "pusher": {
            "kind": chosen.pusher,
            "port": kept.port,
            "ports": None,
            "virtual": chosen.pusher == "virtual",
            "found": arm.found,
            "firmware": arm.firmware,
            "trouble": arm.kind or ("other" if arm.trouble else ""),
            "state": arm.state,
            "ready": arm.ready,
            "open": arm.found,
            "moving": False,
            **(pusher or {}),
        },
        "row": row,
        "network": {
            "url": "http://192.168.1.20:8000/j/PINE",
            "qr": "/picture/3.jpg",
            "code": "PINE",
            "finds": [] if network.visitor else [OFFLINE] * ("offline" in network.findings) + FINDS,
            "others": [],
        },
        **more,
    }
    return {**told, "ui": ui} if ui else told


def failed(key, detail="", **of):
    return {"mark": "failed", "key": key, "of": of, "detail": detail}


def states():
    """All of them by name."""
    fresh, unseen = Progress(), CameraFacts()
    virtual = Chosen(camera_id="virtual")
    cameras = [
        {"id": "usb-HD_Cam-index0", "name": "HD Cam", "trouble": "", "preview": True},
        {"id": "video2", "name": "Laptop", "trouble": "", "preview": True},
    ]
    new = replace(KEPT, camera="", lens_px=None)
    lensless = replace(KEPT, lens_px=None)
    lost = Arm(trouble="no serial port is there", kind="no_port")
    ports = [{"name": "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "chip": "CH340"}]
    taken = {"key": "pusher.busy", "of": {"port": ports[0]["name"]}}
    strange = {"key": "pusher.noise", "of": {"port": "/dev/ttyACM0"}}
    several = failed("pusher.failed", each=[taken, strange])
    unread = "rig.toml: section camera: width must be a whole number"
    astray = {"first": 5, "last": 9, "off_mm": "19.2", "degrees": "1.4"}
    found = replace(KEPT, port=REAL.port, firmware="1.0")
    tried = replace(found, tried=True, tag=True)
    ready = replace(tried, tile=True, survey_mm=0.02)
    mat = replace(REAL, mat="mat.json")
    picture = {"picture": 1, "outcome": "fell", "sure": True, "p_fall": 0.93}
    return {
        "doors": state("network", Chosen(), fresh, Network(), unseen),
        "network-waiting": state("network", kept=fresh, network=Network(("guest",))),
        "network-fine": state("network"),
        "network-todo": state("network", kept=fresh, network=Network(("offline",))),
        "network-lost": state("network", ui={"lost": True}),
        "print-todo": state("print", kept=replace(KEPT, ruler_mm=None)),
        "print-fine": state("print"),
        "print-failed": state("print", kept=replace(KEPT, ruler_mm=97.2)),
        "print-off": state("print", virtual),
        "camera-choose": state("camera", replace(REAL, camera_id=""), fresh, sight=unseen),
        "camera-list": state(
            "camera", kept=new, ui={"choosing": True}, camera={"cameras": cameras}
        ),
        "camera-nobody": state(
            "camera", replace(REAL, camera_id=""), fresh, sight=unseen, camera={"cameras": []}
        ),
        "camera-busy": state("camera", kept=new, sight=unseen, busy="cameras"),
        "camera-waiting": state("camera", kept=new, sight=unseen),
        "camera-todo": state("camera", kept=new, sight=CameraFacts(LOW)),
        "camera-three": state("camera", kept=new, sight=CameraFacts(BAD)),
        "camera-hidden": state("camera", kept=new, sight=CameraFacts(HIDDEN)),
        "camera-good": state("camera", kept=new, sight=CameraFacts(GOOD)),
        "camera-failed": state("camera", kept=new, sight=CameraFacts(trouble="gone")),
        "camera-silent": state("camera", kept=new, sight=unseen, said=failed("camera.silent")),
        "camera-fine": state("camera"),
        "camera-off": state("camera", replace(REAL, camera="none", camera_id=""), fresh),
        "camera-phone": state("camera", PHONES, new),
        "mat-phone": state("mat", PHONES, replace(new, ruler_mm=100.0)),
        "camera-opens": state("camera", Chosen(), fresh, sight=unseen),
        "camera-other": state(
            "camera", replace(REAL, camera="none", camera_id=""), fresh, ui={"choosing": True}
        ),
        "camera-playing": state("camera", playing=True),
        "camera-paused": state("camera", paused=True),
        "lens-todo": state("camera", kept=lensless, sight=CameraFacts(GOOD, views=1)),
        "lens-alike": state(
            "camera",
            kept=lensless,
            sight=CameraFacts(GOOD, views=2),
            ui={"said": failed("views.alike", n=2)},
        ),
        "lens-virtual": state(
            "camera", virtual, replace(lensless, camera="virtual"), sight=CameraFacts(GOOD, views=3)
        ),
        "lens-failed": state(
            "camera",
            kept=lensless,
            sight=CameraFacts(GOOD, views=4),
            said=failed("lens.refused.straight", degrees="3.4"),
        ),
        "mat-waiting": state("mat", kept=lensless, sight=CameraFacts(GOOD)),
        "mat-todo": state("mat", sight=CameraFacts(GOOD, lens=True, views=2)),
        "mat-same": state("mat", sight=CameraFacts(GOOD, lens=True, views=4)),
        "mat-failed": state(
            "mat",
            sight=CameraFacts(GOOD, lens=True, views=4),
            said=failed("mat.refused.strip_astray", **astray),
        ),
        "mat-fine": state("mat", mat, replace(KEPT, survey_mm=0.02), camera={"strips": STRIPS}),
        "mat-off": state("mat", replace(REAL, camera="none", camera_id=""), fresh),
        "tiles-todo": state("tiles"),
        "tiles-fine": state("tiles", kept=replace(KEPT, tile=True)),
        "tiles-off": state("tiles", Chosen(), fresh),
        "tiles-odd": state(
            "tiles", replace(REAL, tile=(50.0, 25.0, 8.0, 42.0)), replace(KEPT, tile=True)
        ),
        "tiles-failed": state("tiles", ui={"said": failed("tiles.order")}),
        "tiles-unforeseen": state("tiles", ui={"said": failed("refused.settings", unread)}),
        "pusher-todo": state("pusher"),
        "pusher-waiting": state("pusher", busy="pusher"),
        "pusher-failed": state("pusher", arm=lost, pusher={"ports": ports}),
        "pusher-several": state("pusher", pusher={"ports": ports}, said=several),
        "pusher-try": state("pusher", kept=found, arm=ARM),
        "pusher-ready": state("pusher", kept=found, arm=replace(ARM, ready=True), ui={"part": 0.6}),
        "pusher-estop": state("pusher", kept=found, arm=replace(ARM, state="ESTOP")),
        "pusher-away": state("pusher", kept=found, arm=replace(ARM, state="AWAY")),
        "pusher-virtual": state(
            "pusher", Chosen(), replace(found, camera="virtual", port="virtual"), arm=ARM
        ),
        "pusher-opens": state("pusher", Chosen(), fresh),
        "pusher-short": state("pusher", kept=found, arm=ARM, said=failed("air.short")),
        "pusher-fine": state("pusher", mat, ready, arm=ARM),
        "pusher-off": state("pusher", replace(REAL, pusher="hand")),
        "row-todo": state("row", mat, ready),
        "row-stand": state("row", mat, ready, row=ROW),
        "row-waiting": state("row", mat, ready, row={**ROW, "reading": "proposal", "standing": 2}),
        "row-wrong": state("row", mat, ready, row={**ROW, "state": "wrong", "standing": 2}),
        "row-switch": state(
            "row", mat, ready, row={**ROW, "state": "switch", "standing": 3, "end": 6}
        ),
        "row-hold": state(
            "row",
            mat,
            ready,
            row={**ROW, "state": "hold", "standing": 3, "end": 6, "virtual": False},
            ui={"part": 0.4},
        ),
        "row-pushing": state(
            "row", mat, ready, row={**ROW, "state": "pushing", "standing": 3, "p_fall": 0.93}
        ),
        "row-failed": state("row", mat, ready, row={**ROW, "state": "unknown", "standing": 3}),
        "row-fine": state(
            "row",
            mat,
            replace(ready, row="fell", p_fall=0.93),
            row={**ROW, "state": "done", "standing": 3, **picture},
        ),
        "row-over": state("row", mat, replace(ready, row="stood", p_fall=0.93)),
        "row-guide": state(
            "row",
            mat,
            ready,
            row={**ROW, "state": "guide", "standing": 3, "end": 6, "guide": GUIDE},
        ),
        "row-finger": state(
            "row",
            replace(mat, pusher="hand"),
            ready,
            row={**ROW, "state": "finger", "standing": 3, "end": 6},
        ),
        "row-again": state(
            "row",
            mat,
            ready,
            row={**ROW, "state": "hold", "standing": 3, "end": 6, "again": True},
        ),
        "row-off": state("row", replace(REAL, camera="none", camera_id=""), ready),
    }


if __name__ == "__main__":
    for name, told in states().items():
        text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
        (SNAPSHOTS / f"setup-{name}.json").write_text(text, encoding="utf-8")
