"""Does alignment with the class predict F1? Of each class's documents under some formulas, beside a study's F1.

Alignment with the class asks, without any classifier, whether its documents are alike under a weighting
(``weighting.gram``). Whether that is worth anything as a score is asked in two ways: within a class, does it rank
weightings as F1 does; and over classes, is a class with more of it easier.

    python -m ltw_core.studies.class_alignment --datasets ohsumed,20newsgroups --to class_alignment.csv
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ltw_core.evaluation import Interval, interval_over_classes
from ltw_core.settings import results_dir
from ltw_core.studies.result_files import fill, read_tuples
from ltw_core.weighting.gram import centred_gram, sample_documents, target_alignments

FILE = "class_alignment.csv"
WEIGHTINGS = ("LogTF", "LogTFIDF", "TFGR", "TFCHI", "ConfWeight", "TFRF")


class ClassAlignment(NamedTuple):
    """Alignment with a class of its training documents under a weighting."""

    corpus: str
    class_name: str
    weighting: str
    alignment: float


@dataclass(frozen=True)
class AlignmentAndF1:
    """How alignment goes with F1 on a corpus.

    Attributes
    ----------
    classes : int
    within : float
        Mean over classes of the rank correlation over weightings.
    interval : Interval or None
        Of it, over classes.
    over : dict of str to float
        By weighting the rank correlation over classes.
    """

    classes: int
    within: float
    interval: Interval | None
    over: dict[str, float]


def alignments_of(task) -> Iterator[ClassAlignment]:
    """Of a class under each of ``WEIGHTINGS``, on a sample of its training documents."""
    from ltw_core.weighting import make

    sample = sample_documents(task.y_train)
    for name in WEIGHTINGS:
        vectors = make(name).fit(task.counts_train, task.y_train).transform(task.counts_train[sample.rows])
        value = target_alignments(centred_gram(vectors)[None], sample.y)[0]
        yield ClassAlignment(task.corpus_name, task.class_name, name, float(value))


def rank_correlations(found: Sequence[ClassAlignment], f1: Mapping[tuple[str, str], float]) -> AlignmentAndF1 | None:
    """Compare alignments of one corpus with F1 by (class, weighting); None with fewer than three classes."""
    from scipy.stats import spearmanr

    there = {(a.class_name, a.weighting): a.alignment for a in found if (a.class_name, a.weighting) in f1}
    names = list(dict.fromkeys(a.weighting for a in found))
    classes = [c for c in dict.fromkeys(a.class_name for a in found) if all((c, name) in there for name in names)]
    if len(classes) < 3 or len(names) < 3:
        return None
    ours = np.array([[there[c, name] for name in names] for c in classes])
    theirs = np.array([[f1[c, name] for name in names] for c in classes])
    differing = [k for k in range(len(classes)) if np.ptp(theirs[k]) > 0 and np.ptp(ours[k]) > 0]
    within = [float(spearmanr(ours[k], theirs[k]).statistic) for k in differing]
    over = {name: float(spearmanr(ours[:, j], theirs[:, j]).statistic) for j, name in enumerate(names)}
    return AlignmentAndF1(len(within), float(np.mean(within)), interval_over_classes(within), over) if within else None


def read(path: Path | None = None) -> list[ClassAlignment]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / FILE if path is None else path, ClassAlignment)


def main(arguments: list[str] | None = None) -> int:
    """Compute what a file lacks, class by class; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.class_alignment")
    parser.add_argument("--datasets", required=True, metavar="A,B")
    parser.add_argument("--to", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    for corpus in options.datasets.split(","):
        fill(options.to, ClassAlignment, corpus, alignments_of)
    return 0


if __name__ == "__main__":
    sys.exit(main())
