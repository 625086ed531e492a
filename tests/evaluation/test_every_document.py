"""Every test document counts: a corpus with the fault of the TREC questions, whose "what is …" is all stop words."""

from dataclasses import replace

import numpy as np
import pytest

from ltw_core.corpora import read_table
from ltw_core.evaluation import (
    LEARNERS,
    decide,
    evaluate,
    evaluate_multiclass,
    evaluate_vectors,
    results_frame,
    weigh,
)
from ltw_core.tasks import WithoutTerms, vectorize

# 20 training documents of each class; of the class "definition" 6 of 10 test documents are stop words alone
ROWS = [
    *(("definition", "meaning term", "train") for _ in range(20)),
    *(("place", "city river", "train") for _ in range(40)),
    ("definition", "what is it", "train"),
    *(("definition", "meaning", "test") for _ in range(4)),
    *(("definition", "what is this", "test") for _ in range(6)),
    *(("place", "city", "test") for _ in range(19)),
    ("place", "where is that", "test"),
]
EMPTY = WithoutTerms(train=1, train_positives=1, test=7, test_positives=6, scored=True)


def task_of(documents="all"):
    lines = "".join(f"{label},{text},{part}\n" for label, text, part in ROWS)
    corpus = read_table(f"label,text,split\n{lines}".encode(), text="text", label="label", split="split")
    return vectorize(corpus, documents=documents, cache=False).task("definition", ratio=1.0)


def test_f1_is_over_all_documents_with_the_empty_ones_beside_it():
    result = evaluate(task_of(), "TFRF", "SVM")
    assert (result.tp, result.fp, result.fn, result.tn) == (4, 0, 6, 20)
    assert result.f1 == pytest.approx(8 / 14)  # and not 1, over the documents that hold a known term
    assert result.without_terms == EMPTY
    assert repr(result).endswith(
        "7 test documents hold no known term, 6 of the class among them: they are scored like any other, by what a "
        "classifier decides on an empty vector (KNN cannot: negative). 1 training document holds no known term, 1 of "
        "the class among them: it is left out of learning."
    )


def test_a_frame_of_results_counts_the_empty_ones():
    task = task_of()
    results = [evaluate(task, name, "MNB") for name in ("TF", "TFRF")]
    frame = results_frame(results)
    assert frame["without_terms_train"].tolist() == [1, 1] and frame["without_terms_test"].tolist() == [7, 7]
    of_all = evaluate_multiclass(task.vectorized, "TF", "MNB")
    assert results_frame([of_all])[["without_terms_train", "without_terms_test"]].to_numpy().tolist() == [[1, 7]]
    assert "without_terms_test" not in results_frame([])


def test_the_papers_way_counts_those_with_a_term():
    result = evaluate(task_of("with_terms"), "TFRF", "SVM")
    assert (result.tp, result.fp, result.fn, result.tn, result.f1) == (4, 0, 0, 19, 1.0)
    assert result.without_terms == EMPTY._replace(scored=False)


@pytest.mark.parametrize("learner", [name for name in LEARNERS if name != "FT"])
def test_the_rest_of_the_figures_is_that_of_the_papers_way(learner):
    every, known = task_of(), task_of("with_terms")
    found, among = (evaluate_vectors(weigh(task, "TFRF"), learner, keep_decisions=True) for task in (every, known))
    held = ~every.empty_test
    assert found.validation_f1 == among.validation_f1 and found.parameters == among.parameters
    assert np.array_equal(found.decisions.scores[held], among.decisions.scores)
    on_nothing = found.decisions.predicted[~held]
    assert on_nothing.size == 7 and np.unique(on_nothing).size == 1  # one decision on the one empty vector
    assert not on_nothing[0]


def test_an_empty_document_may_be_decided_positive():
    task = task_of()
    turned = replace(task, y_train=~task.y_train, y_test=~task.y_test)  # the constant now speaks for the class
    result = evaluate(turned, "TFRF", "SVM")
    assert (result.tp, result.fp, result.fn, result.tn) == (20, 6, 0, 4)


def test_what_cannot_decide_says_negative_and_says_so():
    task = task_of()
    turned = replace(task, y_train=~task.y_train, y_test=~task.y_test)  # all neighbours of nothing speak for the class
    vectors = weigh(turned, "TFRF")
    result = evaluate_vectors(vectors, "KNN", keep_decisions=True)
    assert (result.tp, result.fp, result.fn, result.tn) == (19, 0, 1, 10)
    said = "7 test documents hold no known term; KNN cannot decide on an empty vector: predicted negative."
    assert said in result.warnings
    assert result.decisions.scores[task.empty_test].tolist() == [0.0] * 7
    assert decide(vectors, "KNN", result.parameters).counts == result.decisions.counts
    assert said not in evaluate(turned, "TFRF", "SVM").warnings
    assert [name for name, learner in LEARNERS.items() if not learner.decides_on_nothing] == ["KNN"]


@pytest.mark.parametrize("learner", ["SVM", "FT", "KNN"])
def test_on_dense_vectors_every_learner_decides(learner):
    """fastText reads the end of the line of an empty document, too."""
    task = task_of()
    vectors = weigh(task, "Dense")
    assert np.unique(vectors.test[task.empty_test], axis=0).shape[0] == 1 and vectors.test[task.empty_test].any()
    result = evaluate_vectors(vectors, learner)
    assert result.tp + result.fp + result.fn + result.tn == 30 and not any("decide" in w for w in result.warnings)


def test_a_learned_weighting_is_the_same_either_way():
    every, known = (weigh(task_of(documents), "LTW-L-I") for documents in ("all", "with_terms"))
    assert np.array_equal(every.validation, known.validation)
    assert (every.train != known.train).nnz == 0 and every.train.shape[0] == 60
    assert (every.test[~every.empty_test] != known.test).nnz == 0 and every.test[every.empty_test].nnz == 0
