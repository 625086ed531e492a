import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from ltw_core.corpora import CorpusError, load


@pytest.fixture(scope="module")
def counted():
    """A corpus, its counts, its words and which documents are relevant."""
    corpus = load("synthetic", documents=3_000, prevalence=0.3, noise_terms=200, seed=1)
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(corpus.documents)
    relevant = corpus.labels[:, [corpus.class_names.index("relevant")]].toarray().ravel()
    return corpus, counts, vectorizer.get_feature_names_out(), relevant


def rates(counts, rows):
    return np.asarray((counts[rows] > 0).mean(axis=0)).ravel()


def test_prevalence_and_split(counted):
    corpus, _, _, relevant = counted
    assert corpus.class_names == ("other", "relevant")
    assert (corpus.labels.sum(axis=1) == 1).all()
    assert relevant.sum() == 900
    assert corpus.n_train == 2_100
    assert relevant[corpus.train].mean() == pytest.approx(0.3)


@pytest.mark.parametrize(("role", "sign"), [("pos", 1), ("neg", -1)])
def test_words_keep_their_promise(counted, role, sign):
    _, counts, words, relevant = counted
    tpr, fpr = rates(counts, relevant), rates(counts, ~relevant)
    mine = np.char.startswith(words.astype(str), role)
    frequent = mine & (np.maximum(tpr, fpr) > 0.1)
    assert frequent.sum() > 10
    assert (sign * (tpr - fpr)[frequent] > 0).all()


def test_noise_is_independent(counted):
    _, counts, words, relevant = counted
    noise = np.char.startswith(words.astype(str), "noise")
    difference = (rates(counts, relevant) - rates(counts, ~relevant))[noise]
    assert abs(difference.mean()) < 0.005
    assert abs(difference).max() < 0.09  # about four standard errors


def test_frequency_terms_tell_by_frequency_only(counted):
    _, counts, words, relevant = counted
    mine = np.flatnonzero(np.char.startswith(words.astype(str), "freq"))
    assert len(mine) == 10
    assert abs((rates(counts, relevant) - rates(counts, ~relevant))[mine]).max() < 0.09
    dense = counts[:, mine].toarray()
    assert dense[~relevant].max() == 1
    assert dense[relevant][dense[relevant] > 0].min() >= 2


def test_seeds():
    same = [load("synthetic", documents=200, seed=seed).fingerprint for seed in (5, 5, 6)]
    assert same[0] == same[1] != same[2]


@pytest.mark.parametrize("prevalence", [0.01, 0.99])
def test_extreme_prevalence_has_both_classes_in_both_parts(prevalence):
    corpus = load("synthetic", documents=20, prevalence=prevalence, noise_terms=5)
    sizes = [corpus.labels[mask].sum(axis=0).min() for mask in (corpus.train, ~corpus.train)]
    assert min(sizes) >= 1


def test_a_single_word_is_enough():
    corpus = load("synthetic", positive_terms=1, negative_terms=0, frequency_terms=0, noise_terms=0, documents=50)
    assert set(" ".join(corpus.documents).split()) == {"pos001"}


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"prevalence": 0}, "prevalence must be a number from .01 to .99, not 0"),
        ({"prevalence": "half"}, "not 'half'"),
        ({"prevalence": float("nan")}, "not nan"),
        ({"prevalence": True}, "not True"),
        ({"documents": 5}, "documents must be a whole number from 20 to 100,000, not 5"),
        ({"documents": 2.5}, "not 2.5"),
        ({"noise_terms": -1}, "noise_terms must be"),
        ({"seed": -1}, "seed must be"),
        ({"positive_terms": 0, "negative_terms": 0, "frequency_terms": 0, "noise_terms": 0}, "at least one word"),
        ({"documents": 100_000, "noise_terms": 20_000}, "too many"),
        ({"size": 3}, "no parameter 'size'; they are prevalence"),
    ],
)
def test_wrong_parameters_are_a_sentence(parameters, message):
    with pytest.raises(CorpusError, match=message.replace(".", r"\.")):
        load("synthetic", **parameters)
