"""A film of one push: the row, the ballots turning, the fall at half speed, and the verdict.

Words, marks and light are those of the table screen at night. What stands still is drawn once; only
ballots that turn and tiles that fall are drawn anew for every picture.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from io import BytesIO
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from physics.pictures.movie import movie
from physics.row.chain import whole_mm
from rig.films import sounds, stage
from rig.films.film_script import FilmScript
from rig.films.row_scene import RowScene
from rig.games.phrase import written
from rig.row.fall_shown import SLOWER, wave_ms
from rig.row.push_events import FELL

Picture = NDArray[np.uint8]
"""RGB, shape (720, 1280, 3)."""
Frames = Sequence[tuple[float, bytes]]
"""What the camera saw: JPEG files with seconds since the first tile stirred."""

RATE: Final = 30

ROW_S: Final = 0.9
"""The row stands."""
_BACKS_S: Final = 0.4
_TURN_S: Final = 0.42
"""All ballots turn over together, as on the table screen."""
_FACES_S: Final = 1.0
_STILL_S: Final = 0.3
"""How long of that they lie still before the words come."""
BALLOTS_S: Final = _BACKS_S + _TURN_S + _FACES_S
_BEFORE_S: Final = 0.3
"""The row stands for so long before its first tile tips, so that eyes find it."""
_AFTER_S: Final = 0.4
_MOST_FALL_S: Final = 3.7
"""A wave that would take longer is shown faster than at half speed."""
_VERDICT_S: Final = (1.5, 2.6)
"""How long the verdict stands at least and at most."""
_WHOLE_S: Final = 6.4
"""A film of a short fall is filled up to this with its verdict."""
_WORD_KEYS: Final = ("died", "diedgap", "fell", "stood", "alldown", "gap")
WORDS: Final = (
    *(f"table.verdict.{key}" for key in _WORD_KEYS),
    "table.reveal.success",
    "table.reveal.failure",
    "table.reveal.placer",
    "table.shout.title",
    "film.title",
    "film.short",
    "film.up",
)
"""Keys of the sentences in it, in the catalogue of the table screen."""
_ARM_MM: Final = 18.0
"""How far the pusher's tip is from the row at first."""
_COIN_S: Final = 0.35
"""How long after the verdict the chips sound."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """When what is to be seen, in seconds.

    Attributes:
        fall_s: how long the row is shown as it falls.
        slower: how many times slower than real time.
        verdict_s: how long the verdict stands.
    """

    fall_s: float
    slower: float
    verdict_s: float

    @property
    def falls_at_s(self) -> float:
        """When the wave begins."""
        return ROW_S + BALLOTS_S + _BEFORE_S

    @property
    def told_at_s(self) -> float:
        """When the verdict comes."""
        return ROW_S + BALLOTS_S + self.fall_s

    @property
    def whole_s(self) -> float:
        """How long the film is."""
        return self.told_at_s + self.verdict_s


def timeline(script: FilmScript) -> Timeline:
    """When what is to be seen in a film: 6 to 8 seconds in all."""
    wave_s = wave_ms(script.tips) / 1000
    most_s = _MOST_FALL_S - _BEFORE_S - _AFTER_S
    slower = min(float(SLOWER), most_s / wave_s) if wave_s else float(SLOWER)
    fall_s = _BEFORE_S + wave_s * slower + _AFTER_S
    least, most = _VERDICT_S
    return Timeline(fall_s, slower, min(max(_WHOLE_S - ROW_S - BALLOTS_S - fall_s, least), most))


def make(script: FilmScript, words: Mapping[str, str], seen: Frames = ()) -> tuple[bytes, bytes]:
    """Make a film and its still.

    Args:
        script: what it tells.
        words: by the keys of `WORDS`, in its language.
        seen: what the camera saw of the fall; drawn where it saw nothing.

    Returns:
        The film as MP4, and the picture of its verdict as JPEG.

    Raises:
        PhysicsError: the extra `film` is missing, this machine has no font, or the encoder fails.
    """
    reel = Reel(script, words, seen)
    film = movie(reel.pictures(), stage.SIZE, RATE, reel.sound())
    still = BytesIO()
    Image.fromarray(reel.verdict()).save(still, "JPEG", quality=82)
    return film, still.getvalue()


class Reel:
    """The pictures of one film, and its sound; see `make`."""

    def __init__(self, script: FilmScript, words: Mapping[str, str], seen: Frames = ()) -> None:
        self._script, self._words, self._seen = script, words, seen
        self._times = timeline(script)
        self._scene = RowScene(script.row, script.tile, script.tips)
        self._back = Image.alpha_composite(
            stage.felt(), stage.picture_of(stage.rail(script.voters))
        )
        self._back = self._back.convert("RGB")

    def pictures(self) -> Iterator[Picture]:
        """All of them, one after the other; what stands still is the same array again."""
        first = self.row()
        yield from [first] * round(ROW_S * RATE)
        yield from self._ballots()
        yield from self._fall()
        told = self.verdict()
        yield from [told] * round(self._times.verdict_s * RATE)

    def row(self) -> Picture:
        """The row with the names of all who voted."""
        script = self._script
        caller = next((v.name for v in script.voters if v.caller), "")
        shout = self._say("table.shout.title")
        return self._drawn(
            stage.title(self._say("film.title", round=script.round)),
            stage.line(f"{caller}: {shout}" if caller else shout),
            self._scene.drawn({}, arm_mm=self._arm(_ARM_MM)),
        )

    def verdict(self) -> Picture:
        """What came of it, with its measure."""
        script = self._script
        title, line = self._outcome_said()
        words = (stage.title(title), stage.line(line))
        if self._seen:
            return self._drawn(*words, back=stage.framed(self._seen[-1][1], self._back))
        parts = [self._scene.drawn(self._scene.tilts(wave_ms(script.tips)), script.up)]
        if script.between is not None and script.gap_mm is not None:
            ring, place = self._scene.joint(script.between)
            measure = self._say("table.verdict.gap", gap=whole_mm(script.gap_mm))
            parts += [ring, stage.tag(measure, place)]
        return self._drawn(*words, *parts)

    def sound(self) -> sounds.Samples:
        """The table's own sounds at their times."""
        times, script = self._times, self._script
        low = {t.value for t in script.row if t.orientation == "horizontal"}
        score = [(0.05, sounds.moment("accepted"))]
        score.append((ROW_S + _BACKS_S, sounds.moment("reveal")))
        for n, tip in enumerate(script.tips):
            at_s = times.falls_at_s + (tip.start_ms + tip.length_ms) / 1000 * times.slower
            score.append((at_s, sounds.tile(n, tip.value in low)))
        told_s = times.told_at_s
        # "It stood" has its own silence before it.
        stood = script.outcome != FELL
        score.append((told_s - (0.5 if stood else 0.0), sounds.moment(script.outcome)))
        for n in range(sum(v.side == ("failure" if stood else "success") for v in script.voters)):
            score.append((told_s + _COIN_S + 0.11 * n, sounds.moment("chip")))
        return sounds.mixed(score, times.whole_s)

    def _ballots(self) -> Iterator[Picture]:
        yield from [self._turned(0.0)] * round(_BACKS_S * RATE)
        steps = round(_TURN_S * RATE)
        yield from (self._turned(_flip_ease(n / steps)) for n in range(1, steps))
        yield from [self._turned(1.0)] * round(_STILL_S * RATE)
        yield from [self._open()] * round((_FACES_S - _STILL_S) * RATE)

    def _turned(self, turned: float) -> Picture:
        """All ballots, turned so far about their upright axis."""
        voters = self._script.voters
        lying = (stage.ballot(v, n, len(voters), turned) for n, v in enumerate(voters))
        return np.asarray(stage.over(self._back, *lying, region=stage.BALLOTS))

    def _open(self) -> Picture:
        """All ballots with their words."""
        voters = self._script.voters
        of, parts = len(voters), []
        for n, voter in enumerate(voters):
            word, x = self._say(f"table.reveal.{voter.side}"), stage.column(n, of)
            parts.append(stage.ballot(voter, n, of, 1.0))
            most = 0.9 * stage.WIDE / of
            parts.append(stage.written(word, (x, 790.0), 60.0, most, serif=True, middle=True))
            if voter.placer:
                parts.append(stage.tag(self._say("table.reveal.placer"), (x, 330.0)))
        return self._drawn(*parts)

    def _fall(self) -> Iterator[Picture]:
        times, region = self._times, stage.round_about(*self._scene.bounds)
        pushed = stage.over(self._back, self._scene.arm(0.0)) if self._script.arm else self._back
        for n in range(round(times.fall_s * RATE)):
            at_s = n / RATE - _BEFORE_S
            if self._seen:
                yield np.asarray(stage.framed(self._at(at_s / times.slower), self._back))
            elif at_s < 0:
                arm = self._arm(_ARM_MM * -at_s / _BEFORE_S)
                yield self._drawn(self._scene.drawn({}, arm_mm=arm))
            else:
                row = self._scene.drawn(self._scene.tilts(1000 * at_s / times.slower))
                yield np.asarray(stage.over(pushed, row, region=region))

    def _at(self, at_s: float) -> bytes:
        """What the camera saw at a time after the first tile stirred."""
        return min(self._seen, key=lambda each: abs(each[0] - at_s))[1]

    def _outcome_said(self) -> tuple[str, str]:
        """What came of it: in a word or two, and with its measure."""
        script = self._script
        if script.outcome == FELL:
            return self._say("table.verdict.fell"), self._say("table.verdict.alldown")
        title = self._say("table.verdict.stood")
        if script.between is not None:
            a, b = script.between
            if script.short_mm is not None:
                short = written(Decimal(f"{script.short_mm:g}"), script.language)
                return title, self._say("film.short", a=a, b=b, mm=short)
            if script.gap_mm is None:
                return title, self._say("table.verdict.died", a=a, b=b)
            gap = whole_mm(script.gap_mm)
            return title, self._say("table.verdict.diedgap", a=a, b=b, gap=gap)
        values = ", ".join(map(str, script.up))
        return title, self._say("film.up", values=values) if values else ""

    def _say(self, key: str, **of: object) -> str:
        said = self._words[key]
        for name, value in of.items():
            said = said.replace(f"{{{{{name}}}}}", str(value))
        return said

    def _arm(self, back_mm: float) -> float | None:
        return back_mm if self._script.arm else None

    def _drawn(self, *parts: str, back: Image.Image | None = None) -> Picture:
        return np.asarray(stage.over(back or self._back, *parts))


def _flip_ease(t: float) -> float:
    """How far a ballot has turned: slowly off, slowly down."""
    return t * t * (3 - 2 * t)
