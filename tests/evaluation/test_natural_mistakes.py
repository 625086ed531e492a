"""What one would try first and what does not go: a sentence that says what does."""

import pytest

from ltw_core.corpora import load, read_table
from ltw_core.evaluation import evaluate, evaluate_multiclass, export_vectors
from ltw_core.evaluation.learning_curve import learning_curve
from ltw_core.tasks import vectorize
from ltw_core.weighting import GlobalWeighting, make


@pytest.fixture(scope="module")
def corpus():
    return load("synthetic", documents=80, noise_terms=30)


def test_tasks_of_the_wrong_kind(corpus, tmp_path):
    one, all_classes = vectorize(corpus).task("relevant"), vectorize(corpus).multiclass_task()
    with pytest.raises(ValueError, match=r"the task of one class is needed.* not MulticlassTask"):
        evaluate(all_classes, "TFRF", "SVM")
    with pytest.raises(ValueError, match=r"this is the task of one class; give its corpus"):
        evaluate_multiclass(one, "TFRF", "SVM")
    with pytest.raises(ValueError, match=r"the task of one class is needed.* not VectorizedCorpus"):
        export_vectors(vectorize(corpus), "TFRF", tmp_path / "v.npz")
    with pytest.raises(ValueError, match=r"a corpus is needed, as read_table\(path\) .* not str"):
        learning_curve("reviews.csv", "relevant", ["TFRF"])


def test_a_weighting_that_was_fitted_to_another_class_is_told(corpus):
    relevant, other = (vectorize(corpus).task(name, ratio=1.0) for name in vectorize(corpus).class_names[:2])
    fitted = make("TFRF").fit(relevant.counts_train, relevant.y_train)
    assert not evaluate(relevant, fitted, "MNB").warnings
    (told,) = evaluate(other, fitted, "MNB").warnings
    shares = [f"{task.y_train.mean():.2%}" for task in (relevant, other)]
    assert told == (
        f"This weighting was fitted to other labels: {shares[0]} of its training documents were of the class, here "
        f"{shares[1]} are. Its weights are used as they are."
    )
    assert not evaluate(other, make("TFIDF").fit(relevant.counts_train), "MNB").warnings  # it knows no labels


def test_a_policy_is_said_once(corpus):
    with pytest.raises(ValueError, match=r"has its policy \(mean\), which 'sum' contradicts"):
        evaluate_multiclass(corpus, GlobalWeighting("TFRF", policy="mean"), "MNB", policy="sum")


def test_stop_words_are_those_of_the_tables_language():
    rows = b"text,label\n" + b"der Hund und the dog,a\ndie Katze and the cat,b\n" * 4
    terms = lambda **how: set(vectorize(read_table(rows, **how), cache=False).vocabulary.tolist())  # noqa: E731
    assert terms(language="german") == {"hund", "the", "dog", "katze", "and", "cat"}
    assert terms() == {"der", "hund", "und", "dog", "die", "katze", "cat"}
    assert terms(language=None) >= {"der", "the"}
    with pytest.raises(ValueError, match="there are no stop words for 'klingon'"):
        terms(language="klingon")
