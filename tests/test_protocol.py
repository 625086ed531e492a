"""The protocol of the authors' code against scikit-learn, which it is made of, and each option by itself."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.feature_selection import SelectKBest, chi2
from sklearn.naive_bayes import MultinomialNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import normalize

from ltw_core.corpora import load, read_table
from ltw_core.evaluation import evaluate, evaluate_vectors, export_vectors, learner, macro_f1, results_frame, weigh
from ltw_core.evaluation.scikit_learners import MNB
from ltw_core.evaluation.vectors import Vectors
from ltw_core.metrics import contingency
from ltw_core.protocol import AUTHORS, DECEMBER, OPTIONS, PAPER, PROTOCOLS, Protocol, in_words, protocol
from ltw_core.tasks import vectorize
from ltw_core.tasks.selection import select_terms, select_weighted
from ltw_core.weighting import cd_function, display, make, methods, protocol_settings
from ltw_core.weighting.learned import LearnedWeighting
from ltw_core.weighting.learned.engines.engine_choice import make_engine

KEPT = 0.2


@pytest.fixture(scope="module")
def corpus():
    """60 training and 30 test texts of some 200 words; a word of the class and one against it among them."""
    rng = np.random.default_rng(0)
    words = np.array([f"w{n:03d}" for n in range(200)])
    rows = []
    for n in range(90):
        positive = n % 3 == 0
        common = rng.choice(words, rng.integers(10, 40), p=np.arange(1, 201) / 20100)
        own = ["inside"] * int(rng.integers(0, 4)) if positive else ["outside"] * int(rng.integers(0, 3))
        rows.append(
            {
                "text": " ".join([*common, *own]),
                "label": "a" if positive else "b",
                "split": "test" * (n >= 60) or "train",
            }
        )
    return read_table(rows, text="text", label="label", split="split")


@pytest.fixture(scope="module")
def task(corpus):
    return vectorize(corpus, protocol="authors", cache=False).task("a", ratio=KEPT)


class BM25:
    """Okapi BM25 at unit length, from its definition."""

    def fit_transform(self, texts):
        self.counter = CountVectorizer()
        counts = self.counter.fit_transform(texts).toarray()
        holding = (counts > 0).sum(axis=0)
        self.idf = np.maximum(np.log((len(texts) - holding + 0.5) / (holding + 0.5)), 0)
        self.mean = counts.sum(axis=1).mean()
        return self._weigh(counts)

    def transform(self, texts):
        return self._weigh(self.counter.transform(texts).toarray())

    def _weigh(self, f):
        saturated = f * 2.2 / (f + 1.2 * (0.25 + 0.75 * f.sum(axis=1, keepdims=True) / self.mean))
        return normalize(sparse.csr_matrix(saturated * self.idf))


ORACLES = {
    "Binary": CountVectorizer(binary=True),
    "TF": CountVectorizer(),
    "LogTF": TfidfVectorizer(sublinear_tf=True, use_idf=False),
    "TFIDF": TfidfVectorizer(),
    "LogTFIDF": TfidfVectorizer(sublinear_tf=True),
    "BM25": BM25(),
}


@pytest.mark.parametrize("weighting", ORACLES)
def test_the_authors_vectors_are_those_of_scikit_learn(corpus, task, weighting):
    texts = np.array(list(corpus.documents), dtype=object)
    oracle, y = ORACLES[weighting], task.y_train
    best = SelectKBest(chi2, k=len(task.terms))
    train = best.fit_transform(oracle.fit_transform(texts[corpus.train]), y)
    test = best.transform(oracle.transform(texts[~corpus.train]))
    vectors = weigh(task, weighting)
    assert vectors.terms.tolist() == task.vectorized.vocabulary[best.get_support()].tolist()
    assert abs(vectors.train - train).max() < 1e-12 and abs(vectors.test - test).max() < 1e-12
    held = ~task.validation
    scores = {
        alpha: contingency(y[~held], MultinomialNB(alpha=alpha).fit(train[held], y[held]).predict(train[~held]))
        for alpha in (1.0, 0.1, 0.05, 0.01, 0.001, 1e-10)
    }
    f1 = [2 * c.tp / max(2 * c.tp + c.fp + c.fn, 1) for c in scores.values()]
    alpha = list(scores)[int(np.argmax(f1))]
    expected = contingency(task.y_test, MultinomialNB(alpha=alpha).fit(train, y).predict(test))
    found = evaluate(task, weighting, "MNB", "full")
    assert (found.tp, found.fp, found.fn, found.protocol) == (expected.tp, expected.fp, expected.fn, AUTHORS)


def test_supervised_weights_are_of_the_whole_vocabulary(task):
    """TFRF by its definition: (1 + ln f) · log2(2 + TP / max(1, FP)) over all terms, at unit length, then selected."""
    counts, y = task.vectorized.counts_train.toarray(), task.y_train
    rf = np.log2(2 + (counts[y] > 0).sum(0) / np.maximum((counts[~y] > 0).sum(0), 1))
    with np.errstate(divide="ignore"):
        weights = normalize(np.where(counts > 0, 1 + np.log(counts), 0) * rf)
    kept = SelectKBest(chi2, k=len(task.terms)).fit(weights, y).get_support()
    vectors = weigh(task, "TFRF")
    assert np.allclose(vectors.train.toarray(), weights[:, kept]) and vectors.train.power(2).sum(axis=1).max() <= 1
    assert vectors.protocol.name == AUTHORS


def test_a_name_an_option_and_both():
    assert protocol(None) == protocol("") == protocol("paper") == Protocol() and Protocol().text == ""
    one = protocol("ties=last, idf=smoothed")
    assert (one.ties, one.idf, one.order, one.text, one.name) == (
        "last",
        "smoothed",
        "select",
        *["idf=smoothed,ties=last"] * 2,
    )
    assert protocol(one.text) == one and protocol(one) is one
    assert protocol("authors,ties=first").ties == "first" and protocol("authors,ties=first").idf == "smoothed"
    assert [PROTOCOLS[name].name for name in PROTOCOLS] == [PAPER, AUTHORS, DECEMBER]
    for name, bundle in (
        *(("authors,negatives=absolute,ties=first", AUTHORS), ("authors-2016-12,ties=first", DECEMBER)),
        *(("negatives=absolute", PAPER), ("idf=smoothed,ties=last", PAPER)),
    ):
        assert (protocol(name).name, protocol(name).bundle) == (name, bundle)
    assert protocol(f"{DECEMBER},empty_validation=predicted") == PROTOCOLS[AUTHORS]  # they differ in nothing else
    assert protocol(PROTOCOLS[AUTHORS].text).told == "protocol of the authors’ code" and Protocol().told == ""
    for asked, said in (
        ("author", "protocol is 'author'; it must be one of paper, authors"),
        ("tie=last", "a protocol has no option 'tie'; it has order, renormalise"),
        ("ties=late", "the protocol's ties is 'late'; it must be one of first, last"),
    ):
        with pytest.raises(ValueError, match=said):
            protocol(asked)


def test_the_bundle_is_written_out_in_keys_so_that_it_may_change():
    assert PROTOCOLS[AUTHORS].text == (
        "bm25_norm=l2,conf_width=half-z2,dropout=bernoulli,entities=dropped,forest_classes=tuned,idf=smoothed,"
        "knn_grid=code,knn_votes=distance,log_tf=1+log,ohsumed_split=listing,order=weight,pretraining=point,"
        "renormalise=no,ties=last"
    )


DECIDES = {  # what an option changes, on which weighting; those of readers and learners have tests of their own
    "order": "LogTF",
    "idf": "TFIDF",
    "log_tf": "LogTFIDF",
    "bm25_norm": "BM25",
}


@pytest.mark.parametrize("option", DECIDES)
def test_each_option_of_vectors_changes_its_weighting_and_no_other(task, option):
    paper, one = task.under("paper"), task.under(Protocol(**{option: list(OPTIONS[option].values)[1]}))
    changed = [
        name
        for name in ("TF", "LogTF", "TFIDF", "LogTFIDF", "BM25", "TFRF", "ConfWeight")
        if (a := weigh(paper, name).train).shape != (b := weigh(one, name).train).shape or abs(a - b).max() > 1e-9
    ]
    if option == "order":
        assert {"LogTF", "TFIDF", "BM25", "TFRF"} <= set(changed)
    else:
        assert changed == (["TFIDF", "LogTFIDF"] if option == "idf" else [DECIDES[option]])


def test_lengths_after_selection_are_an_option(task):
    again = weigh(task.under("authors,renormalise=yes"), "TFIDF").train
    once = weigh(task, "TFIDF").train
    assert np.allclose(normalize(once).toarray(), again.toarray()) and abs(once - again).max() > 0.01
    assert abs(weigh(task.under("authors,renormalise=yes"), "TF").train - weigh(task, "TF").train).max() == 0  # no norm


def test_ties_where_the_selection_ends():
    counts = sparse.csr_array(np.array([[1, 1, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1.0]]))  # three terms alike
    y = np.array([True, False, False])
    assert select_terms(counts, y, 0.5).tolist() == [0, 1] and select_terms(counts, y, 0.5, "last").tolist() == [1, 2]
    for ties, expected in (("last", [1, 2]), ("first", [0, 1])):
        assert select_weighted(counts, y, 0.5, ties).tolist() == expected
        assert select_weighted(-1 * counts, y, 0.5, ties).tolist() == expected
    oracle = SelectKBest(chi2, k=2).fit(counts, y).get_support(indices=True)
    assert oracle.tolist() == select_weighted(counts, y, 0.5).tolist()


def test_a_task_under_another_protocol_is_another_task(task):
    paper = task.under("paper")
    assert paper.under("paper") is paper and task.under("authors") is task
    assert len({paper.fingerprint, task.fingerprint, paper.under("ties=last").fingerprint}) == 3
    plain = vectorize(task.vectorized.corpus, cache=False).task("a", ratio=KEPT)
    assert plain.fingerprint == paper.fingerprint and plain.protocol == Protocol()
    assert (task.vectorized.task("a", KEPT, 0.5).under("paper").validation.sum(), task.ratio) == (30, KEPT)
    with pytest.raises(ValueError, match="protocol of the authors’ code is one of single classes"):
        task.vectorized.multiclass_task()


def test_results_say_their_protocol(task, tmp_path):
    ours, theirs = (evaluate(task, "LogTF", "MNB", protocol=name) for name in (PAPER, AUTHORS))
    assert "seed 0, protocol authors" in repr(theirs) and "protocol" not in repr(ours)
    assert "protocol authors" in theirs._repr_html_()
    assert results_frame([ours, theirs])["protocol"].tolist() == [PAPER, AUTHORS]
    assert "protocol" not in results_frame([ours])
    exported = export_vectors(task, "LogTF", tmp_path / "vectors.npz")
    assert exported.terms == weigh(task, "LogTF").terms.tolist() != task.terms.tolist()


def test_relevance_frequency_as_it_was_run_before_its_correction(task):
    function = cd_function("RF-before-2017-01-23")
    n, p = 100, 0.2  # 20 of the class
    assert function(10 / 20, 5 / 80, p, n) == pytest.approx(np.log2(2 + 10 / 5))  # as RF wherever a term is outside
    assert function(10 / 20, 0, p, n) == pytest.approx(np.log2(2 + 10 / 100))  # RF: log2(12)
    assert function(0, 0, p, n) == 1
    assert function.symbol == "RF, as run before 2017-01-23"
    name = "TFRF-before-2017-01-23"
    assert display(name) == "TFRF, RF as run before 2017-01-23"
    assert name not in methods() and make(name).cd == function.name
    assert weigh(task, name).train.nnz and weigh(task, name).weighting == name


def test_smoothed_idf_is_scikit_learns_and_the_code_has_wider_intervals():
    assert cd_function("IDF-smoothed")(0.5, 0.25, 0.5, 40) == pytest.approx(np.log(41 / 16) + 1)
    wide, narrow = (cd_function(name)(1.0, 0.01, 0.05, 100) for name in ("ConfWeight-code", "ConfWeight"))  # 5 of 5
    assert 0 < wide < narrow
    asked = {name: protocol_settings(name, Protocol(conf_width="half-z2")) for name in methods()}
    assert {name: settings for name, settings in asked.items() if settings} == {"ConfWeight": {"cd": "ConfWeight-code"}}


def vectors_of(task, **changes):
    return Vectors(
        train=task.counts_train.astype(float),
        test=task.counts_test.astype(float),
        y_train=task.y_train,
        y_test=task.y_test,
        validation=task.validation,
        weighting="counts",
        **changes,
    )


def test_neighbours_vote_by_distance(task):
    vectors = vectors_of(task, protocol=PROTOCOLS[AUTHORS])
    train, test = vectors.train, vectors.test
    test = sparse.vstack([test, train[:3]]).tocsr()  # at distance 0 of themselves
    method = learner("KNN").suited_to(vectors)
    for k in (3, 5):
        (found,) = method.predictions([{"k": k, "reduction": "all"}], train, vectors.y_train, test, 0)
        oracle = KNeighborsClassifier(k, weights="distance", algorithm="brute").fit(train, vectors.y_train)
        assert np.allclose(found.scores, oracle.predict_proba(test)[:, 1])
        assert (found.predicted == oracle.predict(test)).all()
    (equal,) = learner("KNN").predictions([{"k": 5, "reduction": "all"}], train, vectors.y_train, test, 0)
    assert not np.allclose(equal.scores, found.scores)


def test_the_grid_of_neighbours_in_the_code(task):
    few = np.zeros(task.y_train.size, bool)
    few[:4] = True
    method = learner("KNN").suited_to(vectors_of(task, protocol=Protocol(knn_grid="code")))
    grid = method.grid("full", 1000, 600)
    assert [point["k"] for point in grid[:4]] == [15, 5, 3, 1]
    assert list(dict.fromkeys(point["reduction"] for point in grid)) == [
        *("all", "pca-64", "pca-128", "chi2-500", "chi2-250", "chi2-100", "chi2-50", "chi2-25"),
    ]
    some = vectors_of(task, protocol=Protocol(knn_grid="code"))
    object.__setattr__(some, "y_train", few)
    assert {point["k"] for point in learner("KNN").suited_to(some).grid("quick", 1000, 600)} == {3, 1}
    assert learner("KNN").suited_to(vectors_of(task)) is learner("KNN")


def test_forests_tune_class_weights(task):
    vectors = vectors_of(task, protocol=Protocol(forest_classes="tuned"))
    method = learner("RF").suited_to(vectors)
    assert [point["class_weight"] for point in method.grid("quick", 9, 9)[:3]] == [
        "balanced",
        "balanced_subsample",
        None,
    ]
    assert len(method.grid("full", 9, 9)) == 72 and len(learner("RF").grid("full", 9, 9)) == 24
    points = [
        {"trees": n, "criterion": "gini", "max_features": "sqrt", "class_weight": "balanced_subsample"}
        for n in (10, 25)
    ]
    for found in method.predictions(points, vectors.train, vectors.y_train, vectors.test, 3):
        trees = points[found.index]["trees"]
        oracle = RandomForestClassifier(trees, class_weight="balanced_subsample", max_features="sqrt", random_state=3)
        assert (found.predicted == oracle.fit(vectors.train, vectors.y_train).predict(vectors.test)).all()
    result = evaluate_vectors(vectors, "RF")
    assert result.protocol == "forest_classes=tuned" and "class_weight" in result.parameters


def test_naive_bayes_may_take_weights_without_their_sign():
    weights = sparse.csr_array(np.array([[-0.6, 0.8], [0.0, -1.0], [1.0, 0.0]]))
    dropped, absolute = (MNB(value).prepare(weights, weights) for value in OPTIONS["negatives"].values)
    np.testing.assert_array_equal(dropped[0].toarray(), [[0, 0.8], [0, 0], [1, 0]])
    for vectors in absolute[:2]:
        np.testing.assert_array_equal(vectors.toarray(), abs(weights.toarray()))
    assert absolute[2] == ("MNB takes no negative weights: 50.0% of the training weights lost their sign.",)
    assert MNB("absolute").prepare(abs(weights), abs(weights))[2] == ()
    assert [PROTOCOLS[name].negatives for name in PROTOCOLS] == ["dropped"] * 3


def test_naive_bayes_follows_the_protocol(task):
    assert learner("MNB").suited_to(vectors_of(task)) is learner("MNB")
    assert learner("MNB").suited_to(vectors_of(task, protocol=Protocol(negatives="absolute"))).negatives == "absolute"


def test_learned_weightings_take_part_with_their_dropout():
    assert protocol_settings("LTW-L-I", PROTOCOLS[AUTHORS]) == {"dropout_form": "bernoulli", "pretrain_form": "point"}
    assert protocol_settings("Dense", PROTOCOLS[AUTHORS]) == protocol_settings("LTW-L-I", Protocol()) == {}


def test_pre_training_point_by_point(task):
    """A step's error is that of one point; with dropout another one. The reference engine alone can do it."""
    settings = {"hidden": 20, "pretrain": "IG", "pretrain_form": "point", "random_state": 0}
    errors = []
    for dropout in (0.0, 0.5):
        learned = LearnedWeighting(**settings, dropout=dropout)
        engine = make_engine(learned.problem(task.counts_train, task.y_train, task.validation), learned.settings())
        p, (point,) = engine.parameters(), engine.random.points(0, 1)
        out = np.maximum(point @ p["W1"] + p["b1"], 0) @ p["W2"] + p["b2"]
        errors.append(engine.pretrain(lambda tpr, fpr: tpr - fpr, 1))
    assert engine.name == "reference" and errors[0] != pytest.approx(errors[1], rel=0.01)
    assert errors[0] == pytest.approx((float(np.ravel(out)[0]) - (point[0] - point[1])) ** 2, rel=1e-4)
    with pytest.raises(ValueError, match="compiled engine pre-trains on a hundred points a step"):
        LearnedWeighting(**settings, engine="compiled").fit(task.counts_train, task.y_train)
    with pytest.raises(ValueError, match="pretrain_form must be one of hundred, point"):
        LearnedWeighting(pretrain_form="few").fit(task.counts_train, task.y_train)


@pytest.mark.corpus
def test_the_papers_figure_of_logtf_comes_out(real_corpus):
    """Macro F1 .571 of 20 Newsgroups with naive Bayes as the paper prints it; its text alone gives .61."""
    real_corpus("20newsgroups")
    found = vectorize(load("20newsgroups"), documents="with_terms", protocol="authors")
    results = [evaluate(found.task(name), "LogTF", "MNB", "full") for name in found.class_names]
    assert macro_f1(results) == pytest.approx(0.571, abs=0.002)


@pytest.mark.corpus
def test_reuters_has_the_papers_terms(real_corpus):
    real_corpus("reuters21578")
    found = vectorize(load("reuters21578", protocol="authors"), documents="with_terms")
    assert (found.vocabulary.size, found.rows_train.size, found.rows_test.size) == (28_828, 9_603, 3_299)


def test_without_validation_documents_of_the_class_the_first_setting_wins(task):
    """In December 2016: with F1 as predicted a setting wins that predicts nothing, and with such documents none is
    chosen otherwise."""
    old = Protocol(empty_validation="one")
    few = np.array([False, False, True, True] * 10)
    X = sparse.csr_array(np.where(few[:, None], [[2.0, 1.0]], [[1.0, 2.0]]))
    y = np.zeros(40, dtype=bool)
    y[:10] = few[:10]  # documents like those of the class follow, and none of them has it
    made = lambda how, labels: Vectors(X, X, labels, labels, np.arange(40) >= 10, "counts", protocol=how)  # noqa: E731
    chosen = [evaluate_vectors(made(how, y), "MNB", "full") for how in (Protocol(), old)]
    first = learner("MNB").grid("full", 10, 2)[0]
    assert chosen[1].parameters == first and chosen[1].validation_f1 == 1 > chosen[0].validation_f1
    both = [evaluate_vectors(made(how, few), "MNB", "full") for how in (Protocol(), old)]
    assert (both[0].parameters, both[0].tp, both[0].validation_f1) == (
        both[1].parameters,
        both[1].tp,
        both[1].validation_f1,
    )


def test_a_protocol_is_told_by_what_it_does_otherwise():
    assert in_words(protocol("paper")) == []
    assert in_words(protocol("ties=last")) == ["Equal χ² where the selection ends: the last one is kept"]
    assert in_words(protocol("authors,ties=first"), AUTHORS) == [
        "Equal χ² where the selection ends: the first term in alphabetical order is kept"
    ]
