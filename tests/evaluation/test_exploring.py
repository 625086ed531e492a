"""Scores of what is still being tried out: without a look at a test document, nor at what it was fitted on."""

from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.evaluation.exploring import explore
from ltw_core.metrics import contingency
from ltw_core.weighting import TermWeighting


def test_the_validation_part_is_scored_where_it_holds_enough(task_maker):
    task = task_maker(positives=60, fraction=0.2)
    blind = SimpleNamespace(counts_train=task.counts_train, y_train=task.y_train, validation=task.validation)
    found = explore(blind, TermWeighting(cd="RF"))  # there is no test document to look at
    assert found.folds == 1 and found.tp + found.fn == task.y_train[task.validation].sum() == 12
    assert found.tp + found.fp + found.fn + found.tn == task.validation.sum() and found.f1 > 0.5
    mask = np.isin(np.arange(task.validation.sum()), found.predicted)
    assert contingency(task.y_train[task.validation], mask)[:3] == (found.tp, found.fp, found.fn)
    assert "validation documents, 12 of them of the class" in found.how
    assert found.estimate.documents.low < found.f1 < found.estimate.documents.high or found.estimate.blind


def test_a_small_class_is_scored_on_every_training_document_in_turn(task_maker, monkeypatch):
    task, fitted_on = task_maker(positives=12), []
    fit = TermWeighting.fit
    monkeypatch.setattr(TermWeighting, "fit", lambda self, X, y: fitted_on.append(X.shape[0]) or fit(self, X, y))
    found = explore(task, TermWeighting(cd="RF"), "MNB")
    assert found.folds == 5 and found.tp + found.fn == 12 and found.tp + found.fp + found.fn + found.tn == 132
    assert sum(132 - n for n in fitted_on) == 132  # each document is held out once, from the weighting too
    assert "each held out in one of 5 parts" in found.how


def test_a_label_that_is_noise_is_not_found(task_maker):
    """Supervised weights of terms that hold one document each make a class of noise look easy where they leak."""
    task = task_maker(positives=40)
    rng = np.random.default_rng(0)
    y = rng.permutation(task.y_train)
    noise = SimpleNamespace(counts_train=task.counts_train, y_train=y, validation=np.zeros(160, bool))
    found = explore(noise, TermWeighting(cd="CHI2"))
    assert found.f1 < 0.45


def test_nothing_can_be_held_out_of_one_document(task_maker):
    task = task_maker(positives=1)
    with pytest.raises(ValueError, match="too few training documents"):
        explore(task, TermWeighting())
