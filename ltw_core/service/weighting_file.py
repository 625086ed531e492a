"""A learned weighting as a file to take along, and what can be told of one that was learned elsewhere."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ltw_core.service.training_record import ProblemInfo
from ltw_core.studies.cell import digest
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.learned import LearnedWeighting

NOT_SETTINGS = ("variant", "random_state", "engine", "device", "split_seed")  # parameters that the paper has not


def to_bytes(weighting: LearnedWeighting, notes: dict | None = None) -> bytes:
    """A learned weighting as the file that ``LearnedWeighting.load`` reads."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weighting.safetensors"
        weighting.save(path, notes=notes)
        return path.read_bytes()


def from_bytes(content: bytes) -> LearnedWeighting:
    """Inverse of ``to_bytes``.

    Raises
    ------
    ValueError
        It is something else; the message says so.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "weighting.safetensors"
        path.write_bytes(content)
        return LearnedWeighting.load(path)


def notes_for(problem: ProblemInfo, parameters: dict[str, Any], terms: TermStatistics) -> dict[str, Any]:
    """What travels with a weighting's file, so that it can be read elsewhere."""
    return {
        "dataset": problem.corpus,
        "dataset_title": problem.corpus_title,
        "class": problem.class_name,
        "class_title": problem.class_title,
        "seed": parameters["random_state"],
        "settings": {name: value for name, value in parameters.items() if value is not None},
        "terms": [str(term) for term in terms.terms],
        "made": time.strftime("%Y-%m-%d"),
    }


def problem_of(weighting: LearnedWeighting, content: bytes) -> tuple[ProblemInfo, TermStatistics]:
    """What a weighting was learned on, by its file's notes.

    Raises
    ------
    ValueError
        It does not say what its terms are.
    """
    notes = weighting.notes_ or {}
    names = notes.get("terms")
    if not isinstance(names, list) or len(names) != len(weighting.cd_) or not notes.get("dataset"):
        raise ValueError(
            "this weighting was learned for other terms than those of the class at hand and does not name its own; "
            "choose its dataset and class first"
        )
    n = int(weighting.n_documents_)
    terms = np.array([str(name) for name in names])
    corpus, class_name = str(notes["dataset"]), str(notes.get("class", "?"))
    problem = ProblemInfo(
        fingerprint=digest(content.hex()),
        corpus=corpus,
        corpus_title=str(notes.get("dataset_title", corpus)),
        class_name=class_name,
        class_title=str(notes.get("class_title", class_name)),
        ratio=None,
        prevalence=float(weighting.prevalence_),
        n_documents=n,
        n_terms=len(names),
    )
    return problem, TermStatistics.of_rates(terms, weighting.tpr_, weighting.fpr_, weighting.prevalence_, n)


def parameters_of(weighting: LearnedWeighting) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters of a weighting, and those that are not the paper's."""
    parameters = {name: _plain(value) for name, value in weighting.get_params().items()}
    parameters["random_state"] = int(weighting.seed_)
    paper = {name: _plain(value) for name, value in LearnedWeighting().get_params().items()}
    changed = {name: value for name, value in parameters.items() if name not in NOT_SETTINGS and value != paper[name]}
    return parameters, changed


def _plain(value):
    """A NumPy scalar as Python's; a random state, which JSON cannot hold, as None."""
    if isinstance(value, np.generic):
        return value.item()
    return value if isinstance(value, (str, int, float, type(None))) else None
