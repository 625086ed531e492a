"""The joint network: of one class it is the reference engine's training, of several it moves as it says."""

import functools
from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.studies import joint_network, shared_surfaces
from ltw_core.studies.class_scores import ClassScore
from ltw_core.studies.joint_network import JOINT, JOINTS, MEAN, MEANS, JointTraining
from ltw_core.studies.result_files import add_tuples
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Settings
from ltw_core.weighting.learned.engines.reference import ReferenceEngine

TINY = dict(hidden=8, batch_size=32)


@pytest.fixture(scope="module")
def vectorized():
    return vectorize(load("synthetic", documents=160))


@pytest.fixture(scope="module")
def problems(vectorized):
    tasks = [vectorized.task(name) for name in vectorized.class_names[:2]]
    return [LearnedWeighting().problem(task.counts_train, task.y_train, task.validation) for task in tasks]


def test_of_one_class_it_is_that_classs_training(problems):
    settings = Settings(**TINY, dtype="float64")
    joint = JointTraining(problems[:1], settings).run(most_steps=12, check_every=12)
    alone = ReferenceEngine(problems[0], settings)
    loss = alone.advance(12)
    for name, part in alone.parameters().items():
        np.testing.assert_allclose(joint.engines[0].parameters()[name], part, rtol=1e-10, atol=1e-13)
    assert joint.history[0][:2] == (12, pytest.approx(loss))
    np.testing.assert_array_equal(joint.best["W1"], alone.parameters()["W1"].astype(joint.best["W1"].dtype))


def test_classes_share_the_surface_and_each_has_its_classifier(problems):
    joint = JointTraining([*problems, problems[0]], Settings(**TINY, seed=3), classes_a_step=2)
    before = [engine.parameters() for engine in joint.engines]
    alone = []
    for engine in joint.engines:  # gradients of each, at the same step
        engine.loss(engine.rows_of_step())
        alone.append({name: engine.p[name].grad.clone() for name in joint.surface})
    joint._advance()
    after = [engine.parameters() for engine in joint.engines]
    moved = [not np.array_equal(old["W3"], new["W3"]) for old, new in zip(before, after, strict=True)]
    assert sum(moved) == 2 and [engine.step for engine in joint.engines] == [int(one) for one in moved]
    for name, part in joint.surface.items():
        mean = sum(of[name] for of, drawn in zip(alone, moved, strict=True) if drawn) / 2
        np.testing.assert_allclose(part.grad, mean, rtol=1e-5, atol=1e-9)
        assert not np.array_equal(before[0][name], after[0][name])
        assert all(np.array_equal(after[0][name], one[name]) for one in after[1:])


def test_it_ends_when_the_mean_f1_has_not_become_better_and_keeps_the_best(problems, monkeypatch):
    joint = JointTraining(problems, Settings(**TINY))
    f1 = iter([0.2, 0.5, 0.5, 0.4])
    kept = []
    monkeypatch.setattr(joint, "_validation_f1", lambda: kept.append(joint.engines[0].parameters()["W1"]) or next(f1))
    joint.run(most_steps=100, check_every=2, patience=2)
    assert [step for step, *_ in joint.history] == [2, 4, 6, 8]
    np.testing.assert_array_equal(joint.best["W1"], kept[1])


def test_every_class_is_weighed_for_once_and_never_one_that_was_learned_on():
    sizes = {"a": 50, "b": 40, "c": 3, "d": 30, "e": 25}
    labels = lambda name: (np.ones(sizes[name]), None)  # noqa: E731
    parts = joint_network.halves(SimpleNamespace(class_names=list(sizes), labels_of=labels))
    assert parts == [(["a", "d"], ["b", "e", "c"]), (["b", "e"], ["a", "d"])]


def test_scores_of_a_corpus_and_its_file(vectorized, tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    for module in (shared_surfaces, joint_network):
        monkeypatch.setattr(module, "LENDS", {"min_documents": 5, "min_f1": 0.0})
    tiny = TINY | {"max_steps": 40}
    found = list(joint_network.scores(vectorized, settings=tiny, most_steps=4, check_every=2))
    every = {(one.class_name, one.weighting) for rows in found for one in rows}
    assert every == {(name, way) for name in vectorized.class_names for way in ("TFRF", JOINT, MEAN, MEANS)}
    several = list(joint_network.scores(vectorized, settings=tiny, networks=2, most_steps=4, check_every=2))
    alone = [f"{JOINT}, seed {seed}" for seed in (0, 1)]
    assert [one.weighting for one in several[0]] == [*alone, JOINTS.format(2)]
    for before, after in zip(found, several, strict=True):  # seed 0 is the network of the first table
        assert before[1][3:] == after[0][3:] and before[1].class_name == after[0].class_name
    short = functools.partial(joint_network.scores, most_steps=4, check_every=2)
    monkeypatch.setattr(joint_network, "scores", lambda whole, **how: short(whole, **{**how, "settings": tiny}))
    monkeypatch.setattr("ltw_core.corpora.load", lambda _: vectorized.corpus)
    file = tmp_path / "joint.csv"
    at = ["--dataset", "synthetic", "--to", str(file)]
    add_tuples(file, ClassScore, found[0])  # as if it had been stopped after the first class
    for _ in range(2):  # what it lacks; and nothing twice
        assert joint_network.main(at) == 0
        assert [one[:3] for one in joint_network.read(file)] == [one[:3] for rows in found for one in rows]


def test_a_corpus_with_one_class_that_can_lend_is_told_so():
    few = SimpleNamespace(class_names=["a", "b"], labels_of=lambda name: (np.ones(30 if name == "a" else 3), None))
    with pytest.raises(ValueError, match="takes two classes with 20 training documents"):
        joint_network.halves(few)
