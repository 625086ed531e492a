"""Sentences about formulas hold the numbers of the class."""

from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.tasks.contingency import rates
from ltw_core.weighting import CD

# ten documents, the first four of the class; term 0 only in the class, 1 in nearly all, 2 elsewhere
X = np.array([[1, 1, 0]] * 3 + [[0, 1, 0]] + [[0, 1, 1]] * 4 + [[0, 0, 0]] * 2)


@pytest.fixture
def task():
    found = rates(X, np.arange(10) < 4, np.array(["own", "common", "other"]))
    names = ("terms", "tp", "fp", "fn", "tn", "tpr", "fpr", "document_frequency", "prevalence", "n_documents")
    return SimpleNamespace(**{name: getattr(found, name) for name in names})


def test_the_sentences_have_the_numbers(task):
    assert "IG / 0.971" in CD["GR"].caveat(task) and CD["GR"].caveat(task) == CD["IG"].caveat(task)
    assert "1 of the 3 terms have FP = 0" in CD["RF"].caveat(task)
    assert "of own is 2.32 with 10 documents and would be 5.00 with ten times" in CD["RF"].caveat(task)
    chi = CD["CHI2"].caveat(task)
    assert "that of own is 6 with 10 documents and 64 with ten times" in chi
    assert "1 term is in more than half of the documents; common, in 80%, would get -1.22" in CD["BM25"].caveat(task)
    assert "cancels 3 of the 3 terms: with 4 documents" in CD["ConfWeight"].caveat(task)
    # own has a tpr of .75 and an fpr of 0, common 1 and .67, other 0 and .67
    assert "cuts the tpr of 2 and the fpr of 1 of the 3 terms" in CD["BNS"].caveat(task)
    assert CD["IDF"].caveat(task) == "" and CD["GSS"].caveat(task) == ""


def test_no_common_term_and_one_class(task):
    task.document_frequency = np.array([3, 4, 4])
    assert "Here none is: the commonest, common, is in 40%" in CD["BM25"].caveat(task)
    task.prevalence = 0.0
    assert "all documents are of one class" in CD["IG"].caveat(task)
