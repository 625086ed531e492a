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
    """A word and what it means; ``also`` are other forms of it, ``seen`` names a place where it is at work, and its
    address."""

    term: str
    group: str
    text: str
    formula: str
    source: str
    example: str = ""
    also: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()

    @property
    def whence(self) -> str:
        """Its source, with a name also where it is the paper."""
        return f"Paper: {self.source}" if self.source.startswith(("Section", "Equation")) else self.source


_RECORDS = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
ENTRIES = tuple(Entry(**{k: tuple(v) if isinstance(v, list) else v for k, v in one.items()}) for one in _RECORDS)


def _forms(entry: Entry) -> list[str]:
    names = [entry.term, *entry.also]
    return names + [name[0].upper() + name[1:] for name in names if len(name) >= CAPITALISED]


BY_FORM = {form: entry for entry in ENTRIES for form in _forms(entry)}
"""Entries by all forms of their words."""
_LONGEST_FIRST = sorted(BY_FORM, key=len, reverse=True)
# a work's title, of several words; a formula; what an answer sets apart
_AS_IT_IS = re.compile(r"((?<!\*)\*[^*\s]+\s[^*]+\*(?!\*)|\$[^$]+\$|<(?:b|small)>.+?</(?:b|small)>)")
# a letter alone, with what stands over it; not an article, the letter of a variant or the end of a word
_VARIABLE = re.compile(
    r"(?<![A-Za-z0-9’-])(?![Aa] (?!the\b)[a-z]{2}|[A-Zσ]:)[A-Za-zασŷ]\u0304?(?![A-Za-z0-9-]|\u2019\w)"
)
_SMALL = str.maketrans(
    {sign: f"<sub>{index}</sub>" for sign, index in zip("₁₂₅ᵣ", ("1", "2", "5", "<i>r</i>"), strict=True)}
    | {sign: f"<sup>{power}</sup>" for sign, power in zip("⁻¹²³⁴", "−1234", strict=True)}
)
_WORDS = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, _LONGEST_FIRST))})(?!\w)")


@functools.lru_cache(maxsize=TEXTS)
def glossed(text: str) -> str:
    """Markdown in which each word of the glossary, where it first stands, says what it means under the pointer; not
    in the title of a work, which is set in italics, nor in a formula, nor in HTML's ``b`` and ``small``.

    It holds HTML: only for texts of the app's own.
    """
    seen: set[Entry] = set()

    def explained(found: re.Match) -> str:
        entry = BY_FORM[found[0]]
        if entry in seen:
            return found[0]
        seen.add(entry)
        about = escape(f"{entry.text}\n{entry.formula}\n{entry.whence}").replace("\n", "&#10;")
        return f'<abbr class="ltw-word" title="{about}">{found[0]}</abbr>'

    parts = _AS_IT_IS.split(text)  # every second one
    return "".join(part if k % 2 else _WORDS.sub(explained, part) for k, part in enumerate(parts))


@functools.lru_cache(maxsize=5 * TEXTS)  # most stand in controls.toml and tables.toml
def with_meanings(text: str, label: str) -> str:
    """A control's help, in Markdown, followed by what the words of its label mean."""
    entries = dict.fromkeys(BY_FORM[found] for found in _WORDS.findall(label))
    meanings = [f"**{plain(e.term)}**: {plain(e.text)}  \n{plain(e.formula)} · {plain(e.whence)}" for e in entries]
    return "\n\n".join([text, *meanings] if text else meanings)


def typeset(text: str) -> str:
    """A formula, or a sentence with some, as HTML: variables of one letter in italics, all words and names upright."""
    found = _VARIABLE.sub(r"<i>\g<0></i>", escape(text, quote=False)).translate(_SMALL)
    return re.sub(r"_(<i>\w</i>|\w)", r"<sub>\1</sub>", found)


def listing() -> str:
    """All words by group, as HTML, each with the other forms that it is found by."""
    by_group: dict[str, list[str]] = {}
    for entry in ENTRIES:
        by_group.setdefault(entry.group, []).append(_listed(entry))
    ways = "".join(f'<button type="button">{group}</button>' for group in by_group)
    listed = "".join(f"<section><h3>{group}</h3><dl>{''.join(rows)}</dl></section>" for group, rows in by_group.items())
    return (
        '<div class="ltw-glossary-room"><div class="ltw-glossary"><h2>Glossary</h2>'
        '<button type="button" class="close" aria-label="Close">×</button>'
        '<input type="search" maxlength="40" placeholder="Find a word" aria-label="Find a word of the glossary">'
        f'<nav aria-label="Groups of words">{ways}</nav>'
        '<p role="status"></p>'
        f'<div class="words" tabindex="0" role="region" aria-label="Glossary">{listed}</div></div></div>'
    )


def _listed(entry: Entry) -> str:
    term, text, source = (escape(part, quote=False) for part in (entry.term, entry.text, entry.whence))
    known = {entry.term.lower(), f"{entry.term}s".lower(), entry.text.split(":")[0].lower()}
    also = escape(", ".join(form for form in entry.also if form.lower() not in known), quote=False)
    seen = f'<a href="{escape(entry.seen[1])}">{entry.seen[0]}\u00a0→</a>' if entry.seen else ""
    return (
        f'<div data-forms="{escape("|".join((entry.term, *entry.also)).lower())}"><dt>{term}</dt><dd>{text}'
        + (f"<span>also: {also}</span>" if also else "")
        + f"<code>{typeset(entry.formula)}</code>"
        + (f"<span>Example: {typeset(entry.example)}</span>" if entry.example else "")
        + f"<small><span>{source}</span>{seen}</small></dd></div>"
    )
