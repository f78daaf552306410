"""The oldest browsers the pages are for: what those do not know is not sent, or not needed.

They are Chrome 85, Safari 14.0 and Firefox 79, which know `??=`: lit-html is written with it.
"""

import re

import pytest
import tree_sitter_javascript
from tree_sitter import Language, Parser, Query, QueryCursor

from web.content.static_files import files

NEWER_SCRIPT = {
    r"\.at\(-?\d": "Array.prototype.at: Chrome 92, Safari 15.4, Firefox 90",
    r"\.findLast": "findLast, findLastIndex: Chrome 97, Safari 15.4, Firefox 104",
    r"\.to(Reversed|Sorted|Spliced)\(": "toReversed: Chrome 110, Safari 16, Firefox 115",
    r"\(\?<[=!]": "lookbehind: Safari 16.4",
    r"export\*as": "export * as: Safari 14.1",
    r"\bstructuredClone\(": "structuredClone: Chrome 98, Safari 15.4, Firefox 94",
    r"\bObject\.(hasOwn|groupBy)\(": "Object.hasOwn: Chrome 93, Safari 15.4, Firefox 92",
    r"\bAbortSignal\.": "AbortSignal.timeout: Chrome 103, Safari 16, Firefox 100",
    r"Promise\.(withResolvers|try)\(": "withResolvers: Chrome 119, Safari 17.4, Firefox 121",
    r"(?<!Intl\.ListFormat\?)new Intl\.ListFormat": "Intl.ListFormat: Safari 14.1",
    r"(?<!Intl\.Segmenter\?Array\.from\()new Intl\.Segmenter": "Segmenter: Firefox 125",
}
NEWER_SYNTAX = {
    "(private_property_identifier) @it": "#names: Safari 14.1 and Firefox 90; methods: Safari 15",
    "(class_static_block) @it": "static blocks: Chrome 94, Safari 16.4, Firefox 93",
    '(field_definition "static") @it': "static fields: Safari 14.1",
    "(await_expression) @it": "await outside of a function: Chrome 89, Safari 15, Firefox 89",
}
NEWER_VALUE = {
    r"\d(cq[whib]|cqmin|cqmax)\b": "container units: Chrome 105, Safari 16, Firefox 110",
    r"\d[dsl]v[wh]\b": "dvh: Chrome 108, Safari 15.4, Firefox 101",
    r"\bcolor-mix\(": "color-mix: Chrome 111, Safari 16.2, Firefox 113",
    r"\b(oklch|oklab|lab|lch|light-dark)\(": "oklch: Chrome 111, Safari 15.4, Firefox 113",
}
"""Each goes after the same property with a plain value, or into `@supports`."""
NEVER = {
    r"(?<=[{;])inset(-(block|inline))?:": "inset: Chrome 87, Safari 14.1",
    r"(?<=[{;])(translate|rotate|scale):": "translate: Chrome 104, Safari 14.1",
    r"@(layer|property|scope|starting-style)\b": "@layer: Chrome 99, Safari 15.4, Firefox 97",
    r":where\(": ":where: Chrome 88",
    r"&": "nested rules: Chrome 120, Safari 17.2, Firefox 117",
}
WITHOUT = {
    ".seats:has(>:nth-child(7))>.seat-line",
    "html:has(>.setup)",
    ".t-plate.t-active:has(.t-name-long) :is(.mark,.t-who)",
    ".t-plate:has(.t-name-long) .t-wedge",
    ".t-plate:has(.d-account.is-low) .t-name",
    ".is-wide .screen:not(:has(.act,.foot>*)) .body",
    ".is-long:not(.is-large,.is-wide) .screen:not(:has(>.shelf)) .foot",
    ".screen-join:has(.notice) .mark-choice",
    ".screen-join:has(.notice) .card",
    ".screen-push:has(.first-hint) .dome-place",
    ".is-short .screen-push:has(.first-hint) .dome-place",
    ".is-large .screen-push:has(.first-hint) .dome-place",
}
"""Selectors with `:has` (Chrome 105, Safari 15.4, Firefox 121): they only make room."""
MIXED = {".t-plate.t-active", ".end.is-open", "[data-overlay] .t-words::before"}
"""Mixed grounds: where they cannot be, the plain one of the place is seen; a border says it."""
OWN_RATIO = {".film-frame img", ".qr img", ".t-film video", ".setup-dark"}
"""Pictures with a ratio of their own, and a ground: Chrome 88, Safari 15, Firefox 89 know it."""


def sent(ending):
    """The text of each own script or style sheet, as it is sent."""
    held = files(False)
    return {
        path: held.answer(path, "", "").body.decode()
        for path in held.paths
        if path.endswith(ending) and "/vendor/" not in path
    }


LANGUAGE = Language(tree_sitter_javascript.language())
SCRIPTS, STYLES = sent(".js"), sent(".css")
GALLERY = "/static/lobby/preview.js"
"""Of the gallery, a page for those who work on the screens."""


def unwrapped(style):
    """The rules that every browser reads: without `@supports (width: 1cqw)` and `@container`."""
    kept, depth, skip = "", 0, None
    for piece in re.findall(r"[^{}]*[{}]", style):
        if piece.endswith("{"):
            if skip is None and re.search(r"@(supports \(|container\b)", piece):
                skip = depth
            depth += 1
            kept += piece if skip is None else ""
        else:
            depth -= 1
            kept += piece if skip is None else ""
            if skip == depth:
                skip = None
    return kept


def rules(style):
    """Each selector with its declarations in order, as (property, value)."""
    for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", unwrapped(style)):
        said = [each.partition(":")[::2] for each in body.split(";") if ":" in each]
        yield selector.strip(), said


def written_with(pattern, text):
    """Whether a script has this in its syntax tree; `await` counts outside of functions alone."""
    tree = Parser(LANGUAGE).parse(text.encode())
    found = QueryCursor(Query(LANGUAGE, pattern)).captures(tree.root_node).get("it", ())
    return any(not (node.type == "await_expression" and in_function(node)) for node in found)


def in_function(node):
    """Whether a part of a script is in a function or method."""
    while node := node.parent:
        if re.search("function|method", node.type):
            return True
    return False


@pytest.mark.parametrize("pattern", NEWER_SCRIPT, ids=NEWER_SCRIPT.values())
def test_no_script_calls_what_came_later(pattern):
    assert {path for path, text in SCRIPTS.items() if re.search(pattern, text)} == set()


@pytest.mark.parametrize("pattern", NEWER_SYNTAX, ids=NEWER_SYNTAX.values())
def test_no_script_is_written_with_what_came_later(pattern):
    found = {path for path, text in SCRIPTS.items() if written_with(pattern, text)}
    assert found - {GALLERY} == set()


@pytest.mark.parametrize("pattern", NEVER, ids=NEVER.values())
def test_no_style_depends_on_what_came_later(pattern):
    assert {path for path, text in STYLES.items() if re.search(pattern, text)} == set()


@pytest.mark.parametrize("pattern", NEWER_VALUE, ids=NEWER_VALUE.values())
def test_a_newer_value_stands_after_a_plain_one(pattern):
    alone = set()
    for text in STYLES.values():
        for selector, said in rules(text):
            for at, (name, value) in enumerate(said):
                plain = [v for n, v in said[:at] if n == name and not re.search(pattern, v)]
                if re.search(pattern, value) and not plain and not name.startswith("border"):
                    alone.add(selector)
    assert alone - MIXED == set()


def test_a_selector_with_has_only_makes_room():
    with_has = {
        each
        for text in STYLES.values()
        for selector, _ in rules(text)
        for each in re.split(r",(?![^(]*\))", selector)
        if ":has(" in each
    }
    assert with_has == WITHOUT


def test_only_a_picture_has_its_ratio_from_the_style():
    found = {
        selector
        for text in STYLES.values()
        for selector, said in rules(text)
        if "aspect-ratio" in dict(said)
    }
    assert found == OWN_RATIO


def test_these_tests_know_what_they_look_for():
    assert re.search(next(iter(NEWER_SCRIPT)), "a.at(-1)")
    script = "class A{#a=1;static b=2;static{}};await c;const d=await e;"
    assert all(written_with(pattern, script) for pattern in NEWER_SYNTAX)
    assert not written_with('(field_definition "static") @it', "class A{a=1;static(){}}")
    assert not any(written_with(pattern, "async()=>{await a}") for pattern in NEWER_SYNTAX)
    style = "@supports (width:1cqw){a{b:1}}c{width:1px;width:1cqw}@media (x){d{e:f}}"
    assert unwrapped(style) == "c{width:1px;width:1cqw}@media (x){d{e:f}}"
    assert dict(rules("c{width:1px}d{e:f}")) == {"c": [("width", "1px")], "d": [("e", "f")]}
