"""The words of the field that the app uses, each with its formula and where the paper has it: ``glossary.json``.

Sources without a name are those of Moreo, Esuli and Sebastiani, *Learning to Weight for Text Classification*.
"""

import functools
import json
import re
from html import escape
from pathlib import Path
from typing import NamedTuple

from pages._ui.guard import plain

TEXTS = 200  # that are kept: answers hold figures, so that there is no end of them
CAPITALISED = 4  # letters from which on a word is also known with a capital


class Entry(NamedTuple):
    """A word and what it means; ``also`` are other forms of it."""

    term: str
    text: str
    formula: str
    source: str
    also: tuple[str, ...] = ()


_RECORDS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
ENTRIES = tuple(Entry(**{**record, "also": tuple(record.get("also", ()))}) for record in _RECORDS)


def _forms(entry: Entry) -> list[str]:
    names = [entry.term, *entry.also]
    return names + [name[0].upper() + name[1:] for name in names if len(name) >= CAPITALISED]


BY_FORM = {form: entry for entry in ENTRIES for form in _forms(entry)}
"""Entries by all forms of their words."""
_LONGEST_FIRST = sorted(BY_FORM, key=len, reverse=True)
_AS_IT_IS = re.compile(r"((?<!\*)\*[^*\s]+\s[^*]+\*(?!\*)|\$[^$]+\$)")  # a work's title, of several words; a formula
_WORDS = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, _LONGEST_FIRST))})(?!\w)")


@functools.lru_cache(maxsize=TEXTS)
def glossed(text: str) -> str:
    """Markdown in which each word of the glossary, where it first stands, says what it means under the pointer; not
    in the title of a work, which is set in italics, nor in a formula.

    It holds HTML: only for texts of the app's own.
    """
    seen: set[Entry] = set()

    def explained(found: re.Match) -> str:
        entry = BY_FORM[found[0]]
        if entry in seen:
            return found[0]
        seen.add(entry)
        about = escape(f"{entry.text}\n{entry.formula}\n{entry.source}").replace("\n", "&#10;")
        return f'<abbr title="{about}">{found[0]}</abbr>'

    parts = _AS_IT_IS.split(text)  # every second one
    return "".join(part if k % 2 else _WORDS.sub(explained, part) for k, part in enumerate(parts))


@functools.lru_cache(maxsize=5 * TEXTS)  # most stand in controls.toml and tables.toml
def with_meanings(text: str, label: str) -> str:
    """A control's help, in Markdown, followed by what the words of its label mean."""
    entries = dict.fromkeys(BY_FORM[found] for found in _WORDS.findall(label))
    meanings = [f"**{plain(e.term)}**: {plain(e.text)}  \n{plain(e.formula)} · {plain(e.source)}" for e in entries]
    return "\n\n".join([text, *meanings] if text else meanings)


def listing(find: str = "") -> str:
    """All words, as HTML, or those whose word or meaning holds some text; "" where none does."""
    sought = find.strip().lower()
    rows = [
        f"<dt>{escape(e.term, quote=False)}</dt><dd>{escape(e.text)}<br><code>{escape(e.formula)}</code><br>"
        f"<small>{escape(e.source)}</small></dd>"
        for e in sorted(ENTRIES, key=lambda e: e.term.lower())
        if any(sought in part.lower() for part in (e.term, e.text, *e.also))
    ]
    scrolled = 'class="ltw-glossary" tabindex="0" role="region" aria-label="Glossary"'
    return f"<div {scrolled}><dl>{''.join(rows)}</dl></div>" if rows else ""
