"""What averaging training runs does: how many, mean or median, before or after σ, by validation or not, and of what.

For each class some training runs of LTW-L-I are learned once and put together in several ways, each of which weighs the
documents for an SVM. Two more groups of runs say whose chance it is that a mean removes: in one all begin with the same
surface and have classifiers on top, batches and dropout of their own; in the other it is the surfaces that differ.

    python -m ltw_core.studies.members --dataset ohsumed --to members.csv

writes a line a class and way, with counts on the test documents, and goes on where the file ends.
"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ltw_core.settings import results_dir
from ltw_core.studies.result_files import fill, read_tuples
from ltw_core.weighting.canonical import canonical_weights

FILE = "members.csv"
MEMBERS = 5
WAYS = {
    "one": "one training run",
    "mean of 2": "mean surface of two",
    "mean of 3": "mean surface of three",
    "mean of 5": "mean surface of five",
    "median of 5": "median surface of five",
    "by validation": "mean of five, weighted by F1",
    "one, σ": "one run of LTW-L-σ",
    "after σ": "mean of five LTW-L-σ, after σ",
    "before σ": "mean of five LTW-L-σ, before σ",
    "one surface": "same initial surface, one run",
    "mean, one surface": "same initial surface, mean of five",
    "one classifier": "same classifier, one run",
    "mean, one classifier": "same classifier, mean of five",
}


class MemberScore(NamedTuple):
    """F1 of a class under one way of averaging: means over runs where a way is of single ones.

    ``alike``: mean alignment of the weights of two of the runs, weighted by document frequency; nan of one.
    """

    corpus: str
    class_name: str
    way: str
    runs: int
    f1: float
    tp: float
    fp: float
    fn: float
    tn: float
    alike: float


def scores_of(task, members: int = MEMBERS, **settings) -> Iterator[MemberScore]:
    """All ways for a class.

    Parameters
    ----------
    task : BinaryTask
    members : int
    **settings
        Of ``Settings``, for every training run.
    """
    statistics = task.tpr, task.fpr, task.document_frequency
    name = task.vectorized.corpus.name, task.class_name

    def weighed(cds: list[np.ndarray], way: str, runs: np.ndarray) -> MemberScore:
        found = np.array([_counts(task, cd) for cd in cds])
        f1, *counts = found.mean(axis=0)
        return MemberScore(*name, way, len(runs), f1, *counts, _alike(runs, task.document_frequency))

    def surfaces(runs) -> np.ndarray:
        return np.array([canonical_weights(run.cd, *statistics) for run in runs])

    several = [_trained(task, seed, seed, settings) for seed in range(members)]
    each, f1 = surfaces(several), np.array([run.f1 for run in several])
    yield weighed(list(each), "one", each)
    for k in (2, 3, members):
        yield weighed([each[:k].mean(axis=0)], f"mean of {k}", each[:k])
    yield weighed([np.median(each, axis=0)], f"median of {members}", each)
    share = f1 / f1.sum() if f1.sum() > 0 else np.full(members, 1 / members)
    yield weighed([share @ each], "by validation", each)
    squashed = [_trained(task, seed, seed, {**settings, "variant": "LTW-L-sigma"}) for seed in range(members)]
    each = surfaces(squashed)
    yield weighed(list(each), "one, σ", each)
    yield weighed([each.mean(axis=0)], "after σ", each)
    logits = np.mean(
        [np.log(np.maximum(run.cd, 1e-12)) - np.log1p(-np.minimum(run.cd, 1 - 1e-7)) for run in squashed], 0
    )
    yield weighed([1 / (1 + np.exp(-logits))], "before σ", each)
    for way, seeds in (
        ("one surface", [(0, seed) for seed in range(members)]),
        ("one classifier", [(seed, 0) for seed in range(members)]),
    ):
        each = surfaces([_trained(task, *pair, settings) for pair in seeds])
        yield weighed(list(each), way, each)
        yield weighed([each.mean(axis=0)], f"mean, {way}", each)


def _trained(task, surface_seed: int, head_seed: int, settings: dict):
    """The best step of a training run whose surface begins as with one seed, and all else is as with another."""
    from ltw_core.weighting.learned import LearnedWeighting, Settings, Training, make_engine
    from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
    from ltw_core.weighting.learned.network import SURFACE_NAMES, initial_parameters

    asked = Settings(**settings, seed=head_seed)
    problem = LearnedWeighting(variant=asked.variant).problem(task.counts_train, task.y_train, task.validation)
    engine = make_engine(problem, asked)
    if surface_seed != head_seed:
        generator = RandomNumbers(surface_seed, 0, len(problem.train), asked.batch_size).initial()
        hidden = asked.hidden_units(problem.n_terms)
        other = initial_parameters(asked.network, problem.inputs, hidden, asked.hidden_dd, generator)
        engine.load_parameters(engine.parameters() | {part: other[part] for part in SURFACE_NAMES})
    return Training(problem, asked, engine).run().best


def _counts(task, cd: np.ndarray) -> tuple[float, ...]:
    """F1, tp, fp, fn, tn of an SVM with the quick grid on documents weighed with a cd and LTW's own dd."""
    from ltw_core.evaluation import evaluate
    from ltw_core.weighting import Function, TermWeighting

    at = Function(
        name="averaged", compute=lambda *_: cd, formula="", latex="", source="", note="", signed=True, supervised=True
    )
    found = evaluate(task, TermWeighting(dd="log(1+f/dl)", cd=at), "SVM", "quick", 0)
    return found.f1, found.tp, found.fp, found.fn, found.tn


def _alike(each: np.ndarray, frequency) -> float:
    """Mean cosine of the weights of two runs, each term counted as often as documents hold it."""
    if len(each) < 2:
        return float("nan")
    scaled = each * np.sqrt(np.asarray(frequency, dtype=float))
    scaled = scaled / np.maximum(np.linalg.norm(scaled, axis=1, keepdims=True), 1e-30)
    return float((scaled @ scaled.T)[np.triu_indices(len(each), 1)].mean())


def read(path: Path | None = None) -> list[MemberScore]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / FILE if path is None else path, MemberScore)


def main(arguments: list[str] | None = None) -> int:
    """Compute what a file lacks, class by class; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.members", description=__doc__.partition("\n")[0])
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--classes", default="", metavar="A,B", help="default: all with ten training documents or more")
    parser.add_argument("--to", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    names = options.classes.split(",") if options.classes else ()
    fill(options.to, MemberScore, options.dataset, scores_of, names)
    return 0


if __name__ == "__main__":
    sys.exit(main())
