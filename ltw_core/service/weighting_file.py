"""A learned weighting as a file to take along, and what can be told of one that was learned elsewhere."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from ltw_core.service.training_record import ProblemInfo
from ltw_core.storage.file_schema import Anything, Fields, FileError, Many, Text
from ltw_core.studies.cell import digest
from ltw_core.tasks import TermStatistics
from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.weighting_layout import TERMS

CHARACTERS = 2**26  # of the terms as a table, each as wide as the longest one: 256 MB
NAME = Text(1_000, least=1)  # of a class or corpus; a label of a table has 200 characters at most
NOTES = Fields(
    {
        "terms": Many(Text(1_000, without="\n"), TERMS, least=1),  # the history keeps one on a line
        "dataset": NAME,
        "dataset_title": NAME,
        "class": NAME,
        "class_title": NAME,
    },
    optional=("dataset_title", "class", "class_title"),
    others=Anything(),
)
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
    FileError
        It is something else, or damaged; the message says what is wrong.
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
    FileError
        They do not say what its terms are, or say something impossible.
    """
    notes = weighting.notes_
    if "terms" not in notes or "dataset" not in notes:
        raise FileError(
            "this weighting was learned for other terms than those of the class at hand and does not name its own; "
            "choose its dataset and class first"
        )
    NOTES.check(notes, "notes_")
    names = notes["terms"]
    if len(names) != len(weighting.cd_) or len(set(names)) < len(names):
        raise FileError(
            f"the terms in notes_ must be {len(weighting.cd_):,} different ones, as many as cd_ has weights"
        )
    if len(names) * max(map(len, names)) > CHARACTERS:
        raise FileError(f"the terms in notes_ must have at most {CHARACTERS // len(names):,} characters each")
    n = weighting.n_documents_
    terms = np.array(names)
    corpus, class_name = notes["dataset"], notes.get("class", "?")
    problem = ProblemInfo(
        fingerprint=digest(content.hex()),
        corpus=corpus,
        corpus_title=notes.get("dataset_title", corpus),
        class_name=class_name,
        class_title=notes.get("class_title", class_name),
        ratio=None,
        prevalence=weighting.prevalence_,
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
    if isinstance(value, list | tuple):  # names of inputs
        return ",".join(value)
    return value if isinstance(value, (str, int, float, type(None))) else None
