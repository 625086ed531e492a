"""Spans of neighbouring terms and the cuts of documents, which the fused kernels read, held against counting."""

import numpy as np
import pytest
import torch

from ltw_core.weighting.learned import Settings
from ltw_core.weighting.learned.engines.lockstep import spans
from ltw_core.weighting.learned.engines.lockstep.recorded_engine import ProblemArrays
from tests.weighting.learned.conftest import small_problem

CPU = torch.device("cpu")


@pytest.mark.parametrize("kind", [torch.int16, torch.int32])
@pytest.mark.parametrize("cuts_an_entry", [0.1, 100])
@pytest.mark.parametrize(("documents", "terms"), [(60, 400), (50, 33), (40, 10)])
def test_spans_hold_all_terms_and_cuts_count_what_is_before(documents, terms, cuts_an_entry, kind, monkeypatch):
    monkeypatch.setattr(spans, "CUTS_AN_ENTRY", cuts_an_entry)
    monkeypatch.setattr(spans, "CUTS_AT_ONCE", 50)  # a few documents
    problem = small_problem(documents, terms, inside=0.05, outside=0.01)
    arrays = ProblemArrays(problem, Settings())
    own, train = arrays.spans, problem.train
    own.cut_type = kind
    begins, many = own.begins, len(own.begins) > 8  # eight cuts always
    assert (begins[0], begins[-1]) == (0, arrays.n_terms)
    assert np.diff(begins).min() > 0 and np.diff(begins).max() <= spans.SPAN_TERMS
    assert (own.together > 1) == (cuts_an_entry < 1 and many)
    columns, *_, cuts = arrays.training(CPU, by_place=True)
    places = np.append(begins[: -1 : own.together], arrays.n_terms)
    documents = list(zip(train.starts[:-1], train.starts[1:], strict=True))
    expected = [[(arrays.place[train.terms[a:b]] < place).sum() for place in places] for a, b in documents]
    assert cuts.dtype == kind
    np.testing.assert_array_equal(cuts.view(len(train), own.n_cuts), expected)
    for a, b in documents:
        np.testing.assert_array_equal(columns[a:b], np.sort(arrays.place[train.terms[a:b]]))


def test_most_entries_of_a_span_are_of_one_term_or_few():
    problem = small_problem(200, 300, inside=0.5, outside=0.4)
    arrays = ProblemArrays(problem, Settings())
    frequency = np.bincount(arrays.place[problem.train.terms], minlength=arrays.n_terms)
    for begin, end in zip(arrays.spans.begins[:-1], arrays.spans.begins[1:], strict=True):
        entries = frequency[begin:end].sum() / len(problem.train)
        assert entries <= spans.SPAN_ENTRIES + frequency[begin:end].max() / len(problem.train)
