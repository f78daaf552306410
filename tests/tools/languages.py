"""What of its words each language has: `python -m tests.tools.languages`, and which it lacks.

A text that is missing is said in English. With `--lang pl` only that language is looked at; with
`--missing` each missing text is named with its English words. Exit code 1 if anything is missing.
"""

import argparse

from tests.support.words import LANGUAGES, NAMES, PLURALS, forms, page_words
from web.content.words import FOLDER, SOURCE, base, languages


def lacking(lang, name):
    """Give the keys of a catalogue that a language lacks, plural forms in its own way."""
    english = forms(page_words(f"{SOURCE}/{name}"))
    own = forms(page_words(f"{lang}/{name}")) if (FOLDER / lang / f"{name}.json").exists() else {}
    wanted = {key: PLURALS[lang] if "" not in text else {""} for key, text in english.items()}
    return [
        f"{key}_{form}" if form else key
        for key, each in wanted.items()
        for form in sorted(each - set(own.get(key, ())))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument("--missing", action="store_true", help="name each missing text")
    asked = parser.parse_args()
    chosen = asked.lang or LANGUAGES
    print(f"{'':<20}" + "".join(f"{lang:>12}" for lang in chosen))
    left = {(lang, name): lacking(lang, name) for name in NAMES for lang in chosen}
    for name in NAMES:
        count = len(forms(page_words(f"{SOURCE}/{name}")))
        cells = (f"-{len(left[lang, name])}" if left[lang, name] else count for lang in chosen)
        print(f"{name:<20}" + "".join(f"{cell:>12}" for cell in cells))
    print(f"{'':<20}" + "".join(f"{languages()[lang]:>12}" for lang in chosen))
    if asked.missing:
        for (lang, name), keys in left.items():
            english = page_words(f"{SOURCE}/{name}")
            for key in keys:
                text = english.get(key) or english[f"{base(key)}_other"]
                print(f"{lang}/{name}.json  {key}: {text}")
    return int(any(left.values()))


if __name__ == "__main__":
    raise SystemExit(main())
