"""Scripts, styles and words: without comments, packed, and kept by their hash."""

import gzip
import re
from pathlib import Path

import pytest

from tests.support.clients import LOCAL, PHONE, AsgiWay
from tests.support.fake_session import FakeSession
from web.base.rate_limits import Limits, Rate
from web.content import static_files
from web.content.static_files import Files, files
from web.factory import create_app

WEB = Path(static_files.__file__).parents[1]
PACKED = {"Accept-Encoding": "br, gzip"}
SECRET = "const page = `\nexport const secret = 1;\n// no comment, but text\n  `;\n"
GIVEN = re.compile(
    r"^export (?:async )?(?:const|let|function\*?|class) (\w+)|^export \{([^}]*)\}", re.M
)
IMPORTS = re.compile(r'^(?:import|export) (?:\{([^}]*)\} from )?"(\.[^"]+)"', re.M)
"""Of modules as people write them, which is enough to find one that has moved."""


@pytest.fixture
def site(asgi_way):
    return asgi_way


@pytest.fixture
def folder(tmp_path):
    for name in ("static", "locales"):
        (tmp_path / name).mkdir()
    (tmp_path / "static" / "a.js").write_text(SECRET)
    return tmp_path


def body(some, path):
    sent = some.answer(path, "", "")
    return None if sent is None else sent.body.decode()


def test_a_module_goes_out_without_comments_and_its_texts_as_they_are(folder):
    (folder / "static" / "a.js").write_text(f"/** Not for phones. */\n{SECRET}export {{ page }};\n")
    some = Files(folder)
    text = SECRET[SECRET.index("`") : SECRET.rindex("`") + 1]
    assert body(some, f"{some.root}/a.js") == f"const page={text};export{{page}};"


def test_what_others_wrote_goes_out_as_they_published_it(folder):
    vendor = folder / "static" / "vendor"
    vendor.mkdir()
    (vendor / "b.js").write_text("/** @license */\nexport const b = 1;\n")
    some = Files(folder)
    assert body(some, f"{some.root}/vendor/b.js") == "/** @license */\nexport const b = 1;\n"


def test_every_style_is_sent_in_fewer_bytes():
    some = files(False)
    for path in (path for path in some.paths if path.endswith(".css")):
        assert len(body(some, path)) < len((WEB / path[1:]).read_text()), path


def test_a_page_names_all_that_it_loads_under_one_hash(site):
    page = site.get("/play", cookie=site.join()).body.decode()
    loads = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(loads) > 20
    assert all(path.startswith(f"{files(False).root}/") for path in loads)
    assert {site.get(path).status for path in loads} == {200}


def test_what_has_the_hash_is_kept_for_good_and_all_else_is_asked_for_again(site):
    root = files(False).root
    assert "immutable" in site.get(f"{root}/phone.js").headers["cache-control"]
    for path in ("/static/phone.js", "/static/0123456789ab/phone.js", "/locales/en/phone.json"):
        first = site.get(path)
        assert first.headers["cache-control"] == "no-cache"
        again = site.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status, again.body) == (304, b"")


def test_another_file_makes_another_hash(folder):
    before = Files(folder).root
    assert Files(folder).root == before
    (folder / "static" / "b.js").write_text("")
    assert Files(folder).root != before


@pytest.mark.parametrize(
    "path", ["/static/phone.js", "/static/README.md", "/locales/en/phone.json"]
)
def test_a_file_goes_out_packed_to_whoever_takes_that(site, path):
    path = path.replace("README.md", "vendor/lit-html/VENDOR.md")
    plain, packed = site.get(path), site.get(path, headers=PACKED)
    assert gzip.decompress(packed.body) == plain.body
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert packed.headers["vary"] == plain.headers["vary"] == "accept-encoding"
    assert packed.headers["etag"] != plain.headers["etag"]


def test_in_development_a_file_is_read_again_when_it_has_changed(folder):
    some = Files(folder, development=True)
    assert (some.root, body(some, "/static/a.js")) == ("/static", SECRET)
    (folder / "static" / "a.js").write_text("changed\n")
    assert body(some, "/static/a.js") == "changed\n"
    (folder / "static" / "a.js").unlink()
    assert body(some, "/static/a.js") is None


def test_what_is_needed_is_found_through_imports_of_every_kind(folder):
    static = folder / "static"
    (static / "in").mkdir()
    (static / "a.js").write_text('import "./b.js";\nimport {\n  c,\n} from "./in/c.js";\n')
    (static / "b.js").write_text('const d = () => import("./d.js");\n')
    (static / "in" / "c.js").write_text('export { a } from "../a.js";\nexport * from "../e.js";\n')
    (static / "e.js").write_text('import "./nowhere.js";\n')
    (static / "d.js").write_text("")
    (static / "s.css").write_text('@import url("in/t.css");\n')
    (static / "in" / "t.css").write_text("")
    names = ["b.js", "e.js", "in/c.js", "nowhere.js"]
    for some in (Files(folder), Files(folder, development=True)):
        assert some.needed("a.js") == [f"{some.root}/{name}" for name in names]
        assert some.needed("s.css") == [f"{some.root}/in/t.css"]


def test_every_script_imports_files_that_are_there_and_names_that_they_give():
    scripts = {path: path.read_text() for path in (WEB / "static").rglob("*.js")}
    given = {path: " ".join(map(" ".join, GIVEN.findall(text))) for path, text in scripts.items()}
    for path, text in scripts.items():
        for names, other in IMPORTS.findall(text):
            target = (path.parent / other).resolve()
            assert target in scripts, (path, other)
            wanted = [
                name.partition(" as ")[0].strip() for name in names.split(",") if name.strip()
            ]
            if "vendor" not in target.parts:
                missing = [name for name in wanted if not re.search(rf"\b{name}\b", given[target])]
                assert not missing, (path, other, missing)


@pytest.mark.parametrize("development", [False, True])
@pytest.mark.parametrize(
    "path",
    [
        *("/static/../auth.py", "/static/../../auth.py", "/locales/../auth.json"),
        *("/static/", "/static", "/static/\0"),
    ],
)
def test_no_path_leads_out_of_the_folders(path, development):
    assert Files(development=development).answer(path, "", "") is None


def test_only_files_that_are_there_are_answered_and_only_to_whoever_reads(site):
    assert site.get("/static/nothing.js").status == 404
    json = {"Content-Type": "application/json"}
    assert site.ask("POST", "/static/phone.js", headers=json).status in (404, 405)
    assert site.get("/static/phone.js", peer="8.8.8.8").status == 403


def test_files_have_a_bound_of_their_own():
    app = create_app(FakeSession(), code="PINE", limits=Limits(file=Rate(0.001, 3.0), tarpit_s=0.0))
    way = AsgiWay(app)
    asked = {
        peer: [way.get("/static/phone.js", peer=peer).status for _ in range(4)]
        for peer in (PHONE, LOCAL)
    }
    assert asked == {PHONE: [200] * 3 + [429], LOCAL: [200] * 4}
    way.close()
