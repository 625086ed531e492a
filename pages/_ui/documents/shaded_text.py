"""Texts of documents as text, never as markup: a document with its words shaded, and a term in its contexts."""

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.figures import palette
from ltw_core.figures.sentences import number
from ltw_core.metrics import decimals
from ltw_core.tasks import spans
from pages._ui.documents import reading
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.streamlit_fixes.component_keys import component_key

LIMIT = 12_000  # characters of a document that are shown
STEPS = 32  # of a shade from no weight to the largest magnitude, on either side
FLATTEST, STEEPEST = 2 / 3, 3.0  # powers of a value by which shades go: with the first a twentieth is still seen
TYPICAL = 0.2  # the shade of the word in the middle
PLACES = np.linspace(-1, 1, 2 * STEPS + 1)
RAMP = {base: (palette.DIVERGING[base], -1.0, 1.0) for base in ("light", "dark")}
# the ramp of weights behind words, and the ink that each of its colours needs: [light, dark] of each
_BEHIND, _INK = zip(*(palette.behind_words(PLACES, *ramp) for ramp in RAMP.values()), strict=True)
SHADES = {"behind": _BEHIND, "ink": _INK}
CSS = """
.ltw-reading { font-size: var(--ltw-size, 15px); line-height: var(--ltw-line, 25px); color: var(--st-text-color);
  unicode-bidi: isolate; }
.ltw-reading.text { white-space: pre-wrap; overflow-wrap: anywhere; unicode-bidi: plaintext; box-sizing: border-box;
  overflow-anchor: none; max-width: 52rem;
  max-height: calc(.7rem + var(--ltw-lines, 17) * var(--ltw-line, 25px) + 2px); overflow-y: auto; padding: .7rem .9rem;
  border: 1px solid var(--st-border-color); border-radius: .4rem; }
/* the last line that fits fades out where the text goes on; at its end this stands below it */
.ltw-reading.more { padding-bottom: 0; }
.ltw-reading.more::after { content: ""; display: block; position: sticky; bottom: 0; height: var(--ltw-line, 25px);
  pointer-events: none; background: linear-gradient(transparent, var(--st-background-color)); }
/* and where it does not begin at its beginning, its first line says so */
.ltw-reading.later::before { content: "…"; display: block; position: sticky; top: -.7rem; height: var(--ltw-line, 25px);
  margin-bottom: calc(-1 * var(--ltw-line, 25px)); pointer-events: none; background: var(--st-background-color); }
.ltw-reading .word { border-radius: .2rem; margin: 0 -1px; padding: 1px; cursor: pointer; }
.ltw-reading .word:hover, .ltw-reading .chosen { outline: 1.5px solid var(--st-primary-color); }
.ltw-reading .gap { display: block; height: .5rem; }
@media (max-width: 640px) { .ltw-reading.text:has(.asked) { --ltw-size: 14px; --ltw-line: 21px; --ltw-lines: 18; } }
.ltw-reading .asked { font-weight: 600; border-bottom: 2px solid light-dark(#8b857c, #8d96a3); }
.ltw-reading .line { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr) auto minmax(0, 1fr); gap: .35rem;
  padding: .12rem .4rem; cursor: pointer; border-radius: .3rem; white-space: nowrap; }
.ltw-reading .line:hover, .ltw-reading .line:focus-visible { background: var(--st-secondary-background-color); }
.ltw-reading .line span { overflow: hidden; unicode-bidi: isolate; }
.ltw-reading .where { font-size: .87rem; opacity: .7; }
/* what does not fit fades out: no ellipsis can begin a line that holds text of either direction */
.ltw-reading .before { direction: rtl; mask-image: linear-gradient(to right, transparent, #000 2rem); }
.ltw-reading .after { mask-image: linear-gradient(to left, transparent, #000 2rem); }
.ltw-reading .before bdi { white-space: pre; }
@media (max-width: 640px) { .ltw-reading .line { grid-template-columns: 3.3rem minmax(0, 1fr) auto minmax(0, 1fr); } }
@media (hover: none) { .ltw-reading .line { min-height: 44px; align-items: center; box-sizing: border-box; } }
.ltw-reading .hit { font-weight: 650; color: var(--st-primary-color); }
"""
_reading = st.components.v2.component(
    "ltw_reading",
    html='<div class="ltw-reading" role="document"></div>',
    css=CSS,
    js=Path(__file__).with_name("shaded_text.js").read_text("utf-8"),
    isolate_styles=False,
)


def document(
    task: Any,
    part: str,
    row: int,
    columns: np.ndarray,
    values: np.ndarray,
    titles: list[str],
    key: str,
    *,
    alt: str,
    top: float,
) -> None:
    """A document; a click on one of its terms selects it.

    Parameters
    ----------
    part : "train" or "test"
    columns, values, titles : of its terms, in one order; a term is shaded by a power of its value (``power_of``) and
        says its title under the pointer.
    top : the value that is shaded strongest; 0 for the largest of these.
    """
    text, chosen = reading.reflowed(reading.trimmed(task.document(row, part))), set(selection.terms())
    if not text.strip():
        text = "(no text)"
    shares = np.clip(values / (top or np.abs(values).max(initial=0) or 1.0), -1, 1)
    shades = (np.sign(shares) * np.abs(shares) ** power_of(values, top)).round(3).tolist()
    about = {str(task.terms[c]): entry for c, *entry in zip(columns, shades, titles, strict=True)}
    pieces: list[Any] = []
    at = 0
    options = task.vectorized.options
    found = [span for span in spans(text[:LIMIT], options) if span.term in about]
    for span in _apart(found, about):
        pieces += [text[at : span.start], [text[span.start : span.end], *about[span.term], span.term in chosen]]
        at = span.end
    pieces.append(text[at:LIMIT] + (" …" if len(text) > LIMIT else ""))
    known = task.term_index  # not the task: what is called on a click stays for a while, and a table may be deleted
    pick = lambda term: term in known and selection.toggle_term(term)  # noqa: E731
    _mount(key, {"pieces": [p for p in pieces if p != ""], "alt": alt}, pick, None)
    if not options.in_words:
        st.caption("Its terms are n-grams of characters, which overlap: no word of the text is shaded.")
    elif options.ngram_range[1] > 1:
        st.caption("Of terms that overlap the one with the largest weight is shaded.")
    _cut(text)


def _cut(text: str) -> None:
    """Say where only the beginning of a text is shown."""
    if len(text) > LIMIT:
        st.caption(f"The first {LIMIT:,} of {len(text):,} characters.")


def plain_document(text: str, key: str, alt: str, marked: Sequence[str] = (), options: Any = None) -> None:
    """A document none of whose words is shaded; ``marked``: terms that stand out, found by the vectorizer's options."""
    shown, pieces, at = reading.unruled(reading.reflowed(reading.trimmed(text)[:LIMIT])), [], 0
    for span in spans(shown, options) if marked else ():
        if span.term in marked and span.start >= at:
            pieces += [shown[at : span.start], [shown[span.start : span.end], None]]
            at = span.end
    pieces = [piece for piece in (*pieces, shown[at:]) if piece != ""]
    _mount(key, {"pieces": pieces, "alt": alt}, lambda term: None, None)
    _cut(text)


def power_of(values: np.ndarray, top: float) -> float:
    """The power of a value, as a share of that which is shaded strongest, by which its shade goes.

    Under every weighting it is the one that gives the document's middle word a faint shade (``TYPICAL``), so that what
    stands out is seen: where values are alike, as without a supervised part, it is high; where few words have nearly
    all the weight, it is low, so that the others are seen, too. ``top`` as for ``document``.
    """
    sizes = np.abs(values[values != 0])
    if not sizes.size:
        return 1.0
    middle = min(float(np.median(sizes)) / (top or float(sizes.max())), 1.0)
    return float(np.clip(np.log(TYPICAL) / min(np.log(middle), -1e-9), FLATTEST, STEEPEST))


def scale(values: np.ndarray, top: float, of: str, *, score: bool = False) -> None:
    """The key to a document's shades: what they are of, and the value that is shaded strongest, ``top`` or the largest
    of ``values``; of a ``score`` they say what speaks for the class, which of weights they do not. Nothing where none
    is shaded."""
    most = top or float(np.abs(values).max(initial=0))
    if not most:
        return
    below, above = bool((values < 0).any()), bool((values > 0).any())
    shown = range(0 if below else STEPS, (2 * STEPS if above else STEPS) + 1, STEPS // 8)
    shares = np.sign(PLACES) * np.abs(PLACES) ** (1 / power_of(values, top))  # of each shade
    least, most_shown = shares[shown[0]], shares[shown[-1]]
    at = [round(float(100 * (shares[k] - least) / (most_shown - least)), 1) for k in shown]
    colours = ([of[k] for of in SHADES["behind"]] for k in shown)
    shades = [f"light-dark({light}, {dark}) {x}%" for (light, dark), x in zip(colours, at, strict=True)]
    end = decimals(most, 2) if 0.01 <= most < 10 else number(most)
    low, high = (f"−{end}" if below else "0"), (end if above else "0")
    beyond = " or more" if top and above else ""
    sides = ["gold: for the class"] * above + ["blue: against it" if above else "blue: against the class"] * below
    of += f" ({', '.join(sides)})" * score
    st.html(
        f'<div class="ltw-shades">{escape(of)}: {low} <i style="background: linear-gradient(to right, '
        f'{", ".join(shades)})"></i> {high}{beyond}</div>',
        width="content",
    )


def _apart(found: list[Any], about: dict[str, list[Any]]) -> list[Any]:
    """Those spans of the strongest shade that do not overlap, in the order of the text."""
    kept: list[Any] = []
    taken: set[int] = set()
    for span in sorted(found, key=lambda span: (-abs(about[span.term][0]), span.start - span.end)):
        if taken.isdisjoint(places := range(span.start, span.end)):
            taken.update(places)
            kept.append(span)
    return sorted(kept)


def strongest(
    task: Any, columns: np.ndarray, values: np.ndarray, most: int, write: Callable[[float], str] = decimals
) -> str:
    """The terms of the largest values by magnitude, with these."""
    order = np.argsort(-np.abs(values), kind="stable")[:most]
    return ", ".join(f"{plain(str(task.terms[columns[i]]))} {write(values[i])}" for i in order)


def true_classes(task: Any, part: str, row: int) -> list[str]:
    """Titles of a document's classes."""
    source = task.vectorized
    document = (task.rows_train if part == "train" else task.rows_test)[row]
    return [source.class_titles[j] for j in source.corpus.labels[[document]].indices]


def listed(task: Any, part: str, rows: np.ndarray) -> pd.DataFrame:
    """Numbers of documents and how they begin."""
    return pd.DataFrame({"no.": rows + 1, "begins": [beginning(task.document(int(r), part)) for r in rows]})


def beginning(text: str) -> str:
    """The first words of a text on one line, for a list of documents."""
    return " ".join(text[:400].split())[:200]


def lines(rows: list[dict[str, Any]], key: str, on_open: Callable[[str, int], None], asked: int = 0) -> None:
    """Occurrences in their context, one a line: ``where``, ``before``, ``hit``, ``after``, ``part``, ``row``; they come
    into view when ``asked`` for again."""
    data = {"lines": rows, "alt": "A term in the documents that hold it", "asked": asked}
    _mount(key, data, None, on_open)


def _mount(key: str, data: dict[str, Any], on_pick: Callable | None, on_open: Callable | None) -> None:
    key = component_key(key)

    def picked() -> None:
        value = st.session_state.get(key, {}).get("picked")
        if value and on_pick:
            on_pick(str(value["term"]))

    def opened() -> None:
        value = st.session_state.get(key, {}).get("opened")
        if value and on_open:
            on_open(str(value["part"]), int(value["row"]))

    _reading(key=key, data={**data, "shades": SHADES}, on_picked_change=picked, on_opened_change=opened)
