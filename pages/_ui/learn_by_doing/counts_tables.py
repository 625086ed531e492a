"""Tables of counts in a lesson: of a term, its two rates as bars below their numbers, and of classifiers."""

from collections.abc import Mapping, Sequence
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


def of_decisions(name: str, tp: int, fp: int, fn: int, tn: int) -> str:
    """What a classifier says of the test documents: Markdown with HTML in it."""
    found, false = _share(tp / max(tp + fn, 1), "class"), _share(fp / max(fp + tn, 1), "others")
    return (
        f"| **{name}** | of the class | all others |\n|:--|--:|--:|\n| share it says *yes* to | {found} | {false} |\n"
        f"| documents it says *yes* to | tp = {tp:,} | fp = {fp:,} |\n"
        f"| documents it says *no* to | fn = {fn:,} | tn = {tn:,} |"
    )


def of_classifiers(results: Mapping[str, Any]) -> str:
    """A line a classifier, with the counts that its F1 is made of: Markdown."""
    rows = "".join(f"\n| **{name}** | {r.tp:,} | {r.fn:,} | {r.fp:,} |" for name, r in results.items())
    return f"| weighting | found (tp) | missed (fn) | false alarms (fp) |\n|:--|--:|--:|--:|{rows}"


def _share(rate: float, of: str, name: str = "") -> str:
    bar = f'<i class="ltw-share {of}"><i style="width:{100 * rate:.1f}%"></i></i>'
    return f"{name}{words.prevalence(rate)}{bar}"
