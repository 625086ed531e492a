"""A formula for all classes: which short formula resembles the surface that a corpus's classes share, and is it good?

The surface is the mean of what all classes learned (``shared_surfaces``). A formula is looked for that resembles it in
many classes at once, each with its own prevalence. Then the formulas weigh documents for an SVM, beside TFRF, RF with
LTW's own dd, and LTW-U, the shared surface without what the class itself learned.

    python -m ltw_core.studies.universal_formula find --dataset ohsumed --to universal_formulas.csv
    python -m ltw_core.studies.universal_formula score --dataset ohsumed --to universal_scores.csv

The second takes the formulas that the first chose for any corpus, and goes on where its file ends.
"""

import argparse
import logging
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ltw_core.insight.likeness import DD_OF_LEARNED
from ltw_core.settings import results_dir
from ltw_core.studies.beyond import AGAINST
from ltw_core.studies.class_scores import ClassScore, score_of
from ltw_core.studies.result_files import add_tuples, fill, read_tuples
from ltw_core.studies.shared_surfaces import shared_surface, weighting_with

FORMULAS, SCORES = "universal_formulas.csv", "universal_scores.csv"
RF_TOO, SURFACE = "RF with LTW's dd", "LTW-U"
CLASSES = 24  # on whose terms a formula is to resemble the surface, of every size
KNOWN, FOUND, CHOSEN = "known", "found", "chosen"


class Candidate(NamedTuple):
    """A formula, and how like the shared surface of a corpus it is.

    ``kind``: "known" for those that have a name, "found" for those of the search, "chosen" for the one of these that is
    scored; ``lenders``: classes in the surface; ``classes``: those over which likeness and fit are means, as of
    ``SharedTarget``; ``seed``: of the search.
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
        No class lends a surface, or no formula resembles it.
    """
    from ltw_core.insight.symbolic import SharedTarget, discover
    from ltw_core.weighting import CD, surface_function

    every = vectorized.class_names
    surface, names = shared_surface(vectorized.task(every[0]), every, **settings)
    if surface is None:
        raise ValueError("no class has enough training documents and a surface that is any good")
    some = _of_every_size(names, lambda name: int(vectorized.labels_of(name)[0].sum()))
    target = SharedTarget.of(surface_function(surface, SURFACE), [vectorized.task(name) for name in some])
    front = discover(target, seed=seed, budget=budget)
    if not front.points:
        raise ValueError("no formula was found that resembles the shared surface; try another seed")
    about = len(names), len(some), seed

    def row(kind: str, formula: str, length: int, likeness: float, fit: float) -> Candidate:
        return Candidate(vectorized.corpus.name, kind, formula, length, likeness, fit, *about)

    found = [
        row(CHOSEN if k == front.knee else FOUND, point.formula, point.length, point.likeness, point.fit)
        for k, point in enumerate(front.points)
    ]
    known = [
        row(KNOWN, name, 0, target.likeness(function), target.fit(np.asarray(target.values(function), dtype=float)))
        for name, function in CD.items()
    ]
    return found + sorted(known, key=lambda one: -one.likeness)


def _of_every_size(names: Sequence[str], size: Callable[[str], int]) -> list[str]:
    """At most ``CLASSES`` of them, evenly from the largest to the smallest."""
    by_size = sorted(names, key=size, reverse=True)
    places = np.unique(np.linspace(0, len(by_size) - 1, min(CLASSES, len(by_size))).round().astype(int))
    return [by_size[place] for place in places]


def scores_of(task, formulas: Sequence[str], **settings) -> Iterator[ClassScore]:
    """How a class's documents are decided under TFRF, RF and each formula with LTW's own dd, and LTW-U."""
    from ltw_core.weighting import TermWeighting

    surface, _ = shared_surface(task, **settings)
    weightings = {AGAINST: AGAINST, RF_TOO: TermWeighting(dd=DD_OF_LEARNED, cd="RF")}
    weightings |= {text: TermWeighting(dd=DD_OF_LEARNED, cd=text) for text in formulas}
    weightings |= {} if surface is None else {SURFACE: weighting_with(surface, SURFACE)}
    for called, weighting in weightings.items():
        yield score_of(task, called, weighting)


def read_formulas(path: Path | None = None) -> list[Candidate]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / FORMULAS if path is None else path, Candidate)


def read_scores(path: Path | None = None) -> list[ClassScore]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / SCORES if path is None else path, ClassScore)


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
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    try:
        (_find if options.command == "find" else _score)(options)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


def _find(options) -> None:
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    if any(one.corpus == options.dataset for one in read_formulas(options.to)):
        raise ValueError(f"{options.to} has the formulas of {options.dataset} already: give another file")
    found = candidates(vectorize(load(options.dataset), documents="with_terms"), seed=options.seed)
    add_tuples(options.to, Candidate, found)


def _score(options) -> None:
    chosen = list(dict.fromkeys(one.formula for one in read_formulas(options.formulas) if one.kind == CHOSEN))
    if not chosen:
        raise ValueError("no formula has been chosen: `find` comes first")
    there = {one.weighting for one in read_scores(options.to) if one.corpus == options.dataset}
    if there and not there >= set(chosen):
        raise ValueError(f"{options.to} has scores of other formulas on {options.dataset}: give another file")
    names = options.classes.split(",") if options.classes else ()
    fill(options.to, ClassScore, options.dataset, lambda task: scores_of(task, chosen), names, least=1)


if __name__ == "__main__":
    sys.exit(main())
