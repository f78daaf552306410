"""Puts a rig together as the settings ask for: every camera goes with every pusher."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import platformdirs

from physics.row.push import Push
from physics.row.tile import TileSet
from rig.clock import Clock
from rig.config import NO_CAMERA, NO_PUSHER, UNHUNG, CameraConfig, Config, ConfigError, PusherConfig
from rig.films.kept_frames import KeptFrames, frames_of
from rig.learned.known_table import Pushes, known_table
from rig.learned.table_file import table_file
from rig.machine.device_watch import Rig
from rig.machine.loop import Machine
from rig.pusher.find_port import Search, SerialLine, nonces
from rig.pusher.port import (
    Armed,
    Heartbeat,
    LinkState,
    PortLost,
    Pretend,
    Pusher,
    PusherStatus,
    StopAnswer,
    Stroke,
)
from rig.pusher.serial import SerialPusher
from rig.pusher.virtual import VirtualPusher
from rig.row.row_session import RowSession
from rig.virtual.bench_camera import BenchCamera
from rig.virtual.table import VirtualTable
from rig.virtual.world import open_world
from vision.calibrate.calibration_files import Mode, kept_modes, load_lens
from vision.capture.camera import Camera, CameraGone, FolderCamera, Frame
from vision.capture.live_camera import open_camera
from vision.capture.settings import CameraSettings
from vision.geometry.camera_pose import CameraPose
from vision.geometry.lens import Intrinsics, load_intrinsics
from vision.geometry.mat import Mat, load_mat
from vision.look.eye import Eye
from vision.look.track import Tracker
from vision.marks.sticker import marks_on
from vision.pusher_tag.tag import TAG, Tag
from vision.render.render import default_view
from vision.render.scene import Scene
from vision.render.virtual_camera import VirtualCamera

Touch = Callable[[Push], None]


class StagedPusher(SerialPusher):
    """A real pusher in front of a virtual row: that falls once the real stroke is reported.

    Attributes:
        touch: lets the tip meet the tile.
    """

    touch: Touch = staticmethod(lambda push: None)

    def push(self, token: int, push: Push) -> Stroke:
        stroke = super().push(token, push)
        if stroke.complete:
            self.touch(push)
        return stroke


def open_rig(
    session: RowSession,
    config: Config,
    clock: Clock,
    seeds: np.random.SeedSequence,
    pushes: Pushes | None = None,
) -> Machine:
    """Build the devices and the thread that runs them; nothing moves and nothing looks yet.

    Args:
        session: the table they serve.
        config: which devices.
        clock: their time.
        seeds: the hidden chance of the virtual table; nobody else may have it.
        pushes: of the table, to learn from where the settings say so; None to learn nothing.

    Raises:
        ConfigError: the settings ask for a world that is not installed, or contradict each other.
        PhysicsError: the file of the table cannot be used.
        VisionError: the files of the camera cannot be used.
    """
    setting, journal = config.physics.table, Path(session.journal.path)
    known = known_table(setting, table_file(setting, journal) or journal, pushes)
    hands, hidden, tokens = (np.random.default_rng(s) for s in seeds.spawn(3))
    table: VirtualTable | None = None
    if config.camera.kind == "virtual":
        world = open_world(config.virtual.world, hidden)
        table = VirtualTable(world, clock, hands, TileSet(config.tiles), config.camera.table)

    def touch(push: Push) -> None:
        """The tip meets the tile behind which the pusher stands: that of the push asked for."""
        if table is not None and session.table.attempt is not None:
            table.fall(push, session.table.attempt.value)

    tag = _tag(config)
    camera, eye = _sight(config, clock, table, tag)
    tracker = Tracker(session.physical.row_rules(session.table, config.tiles))
    pusher = _pusher(config.pusher, clock, tokens, touch)
    kinds = (config.camera.kind, config.pusher.kind)
    bench = _bench(camera, config, clock) if config.camera.kind in ("virtual", "folder") else None
    kept = KeptFrames(frames_of(journal), config.camera.mat) if config.camera.collect else None
    rig = Rig(bench or camera, eye, tracker, pusher, table, *kinds, touch, tag, bench, known, kept)
    return Machine(session, rig)


def _bench(camera: Camera, config: Config, clock: Clock) -> BenchCamera:
    """The same camera with its cable at hand; a folder that is filled again plays on."""
    if config.camera.kind != "folder":
        return BenchCamera(camera)
    return folder_bench(camera, Path(config.camera.folder), clock.monotonic_s)


def folder_bench(camera: Camera, folder: Path, now_s: Callable[[], float]) -> BenchCamera:
    """A camera of recorded pictures that goes on with those which come into its folder later."""
    shown = _in_folder(folder)

    def again() -> FolderCamera | None:
        nonlocal shown
        before, shown = shown, _in_folder(folder)
        new = [path for path, taken in sorted(shown.items()) if before.get(path) != taken]
        return FolderCamera(new, FOLDER_S, now_s=now_s) if new else None

    return BenchCamera(camera, getattr(camera, "has_ended", None), again)


def _in_folder(folder: Path) -> dict[Path, int]:
    """The pictures of a folder, and when each was written, in nanoseconds."""
    paths = folder.iterdir() if folder.is_dir() else ()
    return {p: p.stat().st_mtime_ns for p in paths if p.suffix.lower() in PICTURES}


def open_by_hand(session: RowSession) -> Machine:
    """A table without camera and pusher; its machine has nothing to do on a thread of its own."""
    rig = Rig(NoCamera(), None, Tracker(), NoPusher(), None, NO_CAMERA, NO_PUSHER)
    return Machine(session, rig)


def tag_of(config: PusherConfig) -> Tag:
    """The pusher's printed tag, where this pusher has it."""
    return Tag(
        height_mm=config.tag_height_mm,
        tip_forward_mm=config.tip_forward_mm,
        tip_left_mm=config.tip_left_mm,
    )


def _tag(config: Config) -> Tag | None:
    """The tag that the camera can see on the pusher, None where there is none."""
    if config.pusher.kind == "virtual":
        return TAG if config.camera.kind == "virtual" and config.virtual.tag else None
    real = config.camera.kind not in ("virtual", *UNHUNG)
    return tag_of(config.pusher) if real and config.pusher.kind == "serial" else None


def _sight(
    config: Config, clock: Clock, table: VirtualTable | None, tag: Tag | None
) -> tuple[Camera, Eye | None]:
    """The camera of the settings and the eye behind it."""
    tiles = TileSet(config.tiles)
    if config.camera.kind in UNHUNG:
        return NoCamera(), None
    if table is None:
        sights = open_sights(config.camera, clock.monotonic_s)
        marks = marks_on(config.tiles, config.camera.marks)
        return sights.camera, Eye(sights.lens, sights.mat, tiles, marks, tag=tag, hanging=True)
    intrinsics, pose = default_view()
    camera = VirtualCamera(table.scene, intrinsics, pose, clock.monotonic_s)
    return camera, bare_table_eye(intrinsics, pose, tiles, tag, config.camera.table)


def bare_table_eye(
    intrinsics: Intrinsics, pose: CameraPose, tiles: TileSet, tag: Tag | None, top: str
) -> Eye:
    """An eye that has seen the bare virtual table: at a real one a set-up step, here a glance.

    Args:
        intrinsics: the lens of the virtual camera.
        pose: where it hangs.
        tiles: which tiles there are.
        tag: on the pusher, None where there is none to see.
        top: what the table is made of.
    """
    eye = Eye(intrinsics, load_mat(), tiles, tag=tag, hanging=True)
    eye.look(VirtualCamera(lambda: Scene(table=top), intrinsics, pose, lambda: 0.0).read())
    return eye


def _pusher(
    config: PusherConfig, clock: Clock, tokens: np.random.Generator, touch: Touch
) -> Pusher:
    """The pusher of the settings; a real one need not be plugged in yet."""
    if config.kind == NO_PUSHER:
        return NoPusher()
    if config.kind == "virtual":
        return VirtualPusher(clock, tokens, on_stroke=touch)
    port = config.port
    pusher = StagedPusher(Search() if not port else lambda: SerialLine(port), clock, nonces())
    pusher.touch = touch
    pusher.link.start()
    return pusher


FOLDER_S = 0.2
"""Recorded pictures are shown so long each."""

PICTURES = (".jpg", ".jpeg", ".png")


@dataclass(frozen=True, slots=True)
class Sights:
    """A camera over a real table, or over one that was filmed.

    Attributes:
        camera: gives its frames.
        lens: what its lens does.
        mat: where the markers lie.
    """

    camera: Camera
    lens: Intrinsics
    mat: Mat


def lens_folder() -> Path:
    """Where lenses are kept if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("domino-rig", appauthor=False)) / "lenses"


def open_sights(
    config: CameraConfig, now_s: Callable[[], float], lenses: Path | None = None
) -> Sights:
    """Open the camera of the settings; it need not be plugged in yet.

    Args:
        config: which camera.
        now_s: the clock by which recorded pictures are shown.
        lenses: the folder where lenses are kept; None for the usual one.

    Raises:
        ConfigError: a setting is missing, or leaves open which lens is meant.
        VisionError: there is no lens for it, or a file cannot be used.
    """
    mat = load_mat(Path(config.mat) if config.mat else None)
    if config.kind == "folder":
        return Sights(_recorded(config, now_s), _lens_file(config), mat)
    if not config.id:
        raise ConfigError(
            '[camera] id is empty: name the camera as `domino-rig camera list` does, for kind = "'
            f'{config.kind}"'
        )
    if config.lens:
        lens, focus = _lens_file(config), None
    else:
        lens, focus = _kept(config, lenses or lens_folder())
    held = {} if focus is None else {"focus": focus}
    settings = CameraSettings(
        config.width, config.height, power_line_hz=config.power_line_hz, held=held
    )
    return Sights(open_camera(config.id, settings), lens, mat)


def _recorded(config: CameraConfig, now_s: Callable[[], float]) -> FolderCamera:
    folder = Path(config.folder)
    if not config.folder or not folder.is_dir():
        raise ConfigError(
            f"[camera] folder = {config.folder!r}: expected a folder of recorded pictures, for "
            'kind = "folder"'
        )
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
    if not paths:
        raise ConfigError(f"{folder}: no picture in it ends in {', '.join(PICTURES)}")
    return FolderCamera(paths, FOLDER_S, now_s=now_s)


def _lens_file(config: CameraConfig) -> Intrinsics:
    if not config.lens:
        raise ConfigError(
            "[camera] lens is empty: name the camera file of the recorded pictures, as "
            "`domino-rig calibrate lens` writes it"
        )
    return load_intrinsics(Path(config.lens), (config.width, config.height))


def _kept(config: CameraConfig, folder: Path) -> tuple[Intrinsics, float | None]:
    """The lens that was calibrated for this camera in this mode, and the focus it belongs to."""
    size = (config.width, config.height)
    kept = [
        mode
        for mode in kept_modes(folder)
        if mode.device == config.id and (mode.width, mode.height) == size
    ]
    if len(kept) > 1:
        names = " and ".join(str(folder / mode.file_name) for mode in kept)
        raise ConfigError(f"[camera] lens is empty and there is more than one: name {names}")
    mode = kept[0] if kept else Mode(config.id, *size)
    return load_lens(folder, mode), mode.focus


class NoCamera(Camera):
    """No camera: `[camera] kind = "none"`."""

    def read(self) -> Frame:
        raise CameraGone("this table has no camera: rows are entered on the view from above")

    def is_opening(self) -> bool:
        return False

    def close(self) -> None:
        """There is nothing to let go of."""


class NoPusher(Pusher):
    """No pusher: `[pusher] kind = "hand"`. Whatever is asked of it, nothing moves."""

    def status(self) -> PusherStatus:
        raise PortLost

    def heartbeat(self) -> Heartbeat:
        raise PortLost

    def arm(self) -> Armed:
        raise PortLost

    def push(self, token: int, push: Push) -> Stroke:
        raise PortLost

    def stop(self) -> StopAnswer:
        """Nothing moves."""
        return StopAnswer.ACKNOWLEDGED

    def disarm(self) -> None:
        """Nothing is armed."""

    def clear(self) -> None:
        """Nothing is stopped."""

    def homed(self) -> None:
        """There is no arm."""

    def link_state(self) -> LinkState | None:
        return None

    def pretend(self) -> Pretend | None:
        return None

    def close(self) -> None:
        """There is nothing to let go of."""
