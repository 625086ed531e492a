"""A formula for all classes: what short formula is the surface like that the classes of a corpus share, and is it good?

The surface is the mean of what all classes learned, as of LTW-U, each class's own among them: it is read here, and no
class is said to do without its own. A formula is looked for that is like it in many classes at once, each with its own
prevalence. Then it weighs documents for an SVM, beside TFRF and the surface itself.

    python -m ltw_core.studies.universal_formula find --dataset ohsumed --to universal_formulas.csv
    python -m ltw_core.studies.universal_formula score --dataset ohsumed --to universal_scores.csv

The second takes the formulas that the first chose for any corpus, and goes on where its file ends.
"""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ltw_core.evaluation import Difference, difference_over_classes
from ltw_core.settings import results_dir
from ltw_core.studies.result_files import fill, read_tuples, write_rows

FORMULAS, SCORES = "universal_formulas.csv", "universal_scores.csv"
AGAINST, SURFACE = "TFRF", "shared surface"
DD = "log(1+f/dl)"  # LTW's
RUNS = 3  # of each class, and what a class must have to take part: as of LTW-U
LENDS = {"min_documents": 20, "min_f1": 0.5}
CLASSES = 24  # on whose terms a formula is to be like the surface, of every size
KNOWN, FOUND, CHOSEN = "known", "found", "chosen"


class Candidate(NamedTuple):
    """A formula, and how like the shared surface of a corpus it is.

    ``kind``: "known" for those that have a name, "found" for those of the search, "chosen" for the one of these that is
    scored; ``lenders``: classes in the surface; ``classes``: those in whose terms and documents likeness and fit are
    means, as of ``SharedTarget``; ``seed``: of the search.
    """

    corpus: str
    kind: str
    formula: str
    length: int
    likeness: float
    fit: float
    lenders: int
    classes: int
    seed: int


class UniversalScore(NamedTuple):
    """Decisions of an SVM (quick grid) on a class's test documents. ``weighting``: a formula with LTW's own dd,
    "TFRF", or "shared surface"."""

    corpus: str
    class_name: str
    weighting: str
    f1: float
    tp: int
    fp: int
    fn: int
    tn: int


def shared_surface(task, among: Collection[str] | None = None, **settings):
    """The mean surface of the classes of a task's corpus, or of some of them, and the names of those that lend it; None
    and none where no class does."""
    from ltw_core.weighting.learned import LearnedWeighting
    from ltw_core.weighting.learned.other_classes import lent

    runs = LearnedWeighting(n_members=RUNS, **settings).members()
    names = task.vectorized.class_names if among is None else among
    return lent(task, runs[0], [run.random_state for run in runs], among=names, **LENDS)


def candidates(vectorized, *, seed: int = 0, budget=None, **settings) -> list[Candidate]:
    """The formulas that a search finds for a corpus's shared surface, by length, and the known ones.

    Parameters
    ----------
    vectorized : VectorizedCorpus
    seed : int
    budget : Budget, optional
    **settings
        Of each class's training runs.

    Raises
    ------
    ValueError
        No class lends a surface.
    """
    from ltw_core.insight.symbolic import SharedTarget, discover
    from ltw_core.weighting import CD

    surface, names = shared_surface(vectorized.task(vectorized.class_names[0]), **settings)
    if surface is None:
        raise ValueError("no class has enough training documents and a surface that is any good")
    some = _of_every_size(names, lambda name: int(vectorized.labels_of(name)[0].sum()))
    target = SharedTarget.of(surface.surface, [vectorized.task(name) for name in some])
    front = discover(target, seed=seed, budget=budget)
    about = len(names), len(some), seed

    def row(kind: str, formula: str, length: int, likeness: float, fit: float) -> Candidate:
        return Candidate(vectorized.corpus.name, kind, formula, length, likeness, fit, *about)

    found = [row(CHOSEN if k == front.knee else FOUND, *point) for k, point in enumerate(map(_plain, front.points))]
    known = [
        row(KNOWN, name, 0, target.likeness(function), target.fit(np.asarray(target.values(function), dtype=float)))
        for name, function in CD.items()
    ]
    return found + sorted(known, key=lambda one: -one.likeness)


def _plain(point) -> tuple:
    return point.formula, point.length, point.likeness, point.fit


def _of_every_size(names: Sequence[str], size: Callable[[str], int]) -> list[str]:
    """At most ``CLASSES`` of them, evenly from the largest to the smallest."""
    by_size = sorted(names, key=size, reverse=True)
    places = np.unique(np.linspace(0, len(by_size) - 1, min(CLASSES, len(by_size))).round().astype(int))
    return [by_size[place] for place in places]


def scores_of(task, formulas: Sequence[str], **settings) -> Iterator[UniversalScore]:
    """How a class's documents are decided under each formula, TFRF and the shared surface."""
    from ltw_core.weighting import TermWeighting

    surface, _ = shared_surface(task, **settings)
    weightings = {AGAINST: AGAINST} | {text: TermWeighting(dd=DD, cd=text) for text in formulas}
    weightings |= {} if surface is None else {SURFACE: with_surface(SURFACE, surface)}
    for called, weighting in weightings.items():
        yield counted(task, called, weighting)


def with_surface(called: str, surface):
    """An ``Ensemble`` as a weighting of any class, with LTW's own dd."""
    from ltw_core.weighting import Function, TermWeighting

    cd = lambda tpr, fpr, p, n: surface.surface(tpr, fpr)  # noqa: E731
    told = {"formula": "", "latex": "", "source": "", "note": ""}
    return TermWeighting(dd=DD, cd=Function(name=called, compute=cd, signed=True, supervised=True, **told))


def counted(task, called: str, weighting) -> UniversalScore:
    """What an SVM (quick grid) decides of a class's test documents under a weighting."""
    from ltw_core.evaluation import evaluate

    found = evaluate(task, weighting, "SVM", "quick", 0)
    counts = map(int, (found.tp, found.fp, found.fn, found.tn))
    return UniversalScore(task.vectorized.corpus.name, task.class_name, called, found.f1, *counts)


class Compared(NamedTuple):
    """A weighting on a corpus: macro F1 over classes, and what it has more than another's, a paired difference."""

    corpus: str
    weighting: str
    classes: int
    macro_f1: float
    less: Difference | None


def compared(scores: Sequence[UniversalScore], against: str = AGAINST) -> list[Compared]:
    """Each weighting on each corpus, over the classes that all of a corpus's weightings have, and compared with one of
    them; the best first."""
    rows = []
    for corpus in dict.fromkeys(score.corpus for score in scores):
        f1: dict[str, dict[str, float]] = {}
        for score in scores:
            if score.corpus == corpus:
                f1.setdefault(score.weighting, {})[score.class_name] = score.f1
        shared = [name for name in next(iter(f1.values())) if all(name in of for of in f1.values())]
        each = {weighting: np.array([of[name] for name in shared]) for weighting, of in f1.items()}
        made = [
            Compared(
                corpus,
                weighting,
                len(shared),
                float(values.mean()),
                difference_over_classes(values, each[against]) if weighting != against else None,
            )
            for weighting, values in each.items()
            if shared and against in each
        ]
        rows += sorted(made, key=lambda row: -row.macro_f1)
    return rows


def read_formulas(path: Path | None = None) -> list[Candidate]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / FORMULAS if path is None else path, Candidate)


def read_scores(path: Path | None = None) -> list[UniversalScore]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / SCORES if path is None else path, UniversalScore)


def main(arguments: list[str] | None = None) -> int:
    """Find or score formulas; returns the exit status."""
    about = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.universal_formula", description=about)
    commands = parser.add_subparsers(required=True, dest="command")
    for name in ("find", "score"):
        command = commands.add_parser(name)
        command.add_argument("--dataset", required=True)
        command.add_argument("--to", type=Path, required=True, metavar="FILE")
    commands.choices["find"].add_argument("--seed", type=int, default=0)
    commands.choices["score"].add_argument("--formulas", type=Path, metavar="FILE", help="default: what ships")
    commands.choices["score"].add_argument("--classes", default="", metavar="A,B", help="default: all")
    options = parser.parse_args(arguments)
    (_find if options.command == "find" else _score)(options)
    return 0


def _find(options) -> None:
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    found = candidates(vectorize(load(options.dataset), documents="with_terms"), seed=options.seed)
    rows = [[f"{value:.4g}" if isinstance(value, float) else value for value in row] for row in found]
    write_rows(options.to, Candidate._fields, rows, "a")


def _score(options) -> None:
    chosen = dict.fromkeys(one.formula for one in read_formulas(options.formulas) if one.kind == CHOSEN)
    if not chosen:
        raise SystemExit("no formula has been chosen: `find` comes first")
    names = options.classes.split(",") if options.classes else ()
    fill(options.to, UniversalScore, options.dataset, lambda task: scores_of(task, list(chosen)), names, least=1)


if __name__ == "__main__":
    sys.exit(main())
