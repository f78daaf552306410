"""A program is sent in fewer bytes, and is the same program: its syntax tree says so."""

import re
from pathlib import Path

import pytest
import tree_sitter_javascript
from tree_sitter import Language, Parser

from web.content import minify
from web.content.minify import minified

STATIC = Path(minify.__file__).parents[1] / "static"
PROGRAMS = sorted(
    path.relative_to(STATIC).as_posix()
    for path in STATIC.rglob("*.js")
    if "vendor" not in path.parts
)
PARSER = Parser(Language(tree_sitter_javascript.language()))
TRICKY = {
    "code in a text": b"const page = `\nexport const secret = 1;\n// no comment\n  `;\n",
    "a text in code in a text": b"const q = `a  ${ f(`  // x  ${ b /* y */ }  /* z */ `) }  c`;",
    "an expression that looks like a comment": b"const r = /[/*] +/g.test(x) / 2; // two",
    "signs that would become one": b"let a = b + +c - -d + ++e - --f; g++ + h; i < !--j;",
    "a number after a question": b"const half = wide ? .5 : a ?. b;",
    "a line that ends a statement": b"const f = () => {\n  go()\n  return\n  (a)\n}\nlet b\n++b",
    "a brace that ends a text": b"const a = { b: 1, }\nthis.c = `${a}` / 2\nfor (;;) {\n  d();\n}",
    "what an arrow takes": b"a((b) => b, async (c) => c, ({ d }) => d, (e, f) => e); g(h)",
    "a comment that ends a line": b"go() // one\nmore() /* two\nlines */\nlast()",
}


def tree(program, node=None):
    """What a program is: its syntax tree without comments, and every token as it is written.

    Of what is drawn it says no more than where lines end. The sign that ends a statement, one after
    the last part of an object, and brackets round the one name an arrow takes say nothing more.
    """
    node = node or PARSER.parse(program).root_node
    if node.type == "formal_parameters" and node.parent.type == "arrow_function":
        (only, *others) = node.named_children or [None]
        if not others and only is not None and only.type == "identifier":
            node = only
    if node.type in ("string", "regex") or not node.children:
        return node.type, lines(node.text) if is_drawn(node.parent) else node.text
    signs = {"comment"} if node.type == "for_statement" else {"comment", ";"}
    children = [child for child in node.children if child.type not in signs]
    if [child.type for child in children[-2:]] == [",", "}"]:
        del children[-2]
    parts = [tree(program, child) for child in children]
    if node.type == "template_string":
        inner = [child for child in node.children if child.type == "template_substitution"]
        ends = [node.start_byte, *(at for each in inner for at in each.byte_range), node.end_byte]
        texts = [program[a:b] for a, b in zip(ends[::2], ends[1::2], strict=True)]
        parts += map(lines, texts) if is_drawn(node) else texts
    return node.type, *parts


def is_drawn(node):
    """Whether it is a template with `html` or `svg` before it."""
    called = node is not None and node.type == "template_string" and node.parent
    return bool(called) and called.child(0).text in (b"html", b"svg")


def lines(text):
    return re.sub(rb"[ \t]*\n\s*", b"\n", text)


def test_only_in_what_is_drawn_lines_begin_without_their_spaces():
    drawn = (
        b"const a = html`<b>\n\n    two  words ${ c ? svg`<g> \n  </g>` : `\n  ${ d }` }\n  </b>`;"
    )
    sent = b"const a=html`<b>\ntwo  words ${c?svg`<g>\n</g>`:`\n  ${d}`}\n</b>`;"
    assert minified(drawn) == sent
    assert minified(b"const text = say(`one\n  two`), xhtml = nohtml`\n  a`;").count(b"\n  ") == 2


@pytest.mark.parametrize("name", TRICKY)
def test_what_is_hard_to_tell_apart_stays_the_same_program(name):
    program = TRICKY[name]
    assert tree(minified(program)) == tree(program)
    assert len(minified(program)) < len(program)


def test_every_program_is_sent_in_fewer_bytes_as_the_same_program():
    assert len(PROGRAMS) > 150
    for name in PROGRAMS:
        written = (STATIC / name).read_bytes()
        sent = minified(written)
        assert tree(sent) == tree(written), name
        assert len(sent) < len(written), name


def test_what_is_no_program_stays_as_it_is_written():
    assert minified(b"const = ; // no") == b"const = ; // no"
