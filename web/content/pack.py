"""The many small modules of the phone's page as one file, put together when the server starts.

A phone then asks once instead of sixty times, and one file packs much smaller than many. The
modules stay what they are: in development the page loads each of them by itself. What the
packer knows is what they are written in: imports at the top, named exports, no circles.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from posixpath import normpath

_COMMENT = re.compile(r"^[ \t]*/\*(?!\*?\s*\*? ?@license).*?\*/[ \t]*\n", re.MULTILINE | re.DOTALL)
_IMPORT = re.compile(r'\s*import\s*(?:\{([^}]*)\}\s*from\s*)?"([^"]+)";')
_IMPORTED = re.compile(r'\bfrom\s*"(\.[^"]+)"|\bimport\s*"(\.[^"]+)"')
_LAZY = re.compile(r'\bimport\("([^"]+)"\)')
_EXPORT_FROM = re.compile(r'^export \{([^}]*)\} from "([^"]+)";$', re.MULTILINE)
_EXPORT_LIST = re.compile(r"export\s*\{([^}]*)\};")
_EXPORT = re.compile(r"^export ((?:async )?function\*?|const|class) (\w+)", re.MULTILINE)
_STYLE = re.compile(r'@import url\("([^"]+)"\);\n')


class Unpackable(ValueError):
    """A module is written in a way that the packer does not know."""


@dataclass(slots=True)
class Packs:
    """The packs of one page: the first, and those that it loads when they are needed.

    Args:
        static: the folder of the modules.
        entry: the page's own module, by its path in that folder.

    Attributes:
        files: every pack by the path of its first module.

    Raises:
        Unpackable: see there.
    """

    static: Path
    entry: str
    files: dict[str, str] = field(default_factory=dict)
    _order: dict[str, int] = field(default_factory=dict)
    _lazy: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the first pack, and one for all that is loaded later."""
        parts: list[str] = []
        self._add(self.entry, parts, ())
        for name in self._shared():
            self._add(name, parts, ())
        self.files[self.entry] = f"const $pack = [];\n{''.join(parts)}export {{ $pack }};\n"
        for first in self._lazy:
            parts = [f'import {{ $pack }} from "./{Path(self.entry).name}";\n']
            self._add(first, parts, ())
            self.files[first] = "".join(parts)

    def _shared(self) -> list[str]:
        """What more than one of the later packs needs: it comes with the first."""
        needs = [self._needs(name) for name in self._lazy]
        times = Counter(name for each in needs for name in each)
        return [name for name, count in times.items() if count > 1]

    def _needs(self, name: str) -> list[str]:
        """A module and all that it imports, those that are needed first before it."""
        text = slim((self.static / name).read_text(encoding="utf-8"))
        inner = [_beside(name, a or b) for a, b in _IMPORTED.findall(text)]
        return list(dict.fromkeys([*(one for path in inner for one in self._needs(path)), name]))

    def _add(self, name: str, parts: list[str], above: tuple[str, ...]) -> None:
        if name in self._order:
            return
        if name in above:
            raise Unpackable(f"{name} imports itself, by {', '.join(above)}; move what is shared.")
        text = slim((self.static / name).read_text(encoding="utf-8"))
        heads: list[str] = []
        while found := _IMPORT.match(text):
            text = text[found.end() :]
            heads.append(self._take(name, found[1], found[2], parts, (*above, name)))
        given: dict[str, str] = {}
        for found in _EXPORT_FROM.finditer(text):
            names = _names(found[1])
            heads.append(self._take(name, found[1], found[2], parts, (*above, name)))
            given |= {shown: shown for _, shown in names}
        text = _EXPORT_FROM.sub("", text)
        for found in _EXPORT_LIST.finditer(text):
            given |= {shown: inner for inner, shown in _names(found[1])}
        text = _EXPORT_LIST.sub("", text)
        given |= {found[2]: found[2] for found in _EXPORT.finditer(text)}
        text = _EXPORT.sub(r"\1 \2", text)
        text = _LAZY.sub(lambda found: self._load(name, found[1]), text)
        if re.search(r"^(?:import|export)\b(?!\()", text, re.MULTILINE):
            raise Unpackable(f"{name} imports or exports in a way that `pack.py` does not know.")
        self._order[name] = len(self._order)
        gives = ",".join(a if a == b else f"{a}:{b}" for a, b in given.items())
        body = f"{''.join(heads)}{text}\nreturn {{{gives}}};\n"
        parts.append(f"$pack[{self._order[name]}] = (() => {{\n{body}}})();\n")

    def _take(
        self, name: str, names: str | None, other: str, parts: list[str], above: tuple[str, ...]
    ) -> str:
        path = _beside(name, other)
        self._add(path, parts, above)
        if not names:
            return ""
        taken = ",".join(a if a == b else f"{a}:{b}" for a, b in _names(names))
        return f"const {{{taken}}} = $pack[{self._order[path]}];\n"

    def _load(self, name: str, other: str) -> str:
        path = _beside(name, other)
        if path not in self._lazy:
            self._lazy.append(path)
        return f'import("./{PurePosixPath(path).name}")'


def _beside(name: str, other: str) -> str:
    return normpath(PurePosixPath(name).parent / other)


def _names(listed: str) -> list[tuple[str, str]]:
    """Names of an import or export, and what each is called on the other side of `as`."""
    pairs = [part.split(" as ") for part in listed.replace("\n", " ").split(",") if part.strip()]
    return [(pair[0].strip(), pair[-1].strip()) for pair in pairs]


def slim(text: str) -> str:
    r"""The text without its comments and indents; licences stay.

    >>> slim("/** Says so. */\nfunction one() {\n  // really\n  return 1;\n}\n")
    'function one() {\nreturn 1;\n}'
    """
    lines = (line.strip() for line in _COMMENT.sub("", text).split("\n"))
    return "\n".join(line for line in lines if line and not line.startswith("//"))


def style(static: Path, *names: str) -> str:
    """Style sheets, and those that they import, as one."""

    def read(name: str) -> str:
        text = (static / name).read_text(encoding="utf-8")
        return _STYLE.sub(lambda found: read(_beside(name, found[1])), text)

    return slim("\n".join(read(name) for name in names))
