"""The paper's figures give the paper's table of significance."""

import numpy as np
import pytest

from ltw_core.studies import paper
from ltw_core.studies.comparison import compare
from tests.evaluation.test_significance import COLUMNS, DAGGERS


@pytest.mark.parametrize(("measure", "one"), DAGGERS)
def test_daggers_of_the_paper(measure, one):
    values = paper.values()[measure]
    pairs = {
        name: {column: value for column, value in of.items() if column[1] in paper.LEARNERS}
        for name, of in values.items()
        if name != "LTW-TF"
    }
    found = {(c.one, c.other): c for c in compare(pairs)}
    for other, mark in zip(COLUMNS, DAGGERS[measure, one].split(), strict=True):
        if mark != "-":
            assert found[one, other].mark == mark.strip("."), other
            assert found[one, other].pairs == 15
            less = [pairs[one][column] - pairs[other][column] for column in pairs[one]]
            assert found[one, other].difference == pytest.approx(np.mean(less))


def test_all_figures_are_there():
    found = paper.values()
    assert sum(len(of) for measure in found.values() for of in measure.values()) == 492
    assert found["micro_f1"]["LTW-L-I"]["reuters21578", "SVM"] == 0.874
    assert {column for of in found["macro_f1"].values() for column in of} == {
        (dataset, learner) for dataset in paper.DATASETS for learner in (*paper.LEARNERS, "FT")
    }
