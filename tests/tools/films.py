"""Films in every language: how long, large and loud they are, their first and last picture as PNG.

    python -m tests.tools.films FOLDER [--lang uk]

Writes LANG-fell and LANG-stood, each as .mp4, -first.png and -last.png. Loudness is the integrated
one of EBU R 128 and the true peak, as FFmpeg's `ebur128` measures them.
"""

import math
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path

import av

from rig.films import reel
from tests.support.film_scripts import script, words
from tests.support.words import LANGUAGES

DOWN = {"fell": 6, "stood": 4}
"""How many of six tiles fell."""


def pictures(film: Path) -> Iterator[av.VideoFrame]:
    """The pictures of a film, as a player has them."""
    with av.open(str(film)) as container:
        yield from container.decode(video=0)


def loudness(film: Path) -> tuple[float, float]:
    """How loud a film is, in LUFS, and its true peak in dBFS."""
    graph, told = av.filter.Graph(), {}
    with av.open(str(film)) as container:
        source = graph.add_abuffer(template=container.streams.audio[0])
        sink = graph.add("abuffersink")
        meter = graph.add("ebur128", "peak=true:metadata=1:framelog=quiet")
        graph.link_nodes(source, meter, sink).configure()
        for frame in container.decode(audio=0):
            graph.push(frame)
            while True:
                try:
                    told = {**told, **graph.pull().metadata}
                except av.BlockingIOError:
                    break
    return float(told["lavfi.r128.I"]), 20 * math.log10(float(told["lavfi.r128.true_peak"]))


def main() -> None:
    """Make them and print a line each."""
    parser = ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--lang", choices=LANGUAGES, action="append")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    for language in args.lang or LANGUAGES:
        for outcome, down in DOWN.items():
            told = script(tiles=6, down=down, language=language)
            film = args.folder / f"{language}-{outcome}.mp4"
            film.write_bytes(reel.make(told, words(language))[0])
            first, *_, last = pictures(film)
            for name, picture in (("first", first), ("last", last)):
                picture.to_image().save(film.with_name(f"{film.stem}-{name}.png"))
            lufs, peak_db = loudness(film)
            size_mb = film.stat().st_size / 1e6
            print(
                f"{film.stem}: {reel.timeline(told).whole_s:.1f} s, {size_mb:.2f} MB, "
                f"{lufs:.1f} LUFS, {peak_db:.1f} dBFS"
            )


if __name__ == "__main__":
    main()
