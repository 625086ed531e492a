"""Reasons on file: each names places that the paper's tables have, and is shown where it applies."""

import itertools
from types import SimpleNamespace

import pytest

from ltw_core.evaluation import GRIDS
from ltw_core.protocol import AUTHORS, DECEMBER, ONE, PREDICTED, PROTOCOLS
from ltw_core.studies import findings, paper, result_files, results
from ltw_core.studies.averages import MACRO, averaged_cells, one_a_corpus
from ltw_core.studies.reasons import facts, reasons, second_runs
from ltw_core.studies.tables import paper_table

EVIDENCE = {"by construction", "measured", "likely, not measured by itself", "not explained"}


def places():
    """All places of the paper's tables as they would be with averages of ours."""
    for place, grid, how, difference, seeds, comparable in itertools.product(
        paper_table([], "macro_f1").places.values(), GRIDS, PROTOCOLS.values(), (-0.03, 0.03), (1, 10), (True, False)
    ):
        if place.paper is not None:
            given = {name: getattr(place, name) for name in ("weighting", "corpus", "learner")}
            averaged = SimpleNamespace(seeds=seeds, example=SimpleNamespace(grid=grid, how=how))
            yield SimpleNamespace(**given, averaged=averaged, difference=difference, comparable=comparable)


@pytest.mark.parametrize("reason", reasons(), ids=lambda reason: reason.title)
def test_a_reason_names_places_of_the_tables(reason):
    there = [place for place in places() if reason.applies(place)]
    assert there and reason.evidence in EVIDENCE and reason.text
    for name, values in reason.where.items():  # each value that is named is one of some place
        assert set(values) == {facts(place)[name] for place in there}


def test_a_reason_may_hold_for_small_differences_only():
    (one_seed,) = (reason for reason in reasons() if reason.title == "One seed")
    place = next(place for place in places() if one_seed.applies(place))
    assert abs(place.difference) <= one_seed.within == 0.036
    assert not one_seed.applies(SimpleNamespace(**vars(place) | {"difference": 0.037}))


def test_the_quick_grid_explains_nothing_that_is_as_far_with_the_full_one():
    quick = next(reason for reason in reasons() if reason.where.get("grid") == ["quick"])
    place = next(place for place in places() if quick.applies(place))
    for difference, explained in ((None, True), (0.01, True), (-0.03, False), (0.05, False)):
        assert quick.applies(place, SimpleNamespace(difference=difference)) == explained


def test_a_second_run_explains_only_what_it_brings_at_most_half_as_far_from_the_paper():
    reason = next(reason for reason in reasons() if reason.shown_by == "code")
    place = next(place for place in places() if reason.applies(place))
    place.paper = 0.5
    at, third = (place.weighting, place.corpus, place.learner), abs(place.difference) / 3
    for value, explained in (
        (place.paper + third, True),
        (place.paper - third, True),
        (place.paper + 2 * third, False),
    ):
        assert reason.applies(place, None, {"code": {at: value}}) == explained
    assert not reason.applies(place, None, {"code": {}})


def test_what_the_reasons_quote_of_ours_is_in_the_results():
    """Of RF and nearest neighbours; and what explains macro F1 need not explain micro F1."""
    found = averaged_cells(results.shipped())
    macro, micro = (second_runs(found, measure) for measure in ("macro_f1", "micro_f1"))
    at = ("TFRF", "20newsgroups", "KNN")
    assert [f"{macro[run][at]:.3f}" for run in ("text", "code", "rf before")] == ["0.538", "0.533", "0.523"]
    at = ("TFRF", "reuters21578", "KNN")
    assert [f"{macro[run][at]:.3f}" for run in ("text", "code", "rf before")] == ["0.596", "0.544", "0.537"]
    at = ("TFRF", "20newsgroups", "MNB")
    assert [f"{macro[run][at]:.3f}" for run in ("text", "code", "rf before")] == ["0.651", "0.635", "0.616"]
    assert f"{macro['rf before']['TFRF', '20newsgroups', 'SVM']:.3f}" == "0.628"
    for *at, unsigned, code in (
        ("LTW-L-I", "reuters21578", ["0.500", "0.823"], ["0.398", "0.722"]),
        ("LTW-L-I", "20newsgroups", ["0.664", "0.685"], ["0.624", "0.652"]),
        ("LTW-G-I", "reuters21578", ["0.495", "0.824"], ["0.341", "0.668"]),
    ):
        for which, scores in (("unsigned", unsigned), ("code", code)):
            assert [f"{run[which][*at, 'MNB']:.3f}" for run in (macro, micro)] == scores
    (code,) = (reason for reason in reasons() if reason.shown_by == "code")
    tables = {measure: paper_table(one_a_corpus(found, "full"), measure).places for measure in ("macro_f1", "micro_f1")}
    at = ("TFIDF", "20newsgroups", "KNN")  # empty vectors, which micro F1 feels more
    assert code.applies(tables["macro_f1"][at], None, macro) and not code.applies(tables["micro_f1"][at], None, micro)
    others = ("TF", "LogTF", "TFIDF", "LogTFIDF", "BM25", "TFGR", "TFCHI", "ConfWeight")  # all formulas but Binary
    for corpus in ("reuters21578", "20newsgroups"):
        papers = paper.values()["macro_f1"]
        gaps = [abs(macro["code"][name, corpus, "KNN"] - papers[name][corpus, "KNN"]) for name in others]
        assert max(gaps) < 0.0205


def test_other_documents_name_a_corpus_of_the_tables():
    for fingerprint, other in findings.other_documents().items():
        assert len(fingerprint) == 64 and other["corpus"] in paper.DATASETS and other["text"]


def test_damaged_findings_are_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(result_files, "results_dir", lambda: tmp_path)
    findings.findings.cache_clear()
    with pytest.raises(ValueError, match="the reasons for differences from the paper cannot be read"):
        findings.findings()


def test_what_is_far_under_the_better_protocol_has_a_reason():
    """Full grids, all classifiers: each place more than .016 from the paper under all."""
    averages, best = averaged_cells(results.shipped()), {}
    for how in PROTOCOLS:
        measure = MACRO[ONE if how == DECEMBER else PREDICTED]
        for place in paper_table(one_a_corpus(averages, "full", how), measure).with_both():
            if place.comparable:
                at = (place.weighting, place.corpus, place.learner)
                best[at] = min(best.get(at, place), place, key=lambda p: abs(p.difference))
    far = [place for place in best.values() if abs(place.difference) > 0.016]
    assert far
    bare = [f"{p.weighting} {p.learner} {p.corpus}" for p in far if not any(r.applies(p) for r in reasons())]
    assert not bare


def test_what_is_known_of_the_papers_figures_stands_with_them():
    known = {
        at: findings.known_of_paper(place) for at, place in paper_table([], "macro_f1").places.items() if place.paper
    }
    assert "cannot be reproduced" in known["TFCHI", "reuters21578", "SVM"]
    assert "fault" in known["TFRF", "20newsgroups", "LR"]
    assert all(said[-1:] in (".", "") for said in known.values())
    assert known["TFCHI", "reuters21578", "MNB"] == known["LogTF", "20newsgroups", "SVM"] == ""


def test_the_formulas_of_december_2016_are_the_papers():
    """What the reasons say of Reuters: by the code of those weeks every formula that it had lies within .005."""
    found = one_a_corpus(averaged_cells(results.shipped()), "full", DECEMBER)
    places = paper_table(found, MACRO[ONE], corpora=["reuters21578"]).with_both()
    had, learners = findings.december()["weightings"], ("SVM", "MNB", "LR")
    gaps = [abs(p.difference) for p in places if p.comparable and p.weighting in had and p.learner in learners]
    assert len(gaps) == 24 and max(gaps) <= 0.005 and sum(gap <= 0.003 for gap in gaps) == 21


def test_nearest_neighbours_came_after_it_and_are_the_papers_without_it():
    """What the reasons say of them, on Reuters, as the code runs later."""
    found = one_a_corpus(averaged_cells(results.shipped()), "full", AUTHORS)
    gaps = {}
    for measure in ("macro_f1", "micro_f1"):
        places = paper_table(found, measure, corpora=["reuters21578"]).with_both()
        gaps[measure] = {
            p.weighting: abs(p.difference)
            for p in places
            if p.learner == "KNN" and p.weighting != "Dense" and p.weighting[:3] != "LTW"
        }
    assert len(gaps["macro_f1"]) == 10 and sum(gap <= 0.01 for gap in gaps["macro_f1"].values()) == 8
    assert all(gap <= 0.006 for name, gap in gaps["micro_f1"].items() if name != "TFRF")
