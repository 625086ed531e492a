"""The figures of a learning curve as cells, so that they are kept, found and computed like those of any study.

A cell learned from all training documents is the very cell of a study without samples, and is found where that is.
"""

from collections.abc import Iterable, Mapping

from ltw_core.corpora.tables.source import TableSource
from ltw_core.evaluation import Result
from ltw_core.evaluation.curve_plan import CurvePlan, CurvePoint
from ltw_core.evaluation.learning_curve import LearningCurve
from ltw_core.studies.cell import Cell
from ltw_core.tasks import VectorizedCorpus
from ltw_core.tasks.options import OPTIONS
from ltw_core.tasks.without_terms import ALL, WITH_TERMS
from ltw_core.weighting import paper_settings


def cells_of_curve(
    vectorized: VectorizedCorpus, plan: CurvePlan, points: Iterable[CurvePoint], source: TableSource | None = None
) -> dict[CurvePoint, Cell]:
    """The cells of some points of a curve of a corpus of the catalogue, with default parameters, or of a table, whose
    source that is; all test documents count in each."""
    corpus = vectorized.corpus
    common = {
        "corpus": corpus.name,
        "fingerprint": corpus.fingerprint,
        "learner": plan.learner,
        "grid": plan.grid,
        **{name: getattr(vectorized.options, name) for name in OPTIONS},
        "ratio": vectorized.default_ratio if plan.ratio is None else plan.ratio,
        "source": source,
    }
    whole = WITH_TERMS if vectorized.counting(ALL).every_test_document_counts else ALL
    return {
        point: Cell(
            class_name=point.class_name,
            weighting=point.weighting,
            weighting_parameters=paper_settings(point.weighting, corpus.name),
            seed=point.seed,
            sample=point.size if point.size < corpus.n_train else 0,
            documents=ALL if point.size < corpus.n_train else whole,
            **common,
        )
        for point in points
    }


def fill(curve: LearningCurve, keys: Mapping[CurvePoint, str], found: Mapping[str, Result]) -> None:
    """Enter what is known of a curve; ``keys`` name the points, ``found`` has results by key."""
    for point, key in keys.items():
        if key in found:
            curve.put(point, found[key].f1)
