"""Which documents train and which validate."""

import numpy as np
import pytest

from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import Problem, problem
from tests.weighting.learned.conftest import small_corpus


def test_all_that_are_held_out_validate_below_the_limit(monkeypatch):
    (counts, y), held_out = small_corpus(), np.arange(160) >= 100
    plain = Problem.of(counts, y, held_out)
    assert (len(plain.train), len(plain.validation), plain.n_held_out, plain.remarks) == (100, 60, 60, ())
    monkeypatch.setattr(problem, "SAMPLED_FROM", 161)  # of documents, not of those held out
    monkeypatch.setattr(problem, "VALIDATION_SAMPLE", 20)
    assert len(Problem.of(counts, y, held_out).validation) == 60


def test_a_sample_of_them_does_from_the_limit_on(monkeypatch):
    (counts, y), held_out = small_corpus(), np.arange(160) >= 100
    plain = Problem.of(counts, y, held_out)
    monkeypatch.setattr(problem, "SAMPLED_FROM", 160)
    monkeypatch.setattr(problem, "VALIDATION_SAMPLE", 20)
    found, again = Problem.of(counts, y, held_out), Problem.of(counts, y, held_out)
    assert len(found.validation) == 20
    assert found.validation.y.mean() == pytest.approx(y[held_out].mean(), abs=0.5 / 20)
    assert found.validation.counts.tolist() == again.validation.counts.tolist()
    rows = {tuple(row) for row in counts[held_out].toarray().tolist()}
    starts, terms = found.validation.starts, found.validation.terms
    for row in range(20):
        dense = np.zeros(30, int)
        dense[terms[starts[row] : starts[row + 1]]] = found.validation.counts[starts[row] : starts[row + 1]]
        assert tuple(dense.tolist()) in rows
    assert found.train.counts.tolist() == plain.train.counts.tolist()  # the others do not train
    assert found.tpr.tolist() == plain.tpr.tolist() and found.n_documents == 160
    fitted = LearnedWeighting(hidden=8, max_steps=200).fit(counts, y, validation=held_out)
    (remark,) = fitted.remarks_
    assert remark.startswith("Its training stopped by the F1 on 20 of the 60 documents held out")


def test_no_corpus_that_is_published_is_sampled():
    assert (problem.SAMPLED_FROM, problem.VALIDATION_SAMPLE) == (50_000, 5_000)  # Ohsumed has 34,389
