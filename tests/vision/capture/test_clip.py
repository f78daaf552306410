from dataclasses import replace

import numpy as np
import pytest

from tests.support.clips import load_clip
from vision.capture.camera import Frame
from vision.capture.clip import Clip
from vision.errors import VisionError
from vision.tuning.capture import CLIP


def frame(n, time_s, size=(270, 480)):
    image = np.full((*size, 3), 40, np.uint8)
    image[:, : 4 * n] = 200
    return Frame(image, time_s)


def filmed(count, pace_s=0.033, tuning=CLIP, **more):
    clip = Clip(tuning)
    for n in range(count):
        clip.add(frame(n, 100.0 + pace_s * n, **more))
    return clip


def test_a_clip_plays_again_with_the_times_it_was_taken_at(tmp_path):
    played = load_clip(filmed(5).save(tmp_path / "clips"))
    assert [f.time_s for f in played] == pytest.approx([0.033 * n for n in range(5)], abs=0.001)
    assert [round(float((f.image[9, :, 0] > 120).sum()) / 4) for f in played] == [0, 1, 2, 3, 4]


def test_frames_are_kept_at_no_more_than_960_pixels(tmp_path):
    first, _ = load_clip(filmed(2, size=(1080, 1920)).save(tmp_path))
    assert first.image.shape == (540, 960, 3)


def test_the_very_same_frame_is_kept_once(tmp_path):
    clip, same = Clip(), frame(1, 1.0)
    for _ in range(6):
        clip.add(same)
    assert len(list(clip.save(tmp_path).iterdir())) == 1


def test_a_long_film_is_thinned_out_and_keeps_its_beginning_and_its_end(tmp_path):
    count = 3 * CLIP.most_frames
    played = load_clip(filmed(count).save(tmp_path))
    assert len(played) <= CLIP.most_frames
    assert played[0].time_s == 0.0
    assert played[-1].time_s == pytest.approx(0.033 * (count - 1), abs=0.001)


def test_a_clip_of_noise_stays_within_its_bytes(tmp_path):
    rng, clip = np.random.default_rng(1), Clip(replace(CLIP, most_bytes=400_000))
    for n in range(20):
        clip.add(Frame(rng.integers(0, 256, (270, 480, 3), dtype=np.uint8), 0.1 * n))
    kept = clip.save(tmp_path)
    assert 0 < sum(p.stat().st_size for p in kept.iterdir()) <= 400_000


def test_only_the_newest_clips_are_kept_and_nothing_else_is_touched(tmp_path):
    two = replace(CLIP, most_clips=2)
    (tmp_path / "notes.txt").write_text("mine")
    for _ in range(4):
        filmed(1, tuning=two).save(tmp_path)
    names = sorted(p.name for p in tmp_path.iterdir())
    assert names == ["notes.txt", "push-0003", "push-0004"]


def test_without_frames_nothing_is_written(tmp_path):
    assert Clip().save(tmp_path / "clips") is None
    assert not (tmp_path / "clips").exists()


def test_a_folder_that_cannot_be_written_is_said_in_words(tmp_path):
    (tmp_path / "clips").write_text("a file is in the way")
    with pytest.raises(VisionError, match="clip = false"):
        filmed(1).save(tmp_path / "clips")
