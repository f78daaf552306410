"""A language whose texts are all marks, so that whatever comes from no catalogue shows."""

import json
import re
import shutil

from web.content.words import FOLDER, SOURCE, languages, speaker, words

CODE = "xx"
"""The language in which nothing is said but marks and facts."""
_WORD = re.compile(r"[^\W\d_]{2,}")


def mark(folder, monkeypatch):
    """Add the language to those that there are: its texts are a mark, and the facts of each."""
    there = shutil.copytree(FOLDER, folder / "locales")
    for path in (there / SOURCE).rglob("*.json"):
        marked = there / CODE / path.relative_to(there / SOURCE)
        marked.parent.mkdir(parents=True, exist_ok=True)
        texts = json.loads(path.read_text(encoding="utf-8"))
        marked.write_text(json.dumps({key: _marked(text) for key, text in texts.items()}))
    monkeypatch.setattr("web.content.words.FOLDER", there)
    forget()


def forget():
    """Have the catalogues read anew."""
    for made in (languages, words, speaker):
        made.cache_clear()


def _marked(text):
    return " ".join(("§", *re.findall(r"\{\{\w+\}\}", text)))


def unmarked(said, *facts):
    """The words that come from no catalogue, apart from facts: names, paths, commands."""
    for fact in sorted(facts, key=len, reverse=True):
        said = said.replace(fact, "")
    return _WORD.findall(said)
