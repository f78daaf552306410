"""Where the pusher has to go, as its tag tells: far, which way and turned, until it is right.

What a hand moves trembles, and so does what is measured: it is right within 2 mm and 4 degrees, and
stays so until it is clearly farther, lest the phones flicker.
"""

import math
from collections import deque

from physics.row.chain import Chain
from physics.row.pose import Pose
from physics.row.push import Push
from rig.config import PusherConfig
from rig.pusher.servo import stroke
from rig.row.row_live import UNSEEN, Guide
from rig.session.devices import Devices
from vision.capture.camera import Frame
from vision.geometry.lens import Intrinsics
from vision.geometry.markers import as_gray
from vision.look.eye import Look
from vision.pusher_tag.guidance import Guidance, guidance
from vision.pusher_tag.tag import Tag, TagSeen, glimpse_tag
from vision.tuning.pusher_tag import GUIDANCE

LOOKS = 3
"""So many looks are averaged while the pusher stands still."""
STILL_MM = 1.5
SLACK_MM = 0.4
SLACK_RAD = math.radians(1.0)
"""A pusher that was right may be so much farther off before it is wrong."""
LOST_S = 1.0
"""A tag that is hidden for a moment is under the hand that moves it."""
OFF_MM = (22.0, 34.0)
OFF_RAD = math.radians(11.0)
SEARCH_S = 0.5
"""The whole picture is searched no more often."""


class Guider:
    """Follows the tag of one pusher.

    Args:
        tag: on it.
        intrinsics: the lens of the camera.
    """

    def __init__(self, tag: Tag, intrinsics: Intrinsics) -> None:
        self._tag = tag
        self._intrinsics = intrinsics
        self._near: TagSeen | None = None
        self._lately: deque[Guidance] = deque(maxlen=LOOKS)
        self._told = UNSEEN
        self._seen_s = -math.inf
        self._searched_s = -math.inf

    def forget(self) -> None:
        """Begin anew: another push has another place."""
        self._near, self._told = None, UNSEEN
        self._lately.clear()
        self._seen_s = self._searched_s = -math.inf

    def look(self, frame: Frame, look: Look, chain: Chain, push: Push, now_s: float) -> Guide:
        """Find the tag in a frame, and say how the pusher has to be moved.

        Args:
            frame: the picture.
            look: what it shows.
            chain: the row from the end that is to be pushed.
            push: the stroke, for the distance at which the tip starts.
            now_s: when it is asked.
        """
        found = self._find(frame, look, now_s) if look.steady else None
        if found is None:
            if now_s - self._seen_s > LOST_S:
                self._told = UNSEEN
                self._lately.clear()
            return self._told
        self._seen_s = now_s
        first = chain.tiles[0]
        way = self._averaged(guidance(found.pose, chain, push, self._tag))
        sigma_mm = math.hypot(first.sigma_mm, found.miss_mm / 2)
        self._told = _guide(way, sigma_mm, first.sigma_rad, self._told.right)
        return self._told

    def _find(self, frame: Frame, look: Look, now_s: float) -> TagSeen | None:
        gray = as_gray(frame.image)
        lens = self._intrinsics.at_size(gray.shape[1], gray.shape[0])
        found = None
        if self._near is not None:
            found = glimpse_tag(gray, look.camera, lens, self._tag, self._near)
        if found is None and now_s - self._searched_s >= SEARCH_S:
            self._searched_s = now_s
            found = glimpse_tag(gray, look.camera, lens, self._tag)
        self._near = found
        return found

    def _averaged(self, way: Guidance) -> Guidance:
        """The mean of what the last looks told, unless the pusher has moved since."""
        last = self._lately[-1] if self._lately else way
        if math.hypot(way.forward_mm - last.forward_mm, way.left_mm - last.left_mm) > STILL_MM:
            self._lately.clear()
        self._lately.append(way)
        n = len(self._lately)
        return Guidance(
            sum(g.forward_mm for g in self._lately) / n,
            sum(g.left_mm for g in self._lately) / n,
            way.turn_rad,
            sum(g.clearance_mm for g in self._lately) / n,
        )


def _guide(way: Guidance, sigma_mm: float, sigma_rad: float, was_right: bool) -> Guide:
    """Put it into words for pages.

    To become right it has to be so though it may be off by a sigma; to stay so it may be.
    """
    off_mm = max(abs(way.forward_mm), abs(way.left_mm))
    off_rad = abs(way.turn_rad)
    slack_mm = sigma_mm + SLACK_MM if was_right else -min(sigma_mm, GUIDANCE.near_mm / 4)
    slack_rad = sigma_rad + SLACK_RAD if was_right else -min(sigma_rad, GUIDANCE.near_rad / 4)
    touching = way.clearance_mm <= GUIDANCE.touch_mm
    right = (
        off_mm <= GUIDANCE.near_mm + slack_mm
        and off_rad <= GUIDANCE.near_rad + slack_rad
        and not touching
    )
    return Guide(
        seen=True,
        right=right,
        forward_mm=float(round(way.forward_mm)),
        left_mm=float(round(way.left_mm)),
        turn_deg=float(round(math.degrees(way.turn_rad))),
        round=off_rad > GUIDANCE.wrong_way_rad,
        touching=touching,
    )


def stroke_for(chain: Chain, devices: Devices, config: PusherConfig) -> Push:
    """How a row is pushed: as the arm does it, or with the finger that a plain push is."""
    return stroke(config, chain) if devices.pushes else Push()


def behind(chain: Chain, push: Push, tag: Tag) -> Pose:
    """Where the tag of a pusher is that stands right behind the first tile of a row."""
    first = chain.tiles[0]
    back_mm = first.footprint.depth_mm / 2 + push.standoff_mm + tag.tip_forward_mm
    x_mm, y_mm = first.pose.to_table(-back_mm, -tag.tip_left_mm)
    return Pose(x_mm, y_mm, first.pose.heading_rad)


def somewhere_off(chain: Chain, push: Push, tag: Tag) -> Pose:
    """Where the pretend pusher stands before anybody has put it behind the row."""
    right = behind(chain, push, tag)
    x_mm, y_mm = right.to_table(-OFF_MM[0], -OFF_MM[1])
    return Pose(x_mm, y_mm, right.heading_rad - OFF_RAD)
