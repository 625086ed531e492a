import numpy as np
import pytest
from sklearn.datasets import _twenty_newsgroups as oracle
from sklearn.datasets import load_files

from ltw_core.corpora import CorpusError, newsgroups

READER = newsgroups.Newsgroups()

POST = """From: a@b.c
Subject: spring

In article <1@x> d@e.f writes:
> is it warm?
| quoted
It is warm: she said: no.

Yes.

--
A signature
"""
POSTS = [
    POST,
    "no header at all",
    "Header: x\n\n",
    "Header: x\n\nbody only",
    "Header: x\n\nbody\n\nlast block",
    "Header: x\n\n\n\n\n---\n",
    "Header: x\n\n> quoted\n-- \nme\n----\nend\n\n",
    "H: 1\r\n\r\nWindows\r\n\r\n-- \r\nend",
    "",
]


@pytest.mark.parametrize("post", POSTS)
def test_each_step_equals_scikit_learns(post):
    assert newsgroups.strip_header(post) == oracle.strip_newsgroup_header(post)
    assert newsgroups.strip_quotes(post) == oracle.strip_newsgroup_quoting(post)
    if post:  # theirs fails on a post of no lines at all
        assert newsgroups.strip_footer(post) == oracle.strip_newsgroup_footer(post)


def test_a_post_without_header_footer_and_quotes():
    expected = oracle.strip_newsgroup_header(POST)
    expected = oracle.strip_newsgroup_quoting(oracle.strip_newsgroup_footer(expected))  # as fetch_20newsgroups does
    assert newsgroups.strip(POST) == expected
    assert "Yes." in expected and "warm" not in expected and "signature" not in expected


@pytest.fixture
def files():
    members = {}
    for part, sizes in (("train", (5, 7)), ("test", (3, 4))):
        for group, size in zip(("rec.autos", "sci.med"), sizes, strict=True):
            for number in range(size):
                members[f"20news-bydate-{part}/{group}/{number + 95}"] = f"H: 1\n\n{part} {group} {number} caf\xe9"
    return members


def test_order_and_labels_equal_scikit_learns(files, make_folder, make_tar, tmp_path):
    make_tar("20news-bydate.tar.gz", files)
    corpus = READER.parse(READER.find(tmp_path))
    folder = make_folder("unpacked", files)
    expected, targets = [], []
    for part in ("train", "test"):
        bunch = load_files(folder / f"20news-bydate-{part}", encoding="latin1")  # shuffles with seed 0
        order = np.arange(len(bunch.data))
        np.random.RandomState(42).shuffle(order)  # and fetch_20newsgroups with 42
        expected += [oracle.strip_newsgroup_header(bunch.data[index]) for index in order]
        targets += [bunch.target[index] for index in order]
    assert list(corpus.documents) == expected
    assert corpus.labels.indices.tolist() == targets
    assert (corpus.labels.sum(axis=1) == 1).all()
    assert corpus.class_names == ("rec.autos", "sci.med")
    assert (corpus.n_train, corpus.n_test) == (12, 7)


def test_unpacked_in_both_ways(files, make_folder, make_tar, tmp_path):
    packed = READER.parse((make_tar("x/20news-bydate.tar.gz", files),))
    make_folder("a/20news-bydate", files)
    make_folder("b", files)  # as tar leaves it: two folders side by side
    for where in ("a", "b"):
        assert READER.parse(READER.find(tmp_path / where)).fingerprint == packed.fingerprint


def test_another_archive_is_a_sentence(make_tar):
    path = make_tar("20news-bydate.tar.gz", {"a.txt": "x"})
    with pytest.raises(CorpusError, match="not the by-date archive"):
        READER.parse((path,))


@pytest.mark.corpus
def test_the_real_archive(real_corpus):
    corpus = real_corpus("20newsgroups")
    assert (corpus.n_train, corpus.n_test, len(corpus.class_names)) == READER.expected
    assert (corpus.labels.sum(axis=1) == 1).all()
    sizes = dict(zip(corpus.class_names, corpus.labels[corpus.train].sum(axis=0).tolist(), strict=True))
    assert sizes["misc.forsale"] == 585 and sizes["talk.religion.misc"] == 377
