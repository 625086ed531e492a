"""Ten training runs a class, for the paper's figures of convergence and of learned frequencies.

They lie in ``data/results/ten_runs.json``: of the classes of ``examples.PAPER`` the course of each run, and of LTW-TF
what it learned an occurrence to count. Made by ``python -m ltw_core.studies.ten_runs``, which goes on where it was.
Leaves out the weightings themselves (``examples`` has one of each).
"""

import argparse
import importlib.metadata
import json
import platform
import sys
import time
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from ltw_core.settings import results_dir
from ltw_core.studies.examples import PAPER
from ltw_core.studies.result_files import readable, shipped_json
from ltw_core.studies.results import hardware

FILE = "ten_runs.json"
VARIANTS = ("LTW-L-I", "LTW-TF")
SEEDS = 10
FREQUENCIES = 51  # 0 to 50
LIBRARIES = ("numpy", "numba", "scikit-learn")


@dataclass(frozen=True)
class TrainingCourse:
    """How one training run went.

    Attributes
    ----------
    corpus, class_name, variant : str
    seed : int
    steps, best_step : int
        At its end, and at the validation whose parameters were kept.
    best_f1 : float
        Validation F1 there.
    stop_code : str
        As ``LearnedWeighting.stop_code_``: "patience" where 20 validations brought nothing better.
    seconds : float
    history : list of [step, loss, validation F1]
    dd : list of float
        Of LTW-TF: what 0, 1, 2, … occurrences count; else empty.
    """

    corpus: str
    class_name: str
    variant: str
    seed: int
    steps: int
    best_step: int
    best_f1: float
    stop_code: str
    seconds: float
    history: list[list[float]]
    dd: list[float]


@lru_cache(maxsize=1)
def shipped() -> tuple[dict, list[TrainingCourse]]:
    """What the file says of itself (``made``, ``versions``, ``hardware``), and its runs. Shared: not to be changed.

    Raises
    ------
    ValueError
        It is missing or damaged.
    """
    with readable("the runs of the paper's figures"):
        found = shipped_json(FILE)
        about = {name: found[name] for name in ("made", "versions", "hardware")}
        return about, [TrainingCourse(**run) for run in found["runs"]]


def courses(corpus: str, class_name: str, variant: str) -> list[TrainingCourse]:
    """The runs of one class, by seed."""
    _, runs = shipped()
    wanted = (corpus, class_name, variant)
    return sorted((r for r in runs if (r.corpus, r.class_name, r.variant) == wanted), key=lambda run: run.seed)


def train(task, variant: str, seed: int) -> TrainingCourse:
    """Learn a class's weighting once and keep how it went."""
    from ltw_core.weighting import LearnedWeighting

    learned = LearnedWeighting(variant=variant, random_state=seed)
    learned.fit(task.counts_train, task.y_train, validation=task.validation)
    dd = getattr(learned, "dd_", None)
    return TrainingCourse(
        task.corpus_name,
        task.class_name,
        variant,
        seed,
        learned.steps_,
        learned.best_step_,
        round(float(learned.best_f1_), 4),
        learned.stop_code_,
        round(learned.seconds_, 2),
        [[int(step), round(float(loss), 4), round(float(f1), 4)] for step, loss, f1 in learned.history_],
        [] if dd is None else [round(float(value), 4) for value in dd[:FREQUENCIES]],
    )


def main(arguments=None) -> None:
    """Train what the file lacks; the command line of this module."""
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.ten_runs", description=__doc__.split("\n")[0])
    parser.add_argument("--to", type=Path, default=results_dir(), metavar="FOLDER", help="of results")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--hardware", metavar="TEXT", default=hardware(), help="what trains them, in words")
    options = parser.parse_args(arguments)
    path = options.to / FILE
    runs = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.is_file() else []
    there = {(r["corpus"], r["class_name"], r["variant"], r["seed"]) for r in runs}
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in LIBRARIES)
    about = {
        "made": time.strftime("%Y-%m-%d"),
        "versions": f"Python {platform.python_version()}, {versions}",
        "hardware": options.hardware,
    }
    for corpus, class_name in PAPER:
        task = None
        for variant in VARIANTS:
            for seed in range(options.seeds):
                if (corpus, class_name, variant, seed) in there:
                    continue
                if task is None:
                    task = vectorize(load(corpus), documents="with_terms").task(class_name)
                course = train(task, variant, seed)
                runs.append(asdict(course))
                lines = ",\n".join(json.dumps(run, separators=(",", ":")) for run in runs)
                path.write_text(f'{json.dumps(about)[:-1]}, "runs": [\n{lines}\n]}}\n', encoding="utf-8")
                sys.stderr.write(f"{corpus} {class_name} {variant} {seed}: {course.steps} steps, {course.seconds} s\n")


if __name__ == "__main__":
    main()
