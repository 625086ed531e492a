"""Bars of the terms behind a difference of two classifiers."""

from collections.abc import Sequence

from ltw_core.figures import top_terms
from pages._ui import words
from pages._ui.plots.plot import plot


def term_bars(terms: Sequence[tuple[str, float]], title: str, key: str, of: str = "") -> None:
    """Terms with what each adds to the difference, the largest first, on one scale to both sides; ``of`` names what
    they are of. What follows a colon in ``title`` stands in a second line."""
    said, _, more = title.partition(": ")
    names, values = [term for term, _ in terms], [value for _, value in terms]
    most = max(map(abs, values), default=0.0)
    both = min(values, default=0.0) < 0 < max(values, default=0.0)
    look = {"limits": (-1.15 * most, 1.1 * most) if both else None, "base": words.base(), "uirevision": f"{of}-{title}"}
    plot(top_terms.plain(names, values, title=said, subtitle=more, **look), key, live=True)
