"""Whatever is printed, no ink and no marker gets lost."""

from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from vision.geometry.mat import SHIPPED_MAT, load_mat
from vision.print.outline import marker_cells, trace
from vision.print.paper import BadSheet, Paper
from vision.print.sheets_mat import MAT_SHEET, split_strip, strips_of

MAT = load_mat()
STRIPS = strips_of(MAT, SHIPPED_MAT)
PITCH_MM = 60.0
"""From marker to marker of a strip: so long is a piece with one of them, before its flap."""
SIDES = st.tuples(st.integers(1, 8), st.integers(1, 8))


def filled(outlines, shape, scale=8):
    """Fill outlines by the even-odd rule and look at the middle of every cell."""
    canvas = np.zeros((shape[0] * scale, shape[1] * scale), np.uint8)
    cv2.fillPoly(canvas, [np.round(np.array(o) * scale).astype(np.int32) for o in outlines], 255)
    return canvas[scale // 2 :: scale, scale // 2 :: scale] > 0


@given(SIDES.flatmap(lambda shape: arrays(np.bool_, shape)))
def test_the_outlines_of_cells_hold_the_black_ones_and_no_others(cells):
    assert (filled(trace(cells), cells.shape) == cells).all()


@given(SIDES.flatmap(lambda shape: arrays(np.bool_, shape)))
def test_an_outline_turns_at_every_corner_and_runs_along_the_cells(cells):
    for outline in trace(cells):
        steps = np.diff(np.array([*outline, outline[0]]), axis=0)
        assert ((steps == 0).sum(axis=1) == 1).all()
        assert (np.abs(np.sum(steps * np.roll(steps, 1, axis=0), axis=1)) == 0).all()


def test_the_cells_of_a_marker_are_those_that_its_detector_knows():
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    for marker in range(30):
        cells = marker_cells("DICT_4X4_50", marker)
        assert cells.shape == (6, 6)
        assert cells[0].all() and cells[-1].all() and cells[:, 0].all() and cells[:, -1].all()
        bits = np.array(words.getBitsFromByteList(words.bytesList[marker : marker + 1], 4))
        assert (cells[1:-1, 1:-1] == (bits == 0)).all()


@settings(max_examples=60)
@given(st.floats(60.0, 500.0))
@example(83.0)
@example(84.0)
def test_pieces_hold_every_marker_once_and_fit_on_the_paper(long_mm):
    paper = Paper("odd", long_mm, 210.0)
    for strip in STRIPS:
        try:
            pieces = split_strip(strip, MAT, paper)
        except BadSheet:
            assert paper.room_mm[0] < PITCH_MM + MAT_SHEET.flap_mm
            continue
        assert sorted(i for piece in pieces for i in piece.ids) == sorted(strip.ids)
        edges = [(piece.start_mm, piece.end_mm) for piece in pieces]
        assert edges[0][0] == 0.0
        assert edges[-1][1] == strip.length_mm
        assert all(a[1] == b[0] for a, b in pairwise(edges))
        whole = len(pieces) == 1
        assert all(
            p.length_mm <= (paper.width_mm + 0.5 if whole else paper.room_mm[0]) for p in pieces
        )
        for piece in pieces:
            for marker in piece.ids:
                along = [strip.on_paper(tuple(c))[0] for c in MAT.corners_mm[marker]]
                assert piece.start_mm + 4.0 <= min(along)
                assert max(along) <= piece.end_mm - 4.0


def test_every_strip_of_the_mat_has_a_name_of_its_own():
    assert [strip.name for strip in STRIPS] == [
        "far left",
        "far right",
        "right",
        "near right",
        "near left",
        "left",
    ]


@pytest.mark.parametrize("strip", STRIPS, ids=lambda strip: strip.name)
def test_the_triangle_points_at_the_work_area(strip):
    middle = {
        "far": (300, 420),
        "near": (300, 0),
        "left": (0, 210),
        "right": (600, 210),
    }[strip.name.split()[0]]
    along, across = strip.on_paper(middle)
    assert across == pytest.approx(strip.depth_mm if strip.area_above else 0.0)
    assert -300 <= along <= strip.length_mm + 300
