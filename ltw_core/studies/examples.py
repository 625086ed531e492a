"""The learned weightings that ship with the project: reading them, and the script that makes them.

Each is a file of ``LearnedWeighting.save`` in ``data/examples/`` whose notes say where it comes from and name its
terms: numbers and single words, no running text. ``index.json`` lists them, so that a first page opens only one. Those
of LTW-L-I have a second file, with snapshots of their training. LTW-TF is there for the classes of the paper's figures.

    python -m ltw_core.studies.examples            (needs the archives of the three published corpora)
"""

import argparse
import importlib.metadata
import json
import logging
import platform
import time
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ltw_core.settings import examples_dir, why_not_shipped
from ltw_core.studies.cell import LIBRARIES
from ltw_core.weighting.learned import LearnedWeighting, snapshots
from ltw_core.weighting.learned.snapshots import Snapshot

log = logging.getLogger(__name__)

CHOSEN = (  # a class of every corpus; the first three are those of the paper's figures
    ("reuters21578", "earn"),
    ("20newsgroups", "misc.forsale"),
    ("ohsumed", "C08"),
    ("pydocs", "scipy.stats"),
    ("synthetic", "relevant"),
)
PAPER = CHOSEN[:3]
SHIPPED = (
    *((*chosen, variant) for chosen in CHOSEN for variant in ("LTW-L-I", "LTW-L-sigma")),
    *((*chosen, "LTW-TF") for chosen in PAPER),
)
WITH_SNAPSHOTS = "LTW-L-I"


@dataclass(frozen=True)
class ExampleInfo:
    """What the index says of an example.

    Attributes
    ----------
    name : str
        Its file's name without ending.
    corpus, corpus_title, class_name, class_title, variant : str
    seed, steps, n_terms, n_documents : int
    prevalence : float
    seconds : float
        Training time on one core of the machine that made it.
    validation_f1, test_f1 : float
        F1 of the training network on validation, and of ``learner`` on the test documents with a known term.
    learner, made, versions : str
        Classifier and grid behind ``test_f1``; date; versions of the libraries.
    """

    name: str
    corpus: str
    corpus_title: str
    class_name: str
    class_title: str
    variant: str
    seed: int
    steps: int
    n_terms: int
    n_documents: int
    prevalence: float
    seconds: float
    validation_f1: float
    test_f1: float
    learner: str
    made: str
    versions: str


@dataclass(frozen=True, eq=False)
class Example:
    """A shipped weighting with its terms.

    Attributes
    ----------
    info : ExampleInfo
    weighting : LearnedWeighting
    terms : ndarray of str, shape (terms,)
    """

    info: ExampleInfo
    weighting: LearnedWeighting
    terms: np.ndarray


@lru_cache(maxsize=1)
def examples() -> tuple[ExampleInfo, ...]:
    """All examples that ship with the project, in the order of the paper's figures; empty where there are none."""
    path = examples_dir() / "index.json"
    if not path.is_file():
        return ()
    return tuple(ExampleInfo(**row) for row in json.loads(path.read_text(encoding="utf-8")))


def find_example(corpus: str, class_name: str, variant: str | None = None) -> ExampleInfo | None:
    """The example of a class, or None."""
    for info in examples():
        if (info.corpus, info.class_name) == (corpus, class_name) and variant in (None, info.variant):
            return info
    return None


@lru_cache(maxsize=32)
def load_example(name: str) -> Example:
    """Read an example; treat it as immutable, it is shared.

    Raises
    ------
    ValueError
        No example has this name, or its file is damaged.
    """
    info = next((i for i in examples() if i.name == name), None)
    if info is None:
        there = ", ".join(i.name for i in examples()) or "none"
        raise ValueError(f"there is no example {name!r}; there are {there}{why_not_shipped()}")
    try:
        weighting = LearnedWeighting.load(examples_dir() / f"{name}.safetensors")
    except FileNotFoundError as error:
        raise ValueError(f"the file of the example {name} is missing; restore data/examples") from error
    return Example(info, weighting, np.array(weighting.notes_["terms"], dtype=object))


@lru_cache(maxsize=8)
def load_snapshots(name: str) -> tuple[Snapshot, ...]:
    """Snapshots of an example's training, earliest first; none where none ship."""
    try:
        return tuple(snapshots.read(examples_dir() / f"{name}.snapshots"))
    except FileNotFoundError:
        return ()


def make_example(corpus: str, class_name: str, variant: str, *, seed: int, folder: Path) -> ExampleInfo:
    """Learn one weighting, evaluate it, and write its file."""
    from ltw_core.corpora import load
    from ltw_core.evaluation import evaluate
    from ltw_core.tasks import vectorize

    task = vectorize(load(corpus), documents="with_terms").task(class_name)  # as those that were made before
    weighting = LearnedWeighting(variant=variant, random_state=seed)
    taken: list[Snapshot] = []

    def on_event(event) -> None:
        if variant == WITH_SNAPSHOTS:
            taken.append(Snapshot(event.step, event.loss, event.validation_f1, event.parameters, event.squash))

    weighting.fit(task.counts_train, task.y_train, validation=task.validation, on_event=on_event)
    result = evaluate(task, weighting, learner="SVM", grid="full", seed=seed)
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    info = ExampleInfo(
        name=f"{corpus}-{class_name}-{variant}",
        corpus=corpus,
        corpus_title=task.vectorized.corpus.title,
        class_name=class_name,
        class_title=task.class_title,
        variant=variant,
        seed=seed,
        steps=weighting.steps_,
        n_terms=len(task.terms),
        n_documents=task.n_documents,
        prevalence=task.prevalence,
        seconds=round(weighting.seconds_, 2),
        validation_f1=round(weighting.best_f1_, 4),
        test_f1=round(result.f1, 4),
        learner="SVM, full grid",
        made=time.strftime("%Y-%m-%d"),
        versions=f"Python {platform.python_version()}, {versions}",
    )
    notes = asdict(info) | {"terms": [str(term) for term in task.terms]}
    weighting.save(folder / f"{info.name}.safetensors", notes=notes)
    if taken:
        best = [k for k, snapshot in enumerate(taken) if snapshot.step == weighting.best_step_]
        kept = snapshots.thinned(len(taken), keep=tuple(best))
        snapshots.write(folder / f"{info.name}.snapshots", [taken[k] for k in kept])
    log.info("%s: %d steps, validation F1 %.3f, test F1 %.3f", info.name, info.steps, info.validation_f1, info.test_f1)
    return info


def main(arguments=None) -> None:
    """Learn all shipped examples and write them with their index; the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.examples", description=__doc__.split("\n")[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, default=examples_dir())
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    options.folder.mkdir(parents=True, exist_ok=True)
    made = [make_example(*of, seed=options.seed, folder=options.folder) for of in SHIPPED]
    index = json.dumps([asdict(info) for info in made], indent=1, ensure_ascii=False)
    (options.folder / "index.json").write_text(index + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
