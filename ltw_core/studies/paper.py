"""The paper's own figures: its two result tables, from which its significance table can be made again.

They lie in ``data/results/paper.csv``: macro and micro F1 of every weighting with every learner on every corpus, and
those of LTW-TF. FT is fastText's classifier on its own vectors, so it stands in the row Dense alone.

References
----------
A. Moreo, A. Esuli, F. Sebastiani: *Learning to Weight for Text Classification*. IEEE Transactions on Knowledge and Data
Engineering 32(2):302–316, 2020, tables of macro and micro F1.
"""

import csv
from functools import lru_cache

from ltw_core.settings import results_dir
from ltw_core.studies.result_files import readable

FILE = "paper.csv"
DATASETS = ("reuters21578", "20newsgroups", "ohsumed")
LEARNERS = ("SVM", "LR", "MNB", "KNN", "RF")  # of the 15 pairs that the paper's tests rest on


@lru_cache(maxsize=1)
def values() -> dict[str, dict[str, dict[tuple[str, str], float]]]:
    """F1 by measure, weighting and ⟨corpus, learner⟩. Shared: not to be changed.

    Raises
    ------
    ValueError
        The file is missing or damaged.
    """
    found: dict = {}
    with readable("the paper's figures"), (results_dir() / FILE).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            of_weighting = found.setdefault(row["measure"], {}).setdefault(row["weighting"], {})
            of_weighting[row["dataset"], row["learner"]] = float(row["value"])
    return found


def weightings() -> list[str]:
    """Names in the order of the paper's tables."""
    return list(next(iter(values().values()), {}))
