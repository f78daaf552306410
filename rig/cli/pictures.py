"""Pictures, report and films that `predict` writes beside its answers."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TextIO

from physics.errors import PhysicsError
from physics.predict.predict import Prediction
from physics.rows.scenario import Scenario
from rig.cli.output import unwritten, write_whole

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
            PhysicsError: a name does not end as it should, or an extra is missing.
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
        if film is not None or (plot is not None and plot.suffix.lower() == ".png"):
            from physics.pictures.svg import renderer

            renderer()
        if film is not None:
            _require_video()

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


def _require_video() -> None:
    try:
        import av  # noqa: F401
    except ImportError:
        raise PhysicsError("films need PyAV; install the extra: pip install -e .[film]") from None


def _filmed(row: Scenario, answer: Prediction) -> bytes:
    """Encode a film as H.264 that begins to play before all of it is loaded."""
    import av
    import numpy as np

    from physics.pictures.fall_film import FRAMES_S, HIGH_PX, WIDE_PX, frames

    # The index is moved to the front of a file afterwards, which needs a file with a name.
    with TemporaryDirectory(prefix="domino-rig-") as folder:
        path = Path(folder) / "fall.mp4"
        try:
            with av.open(str(path), "w", options={"movflags": "faststart"}) as container:
                stream = container.add_stream("libx264", rate=FRAMES_S)
                stream.width, stream.height, stream.pix_fmt = WIDE_PX, HIGH_PX, "yuv420p"
                for image in frames(row, answer):
                    picture = av.VideoFrame.from_ndarray(np.asarray(image.convert("RGB")))
                    container.mux(stream.encode(picture))
                container.mux(stream.encode())
            return path.read_bytes()
        except av.FFmpegError as error:
            raise PhysicsError(f"a film cannot be made ({error.strerror})") from None
