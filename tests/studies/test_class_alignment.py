"""Alignment with the class beside F1: against the insight's own, and rank correlations by hand."""

import pytest

from ltw_core.corpora import load
from ltw_core.insight import alignments, sample_documents
from ltw_core.studies import class_alignment
from ltw_core.studies.class_alignment import ClassAlignment, rank_correlations
from ltw_core.tasks import vectorize
from ltw_core.weighting import make


def test_it_is_the_alignment_of_the_workbench(tmp_path):
    task = vectorize(load("synthetic")).task("relevant")
    found = {one.weighting: one.alignment for one in class_alignment.alignments_of(task)}
    sample = sample_documents(task.y_train)
    weighted = make("TFRF").fit(task.counts_train, task.y_train).transform(task.counts_train[sample.rows])
    assert found["TFRF"] == pytest.approx(alignments({"TFRF": weighted}, sample).with_class[0], abs=1e-6)
    file = tmp_path / "a.csv"
    assert class_alignment.main(["--datasets", "synthetic", "--to", str(file)]) == 0
    again = {(one.class_name, one.weighting): one.alignment for one in class_alignment.read(file)}
    assert again["relevant", "TFRF"] == pytest.approx(found["TFRF"], abs=1e-4) and len(again) == 12


def test_rank_correlations_by_hand():
    """Within a and b the three weightings are ranked as by F1, within c the other way; over classes all are."""
    value = {"a": (0.1, 0.2, 0.3), "b": (0.2, 0.3, 0.4), "c": (0.3, 0.4, 0.5)}
    found = [ClassAlignment("k", c, w, v) for c, of in value.items() for w, v in zip("xyz", of, strict=True)]
    f1 = {(one.class_name, one.weighting): one.alignment for one in found}
    f1 |= {("c", "x"): 0.9, ("c", "y"): 0.8, ("c", "z"): 0.7}
    read_off = rank_correlations(found, f1)
    assert read_off.classes == 3 and read_off.within == pytest.approx((1 + 1 - 1) / 3)
    assert read_off.over == pytest.approx({"x": 1, "y": 1, "z": 1})
    assert rank_correlations(found[:6], f1) is None
