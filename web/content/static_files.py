"""Serves the files of the pages from memory, compressed, to be stored by browsers for good.

Each module and style sheet is sent by itself, without its comments (`minify.py`, `rcssmin`). Its
address is `/static/HASH/...`, where HASH is that of all files together: imports are relative and
need not know it, and when a file changes, all addresses change. A file without the hash in its
address, and the words under `/locales/`, have an entity tag instead: a browser asks each time
whether its copy is still good. What a language lacks of the words is sent in English. What others
wrote is sent as they published it, with their licence. In development there is no hash, and a file
is sent as it is written, and read again when it has changed.

The compression is gzip, since browsers accept brotli only over HTTPS, and phones use plain HTTP.
"""

import gzip
import json
import mimetypes
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path
from posixpath import join, normpath

from rcssmin import cssmin
from werkzeug.datastructures import ETags
from werkzeug.http import parse_accept_header, parse_etags

from web.content import minify
from web.content.words import CODE, SOURCE, filled_up, texts_of

_WEB = Path(__file__).parents[1]
FOLDERS = ("/static/", "/locales/")
"""What the addresses of files begin with."""
_VENDOR = "/static/vendor/"
_LITTLE_BYTES = 200
"""Size in bytes below which compressing saves nothing."""
_KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}
_UNKNOWN = "application/octet-stream"
_TEXTS = {*_KINDS, ".svg", ".txt", ".md"}
_WORDS = re.compile(rf"/locales/({CODE})/(.+\.json)")
"""The address of a catalogue: language, and name in it."""
_HASHED = re.compile(r"/static/([0-9a-f]{12})/(.+)")
_IMPORT = re.compile(r'\b(?:from|import)\s*"(\.[^"]+)"|@import url\("([^"]+)"\)')
"""Finds what a file imports. A mistake costs only time: the file is fetched late, or in vain."""

Headers = tuple[tuple[bytes, bytes], ...]
"""Few, since a phone that opens the page receives them forty times."""


@dataclass(frozen=True)
class PageFile:
    """A file as it is written, with the tag of its contents, and as it is sent.

    What is sent is made when somebody first asks for it.
    """

    name: str
    written: bytes
    tag: str
    shorten: Callable[[bytes], bytes]

    @property
    def kind(self) -> str:
        """Its type."""
        suffix = Path(self.name).suffix
        kind = _KINDS.get(suffix) or mimetypes.guess_type(self.name)[0] or _UNKNOWN
        return f"{kind}; charset=utf-8" if suffix in _TEXTS - {".js"} else kind

    @cached_property
    def plain(self) -> bytes:
        """What is sent to whoever takes nothing that is compressed."""
        return self.shorten(self.written)

    @cached_property
    def packed(self) -> bytes | None:
        """The same compressed; None if that saves nothing."""
        worth = Path(self.name).suffix in _TEXTS and len(self.plain) > _LITTLE_BYTES
        return gzip.compress(self.plain, 9, mtime=0) if worth else None


@dataclass(frozen=True, slots=True)
class Sent:
    """The answer to one request for a file."""

    status: int
    headers: Headers
    body: bytes


def _as_it_is(text: bytes) -> bytes:
    return text


def _style(text: bytes) -> bytes:
    return str(cssmin(text.decode())).encode()


def _words(text: bytes) -> bytes:
    return json.dumps(json.loads(text), ensure_ascii=False, separators=(",", ":")).encode()


_SHORTEN = {".js": minify.minified, ".css": _style, ".json": _words}


@dataclass(slots=True)
class Files:
    """All files of the pages, read once; in development a file is read again when it has changed.

    Attributes:
        root: what the addresses of scripts and style sheets begin with.
    """

    folder: Path = _WEB
    development: bool = False
    root: str = "/static"
    _files: dict[str, PageFile] = field(default_factory=dict)
    _stamps: dict[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    _graphs: dict[tuple[str, ...], list[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read all files and compute their hash."""
        found = (each for name in FOLDERS for each in (self.folder / name[1:]).rglob("*"))
        paths = {f"/{e.relative_to(self.folder).as_posix()}" for e in found if e.is_file()}
        words = [each for path in paths if (each := _WORDS.fullmatch(path))]
        named = {(language[1], name[2]) for language in words for name in words}
        for path in sorted(paths | {f"/locales/{of}/{name}" for of, name in named}):
            self._read(path)
        if not self.development:
            tags = "".join(f"{name} {held.tag}\n" for name, held in sorted(self._files.items()))
            made_by = Path(minify.__file__).read_bytes()
            self.root = f"/static/{sha256(tags.encode() + made_by).hexdigest()[:12]}"

    @property
    def paths(self) -> list[str]:
        """The address of each file, without the hash."""
        return sorted(self._files)

    def answer(self, path: str, accepted: str, known: str) -> Sent | None:
        """Answer a request.

        Args:
            path: the path of the request.
            accepted: its `Accept-Encoding`.
            known: its `If-None-Match`.

        Returns:
            The file, compressed if the browser accepts that; no body if its copy is still good;
            None if there is no such file.
        """
        hashed = _HASHED.fullmatch(path)
        held = self._find(f"/static/{hashed[2]}" if hashed else path)
        if held is None:
            return None
        packed = held.packed is not None and parse_accept_header(accepted)["gzip"] > 0
        tag = f"{held.tag}-gzip" if packed else held.tag
        lasts = hashed is not None and path.startswith(f"{self.root}/")
        headers: Headers = (
            (b"cache-control", b"max-age=31536000, immutable" if lasts else b"no-cache"),
            (b"vary", b"accept-encoding"),
            (b"x-content-type-options", b"nosniff"),
        )
        if not lasts:
            headers += ((b"etag", f'"{tag}"'.encode()),)
            tags: ETags = parse_etags(known)
            if tags.contains(tag):
                return Sent(304, headers, b"")
        headers += ((b"content-type", held.kind.encode()),)
        if packed:
            headers += ((b"content-encoding", b"gzip"),)
        body = held.packed if packed and held.packed is not None else held.plain
        return Sent(200, (*headers, (b"content-length", b"%d" % len(body))), body)

    def needed(self, *names: str) -> list[str]:
        """The addresses of all files that these scripts and style sheets import.

        A browser that has this list fetches them all at once; without it, it finds the imports of
        a file only when that file has arrived.
        """
        if self.development or names not in self._graphs:
            found = dict.fromkeys(names)
            waiting = list(names)
            while waiting:
                name = waiting.pop()
                held = self._find(f"/static/{name}")
                text = held.written.decode() if held is not None else ""
                for script, style in _IMPORT.findall(text):
                    path = normpath(join(name, "..", script or style))
                    if path not in found:
                        found[path] = None
                        waiting.append(path)
            self._graphs[names] = sorted(set(found) - set(names))
        return [f"{self.root}/{name}" for name in self._graphs[names]]

    def _find(self, path: str) -> PageFile | None:
        if self.development and normpath(path) == path and path.startswith(FOLDERS):
            self._read(path)
        return self._files.get(path)

    def _sources(self, path: str) -> list[Path]:
        """The files that make what is sent: words of a language come with the English ones."""
        file = self.folder / path[1:]
        words = _WORDS.fullmatch(path)
        english = self.folder / "locales" / SOURCE / words[2] if words else file
        return [each for each in dict.fromkeys((file, english)) if each.is_file()] or [file]

    def _read(self, path: str) -> None:
        """Read a file if it has changed; forget it if it is gone."""
        sources = self._sources(path)
        file = sources[0]
        try:
            stats = [each.stat() for each in sources]
            stamp = tuple((stat.st_mtime_ns, stat.st_size) for stat in stats)
            if self._stamps.get(path) != stamp:
                text = file.read_bytes()
                if len(sources) > 1:
                    texts, english = map(texts_of, sources)
                    words = filled_up(texts, english, file.relative_to(self.folder).parts[1])
                    text = json.dumps(words, ensure_ascii=False).encode()
                own = not self.development and not path.startswith(_VENDOR)
                shorten = _SHORTEN.get(file.suffix, _as_it_is) if own else _as_it_is
                tag = sha256(text).hexdigest()[:20]
                self._files[path] = PageFile(file.name, text, tag, shorten)
                self._stamps[path] = stamp
        except (OSError, ValueError):
            self._files.pop(path, None)
            self._stamps.pop(path, None)


@cache
def files(development: bool) -> Files:
    """The files of all tables of this process."""
    return Files(development=development)
