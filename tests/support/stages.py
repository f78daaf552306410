"""Pages without a server behind them, on which saved states are drawn."""


def shell(body, *styles, inside='<div id="app"></div>', title="Stage", scripts=None):
    """The page itself: what its body is, further styles of `/static`, what is in it."""
    links = "\n".join(
        f'<link rel="stylesheet" href="/static/{style}.css">'
        for style in ("core/style/tokens", "core/style/style", *styles)
    )
    scripts = scripts or '<script type="module" src="/stage.js"></script>'
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">
{links}
</head><body {body}>{inside}
{scripts}</body></html>"""


def preview_stage(body, *styles, module, words, then=""):
    """A stage for the `preview` of a module of `/static`, with some catalogues of words.

    Its `show(state, lang)` draws a state, and does `then`.
    """
    return {
        "/stage.html": shell(body, *styles),
        "/stage.js": f"""import {{ preview }} from "/static/{module}.js";
import {{ loadCatalogue }} from "/static/core/i18n.js";
const words = {{}};
const load = (lang) => Promise.all({[*words]}.map((name) => loadCatalogue(`${{lang}}/${{name}}`)));
window.show = async (state, lang) => {{
  words[lang] ??= Object.assign({{}}, ...(await load(lang)));
  document.documentElement.lang = lang;
  preview(document.getElementById("app"), state, {{ catalogue: words[lang], lang }});
  {then}
}};
document.body.dataset.ready = "";""",
    }
