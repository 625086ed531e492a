"""What one should know of a formula before believing a figure of it, in a sentence with the numbers of a class.

GR is IG up to a factor, RF needs counts, χ² grows with N, BM25's idf is clipped, ConfWeight cancels, BNS cuts
rates. Each function here is the ``caveat_of`` of a row of ``functions``; most rows need none. The sentences are plain
text; terms in them come from the corpus.
"""

import numpy as np
from scipy.special import xlogy

from ltw_core.weighting import cd


def _values(function, task, times: int = 1) -> np.ndarray:
    """A function at a class's terms, with its documents or several times as many."""
    n = times * task.n_documents
    return np.broadcast_to(np.asarray(function(task.tpr, task.fpr, task.prevalence, n)), np.shape(task.tpr))


def gain(task) -> str:
    """GR and IG are one for a class."""
    p = task.prevalence
    entropy = float(-(xlogy(p, p) + xlogy(1 - p, 1 - p)) / np.log(2))
    if entropy <= 0:
        return "GR and IG are 0 for every term, for all documents are of one class."
    gain, ratio = _values(cd.information_gain, task), _values(cd.gain_ratio, task)
    units = [v / (np.linalg.norm(v) or 1.0) for v in (gain, ratio)]
    return (
        f"GR is IG / {entropy:.3g}, the class's entropy, at each of the {len(task.terms):,} terms: after L2 "
        f"normalisation both give the same vectors (no component differs by more than "
        f"{max(float(np.abs(units[0] - units[1]).max()), 1e-17):.0e})."
    )


def counts(task) -> str:
    """RF looks at counts, not at rates."""
    now, more = (_values(cd.relevance_frequency, task, times) for times in (1, 10))
    most = int(np.argmax(more - now))
    without = int(np.count_nonzero(np.asarray(task.fp) < 1))
    return (
        f"RF works on counts, not on rates: {without:,} of the {len(task.terms):,} terms have FP = 0, where the 1 in "
        f"max(1, FP) decides. The weight of {task.terms[most]} is {now[most]:.2f} with {task.n_documents:,} documents "
        f"and would be {more[most]:.2f} with ten times as many at the same rates."
    )


def growth(task) -> str:
    """χ² grows with the number of documents."""
    best = int(np.argmax(_values(cd.chi_square, task)))
    now, more = (float(_values(cd.chi_square, task, times)[best]) for times in (1, 10))
    return (
        f"χ² grows with N: that of {task.terms[best]} is {now:,.0f} with {task.n_documents:,} documents and "
        f"{more:,.0f} with ten times as many at the same rates. As a factor common to all terms it vanishes with L2 "
        "normalisation."
    )


def clipping(task) -> str:
    """BM25's idf is cut at 0."""
    frequency = np.asarray(task.document_frequency)
    share = frequency / task.n_documents
    clipped = int(np.count_nonzero(share > 0.5))
    top = int(np.argmax(frequency))
    raw = float(np.log((task.n_documents - frequency[top] + 0.5) / (frequency[top] + 0.5)))
    if clipped:
        verb = "term is" if clipped == 1 else "terms are"
        return (
            f"BM25's idf is clipped at 0: {clipped:,} {verb} in more than half of the documents; {task.terms[top]}, in "
            f"{100 * share[top]:.0f}%, would get {raw:.2f}, and would speak for the class if it speaks against it."
        )
    return (
        f"BM25's idf is clipped at 0 for terms in more than half of the documents. Here none is: the commonest, "
        f"{task.terms[top]}, is in {100 * share[top]:.0f}% and gets {raw:.2f}."
    )


def cancelled(task) -> str:
    """ConfWeight leaves few terms a weight."""
    without = int(np.count_nonzero(_values(cd.conf_weight, task) == 0))
    positives = round(task.n_documents * task.prevalence)
    return (
        f"ConfWeight cancels {without:,} of the {len(task.terms):,} terms: with {positives:,} documents of the class "
        "one cannot be sure at 95% that they are more frequent in it."
    )


def cut_rates(task) -> str:
    """BNS sees no rates below its cut."""
    low, high = cd.BNS_CUT, 1 - cd.BNS_CUT
    tpr, fpr = np.asarray(task.tpr), np.asarray(task.fpr)
    in_class, outside = (int(np.count_nonzero((rate < low) | (rate > high))) for rate in (tpr, fpr))
    return (
        f"BNS cuts rates at .05% and 99.95%: here it cuts the tpr of {in_class:,} and the fpr of {outside:,} of the "
        f"{len(task.terms):,} terms. Those in none of the other documents all count as if .05% of these held them."
    )
