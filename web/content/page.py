"""The few pages before the game, in the language of the browser."""

import json

from flask import current_app, render_template, request

from web.content.static_files import files
from web.content.words import SOURCE, fill, languages, words
from web.live.parts import parts

_GAME = "games/estimation"
"""The folder in `static/` of the game that is fetched in advance where none is named."""


def page(template: str, *, reason: str | None = None, message: str = "", **values: object) -> str:
    """Draw a page.

    Args:
        template: which one.
        reason: the key of what went wrong, for its words in this language.
        message: the English sentence, for a reason without translated words.
        values: other values for the template.
    """
    lang = request.accept_languages.best_match(list(languages()), SOURCE) or SOURCE
    said = words(lang, "entry")
    why = said.get(f"why.{reason}", message) if reason else ""
    web = parts(current_app)
    shelf = files(web.development)
    return render_template(
        template,
        base=web.base,
        static=shelf.root,
        needed=shelf.needed,
        lang=lang,
        languages=json.dumps(languages(), ensure_ascii=False),
        t=said,
        fill=fill,
        reason=reason,
        why=why,
        **{"game": _GAME, **values},
    )


def table_game() -> str:
    """The folder in `static/` of the table's game, which a phone fetches in advance."""
    web = parts(current_app)
    folder = f"games/{web.session.view(None, 'table').get('rules')}"
    return folder if f"/static/{folder}/phone.css" in files(web.development).paths else _GAME
