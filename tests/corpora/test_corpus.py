import dataclasses

import numpy as np
import pytest
from scipy.sparse import csr_array

from ltw_core.corpora.corpus import Corpus, CorpusError, assemble, some, with_note

TEXTS = ("wheat and corn", "corn", "ship", "")
LABELS = ({"grain", "corn"}, {"corn"}, set(), {"ship"})


def build(**changes):
    arguments = {
        "name": "tiny",
        "title": "Tiny",
        "documents": TEXTS,
        "label_sets": LABELS,
        "train": [True, True, True, False],
        "origin": "here",
    }
    return assemble(**(arguments | changes))


def test_labels_follow_sorted_names():
    corpus = build(titles={"corn": "Maize"})
    assert corpus.class_names == ("corn", "grain")
    assert corpus.class_titles == ("Maize", "grain")
    #                                              corn   grain
    assert corpus.labels.toarray().tolist() == [[True, True], [True, False], [False, False], [False, False]]
    assert (corpus.n_train, corpus.n_test) == (3, 1)
    assert corpus.labels.sum(axis=1).tolist() == [2, 1, 0, 0]


def test_a_class_without_training_document_is_dropped_and_said():
    corpus = build()
    assert any("1 class dropped" in sentence and "ship" in sentence for sentence in corpus.report)
    assert len(corpus.documents) == 4


def test_everything_is_frozen():
    corpus = build()
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.name = "other"
    with pytest.raises(ValueError, match="read-only"):
        corpus.train[0] = False
    for array in (corpus.labels.data, corpus.labels.indices, corpus.labels.indptr):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_callers_arrays_stay_theirs():
    train = np.array([True, True, True, False])
    labels = csr_array(np.array([[1], [1], [0], [0]], dtype=np.uint8))
    corpus = Corpus("t", "T", TEXTS, labels, ("c",), train, "here")
    train[0] = False
    labels.data[0] = 0
    assert corpus.train[0] and corpus.labels[0, 0]


def test_frozen_labels_work_in_sparse_algebra():
    labels = build().labels
    assert labels.sum(axis=0).tolist() == [2, 1]
    assert (labels.T @ labels.astype(np.int32)).toarray().tolist() == [[2, 1], [1, 1]]
    assert labels[[0, 2]][:, [0]].toarray().ravel().tolist() == [True, False]


def test_fingerprint_is_of_the_content():
    same = build()
    assert same.fingerprint == build(title="Another", origin="there").fingerprint
    different = [
        build(documents=("wheat and cor", "ncorn", "ship", "")),  # same letters, other borders
        build(label_sets=({"grain"}, {"corn"}, set(), {"ship"})),
        build(train=[True, True, False, False]),
        build(language="german"),
    ]
    assert len({same.fingerprint, *(corpus.fingerprint for corpus in different)}) == 5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train": [False] * 4}, "no training documents"),
        ({"train": [True] * 4}, "no test documents"),
        ({"label_sets": [set()] * 4}, "no class with a training document"),
        ({"label_sets": [{"a"}] * 4}, "single class, 'a', and every training document has it"),
    ],
)
def test_what_cannot_be_learned_is_refused(changes, message):
    with pytest.raises(CorpusError, match=message):
        build(**changes)


def test_one_class_that_some_documents_lack_is_enough():
    assert build(label_sets=[{"a"}, {"a"}, set(), set()]).class_names == ("a",)


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(CorpusError, match="do not fit together"):
        Corpus("t", "T", TEXTS, csr_array((3, 1)), ("c",), [True] * 4, "here")


def test_repr_is_short():
    assert repr(build()) == "Corpus('tiny', 3 training and 1 test documents, 2 classes)"


def test_a_note_joins_the_brackets_that_a_title_ends_in():
    assert with_note("Mine.csv", "as usual") == "Mine.csv (as usual)"
    assert with_note("20 Newsgroups (by date)", "not here yet") == "20 Newsgroups (by date; not here yet)"


def test_some_names():
    assert some(["a", "b"]) == "a, b"
    assert some(["a", "b", "c"], 2) == "a, b and 1 more"
