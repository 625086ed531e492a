"""What other classes lend (LTW-U), what a class keeps of its own, transplanted surfaces: by hand, no leaks."""

from dataclasses import replace

import numpy as np
import pytest

from ltw_core.corpora import read_table
from ltw_core.evaluation import evaluate
from ltw_core.insight.on_terms import on_terms
from ltw_core.tasks import vectorize
from ltw_core.weighting import (
    CD,
    GlobalWeighting,
    LearnedWeighting,
    SharedWeighting,
    TermWeighting,
    make,
    surface_function,
    transplanted,
)
from ltw_core.weighting.canonical import canonical, canonical_weights
from ltw_core.weighting.learned import other_classes
from ltw_core.weighting.progress import Cancelled

SMALL = dict(hidden=8, max_steps=40, batch_size=20)
QUICK = dict(min_documents=20, min_f1=0.0, n_members=2, **SMALL)
AXIS = np.linspace(0, 1, 6)
CLASSES = ("corn", "gold", "ship", "tea", "zinc")  # zinc has 8 training documents


def rows(seed=0):
    """Documents of one to two classes, each class with six words of its own among thirty that all share."""
    rng = np.random.default_rng(seed)
    for number in range(220):
        first = CLASSES[4] if number % 20 == 0 else CLASSES[number % 4]
        labels = [first, *(["tea"] if first != "tea" and rng.random() < 0.2 else [])]
        words = [f"{label}{rng.integers(6)}" for label in labels for _ in range(3)]
        words += [f"word{rng.integers(30)}" for _ in range(8)]
        yield {"text": " ".join(words), "label": labels, "split": "test" if number % 11 == 0 else "train"}


@pytest.fixture(scope="module")
def corpus():
    return read_table(list(rows()), text="text", label="label", split="split")


@pytest.fixture(scope="module")
def task(corpus):
    return vectorize(corpus, cache=False).task("corn", ratio=1.0)


def statistics(of):
    return of.tpr, of.fpr, of.document_frequency


def alone(task, name, seed):
    """One training run of another class, with its canonical factor."""
    other = task.vectorized.task(name, ratio=1.0)
    one = LearnedWeighting(random_state=seed, **SMALL)
    one.fit(other.counts_train, other.y_train, validation=other.validation)
    return one, canonical(one.cd_, *statistics(other))


@pytest.fixture(scope="module")
def by_hand(task):
    """Weights of corn's terms by each training run of the three other classes that have twenty documents."""
    runs = [alone(task, name, seed) for name in ("gold", "ship", "tea") for seed in (0, 1)]
    return np.array([factor * one.surface(task.tpr, task.fpr) for one, factor in runs])


@pytest.fixture(scope="module")
def shared(task):
    return SharedWeighting(**QUICK).fit(task.counts_train, task.y_train, validation=task.validation, task=task)


def test_it_is_the_mean_of_the_other_classes_canonical_surfaces(task, shared, by_hand):
    assert shared.lenders_ == ["gold", "ship", "tea"]
    mean = by_hand.mean(axis=0)
    np.testing.assert_allclose(shared.weights_, canonical_weights(mean, *statistics(task)), rtol=1e-4, atol=1e-6)
    factor = canonical(mean, *statistics(task))
    np.testing.assert_allclose(shared.weighting_.cd_spread_, factor * by_hand.std(axis=0, ddof=1), rtol=1e-3, atol=1e-6)
    assert shared.remarks_ == ("Its surface is the mean of 6 training runs of 3 other classes.",)


def test_a_class_needs_documents_and_a_good_run_to_lend(task, monkeypatch):
    assert other_classes.lenders(task, 1) == ["gold", "ship", "tea", "zinc"]
    member = LearnedWeighting(**SMALL)
    f1 = {"gold": [0.4, 0.9], "ship": [0.2, 0.1], "tea": [0.5, 0.6]}
    parts = {"W1": np.zeros((2, 2, 8)), "b1": np.zeros((2, 8)), "W2": np.zeros((2, 8)), "b2": np.zeros((2, 1))}
    found = lambda task, name, *_: parts | {"factor": np.array([2.0, 4.0]), "f1": np.array(f1[name])}  # noqa: E731
    monkeypatch.setattr(other_classes, "_of_class", found)
    surfaces, classes = other_classes.lent(task, member, (0, 1), min_documents=20, min_f1=0.5)
    assert classes == ["gold", "tea"]
    np.testing.assert_allclose(surfaces.coefficients, [4 / 3, 2 / 3, 4 / 3, 0])  # gold's second run, both of tea
    assert other_classes.lent(task, member, (0, 1), min_documents=20, min_f1=0.95) == (None, [])


def test_nothing_of_the_class_itself_nor_of_test_documents_enters(corpus, task, shared):
    """Other labels of corn and other texts of test documents: what is lent is the same to the bit."""
    labels = corpus.labels.toarray()
    rng = np.random.default_rng(1)
    labels[:, 0] = rng.permutation(labels[:, 0])
    texts = [text if train else "word1 word2" for text, train in zip(corpus.documents, corpus.train, strict=True)]
    changed = replace(corpus, documents=texts, labels=type(corpus.labels)(labels))
    other = vectorize(changed, cache=False).task("corn", ratio=1.0)
    assert not np.array_equal(other.y_train, task.y_train)
    again = SharedWeighting(**QUICK).fit(other.counts_train, other.y_train, task=other)
    factors = [made.weighting_.coefficients_ / made.weighting_.coefficients_[0] for made in (again, shared)]
    np.testing.assert_array_equal(again.weighting_.parameters_["W1"], shared.weighting_.parameters_["W1"])
    np.testing.assert_allclose(*factors)


def test_its_own_has_the_more_the_more_documents_there_are(task, by_hand):
    made = SharedWeighting(share="documents", **QUICK)
    made.fit(task.counts_train, task.y_train, validation=task.validation, task=task)
    positives = int(task.y_train.sum())
    assert made.share_ == 20 / (20 + positives)
    fit = task.counts_train, task.y_train, task.validation
    runs = [LearnedWeighting(random_state=seed, **SMALL).fit(*fit) for seed in (0, 1)]
    own = canonical_weights(np.mean([run.weights_ for run in runs], axis=0), *statistics(task))
    theirs = canonical_weights(by_hand.mean(axis=0), *statistics(task))
    expected = made.share_ * theirs + (1 - made.share_) * own
    np.testing.assert_allclose(made.cd_, expected, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(made.surface(task.tpr, task.fpr), expected, rtol=1e-3, atol=1e-4)
    assert made.name == "LTW-U shrunk" and "% that of 2 of its own" in made.remarks_[0]


def test_with_a_formula_the_class_learns_nothing(task, by_hand, tmp_path):
    made = SharedWeighting(share=0.75, mixed="RF", **QUICK)
    made.fit(task.counts_train, task.y_train, validation=task.validation, task=task)
    theirs = canonical_weights(by_hand.mean(axis=0), *statistics(task))
    rf = CD["RF"].at_rates(task.tpr, task.fpr, task.prevalence, task.n_documents)
    expected = 0.75 * theirs + 0.25 * canonical_weights(rf, *statistics(task))
    np.testing.assert_allclose(made.cd_, expected, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(made.surface(task.tpr, task.fpr), expected, rtol=1e-3, atol=1e-4)
    assert made.name == "LTW-U + RF" and made.remarks_[0].endswith("of 3 other classes, and to 25% that of RF.")
    assert SharedWeighting(share="documents", mixed="RF").name == "LTW-U documents + RF"
    made.save(tmp_path / "mixed.ltw")
    found = LearnedWeighting.load(tmp_path / "mixed.ltw")
    np.testing.assert_allclose(found.surface(task.tpr, task.fpr), made.surface(task.tpr, task.fpr))
    np.testing.assert_array_equal(found.cd_, made.cd_)
    with pytest.raises(ValueError, match="no other class has 300"):  # none lends: RF alone is no learned weighting
        made.set_params(min_documents=300).fit(task.counts_train, task.y_train, task=task)


def test_a_transplanted_surface(task):
    gold, factor = alone(task, "gold", 0)
    there = transplanted(gold, called="LTW-L-I of gold")
    result = evaluate(task, there, "SVM", "quick")
    assert result.weighting == "LTW-L-I of gold"
    fitted = there.fit(task.counts_train, task.y_train)
    raw = factor * gold.surface(task.tpr, task.fpr)
    np.testing.assert_allclose(fitted.weights_, canonical_weights(raw, *statistics(task)), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(fitted.surface(task.tpr, task.fpr), fitted.cd_, rtol=1e-4, atol=1e-6)


def test_a_surface_as_a_formula_for_all_classes(corpus, task):
    """Each class's weights are the surface at its own rates; what one class learned is in its own canonical form."""
    gold, factor = alone(task, "gold", 0)
    every = vectorize(corpus, cache=False).multiclass_task(1.0)
    base = TermWeighting(dd="log(1+f/dl)", cd=surface_function(gold, "LTW-L-I of gold"))
    made = GlobalWeighting(base, policy="mean").fit(every.counts_train, every.labels_train)
    for j, name in enumerate(every.class_names):
        one = every.vectorized.task(name, ratio=1.0)
        by_hand = factor * gold.surface(one.tpr, one.fpr)
        np.testing.assert_allclose(made.class_cd_[j], by_hand, rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(made.cd_, made.class_cd_.mean(axis=0))
    with pytest.raises(ValueError, match="no learned surface to transplant to another class"):
        surface_function(LearnedWeighting(mixed="RF", **SMALL).fit(task.counts_train, task.y_train))


def test_it_is_evaluated_by_its_own_name_and_seen_on_the_terms(task, shared):
    result = evaluate(task, SharedWeighting(**QUICK), "SVM", "quick")
    assert result.weighting == "LTW-U"
    seen = on_terms(shared, task.statistics)
    made, frequency = shared.weighting_, task.document_frequency
    spread = np.sqrt((frequency @ made.cd_spread_**2) / (frequency @ made.cd_**2))
    assert (seen.name, seen.note) == ("LTW-U", f"mean of 6, spread {round(100 * spread)}%")
    np.testing.assert_allclose(seen.form.weights, shared.weights_)


def test_what_is_saved_is_a_learned_weighting(task, shared, tmp_path):
    shared.save(tmp_path / "u.ltw")
    found = LearnedWeighting.load(tmp_path / "u.ltw")
    np.testing.assert_array_equal(found.cd_, shared.cd_)
    np.testing.assert_allclose(found.surface(AXIS, AXIS[::-1]), shared.surface(AXIS, AXIS[::-1]))
    assert found.notes_ == {"name": "LTW-U", "lenders": ["gold", "ship", "tea"]}
    single = transplanted(alone(task, "gold", 0)[0]).fit(task.counts_train, task.y_train)
    single.save(tmp_path / "one.ltw")
    np.testing.assert_array_equal(LearnedWeighting.load(tmp_path / "one.ltw").cd_, single.cd_)


def test_classes_are_learned_once_and_a_table_leaves_nothing_on_the_disk(task, shared, monkeypatch, tmp_path):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    monkeypatch.setattr(other_classes, "_learned", lambda *_: pytest.fail("it was learned before"))
    SharedWeighting(**QUICK).fit(task.counts_train, task.y_train, task=task)
    assert other_classes._path(task.vectorized, "0" * 64) is None
    monkeypatch.setattr(other_classes, "listed", lambda name: True)
    assert other_classes._path(task.vectorized, "0" * 64).parent == tmp_path / "surfaces"


def test_without_anyone_to_lend_it_says_so(task):
    alone = dict(QUICK, min_documents=10_000)
    given = task.counts_train, task.y_train
    with pytest.raises(ValueError, match="there is no surface to take"):
        SharedWeighting(**alone).fit(*given, task=task)
    made = SharedWeighting(share=0.5, **alone).fit(*given, task=task)
    assert made.remarks_ == ("No other class has a surface to take: it is the class's own alone.",)
    with pytest.raises(ValueError, match="was not told which"):
        make("LTW-U").fit(*given)


def test_it_can_be_cancelled_between_classes(task):
    seen = []
    twice = lambda event: seen.append(event.message) or len(seen) == 2  # noqa: E731
    with pytest.raises(Cancelled):
        SharedWeighting(**QUICK).fit(task.counts_train, task.y_train, task=task, on_event=twice)
    assert len(seen) == 2 and "(2 of 3)" in seen[1]


def test_a_mean_with_a_formula_cannot_be_transplanted(task):
    mixed = LearnedWeighting(mixed="RF", **SMALL).fit(task.counts_train, task.y_train)
    with pytest.raises(ValueError, match="no learned surface to transplant to another class"):
        transplanted(mixed)
