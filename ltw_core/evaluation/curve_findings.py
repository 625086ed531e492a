"""What a learning curve says, in sentences that its intervals bear: from where on, who is told apart, and how high."""

from collections.abc import Callable, Iterator

import numpy as np

from ltw_core.evaluation.learning_curve import LearningCurve
from ltw_core.metrics import decimals, listed
from ltw_core.weighting import display

NEARLY = 0.9  # of the F1 with all documents


def findings(curve: LearningCurve, label: Callable[[str], str] = display, missing: bool = True) -> list[str]:
    """Sentences on a curve, first those that its lines do not show by themselves; those that need what has not been
    computed are left out.

    Parameters
    ----------
    curve : LearningCurve
    label : callable
        What a weighting is called.
    missing : bool
        Whether to say how many figures are not computed yet.
    """
    known = np.isfinite(curve.f1).any(axis=(1, 2))
    if not known.any():
        return []
    there = curve.of([name for name, some in zip(curve.plan.weightings, known, strict=True) if some])
    return [
        *(*_needed(there, label), *_apart(there, label), *_heights(there, label)),
        *(*(_missing(curve) if missing else ()), *_rests_on(curve)),
    ]


def _heights(curve: LearningCurve, label) -> Iterator[str]:
    """F1 of all weightings at a size in the middle and at the largest that is known for all."""
    mean = curve.mean()
    known = np.flatnonzero(np.isfinite(mean).all(axis=0))
    if not known.size:
        return
    low, high = curve.interval()
    what = " a macro F1 of" if len(curve.plan.classes) > 1 else " an F1 of"
    for s in dict.fromkeys((known[(known.size - 1) // 2], known[-1])):
        size = curve.plan.sizes[s]
        parts = []
        for place, w in enumerate(np.argsort(-mean[:, s], kind="stable")):
            told = f"{f'reaches{what} ' * (not place)}{decimals(mean[w, s], 2)}"
            if np.isfinite(low[w, s]):
                told += f" ({decimals(low[w, s], 2)} to {decimals(high[w, s], 2)})"
            parts.append(f"{label(curve.plan.weightings[w])} {told}")
        documents = f"all {size:,}" if size == curve.n_train else f"{size:,}"
        yield f"With {documents} labelled documents ({_positives(curve, s)}) {listed(parts)}."


def _positives(curve: LearningCurve, s: int) -> str:
    mean = curve.positives[s]
    number = f"{mean:,.0f}" if mean >= 10 or mean == round(mean) else f"{mean:.1f}"
    several = curve.plan.sizes[s] < curve.n_train and len(curve.plan.seeds) > 1
    if len(curve.plan.classes) == 1:
        return f"{number} of the class" + (" on average" if several else "")
    lacking = curve.lacking[s]
    none = f", none for {lacking:.2g} of the {len(curve.plan.classes)} classes" if lacking else ""
    return f"{number} a class on average{none}"


def _needed(curve: LearningCurve, label) -> Iterator[str]:
    """From which size on a weighting reaches most of what it reaches with all documents."""
    sizes, mean = curve.plan.sizes, curve.mean()
    if sizes[-1] != curve.n_train or len(sizes) < 2 or not np.isfinite(mean).all() or not (mean[:, -1] > 0).all():
        return
    first: dict[int, list[str]] = {}
    for w, weighting in enumerate(curve.plan.weightings):
        below = np.flatnonzero(mean[w] < NEARLY * mean[w, -1])
        first.setdefault(sizes[below[-1] + 1 if below.size else 0], []).append(label(weighting))
    parts = [
        f"{listed(names)} need{'s' * (len(names) == 1)} {'all' if size == curve.n_train else f'{size:,}'}"
        for size, names in sorted(first.items())
    ]
    yield f"To reach 90% of the F1 with all {curve.n_train:,} documents on average, {listed(parts)}."


def _apart(curve: LearningCurve, label) -> Iterator[str]:
    """The weighting that is best over all sizes against each other one: where the samples tell them apart.

    With all documents labelled nothing is sampled: seeds alone do not tell what other documents would change.
    """
    plan, mean = curve.plan, curve.mean()
    known = np.flatnonzero(np.isfinite(mean).all(axis=0))
    if len(plan.weightings) < 2 or len(plan.seeds) < 2 or not known.size:
        return
    unfinished = {plan.sizes.index(point.size) for point in curve.points()}
    sampled = [s for s in known if plan.sizes[s] != curve.n_train and s not in unfinished]
    best = plan.weightings[int(np.argmax(mean[:, known].mean(axis=1)))]
    together: dict[tuple[int, ...], list[str]] = {}
    for other in plan.weightings:
        if other == best:
            continue
        difference, half = curve.difference(best, other)
        told = [s for s in sampled if np.isfinite(half[s])]
        above = [s for s in told if difference[s] > half[s]]
        below = [s for s in told if difference[s] < -half[s]]
        if not told:
            continue
        if not above and not below:
            together.setdefault(tuple(told), []).append(label(other))
            continue
        yield f"{label(best)} {_where(plan.sizes, told, above, below, label(other))}."
    for told, others in together.items():
        yield f"{label(best)} is not distinguishable from {listed(others, word='or')} {_at(plan.sizes, told)}."


def _at(sizes, places) -> str:
    """Sizes by their numbers of documents: some that follow each other by the first and the last."""
    if len(places) > 2 and places[-1] - places[0] == len(places) - 1:
        return f"at all sizes from {sizes[places[0]]:,} to {sizes[places[-1]]:,} documents"
    return f"at {listed(f'{sizes[s]:,}' for s in places)} documents"


def _where(sizes, told: list[int], above: list[int], below: list[int], other: str) -> str:
    """Where one is better and worse than another."""
    parts = []
    if above:
        unclear = [s for s in told if s not in above]
        after = [s for s in told if not unclear or s > unclear[-1]]
        if len(after) == len(told):
            parts.append(f"is better than {other} {_at(sizes, told)}")
        elif len(after) > 1:
            earlier = [f"{sizes[s]:,}" for s in above if s not in after]
            parts.append(
                f"is better than {other} from {sizes[after[0]]:,} to {sizes[after[-1]]:,} documents"
                + (f", and at {listed(earlier)}" * bool(earlier))
            )
        else:
            parts.append(f"is better than {other} {_at(sizes, above)}")
    if below:
        parts.append(f"is worse than {other if not above else 'it'} at {listed(f'{sizes[s]:,}' for s in below)}")
    rest = len(told) - len(above) - len(below)
    if rest:
        parts.append("is not distinguishable from it at the other sizes that were sampled")
    return listed(parts)


def _missing(curve: LearningCurve) -> Iterator[str]:
    missing = len(list(curve.points()))
    if missing:
        figures = "1 figure is" if missing == 1 else f"{missing:,} figures are"
        yield f"{figures} not computed yet; means and intervals are of the others."


def _rests_on(curve: LearningCurve) -> Iterator[str]:
    draws, plan = len(curve.plan.seeds), curve.plan
    if draws < 2:
        yield "One sample does not tell how much chance is in it: take more for intervals."
        return
    seeds = curve.n_train in plan.sizes and any(curve.draws_matter(name, curve.n_train) for name in plan.weightings)
    yield (
        f"Intervals (95%, Student’s t) are of the mean over {draws} random samples of a size. Comparisons are paired: "
        "all weightings see the same samples. All F1 scores are on the same test documents; what others would change "
        "is not in the intervals."
        + " With all documents labelled, the intervals are over the seeds of learned weightings."
        * seeds
    )
