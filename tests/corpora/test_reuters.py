import pytest

from ltw_core.corpora import CorpusError
from ltw_core.corpora.reuters import Reuters

READER = Reuters()


@pytest.fixture(params=["packed", "unpacked"])
def corpus(request, make_tar, make_folder, tmp_path, reuters_files):
    if request.param == "packed":
        make_tar("reuters21578.tar.gz", reuters_files)
    else:
        make_folder("reuters21578", reuters_files)
    return READER.parse(READER.find(tmp_path))


def test_the_split_and_the_classes(corpus):
    assert (corpus.n_train, corpus.n_test) == (3, 1)
    assert corpus.class_names == ("acq", "earn")  # lei has no training story
    #                                             acq    earn
    assert corpus.labels.toarray().tolist() == [[True, True], [False, True], [False, False], [True, False]]
    assert "lei" in corpus.report[-1]
    assert "7 stories from 2 files" in corpus.report[0]


def test_the_texts(corpus):
    assert corpus.documents[0] == "PROFIT <ABC> RISES\nNet & gross  up"
    assert corpus.documents[1] == "RAW TABLE 1"
    assert corpus.documents[2] == "Headline only"
    assert "NOWHERE" not in corpus.documents[3]


def test_another_archive_is_a_sentence(make_tar):
    path = make_tar("reuters21578.tar.gz", {"a.txt": "x"})
    with pytest.raises(CorpusError, match="not the Reuters-21578 archive"):
        READER.parse((path,))


@pytest.mark.parametrize(
    ("damage", "message"),
    [("<REUTERS", "a story has no <REUTERS> tag"), ("<TEXT", "story 1 has no <TEXT>")],
)
def test_damaged_files_are_a_sentence(make_tar, reuters_files, damage, message):
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace(damage, "<OTHER", 1)
    path = make_tar("reuters21578.tar.gz", reuters_files)
    with pytest.raises(CorpusError, match=message):
        READER.parse((path,))


@pytest.mark.corpus
def test_the_real_archive(real_corpus):
    corpus = real_corpus("reuters21578")
    assert (corpus.n_train, corpus.n_test, len(corpus.class_names)) == READER.expected
    sizes = dict(zip(corpus.class_names, corpus.labels[corpus.train].sum(axis=0).tolist(), strict=True))
    # the ten largest classes, as in every publication on the ModApté split
    largest = {"earn": 2877, "acq": 1650, "money-fx": 538, "grain": 433, "crude": 389, "trade": 369, "interest": 347}
    assert {name: sizes[name] for name in largest} == largest
    assert sizes["wheat"] == 212 and sizes["corn"] == 181 and sizes["ship"] == 197
    assert not any("&lt;" in text or "\x03" in text for text in corpus.documents)
    assert all(corpus.documents)
