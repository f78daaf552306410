"""Serves the files of the pages from memory: compressed, and with entity tags.

A browser asks each time whether its copy is still good, and gets a short answer. In development a
file is read again when it has changed; otherwise the phone's modules and the style sheets go out
as one file each, see `pack.py`.
"""

import gzip
import json
import mimetypes
import threading
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, current_app, request
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

from web.content.pack import Packs, style
from web.live.parts import parts

pages = Blueprint("files", __name__)

_WEB = Path(__file__).parents[1]
_STATIC = _WEB / "static"
_LITTLE_BYTES = 200
"""Size in bytes below which compressing saves nothing."""
_KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json"}


@dataclass(frozen=True, slots=True)
class _Held:
    """A file as it is sent: plain and compressed, with the tag of its contents."""

    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


def _held(name: str, plain: bytes) -> _Held:
    suffix = Path(name).suffix
    kind = _KINDS.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    if suffix == ".json":
        plain = json.dumps(json.loads(plain), ensure_ascii=False, separators=(",", ":")).encode()
    texts = suffix in (".js", ".css", ".json", ".svg", ".txt", ".md")
    worth = texts and len(plain) > _LITTLE_BYTES
    packed = gzip.compress(plain, 9, mtime=0) if worth else None
    return _Held(
        f"{kind}; charset=utf-8" if texts else kind, plain, packed, sha256(plain).hexdigest()[:20]
    )


@dataclass(slots=True)
class _Shelf:
    """The files requested so far, for all tables of the process."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    files: dict[Path, tuple[tuple[int, int], _Held]] = field(default_factory=dict)
    packs: dict[str, _Held] = field(default_factory=dict)

    def file(self, path: Path) -> _Held:
        """A file of the folder; read again if it has changed."""
        try:
            stat = path.stat()
            stamp = stat.st_mtime_ns, stat.st_size
            known = self.files.get(path)
            if known is None or known[0] != stamp:
                known = stamp, _held(path.name, path.read_bytes())
                self.files[path] = known
        except (OSError, ValueError) as error:  # no such file, or no name that one could have
            raise NotFound from error
        return known[1]

    def make_packs(self) -> None:
        """Make one file of the phone's modules and one of its style sheets; once."""
        with self.lock:
            if not self.packs:
                made = Packs(_STATIC, "phone.js").files
                self.packs = {
                    Path(entry).name: _held(entry, text.encode()) for entry, text in made.items()
                }
                self.packs["style.css"] = _held(
                    "style.css", style(_STATIC, "tokens.css", "style.css").encode()
                )

    def pack(self, name: str) -> _Held:
        """The phone's modules in one file, or its style sheets."""
        self.make_packs()
        if name not in self.packs:
            raise NotFound
        return self.packs[name]


_SHELF = _Shelf()


def make_packs() -> None:
    """Make the packs before anybody asks for one."""
    _SHELF.make_packs()


def _send(held: _Held) -> Response:
    """The file, compressed if the browser accepts that; no body if its copy is still good."""
    packed = held.packed is not None and request.accept_encodings["gzip"] > 0
    tag = f"{held.tag}-gzip" if packed else held.tag
    if request.if_none_match.contains(tag):
        response = Response(status=304)
    else:
        response = Response(held.packed if packed else held.plain, content_type=held.kind)
        if packed:
            response.headers["Content-Encoding"] = "gzip"
    response.set_etag(tag)
    response.headers["Vary"] = "Accept-Encoding"
    return response


def _under(folder: Path, name: str) -> Path:
    path = safe_join(str(folder), name)
    if path is None:
        raise NotFound
    return Path(path)


@pages.get("/static/<path:name>")
def static(name: str) -> Response:
    """A script, style or picture of the pages."""
    return _send(_SHELF.file(_under(_STATIC, name)))


@pages.get("/static/pack/<name>")
def pack(name: str) -> Response:
    """A pack: many files in one."""
    return _send(_SHELF.pack(name))


@pages.get("/locales/<language>.json")
def locale(language: str) -> Response:
    """All words of one language."""
    return _send(_SHELF.file(_under(_WEB / "locales", f"{language}.json")))


@pages.app_context_processor
def packing() -> dict[str, bool]:
    """Whether the pages may ask for packs."""
    return {"packed": not parts(current_app).development}
