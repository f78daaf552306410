"""Takes out of a program what only its readers need: comments, indentation, needless spaces.

No name is changed, nothing is moved, and line breaks go only where none ends a statement. A
parser says what is a comment, a text or code, so that a text that looks like code stays as it is;
only in what is drawn (`html`, `svg`) a line break with the spaces around it is a line break.
"""

import re
from collections.abc import Callable

import tree_sitter_javascript
from tree_sitter import Language, Parser, Query, QueryCursor

_LANGUAGE = Language(tree_sitter_javascript.language())
_QUERY = Query(
    _LANGUAGE,
    "(comment) @comment (string) @text (regex) @text (template_string) @template",
)
_SUBSTITUTION = "template_substitution"
_DRAWN = re.compile(rb"(html|svg)`")
"""A template whose text is drawn, with the name before it."""
_STEPS = (
    (re.compile(rb"[ \t]*\n\s*"), rb"\n"),
    (re.compile(rb"[ \t]+"), rb" "),
    (re.compile(rb" ?([{}()\[\];,:=>?&|*!]) ?"), rb"\1"),
    (re.compile(rb"(?<=[\w)\]]) ?([-+/%<]) ?(?=[\w(])"), rb"\1"),
    (re.compile(rb"(?<![\w$)\]])\((\w+)\)=>"), rb"\1=>"),
    (re.compile(rb"(?<=[{(\[;,:=>?&|*!])\n"), b""),
    (re.compile(rb"\n(?=[})\]])"), b""),
    (re.compile(rb"[;,]\}"), b"}"),
    (re.compile(rb"\}\n(?=\w)"), b"}\0"),
    (re.compile(rb"\A +| +\Z"), b""),
)
"""What is done to code, between texts and comments: none of it makes one token of two. A line break
that may be needed, after a brace, is a zero byte at first."""


def _drawn(text: bytes) -> bytes:
    return _STEPS[0][0].sub(b"\n", text)


def _as_written(text: bytes) -> bytes:
    return text


def _code(text: bytes) -> bytes:
    for found, instead in _STEPS:
        text = found.sub(instead, text)
    return text


def minified(program: bytes) -> bytes:
    r"""The same program in fewer bytes; one with an error in it stays as it is written.

    >>> minified(b"const one = 1; // the first\nconst text = `// ${ one }  `;\n")
    b'const one=1;const text=`// ${one}  `;'
    """
    tree = Parser(_LANGUAGE).parse(program).root_node
    if tree.has_error:
        return program
    found = QueryCursor(_QUERY).captures(tree)
    spans: list[tuple[int, int, Callable[[bytes], bytes] | None]] = []
    spans += [(node.start_byte, node.end_byte, _as_written) for node in found.get("text", ())]
    spans += [(node.start_byte, node.end_byte, None) for node in found.get("comment", ())]
    for node in found.get("template", ()):
        start = node.start_byte
        drawn = node.parent and _DRAWN.match(program, node.parent.start_byte)
        kept = _drawn if drawn and drawn.end() == start + 1 else _as_written
        for part in node.children:
            if part.type == _SUBSTITUTION:
                spans.append((start, part.start_byte, kept))
                start = part.end_byte
        spans.append((start, node.end_byte, kept))
    written, code, at = b"", b"", 0
    for start, end, shorten in sorted(spans, key=lambda span: span[0]):
        code += program[at:start]
        if shorten is not None:
            written += _code(code) + shorten(program[start:end])
            code = b""
        else:
            code += b"\n" if b"\n" in program[start:end] else b" "
        at = end
    sent = (written + _code(code + program[at:])).strip()
    joined = sent.replace(b"\0", b"")
    # Where one of these line breaks ends a statement, there is an error without it.
    needed = Parser(_LANGUAGE).parse(joined).root_node.has_error
    return sent.replace(b"\0", b"\n") if needed else joined
