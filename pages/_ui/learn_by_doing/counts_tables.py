"""Tables of a term's counts in a lesson, its two rates as bars below their numbers."""

from collections.abc import Sequence
from typing import Any

from pages._ui import words
from pages._ui.guard import plain


def of_one(task: Any, term: str) -> str:
    """The four counts of a term and its two rates: Markdown with HTML in it."""
    i = task.term_index[term]
    tp, fp, fn, tn = (int(getattr(task, name)[i]) for name in ("tp", "fp", "fn", "tn"))
    tpr, fpr = _share(task.tpr[i], "class", "tpr = "), _share(task.fpr[i], "others", "fpr = ")
    return (
        f"| **{plain(term)}** | of the class | all others |\n|:--|--:|--:|\n| share with it | {tpr} | {fpr} |\n"
        f"| documents with it | {tp:,} | {fp:,} |\n| documents without it | {fn:,} | {tn:,} |"
    )


def of_several(task: Any, terms: Sequence[str]) -> str:
    """A line a term, with its rates and how many documents have it: Markdown with HTML in it."""
    rows = "".join(
        f"\n| **{plain(task.terms[i])}** | {_share(task.tpr[i], 'class')} | {_share(task.fpr[i], 'others')} "
        f"| {int(task.tp[i]):,} | {int(task.fp[i]):,} |"
        for i in map(task.term_index.__getitem__, terms)
    )
    return f"| term | tpr | fpr | of the class | others |\n|:--|--:|--:|--:|--:|{rows}"


def _share(rate: float, of: str, name: str = "") -> str:
    bar = f'<i class="ltw-share {of}"><i style="width:{100 * rate:.1f}%"></i></i>'
    return f"{name}{words.prevalence(rate)}{bar}"
