"""One turn, stage by stage, from a camera frame to chips: the walk that the whole project is."""

import gc
import math
from pathlib import Path

import numpy as np
import pytest

from physics.predict.predict import predict
from physics.row.chain import order
from physics.row.push import Friction, Push
from physics.row.row_rules import check
from physics.row.spread import Spread
from physics.row.tile import Orientation
from rig.clock import ManualClock
from rig.games.estimation.commands import (
    Call,
    Continue,
    Place,
    Report,
    Reveal,
    Stand,
    Start,
    Vote,
)
from rig.games.estimation.decide import decide
from rig.games.estimation.evolve import evolve
from rig.games.estimation.game import Game
from rig.games.estimation.terms import CAMERA, HOST, REFEREE, End, Phase, Result, Side
from rig.pusher.port import PushRefused
from rig.pusher.virtual import VirtualPusher
from rig.virtual.table import VirtualTable
from rig.virtual.world import PymunkWorld
from tests.support.walks import entered
from tests.tools import house
from vision.geometry.mat import load_mat
from vision.look.eye import Eye
from vision.look.observe import Watch
from vision.look.score import tables
from vision.look.track import Tracker
from vision.render.render import default_view
from vision.render.scene import Scene
from vision.render.virtual_camera import VirtualCamera


def test_what_the_garbage_collector_closes_is_no_entry():
    left_behind = tables(Path(__file__).parent / "data" / "frames")
    next(left_behind)
    circle = [left_behind]
    circle.append(circle)
    del left_behind, circle
    with entered() as files:
        objects = [[] for _ in range(2 * gc.get_threshold()[0])]  # enough for a collection
    assert objects and files == []


def after(game, actor, command):
    for event in decide(game, actor, command):
        game = evolve(game, event)
    return game


@pytest.mark.parametrize(("gap_mm", "outcome"), [(18.0, "fell"), (58.0, "stood")])
def test_one_turn_from_a_frame_to_chips_enters_no_more_files_than_it_did(gap_mm, outcome):
    with entered() as files:
        turn(gap_mm, outcome)
    house.no_worse(house.TURN, files)


def turn(gap_mm, outcome):
    clock = ManualClock()
    table = VirtualTable(PymunkWorld(np.random.default_rng(1)), clock, np.random.default_rng(2))
    pusher = VirtualPusher(
        clock, np.random.default_rng(3), on_stroke=lambda push: table.fall(push, 3) and None
    )
    intrinsics, pose = default_view()
    camera = VirtualCamera(table.scene, intrinsics, pose, clock.monotonic_s)
    eye, tracker = Eye(intrinsics, load_mat()), Tracker()
    eye.look(VirtualCamera(Scene, intrinsics, pose, clock.monotonic_s).read())
    game = after(Game(), HOST, Start(("ana", "bo"), "ana"))

    def look():
        for _ in range(6):
            clock.advance(0.2)
            sight = tracker.see(eye.look(camera.read()), clock.monotonic_s())
            if sight.still and not sight.hand_in_view:
                return sight
        raise AssertionError("the table never came to rest")

    # 1-3 look, detect, locate: the 6 stands alone, then somebody places a 3 left of it.
    look()
    tracker.settle()
    table.stand(3, 300.0 - 7.5 - gap_mm, 210.0, 0.0, Orientation.VERTICAL)
    sight = look()
    assert (sight.new_tile.value, sight.new_tile.orientation) == (3, "vertical")
    truth = table.truth()[0].pose
    seen = sight.new_tile.pose
    assert math.hypot(seen.x_mm - truth.x_mm, seen.y_mm - truth.y_mm) < 0.5

    # 4-5 order and check: a row of two, in which nothing is wrong but perhaps how far apart.
    chain = order(sight.tiles)
    assert chain.values == (3, 6)
    assert [v for v in check(chain) if v.kind.value not in ("too_far", "apart")] == []

    # 6 predict
    push = Push(height_frac=20.0 / 48.0)
    told = predict(chain, push, Friction(), Spread(), rng=np.random.default_rng(4))
    assert told.all_fall == (outcome == "fell")

    # 7 vote: the placer says Success, the caller Failure, in secret.
    game = after(game, "ana", Place(3, chain.values.index(3)))
    game = after(game, "bo", Call())
    game = after(game, "bo", Vote(Side.FAILURE))
    assert game.phase is Phase.COUNTDOWN
    game = after(after(game, REFEREE, Reveal()), REFEREE, Continue())
    assert (game.toppler, game.end) == ("ana", End.LEFT)

    # 8 push: refused until a hand has turned the switch; then one stroke.
    with pytest.raises(PushRefused):
        pusher.arm()
    pusher.set_switch(True)
    watch = Watch(chain, intrinsics)
    watch.add(camera.read())
    armed = pusher.arm()
    clock.advance(armed.settled_s - clock.monotonic_s())
    assert pusher.push(armed.token, push).complete
    with pytest.raises(PushRefused):
        pusher.push(armed.token, push)

    # 9 observe
    for _ in range(40):
        clock.advance(0.1)
        watch.add(camera.read())
        if watch.at_rest:
            break
    observed = watch.outcome(eye.look)
    assert observed.sure
    assert observed.outcome.all_fell == (outcome == "fell")
    assert observed.picture.startswith(b"\xff\xd8")

    # 10 score: the side that was right takes as many chips as the other side has ballots.
    game = after(game, CAMERA, Report(Result(outcome)))
    game = after(game, REFEREE, Stand())
    assert game.chips == ({"ana": 1, "bo": 0} if outcome == "fell" else {"ana": 0, "bo": 1})
