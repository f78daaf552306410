"""Pictures, report and films that `predict` writes beside its answers."""

from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TextIO

from physics.errors import PhysicsError
from physics.pictures import movie
from physics.predict.predict import Prediction
from physics.rows.scenario import Scenario
from rig.cli.output import require_writable, unwritten, write_whole

PLOTS = (".svg", ".png")
REPORTS = (".html", ".htm")
FILMS = (".mp4",)


class Pictures:
    """What is drawn of each answer; what is done stays, whatever stops the rest."""

    def __init__(
        self, plot: Path | None, report: Path | None, film: Path | None, total: int
    ) -> None:
        """Look whether all that is asked for can be made.

        Args:
            plot: file for a picture; of several rows each has a number in its name.
            report: file for a page with all rows.
            film: file for a film; of several rows each has a number in its name.
            total: how many rows there are.

        Raises:
            PhysicsError: a name does not end as it should, a file cannot be written there, or an
                extra is missing.
        """
        self._plot, self._report, self._film, self._total = plot, report, film, total
        self._page: TextIO | None = None
        self._done = self._falling = 0
        for option, path, endings in (
            ("--plot", plot, PLOTS),
            ("--report", report, REPORTS),
            ("--film", film, FILMS),
        ):
            if path is not None and path.suffix.lower() not in endings:
                wanted = " or ".join(endings)
                raise PhysicsError(f"{option} {path}: expected a name that ends in {wanted}")
            if path is not None and not path.parent.is_dir():
                raise PhysicsError(
                    f"{option} {path}: there is no folder {path.parent}; make it or name another"
                )
        if report is not None:
            require_writable(report)
        for each in (path for path in (plot, film) if path is not None):
            for number in range(1, total + 1):
                require_writable(self._named(each, number))
        if film is not None or (plot is not None and plot.suffix.lower() == ".png"):
            from physics.pictures.svg import renderer

            renderer()
        if film is not None:
            movie.require()

    def __enter__(self) -> "Pictures":
        """Begin the report, if one is asked for."""
        if self._report is not None:
            from physics.pictures.report import head

            try:
                self._page = self._report.open("w", encoding="utf-8")
            except OSError as error:
                raise unwritten(self._report, error) from None
            self._write(head(self._total))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the report with what there is."""
        if self._page is None:
            return
        from physics.pictures.report import tail

        try:
            self._write(tail(self._done, self._total, self._falling))
        except PhysicsError:
            if error is None:
                raise
        finally:
            self._close()

    def show(self, number: int, row: Scenario, answer: Prediction | PhysicsError) -> None:
        """Draw one answer; one that was refused stands in the report alone.

        Args:
            number: of the row, from 1 on.
            row: the row.
            answer: its prediction.

        Raises:
            PhysicsError: a file cannot be written.
        """
        if self._page is not None:
            from physics.pictures.report import section

            self._write(section(number, row, answer))
            self._done += 1
            self._falling += isinstance(answer, Prediction) and answer.all_fall
        if not isinstance(answer, Prediction):
            return
        if self._plot is not None:
            from physics.pictures.row_picture import row_picture
            from physics.pictures.svg import bitmap

            svg = row_picture(row, answer)
            png = self._plot.suffix.lower() == ".png"
            write_whole(self._named(self._plot, number), bitmap(svg) if png else svg.encode())
        if self._film is not None:
            write_whole(self._named(self._film, number), _filmed(row, answer))

    def _named(self, path: Path, number: int) -> Path:
        return path if self._total == 1 else path.with_stem(f"{path.stem}-{number}")

    def _write(self, text: str) -> None:
        assert self._page is not None and self._report is not None
        try:
            self._page.write(text)
            self._page.flush()
        except OSError as error:
            self._close()
            raise unwritten(self._report, error) from None

    def _close(self) -> None:
        page, self._page = self._page, None
        if page is not None:
            with suppress(OSError):  # closing tries again to write what could not be written
                page.close()


def _filmed(row: Scenario, answer: Prediction) -> bytes:
    """One fall of a row as a silent film."""
    import numpy as np

    from physics.pictures.fall_film import FRAMES_S, HIGH_PX, WIDE_PX, frames

    shown = (np.asarray(image.convert("RGB")) for image in frames(row, answer))
    return movie.movie(shown, (WIDE_PX, HIGH_PX), FRAMES_S)
