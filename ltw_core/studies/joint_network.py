"""One network for all classes, against the mean of networks that each class learned alone.

The joint network has one surface over (tpr, fpr) and, for each class that it is learned on, a classifier of its own on
top. It is learned on half of a corpus's classes and weighs the documents of the others; then the halves change places.
Beside it stand the means of what the very same classes learned alone, of one training run each and of three, and TFRF.
All of them weigh for an SVM. With --networks 3 it is joint networks of three seeds, each alone and as their mean, which
says how much of the distance is that a mean of many stands beside a single training. Labels of the class that is
weighed for do not enter, but where a document has one class only, "none of the classes learned on" says something of
it.

    python -m ltw_core.studies.joint_network --dataset ohsumed --to joint_scores.csv
"""

import argparse
import logging
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ltw_core.settings import results_dir
from ltw_core.studies.beyond import AGAINST
from ltw_core.studies.class_scores import ClassScore, score_of
from ltw_core.studies.result_files import add_tuples, read_tuples
from ltw_core.studies.shared_surfaces import LENDS, RUNS, shared_surface, weighting_with

log = logging.getLogger(__name__)
FILE = "joint_scores.csv"
JOINT, MEAN, MEANS = "joint network", "mean, one run each", "mean, three runs each"
JOINTS = "mean of {} joint networks"
SEES = {"linear": "", "log": " (log)"}  # coordinates, behind the names of weightings
CLASSES_A_STEP = 4  # whose batches a step of the surface is the mean of
CHECK_EVERY, PATIENCE = 500, 6  # steps, and validations without a better mean F1
MOST_STEPS = 20_000


class JointTraining:
    """A surface that classes share, learned with Adam as one class's is, each step from batches of a few classes.

    Parameters
    ----------
    problems : sequence of Problem
        One a class.
    settings : Settings
        Of a local variant; its seed draws the surface's first weights, which classes come when, and all else.
    classes_a_step : int

    Attributes
    ----------
    best : dict of ndarray
        W1, b1, W2, b2 at the validation with the highest mean F1.
    history : list of (step, mean loss, mean validation F1 over the classes)
    """

    def __init__(self, problems: Sequence, settings, classes_a_step: int = CLASSES_A_STEP):
        import torch

        from ltw_core.weighting.learned.engines.reference import ReferenceEngine
        from ltw_core.weighting.learned.network import SURFACE_NAMES

        self.engines = [
            ReferenceEngine(problem, replace(settings, seed=settings.seed * 1_000 + k))
            for k, problem in enumerate(problems)
        ]
        self.surface = {name: self.engines[0].p[name] for name in SURFACE_NAMES}
        for engine in self.engines:
            engine.p |= self.surface
        by = settings.adam()
        adam = lambda moved: torch.optim.Adam(moved, lr=by.rate, betas=(by.beta1, by.beta2), eps=by.epsilon)  # noqa: E731
        self._adam = adam(list(self.surface.values()))
        heads = [[part for name, part in engine.p.items() if name not in self.surface] for engine in self.engines]
        self._heads = [adam(head) for head in heads]
        self._draw = np.random.default_rng(settings.seed)
        self._each = min(classes_a_step, len(self.engines))
        self.step, self.history, self.best = 0, [], {}

    def run(self, most_steps: int = MOST_STEPS, check_every: int = CHECK_EVERY, patience: int = PATIENCE):
        """Train until the mean validation F1 has not become better for some validations; returns itself."""
        best, waited = -1.0, 0
        while self.step < most_steps and waited < patience:
            steps = min(check_every, most_steps - self.step)
            loss = float(np.mean([self._advance() for _ in range(steps)]))
            f1 = self._validation_f1()
            self.history.append((self.step, loss, f1))
            log.info("step %d: loss %.4f, validation F1 %.4f", self.step, loss, f1)
            waited = 0 if f1 > best else waited + 1
            if f1 > best:
                best = f1
                self.best = {name: part.detach().cpu().numpy().copy() for name, part in self.surface.items()}
        return self

    def _advance(self) -> float:
        """One step: the surface follows the mean gradient of some classes, each one's classifier its own."""
        chosen, losses = self._draw.choice(len(self.engines), self._each, replace=False), []
        gradients = {name: 0.0 for name in self.surface}
        for k in chosen:
            engine = self.engines[k]
            losses.append(float(engine.loss(engine.rows_of_step()).detach()))
            engine.step += 1
            for name, part in self.surface.items():
                gradients[name] = gradients[name] + part.grad / self._each
            self._heads[k].step()
        for name, part in self.surface.items():
            part.grad = gradients[name]
        self._adam.step()
        self.step += 1
        return float(np.mean(losses))

    def _validation_f1(self) -> float:
        from ltw_core.metrics import contingency

        each = [contingency(e.problem.validation.y, e.validation_logits() > 0).f1 for e in self.engines]
        return float(np.mean(each))


def joint_surface(tasks: Sequence, *, seeds: Sequence[int] = (0,), settings: dict | None = None, **how):
    """The surface of a joint network, learned on some tasks, or the mean of several, as an ``Ensemble``.

    Parameters
    ----------
    tasks : sequence of BinaryTask
    seeds : sequence of int
        One a network; the mean is of the surfaces in canonical form on the terms of all tasks.
    settings : dict, optional
        Of ``Settings``: what makes the network and its steps; when it ends is up to ``how``.
    **how
        Of ``JointTraining.run``.
    """
    from ltw_core.weighting.learned import LearnedWeighting, Settings
    from ltw_core.weighting.learned.ensemble import Ensemble, coefficients, stacked
    from ltw_core.weighting.learned.network import cd_of_inputs

    asked = Settings(**(settings or {}))
    make = LearnedWeighting(variant=asked.variant, coordinates=asked.coordinates).problem
    problems = [make(task.counts_train, task.y_train, task.validation) for task in tasks]
    networks = [JointTraining(problems, replace(asked, seed=seed)).run(**how).best for seed in seeds]
    seen = asked.seen(tasks[0].prevalence, tasks[0].n_documents)
    tpr, fpr, frequency = (
        np.concatenate([getattr(task, name) for task in tasks]) for name in ("tpr", "fpr", "document_frequency")
    )
    cds = [cd_of_inputs(network, seen.of(tpr, fpr), asked.network.sigmoid) for network in networks]
    return Ensemble(stacked(networks), coefficients(cds, (tpr, fpr, frequency)), asked.network.sigmoid, seen)


def halves(vectorized) -> list[tuple[list[str], list[str]]]:
    """(classes to learn on, classes to weigh for), twice: those with enough documents in turn by size, all smaller ones
    in the first pair's second part.

    Raises
    ------
    ValueError
        There are not two classes with enough training documents.
    """
    least = LENDS["min_documents"]
    size = {name: int(vectorized.labels_of(name)[0].sum()) for name in vectorized.class_names}
    lend = sorted((name for name in size if size[name] >= least), key=lambda name: -size[name])
    if len(lend) < 2:
        raise ValueError(f"a joint network takes two classes with {least} training documents at least")
    even, odd = lend[::2], lend[1::2]
    rest = [name for name in size if 0 < size[name] < least]
    return [(even, odd + rest), (odd, even)]


def scores(
    vectorized, *, settings: dict | None = None, without: Collection[str] = (), networks: int = 1, **how
) -> Iterator[list[ClassScore]]:
    """Each class's test documents under TFRF, the joint network and both means, class by class.

    With several joint networks: under each of them and under their mean, and no other.

    All learn on the same classes, those of a half that lend a surface as of LTW-U, from seed 0 on.

    Parameters
    ----------
    vectorized : VectorizedCorpus
    settings : dict, optional
        Of each training run, see ``LearnedWeighting``; the joint network is made by the same, and ends by ``how``.
    without : collection of str
        Classes that need none; a half with no others is left out.
    networks : int
        Joint networks, of seeds 0 and those that follow.
    **how
        Of ``JointTraining.run``.
    """
    given = settings or {}
    sees = SEES[given.get("coordinates", "linear")]
    for half, others in halves(vectorized):
        weighed_for = [name for name in others if name not in without]
        if not weighed_for:
            continue
        # who lends is who lends to LTW-U, with as many runs of each
        several, learned_on = shared_surface(vectorized.task(half[0]), half, RUNS, **given)
        if several is None:
            raise ValueError("no class of a half has a surface that is any good")
        tasks = [vectorized.task(name) for name in learned_on]
        made = joint_surface(tasks, seeds=range(networks), settings=given, **how)
        if networks == 1:
            one, _ = shared_surface(vectorized.task(half[0]), learned_on, 1, **given)
            weightings, surfaces = {AGAINST: AGAINST}, {JOINT: made, MEAN: one, MEANS: several}
        else:
            weightings, surfaces = {}, {f"{JOINT}, seed {seed}": _one_of(made, seed) for seed in range(networks)}
            surfaces[JOINTS.format(networks)] = made
        for way, surface in surfaces.items():
            if surface is not None:
                weightings[way + sees] = weighting_with(surface, way)
        for name in weighed_for:
            task = vectorized.task(name)
            yield [score_of(task, called, weighting) for called, weighting in weightings.items()]


def _one_of(surface, member: int):
    """A mean's one member by itself."""
    parameters = {name: part[member : member + 1] for name, part in surface.parameters.items()}
    return replace(surface, parameters=parameters, coefficients=surface.coefficients[[member, -1]])


def read(path: Path | None = None) -> list[ClassScore]:
    """What a file holds, by default the one that ships; [] where there is none."""
    return read_tuples(results_dir() / FILE if path is None else path, ClassScore)


def main(arguments: list[str] | None = None) -> int:
    """Learn on each half of a corpus and add to a file the scores that it lacks; returns the exit status."""
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    about = __doc__.partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m ltw_core.studies.joint_network", description=about)
    parser.add_argument("--dataset", required=True)
    parser.add_argument("--coordinates", default="linear", choices=list(SEES), help="of all three")
    parser.add_argument("--networks", default=1, type=int, help="joint networks, whose mean is taken")
    parser.add_argument("--to", type=Path, required=True, metavar="FILE")
    options = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    settings = {} if options.coordinates == "linear" else {"coordinates": options.coordinates}
    way = JOINT if options.networks == 1 else JOINTS.format(options.networks)
    asked = options.dataset, way + SEES[options.coordinates]
    try:
        there = {one.class_name for one in read(options.to) if (one.corpus, one.weighting) == asked}
        vectorized = vectorize(load(options.dataset), documents="with_terms")
        for rows in scores(vectorized, settings=settings, without=there, networks=options.networks):
            add_tuples(options.to, ClassScore, rows)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
