"""What was found out about the paper's figures and differences from them, by hand in ``data/results/reasons.json``.

Leaves out which finding explains which place of a table (``reasons``).
"""

from functools import lru_cache

from ltw_core.studies.result_files import readable, shipped_json

FILE = "reasons.json"


@lru_cache(maxsize=1)
def findings() -> dict:
    """The whole file: ``reasons`` and ``other_documents``. Shared: not to be changed.

    Raises
    ------
    ValueError
        The file is missing or damaged.
    """
    with readable("the reasons for differences from the paper"):
        return shipped_json(FILE)


def other_documents() -> dict[str, dict]:
    """Content that is not the paper's though the corpus is called the same: by fingerprint ``corpus`` and ``text``."""
    return findings()["other_documents"]


def known_of_paper(place) -> str:
    """What is known of how a figure of the paper came about, in a sentence; "" for nothing.

    Parameters
    ----------
    place : with ``corpus``, ``weighting`` and ``learner``
    """
    for known in findings()["known"]:
        if all(getattr(place, name) in values for name, values in known["where"].items()):
            return known["text"]
    return ""


def december() -> dict:
    """What the history of the authors' code says of F1 in classes without test documents: ``weightings`` that it had
    while F1 was 1 there whatever was predicted, those ``later``, and ``text``."""
    return findings()["december"]
