"""Reasons on file: each names places that the paper's tables have, and is shown where it applies."""

import itertools
from types import SimpleNamespace

import pytest

from ltw_core.evaluation import GRIDS
from ltw_core.studies import paper
from ltw_core.studies.reasons import facts, reasons
from ltw_core.studies.tables import paper_table

EVIDENCE = {"by construction", "measured", "likely, not measured by itself", "not explained"}


def places():
    """All places of the paper's tables as they would be with a figure of ours, and the grid of that."""
    for place, grid, difference, seeds, comparable in itertools.product(
        paper_table([], "macro_f1").places.values(), GRIDS, (-0.03, 0.03), (1, 10), (True, False)
    ):
        if place.paper is not None:
            given = {name: getattr(place, name) for name in ("weighting", "corpus", "learner")}
            figure = SimpleNamespace(seeds=seeds)
            yield SimpleNamespace(**given, figure=figure, difference=difference, comparable=comparable), grid


@pytest.mark.parametrize("reason", reasons(), ids=lambda reason: reason.title)
def test_a_reason_names_places_of_the_tables(reason):
    there = [(place, grid) for place, grid in places() if reason.applies(place, grid)]
    assert there and reason.evidence in EVIDENCE and reason.text
    for name, values in reason.where.items():  # each value that is named is one of some place
        assert set(values) == {facts(place, grid)[name] for place, grid in there}


def test_a_reason_may_hold_for_small_differences_only():
    (one_seed,) = (reason for reason in reasons() if reason.title == "One seed")
    place = next(place for place, grid in places() if one_seed.applies(place, grid))
    assert abs(place.difference) <= one_seed.within == 0.036
    assert not one_seed.applies(SimpleNamespace(**vars(place) | {"difference": 0.037}), "quick")


def test_other_documents_name_a_corpus_of_the_tables():
    for fingerprint, other in paper.other_documents().items():
        assert len(fingerprint) == 64 and other["corpus"] in paper.DATASETS and other["text"]


def test_damaged_findings_are_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(paper, "results_dir", lambda: tmp_path)
    paper.findings.cache_clear()
    with pytest.raises(ValueError, match="the reasons for differences from the paper cannot be read"):
        paper.findings()
