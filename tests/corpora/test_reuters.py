import pytest

from ltw_core.corpora import CorpusError, load
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
    assert corpus.report[:2] == (
        "Read 7 stories from 2 files.",
        "Kept the 3 training and 1 test stories of the ModApté split; the other 3 have no topics assigned by an "
        "indexer or belong to no part.",
    )


def test_the_texts(corpus):
    assert corpus.documents[0] == "PROFIT <ABC> RISES\nNet & gross  up"
    assert corpus.documents[1] == "RAW TABLE 1"
    assert corpus.documents[2] == "Headline only"
    assert "NOWHERE" not in corpus.documents[3]


def test_a_story_without_a_list_of_topics_has_none(make_tar, reuters_files):
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace("<TOPICS>", "<OTHERS>", 1)
    corpus = READER.parse((make_tar("reuters21578.tar.gz", reuters_files),))
    assert corpus.labels.toarray()[0].tolist() == [False] * len(corpus.class_names)
    assert READER.expected == (9_603, 3_299, 115)  # as in every publication on this split


def test_files_are_read_by_their_numbers_whatever_their_folders(make_tar, reuters_files):
    first, second, _ = reuters_files.values()
    path = make_tar("reuters21578.tar.gz", {"a/reut2-001.sgm": second, "b/REUT2-000.SGM".lower(): first})
    assert [text.split("\n")[0] for text in READER.parse((path,)).documents] == [
        *("PROFIT <ABC> RISES", "RAW TABLE 1", "Headline only", "A title"),
    ]


def test_entities_may_be_dropped_which_glues_words(make_tar, reuters_files, monkeypatch, tmp_path):
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace("RAW TABLE 1", "AT&amp;T a&#3;b &lt;c>")
    make_tar("reuters21578.tar.gz", reuters_files)
    monkeypatch.setenv("LTW_DATA", str(tmp_path))
    monkeypatch.setenv("LTW_STATE", str(tmp_path / "state"))
    usual, dropped = load("reuters21578"), load("reuters21578", protocol="authors")
    assert (usual.documents[1], dropped.documents[1]) == ("AT&T a b <c>", "ATT ab c>")
    assert usual.fingerprint != dropped.fingerprint and load("reuters21578").documents[1] == "AT&T a b <c>"
    assert [sentence for sentence in dropped.report if sentence not in usual.report] == [
        "Entities such as &lt; were dropped, which glues words."
    ]
    with pytest.raises(CorpusError, match="entities is 'kept'; it must be resolved or dropped"):
        load("reuters21578", entities="kept")


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("&#33;&#126;", "!~"),  # what can be printed
        ("a&#31;b&#32;c&#127;d&#200;e", "a b c d e"),  # and what cannot
        ("a&#0000033;b&#99999999999;c", "a!b c"),
        ("&lt;b> &amp;lt; &gt; &quot;", "<b> &lt; > &quot;"),
        ("a\x00b\x08c\x0bd\x1fe\x7ff\tg\nh", "a b c d e f\tg\nh"),
    ],
)
def test_entities_and_control_characters(make_tar, reuters_files, written, read):
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace("RAW TABLE 1", written)
    corpus = READER.parse((make_tar("reuters21578.tar.gz", reuters_files),))
    assert corpus.documents[1] == read


def test_another_archive_is_a_sentence(make_tar):
    path = make_tar("reuters21578.tar.gz", {"a.txt": "x"})
    with pytest.raises(
        CorpusError, match=r"^reuters21578\.tar\.gz holds no file reut2-….sgm: it is not the Reuters-21578 archive\.$"
    ):
        READER.parse((path,))


@pytest.mark.parametrize(
    ("damage", "message"),
    [("<REUTERS", "a story has no <REUTERS> tag"), ("<TEXT", "story 1 has no <TEXT>")],
)
def test_damaged_files_are_a_sentence(make_tar, reuters_files, damage, message):
    reuters_files["./reut2-000.sgm"] = reuters_files["./reut2-000.sgm"].replace(damage, "<OTHER", 1)
    path = make_tar("reuters21578.tar.gz", reuters_files)
    with pytest.raises(CorpusError) as caught:
        READER.parse((path,))
    assert str(caught.value) == f"./reut2-000.sgm is damaged: {message}.".removeprefix("./")


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
