"""A learning curve as rows of a table: every figure with what it rests on, and their means with intervals."""

from collections.abc import Iterator, Mapping

from ltw_core.evaluation.learning_curve import CurvePoint, LearningCurve
from ltw_core.evaluation.result import Result
from ltw_core.tasks import without_terms

NOTHING = "nothing: the sampled documents with a known term are not of both kinds"


def every_draw(curve: LearningCurve, results: Mapping[CurvePoint, Result] | None = None) -> Iterator[dict]:
    """A row for each class, weighting, number of labelled documents and draw that is known; where no draw changes it,
    one for all draws. Where the results behind them are given, how many documents held no term that the sample knows.
    """
    plan = curve.plan
    for c, class_name in enumerate(plan.classes):
        for w, weighting in enumerate(plan.weightings):
            for s, size in enumerate(plan.sizes):
                for d, seed in enumerate(plan.seeds):
                    value = curve.f1_by_class[c, w, s, d]
                    if value != value or (d and not curve.draws_matter(weighting, size)):
                        continue
                    point = CurvePoint(class_name, weighting, size, seed)
                    yield {
                        "corpus": curve.title,
                        "class": class_name,
                        "weighting": weighting,
                        "classifier": plan.learner,
                        "grid": plan.grid,
                        "share of terms": "default" if plan.ratio is None else plan.ratio,
                        "labelled documents": size,
                        "seed of the draw": seed,
                        "of the class": int(curve.positives_by_class[c, s, d]),
                        "F1": float(value),
                        "learned": NOTHING if curve.unlearned[c, s, d] else "from the sample",
                        "test documents": curve.n_test,
                        "test documents of the class": int(curve.test_positives[c]),
                    } | ({} if results is None else _without_terms(results.get(point)))


def _without_terms(result: Result | None) -> dict:
    return without_terms.columns(None if result is None else result.without_terms)


def summary(curve: LearningCurve) -> Iterator[dict]:
    """A row for each weighting and number of labelled documents: mean F1 over draws, its interval, and positives."""
    plan, mean, (low, high) = curve.plan, curve.mean(), curve.interval()
    for w, weighting in enumerate(plan.weightings):
        for s, size in enumerate(plan.sizes):
            known = curve.f1[w, s]
            yield {
                "weighting": weighting,
                "documents": size,
                "F1": mean[w, s],
                "low": low[w, s],
                "high": high[w, s],
                "draws": int((known == known).sum()) if curve.draws_matter(weighting, size) else 1,
                "positives": curve.positives[s],
                "lacking": curve.lacking[s],
            }
