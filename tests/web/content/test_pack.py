"""The phone's modules in one file, and files that go out packed."""

import gzip
import re
from pathlib import Path

import pytest

import web
from web.content.pack import Packs, Unpackable, style

STATIC = Path(web.__file__).parent / "static"
PACKED = {"Accept-Encoding": "br, gzip"}


def packs_of(folder, **modules):
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return Packs(folder, "main.js").files


def test_a_module_comes_after_those_it_needs_and_only_once(tmp_path):
    packed = packs_of(
        tmp_path,
        main='import { one } from "./one.js";\nimport { two as both } from "./two.js";\n',
        two='import { one } from "./one.js";\nexport const two = one + one;\n',
        one="/** The first. */\nexport function one() {}\n",
    )["main.js"]
    assert packed.count("function one() {}") == 1
    places = [packed.index(f"$pack[{n}] =") for n in range(3)]
    assert places == sorted(places)
    assert "const {one} = $pack[0];" in packed
    assert "const {two:both} = $pack[1];" in packed
    assert "The first" not in packed


def test_what_is_loaded_later_is_a_pack_that_takes_from_the_first(tmp_path):
    packs = packs_of(
        tmp_path,
        main='import { one } from "./one.js";\nawait import("./later.js");\n',
        later='import { one } from "./one.js";\nexport const twice = one * 2;\n',
        one="export const one = 1;\n",
    )
    assert list(packs) == ["main.js", "later.js"]
    assert "const one = 1;" not in packs["later.js"]
    assert packs["later.js"].startswith('import { $pack } from "./main.js";')


def test_what_two_later_packs_need_comes_with_the_first(tmp_path):
    packs = packs_of(
        tmp_path,
        main='await import("./a.js");\nawait import("./b.js");\n',
        a='import { one } from "./one.js";\nexport const a = one;\n',
        b='import { one } from "./one.js";\nexport const b = one;\n',
        one="export const one = 1;\n",
    )
    assert ["const one = 1;" in pack for pack in packs.values()] == [True, False, False]


def test_what_two_later_packs_need_that_the_first_of_them_does_not_comes_with_the_first(tmp_path):
    packs = packs_of(
        tmp_path,
        main='await import("./a.js");\nawait import("./b.js");\nawait import("./c.js");\n',
        a="export const a = 1;\n",
        b='import { two } from "./two.js";\nexport const b = two;\n',
        c='import { two } from "./two.js";\nexport const c = two;\n',
        two='import { one } from "./one.js";\nexport const two = 2 * one;\n',
        one="export const one = 1;\n",
    )
    assert ["const two = 2 * one;" in pack for pack in packs.values()] == [True] + [False] * 3
    assert packs["main.js"].index("const one = 1;") < packs["main.js"].index("const two = 2")


@pytest.mark.parametrize(
    "text",
    [
        'import * as all from "./one.js";\n',
        "export default 3;\n",
        "export let count = 0;\n",
        'import { main } from "./main.js";\n',
    ],
)
def test_what_the_packer_does_not_know_is_refused(tmp_path, text):
    with pytest.raises(Unpackable):
        packs_of(tmp_path, main=text, one="export const one = 1;\n")


def test_licences_stay_in_the_pack_and_style_sheets_are_one():
    assert "@license" in Packs(STATIC, "phone.js").files["phone.js"]
    assert "@import" not in style(STATIC, "tokens.css", "style.css")


def test_the_phones_page_asks_for_packs(way):
    page = way.get("/play", cookie=way.join()).body.decode()
    assert re.findall(r'(?:src|href)="(/[^"]+)"', page) == [
        "/static/pack/style.css",
        "/static/pack/phone.js",
    ]


@pytest.mark.parametrize("path", ["/static/pack/phone.js", "/static/style.css", "/locales/en.json"])
def test_a_file_goes_out_packed_to_whoever_takes_that(way, path):
    plain, packed = way.get(path), way.get(path, headers=PACKED)
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert packed.headers["etag"] != plain.headers["etag"]


def test_a_packed_file_is_not_sent_again(way):
    tag = way.get("/static/pack/style.css", headers=PACKED).headers["etag"]
    again = way.get("/static/pack/style.css", headers={**PACKED, "If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")
