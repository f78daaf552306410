"""A report is one page that needs nothing else, and as good as far as it goes."""

from html.parser import HTMLParser

from physics.errors import ChainError
from physics.pictures.report import head, section, tail
from physics.rows import notation
from tests.physics.pictures.test_row_picture import ROW, answer

VOID = ("meta",)


class Page(HTMLParser):
    """Keeps open elements, what the page asks for, and its words."""

    def __init__(self, text):
        super().__init__()
        self.open, self.asked, self.said, self.tags = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.asked += [v for k, v in attrs if k in ("src", "href", "data")]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        self.said.append(data)


def page(*parts):
    return Page("".join(parts))


def test_a_row_has_its_picture_its_joints_and_its_line():
    told = page(head(1), section(1, ROW, answer(0.93, 0.6)), tail(1, 1, 1))
    said = "".join(told.said)
    assert told.tags.count("polygon") > 5 and told.tags.count("tr") == 1 + 1 + 2
    assert "5 to ?, the weakest" in said and "60 %" in said and "28 % to 97 %" in said
    assert notation.read(said.partition("one line: ")[2].split("\n")[0].strip()) == ROW


def test_the_page_asks_for_nothing_and_runs_nothing():
    text = head(1) + section(1, ROW, answer(0.93, 0.6)) + tail(1, 1, 1)
    assert page(text).asked == [] and "script" not in page(text).tags
    assert "url(" not in text and "@import" not in text


def test_names_are_words_not_markup():
    told = page(head(1), section(1, ROW, ChainError("tiles <b> overlap")), tail(1, 1, 0))
    assert "b" not in told.tags and "bent & <3" in "".join(told.said)
    assert "refused: tiles <b> overlap" in "".join(told.said)


def test_a_guess_is_said_to_be_one():
    strange = answer(0.9, 0.6, extrapolated=("number of tiles: 40",))
    assert "outside the fitted range" in section(1, ROW, strange)


def test_the_page_says_what_is_missing_when_it_was_stopped():
    assert "It was stopped before the other 3." in tail(2, 5, 1)
    assert "stopped" not in tail(5, 5, 1)
