import numpy as np

from vision.background.background import (
    Background,
    differences,
    lit,
    shrink,
    split,
)

TABLE = (60, 65, 70)


def table(seed, *patches):
    """A dark brown table at half size, with patches of another colour (rows, columns, colour)."""
    image = np.empty((270, 480, 3), np.float64)
    image[:] = TABLE
    for rows, columns, colour in patches:
        image[rows, columns] = colour
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image + noise, 0, 255).round().astype(np.uint8)


ROWS, COLUMNS = slice(100, 130), slice(200, 260)
INNER = (slice(104, 126), slice(204, 256))


def test_a_grey_tile_as_bright_as_a_brown_table_stands_out_by_its_tint():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, (64, 64, 64))))
    for mask in (seen.loose, seen.strict, seen.deep):
        assert (mask[INNER] > 0).mean() > 0.9
        mask[96:134, 196:264] = 0
        assert (mask > 0).mean() < 0.002


def test_a_shadow_is_loose_but_not_strict():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, [0.6 * c for c in TABLE])))
    assert (seen.loose[INNER] > 0).mean() > 0.9
    assert (seen.strict[INNER] > 0).mean() < 0.1


def test_what_is_darker_than_a_shadow_is_strict():
    seen = Background(table(1)).compare(table(2, (ROWS, COLUMNS, [0.3 * c for c in TABLE])))
    assert (seen.strict[INNER] > 0).mean() > 0.9


def test_another_light_is_no_difference():
    empty = table(1)
    brighter = np.clip(table(2) * 1.3, 0, 255).astype(np.uint8)
    seen = Background(empty).compare(brighter)
    assert (seen.loose > 0).mean() < 0.001
    assert abs(seen.gain - 1.3).max() < 0.05


def test_slow_changes_are_followed_where_nothing_stands():
    background = Background(table(1))
    patch = (ROWS, COLUMNS, (200, 200, 200))
    for n in range(80):
        drift = (slice(0, 60), slice(0, 200), [c + 0.15 * n for c in TABLE])
        seen = background.compare(table(3 + n, patch, drift))
        background.update(seen)
    assert (seen.strict[INNER] > 0).mean() > 0.9
    assert (seen.loose[:56, :196] > 0).mean() < 0.05


def test_differences_need_more_than_noise():
    one, two = table(1), table(2, (ROWS, COLUMNS, (110, 115, 120)))
    told = differences(split(one), split(two))
    assert (told[INNER] > 0).mean() > 0.9
    told[ROWS, COLUMNS] = 0
    assert (told > 0).mean() < 0.01


def test_an_image_in_stronger_light_is_brighter_in_each_colour_and_never_wraps_round():
    image = np.array([[[10, 100, 200]]], np.uint8)
    blue, green, red = lit(split(image), np.array([2.0, 1.5, 1.5]))
    assert (blue.item(), green.item(), red.item()) == (20, 150, 255)


def test_a_picture_of_one_row_can_be_shrunk():
    assert shrink(np.zeros((1, 5, 3), np.uint8)).shape == (1, 2, 3)


LAMP = (200, 235, 254)
"""A mirrored lamp: too light for the camera in red alone."""


def test_where_the_empty_table_was_too_light_to_be_measured_as_light_is_no_difference():
    empty = table(1, (ROWS, COLUMNS, (255, 255, 255)))
    dimmer = (table(2) * 0.9).astype(np.uint8)
    dimmer[ROWS, COLUMNS] = 255
    seen = Background(empty).compare(dimmer)
    assert (seen.loose[INNER] > 0).mean() < 0.01


def test_where_the_empty_table_was_too_light_to_be_measured_what_is_darker_still_differs():
    empty = table(1, (ROWS, COLUMNS, (255, 255, 255)))
    seen = Background(empty).compare(table(2, (ROWS, COLUMNS, (60, 60, 180))))
    assert (seen.strict[INNER] > 0).mean() > 0.9


def test_where_one_colour_was_too_light_to_be_measured_a_shadow_stays_one():
    empty = table(1, (ROWS, COLUMNS, LAMP))
    # There was light for 330 levels of red.
    shadow = [0.6 * LAMP[0], 0.6 * LAMP[1], 0.6 * 330]
    seen = Background(empty).compare(table(2, (ROWS, COLUMNS, shadow)))
    assert (seen.loose[INNER] > 0).mean() > 0.9
    assert (seen.strict[INNER] > 0).mean() < 0.1


def test_where_the_table_is_only_guessed_it_is_as_steep_as_round_about():
    stones = np.random.default_rng(5).integers(10, 250, (54, 96, 3)).astype(np.uint8)
    pebbles = stones.repeat(5, axis=0).repeat(5, axis=1)
    smooth = pebbles.copy()
    smooth[ROWS, COLUMNS] = 120
    guessed = np.zeros(pebbles.shape[:2], np.uint8)
    guessed[ROWS, COLUMNS] = 255
    known = guessed == 0
    plain, seen = (Background(smooth, mask).compare(pebbles) for mask in (None, guessed))
    assert np.median(plain.slope[~known]) == 0
    assert 0 < seen.slope[INNER].min() < np.median(plain.slope[known])
    assert (seen.slope[known] == plain.slope[known]).all()


def test_a_table_that_is_only_guessed_everywhere_is_left_as_it_is():
    everywhere = np.full((270, 480), 255, np.uint8)
    seen = Background(table(1), everywhere).compare(table(2))
    assert (seen.slope == Background(table(1)).compare(table(2)).slope).all()
