"""Bringing one's own table, through the Data page."""

import gc
import json
import weakref

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from ltw_core.corpora.tables.open_table import open_table
from pages._ui.data import own_table
from pages._ui.guard import plain
from pages._ui.reader import uploads
from pages._ui.words import megabytes
from tests.pages.conftest import APP, figures, finish_jobs, labelled, open_page, settled, texts
from tests.waiting import PATIENCE, wait_for


def table(rows=120):
    lines = ["text,label"]
    lines += [f"apples pears fruit number{i},fruit" for i in range(rows)]
    lines += [f"hammer nails tools number{i + rows},tools" for i in range(rows)]
    return "\n".join(lines).encode()


def test_a_table_becomes_a_dataset_of_this_session_alone(app):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run()
    assert not page.exception and not page.error
    page.button(key="own_read").click().run()
    assert not page.exception and not page.error
    assert page.session_state["_dataset"].startswith("own-")
    assert set(page.session_state["own_corpora"]) == {page.session_state["_dataset"]}
    assert labelled(page, "selectbox", "Class").value in ("fruit", "tools")


@pytest.mark.parametrize(
    ("section", "names"),
    [
        ("Classes", {"prevalence"}),
        ("Collection", {"lengths", "growth", "zipf"}),
    ],  # no figure of overlap: documents have one label
)
def test_another_corpus_is_shown_whole_wherever_the_last_one_was_zoomed(app, section, names):
    """What a reader zoomed stays while a figure's ``uirevision`` does."""
    page = open_page(app, "data/data")
    page.session_state["section"] = section
    before = _revisions(page.run(), names)
    labelled(page, "selectbox", "Class").set_value("other")
    assert _revisions(page.run(), names) == before
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run().button(key="own_read").click().run()
    assert page.session_state["section"] == "Terms" and "mine.csv has been read: " in page.toast[0].value
    page.session_state["section"] = section
    after = _revisions(page.run(), names)
    assert before.keys() == after.keys() == names and all(before[name] != after[name] for name in names)


def _revisions(page, names):
    assert not page.exception and not page.error
    return {f["name"]: json.loads(f["figure"])["layout"]["uirevision"] for f in figures(page) if f["name"] in names}


def test_the_columns_that_will_be_taken_are_named_before_reading(app):
    page = open_page(app, "data/data")
    rows = table().replace(b"text,label", b"words,topic")
    page.file_uploader[0].upload("mine.csv", rows, "text/csv")
    page.run()
    hints = {key: page.selectbox(key=f"own_{key}").placeholder for key in ("text", "label", "split")}
    assert hints == {"text": "guessed: words", "label": "guessed: topic", "split": "guessed: none"}


def test_a_table_that_cannot_be_read_gets_a_sentence(app):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", b"", "text/csv")
    page.run()
    assert not page.exception and len(page.error) == 1


def test_markup_in_a_table_is_shown_as_text(app):
    page = open_page(app, "data/data")
    rows = table().replace(b",tools", b",<script>alert(1)</script>")
    page.file_uploader[0].upload("mine.csv", rows, "text/csv")
    page.run()
    page.button(key="own_read").click().run()
    assert not page.exception and not page.error
    assert "<script>" not in texts(page)


@pytest.fixture
def other():
    """A second visitor."""
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.query_params["dataset"] = "synthetic"
    return settled(test.run())


def upload(page, share):
    page = open_page(page, "data/data")
    page.file_uploader[0].upload("Fruit.csv", table(), "text/csv")
    page.run()
    if share is not None:
        page.checkbox(key="own_share").set_value(share)
    return page.button(key="own_read").click().run()


def seen(page):
    return [option for option in labelled(page.run(), "selectbox", "Dataset").options if "Fruit.csv" in option]


def test_another_session_sees_an_upload_only_where_owner_and_reader_share_it(app, other, monkeypatch):
    page = open_page(app, "data/data")
    assert "Nobody else sees it." in texts(page)
    assert "It stays on this server’s disk for a day, or until you delete it" in texts(page)
    page = upload(page, None)  # the owner has not allowed it, and nothing offers it
    assert (
        not [box for box in page.checkbox if box.key != "count_case"]
        and seen(page) == ["Fruit.csv (yours)"]
        and seen(other) == []
    )

    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    assert "unless you share it, which this server allows" in texts(open_page(other, "data/data"))
    page = upload(page, False)
    assert seen(page) == ["Fruit.csv (yours)"] and seen(other) == []
    page = upload(page, True)
    assert seen(page) == ["Fruit.csv (yours, shared)"] and seen(other) == ["Fruit.csv (shared by a visitor)"]
    labelled(other, "selectbox", "Dataset").set_value(page.session_state["_dataset"])
    other = other.run().run()
    assert not other.exception and labelled(other, "selectbox", "Class").value in ("fruit", "tools")

    monkeypatch.delenv("LTW_SHARE_UPLOADS")
    assert seen(other) == [] and other.session_state["_dataset"] == "pydocs"
    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    page = page.run().button(key="take_back").click().run()
    assert seen(page) == ["Fruit.csv (yours)"] and seen(other) == []


@pytest.fixture
def two_readers(app, other, monkeypatch):
    """Two visitors whom the server tells apart; in tests of pages all sessions have one name."""
    app.session_state["who"], other.session_state["who"] = "first", "second"
    monkeypatch.setattr(uploads.owners, "session", lambda: st.session_state["who"])
    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    return upload(app, True), upload(other, False)


def test_who_brings_the_same_table_unshared_does_not_touch_anothers_share(two_readers):
    page, other = two_readers
    key = page.session_state["_dataset"]
    assert other.session_state["_dataset"] == key
    assert seen(page) == ["Fruit.csv (yours, shared)"] and seen(other) == ["Fruit.csv (yours)"]
    assert "take_back" not in [button.key for button in other.button]
    other = open_page(other, "data/data").button(key=f"delete-{key}").click().run()
    assert seen(other) == ["Fruit.csv (shared by a visitor)"] and seen(page) == ["Fruit.csv (yours, shared)"]
    other = open_page(other, "data/data").button(key="bring-back").click().run()
    page = open_page(page, "data/data").button(key="take_back").click().run()
    assert seen(other) == ["Fruit.csv (yours)"] == seen(page) and uploads._shared == {}  # never the second one's


def test_both_may_share_the_same_table(two_readers):
    page, other = two_readers
    key = page.session_state["_dataset"]
    other = upload(other, True)
    page = open_page(page, "data/data").button(key=f"delete-{key}").click().run()
    assert seen(page) == ["Fruit.csv (shared by a visitor)"] and seen(other) == ["Fruit.csv (yours, shared)"]
    page = open_page(page, "data/data").button(key="bring-back").click().run()
    open_page(other, "data/data").button(key="take_back").click().run()
    assert seen(page) == ["Fruit.csv (yours, shared)"] and seen(other) == ["Fruit.csv (yours)"]


def reloaded(page, **more):
    """A session that begins with a page's address."""
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in page.query_params.items():
        test.query_params[name] = value[0] if isinstance(value, list) else value
    for name, value in more.items():
        test.query_params[name] = value
    return settled(test.run())


def test_a_reload_brings_a_table_back_until_it_is_deleted(app):
    page = upload(app, None)
    key = page.session_state["_dataset"]
    again = reloaded(page)
    assert not again.exception and not again.warning and again.session_state["_dataset"] == key
    assert seen(again) == ["Fruit.csv (yours)"]
    wrong = reloaded(page, upload="0" * 32)
    assert not wrong.exception and seen(wrong) == [] and wrong.session_state["_dataset"] == "pydocs"
    assert wrong.warning[0].value.startswith("The table of this address is not here. What you see is ")
    assert "choose its file" in wrong.warning[0].value
    address = dict(page.query_params)
    page = open_page(page, "data/data").button(key=f"delete-{key}").click().run()
    assert "Fruit.csv is deleted; until you read another table you can bring it back." in [t.value for t in page.toast]
    page.query_params.update(address)
    assert seen(reloaded(page)) == []


def test_a_name_that_is_not_known_is_said_on_the_page_with_the_closest():
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.query_params["dataset"] = "reuters"
    page = settled(test.run())
    assert "No dataset here is called “reuters”." in page.warning[0].value
    assert page.button(key="instead-reuters21578")
    page = page.button(key="stay_here").click().run()
    assert not page.warning and not page.exception


# Memory ---------------------------------------------------------------------------------------------------------------
def read(page, name, rows):
    page = open_page(page, "data/data")
    page.file_uploader[0].upload(name, table(rows), "text/csv")
    page.run()
    return page.button(key="own_read").click().run()


def size_of(page, key):
    return page.session_state["own_corpora"][key].n_bytes


def of_size(n_bytes):
    return lambda: n_bytes


def test_the_memory_of_a_sessions_tables_is_bounded_and_can_be_freed(app, monkeypatch):
    page = read(app, "first.csv", 120)
    first = page.session_state["_dataset"]
    taken = size_of(page, first)
    assert "Your tables use 0.0 MB of at most 400 MB of memory." in texts(page)

    monkeypatch.setattr(uploads, "uploads_each", of_size(2 * taken - 1))  # what the next but one needs by a byte
    page = read(page, "second.csv", 121)
    assert set(page.session_state["own_corpora"]) == {first} and not page.exception
    assert [error.value for error in page.error] == [
        "This table needs 0.0 MB of memory, and your tables may take 0.1 MB on this server, of which 0.0 MB are taken; "
        "delete one of yours or take a sample of this one."
    ]
    held = weakref.ref(page.session_state["own_corpora"][first])
    page = page.button(key=f"delete-{first}").click().run()
    assert not page.exception and not page.error
    assert page.session_state["_dataset"] == "pydocs" and page.session_state["own_corpora"] == {}

    page = open_page(page, "data/data").button(key="bring-back").click().run()  # nothing was lost
    assert set(page.session_state["own_corpora"]) == {first}
    assert "first.csv (yours)" in labelled(page, "selectbox", "Dataset").options

    page = page.button(key=f"delete-{first}").click().run()
    page = read(page, "second.csv", 121)
    assert not page.error and [one.corpus.title for one in page.session_state["own_corpora"].values()] == ["second.csv"]
    assert page.session_state["_dataset"] in page.session_state["own_corpora"]
    gc.collect()
    assert held() is None  # neither the session nor a cache refers to what was deleted


def test_what_was_made_of_a_table_goes_and_comes_back_with_it(app):
    """Texts, tasks and results, of one class or of all, stay in the session; what is brought back has them again."""
    page = read(app, "first.csv", 120)
    key = page.session_state["_dataset"]
    for section in ("Classes", "Documents"):
        page.session_state["section"] = section
        page.run()
    page = open_page(page, "evaluate/classifiers")
    next(group for group in page.get("button_group") if group.key == "scope").set_value("all")
    page = finish_jobs(page.run().button(key="evaluate_all").click().run()).run()
    wait_for(lambda: "Test document" in texts(page.run()), every=0.1)
    assert not page.exception and not page.error
    made_of = page.session_state["_made_of_tables"][key]
    assert {"task", "task of all classes", "results of all classes"} < set(made_of)
    assert {"pages._ui.evaluate.cell_view._listed", "pages._ui.data.corpus_view._class_table"} <= set(made_of)
    page = open_page(page, "data/data").button(key=f"delete-{key}").click().run()
    assert page.session_state["_made_of_tables"].keys() <= {page.session_state["_dataset"]}
    page = open_page(page, "data/data").button(key="bring-back").click().run()
    assert page.session_state["_made_of_tables"][key]["results of all classes"]


def test_the_memory_of_all_readers_tables_is_bounded(app, other, monkeypatch):
    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    page = open_page(read(app, "Fruit.csv", 120), "data/data")
    key = page.session_state["_dataset"]
    gc.collect()  # or what other tests left goes between one look and the next
    taken = uploads._taken_by_all()
    assert taken >= size_of(page, key)
    monkeypatch.setattr(uploads, "uploads_in_all", of_size(taken))
    other = read(other, "other.csv", 122)
    assert [error.value for error in other.error] == [
        "This table needs 0.0 MB of memory, and all readers’ tables may take "
        f"{megabytes(taken)} on this server, of which {megabytes(taken)} are taken; take a sample of this one or try "
        "again when others have left."
    ]
    monkeypatch.setattr(uploads, "uploads_in_all", of_size(2 * taken + 10_000))
    assert not read(other, "other.csv", 122).error


def test_what_sessions_shared_that_are_gone_makes_room(monkeypatch, app):
    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    page = open_page(app, "data/data")
    page = upload(page, True)
    key = page.session_state["_dataset"]
    monkeypatch.setattr(uploads.owners, "is_here", lambda session: True)
    uploads._push_out_abandoned()
    assert key in uploads.shared()
    monkeypatch.setattr(uploads.owners, "is_here", lambda session: False)
    uploads._push_out_abandoned()
    assert uploads._shared == {} and key in page.session_state["own_corpora"]


# Preview --------------------------------------------------------------------------------------------------------------
@pytest.fixture
def opened(monkeypatch):
    """How often a file was opened: with which options."""
    found = []

    def counting(content, **how):
        found.append(how)
        return open_table(content, **how)

    monkeypatch.setattr(own_table, "open_table", counting)
    return found


def test_a_file_is_read_for_its_preview_once_for_its_options(app, opened):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run()
    detected = {"encoding": None, "delimiter": None}
    assert opened == [detected]
    labelled(page, "selectbox", "Texts").set_value("label")
    page = page.run().run()
    assert opened == [detected]
    assert page.selectbox(key="own_label").placeholder == "guessed"  # no column is left that looks like labels
    page.text_input(key="own_encoding").set_value("latin-1")
    page = page.run().run()
    assert opened == [detected, {"encoding": "latin-1", "delimiter": None}]


def test_a_preview_is_made_while_no_other_file_is_read_and_leaves_a_deletion_undoable(app, monkeypatch):
    busy = []

    def watched(content, **how):
        found = open_table(content, **how)
        found.rows = (busy.append(uploads._reading.locked()) or row for row in found.rows)
        busy.append(uploads._reading.locked())
        return found

    monkeypatch.setattr(own_table, "open_table", watched)
    page = read(app, "first.csv", 60)
    page.button(key=f"delete-{page.session_state['_dataset']}").click().run()
    page = open_page(page, "data/data")
    busy.clear()
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run()
    assert len(busy) == 241 and all(busy) and not uploads._reading.locked()
    assert page.button(key="bring-back")


def test_a_file_that_cannot_be_read_is_read_once_too(app, opened):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", b"text,label\n\0,b\n", "text/csv")
    page = page.run().run()
    assert len(opened) == 1
    assert [error.value for error in page.error] == [
        "mine.csv has a NUL byte in line 2 (byte 12)\\: it isn't text, or it is damaged. If it is UTF-16, give the "
        "encoding utf-16-le or utf-16-be."
    ]


def test_rows_that_are_too_long_to_be_kept_are_read_again_for_another_choice(app, opened, monkeypatch):
    monkeypatch.setattr(own_table, "SAMPLE_KEPT", 100)
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page = page.run().run()
    assert len(opened) == 2  # once for the rows, once for what is guessed of them
    labelled(page, "selectbox", "Labels").set_value("label")
    page = page.run().run()
    assert len(opened) == 3 and page.selectbox(key="own_text").placeholder == "guessed: text"


def stop_words(rows=30):
    """A class whose test documents are mostly stop words, as the definitions of the TREC questions are."""
    lines = ["text,label,split"]
    lines += ["meaning term,definition,train", *["city river,place,train"] * 2] * rows
    lines += ["meaning,definition,test"] * 4 + ["what is this,definition,test"] * 6 + ["city,place,test"] * 20
    return "\n".join(lines).encode()


EMPTY = "Of 30 test documents 6 hold no known term"
SCORED = "they are scored like any other, by what a classifier decides on an empty vector (KNN cannot: negative)."


def test_documents_without_a_known_term_are_told_and_scored(app):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", stop_words(), "text/csv")
    page.run().button(key="own_read").click().run()
    assert f"- {plain(f'{EMPTY}: {SCORED}')}" in texts(page)  # in the report
    labelled(page, "selectbox", "Class").set_value("definition").run()
    behind = next(line.proto.help for line in page.markdown if "best identifies" in line.value)
    told = plain(f"{EMPTY}, 6 of the class among them: {SCORED}")
    assert "90 training and 30 test documents" in behind and told in behind and not page.warning
    page = open_page(page, "evaluate/classifiers")
    assert page.slider(key="ratio").value == 100 and "The selection keeps" not in texts(page)  # all of a small table
    for key, names in {"utw": ["LogTF"], "stw": [], "ltw": [], "learners": ["SVM"]}.items():
        _pills(page, key).set_value(names)
    assert _f1(page) == pytest.approx(8 / 14)
    (counts,) = (caption for caption in page.caption if "30 test documents, 10 of the class" in caption.value)
    assert "; 6 without a known term (6 of the class) are among them." in counts.value and counts.proto.help == told
    _pills(page, "documents").set_value("with_terms")
    assert _f1(page) == 1
    assert "24 test documents, 4 of the class; 6 without a known term (6 of the class) are dropped" in texts(page)


# The share of terms kept ----------------------------------------------------------------------------------------------
PAGES = ["data/data", "workbench/workbench", "evaluate/classifiers"]


def test_a_selection_that_empties_documents_is_told_on_every_page_and_undone_with_a_click(app):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", stop_words(), "text/csv")
    page.run().button(key="own_read").click().run()
    labelled(page, "selectbox", "Class").set_value("definition").run()
    page = open_page(page, "workbench/workbench")
    page.slider(key="ratio").set_value(40).run()
    assert _kept_in_address(page) == "40"
    page.number_input(key="max_steps").set_value(100)
    page = finish_jobs(page.run().button(key="train").click().run())
    told = (
        "The selection keeps 1 of 4 terms: 60 of 90 training documents and 20 of 30 test documents hold known terms "
        "but none of these, so that no weighting can tell them apart."
    )
    for name in PAGES:
        page = open_page(page, name)
        assert told in [warning.value for warning in page.warning], name
        assert not page.exception and not page.error
    page = page.button(key="keep_all_terms").click().run()
    assert page.slider(key="ratio").value == 100 and _kept_in_address(page) is None  # as is usual for such a table
    for name in PAGES:
        shown = texts(open_page(page, name))
        assert ("The selection keeps" in shown) == (name == "workbench/workbench"), (
            name
        )  # what was learned there was so
    page = open_page(page, "workbench/workbench").button(key="keep_all_and_train").click().run()
    assert page.button(key="train") and not page.exception


def test_what_is_learned_under_any_share_is_evaluated_beside_the_others(app):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("mine.csv", table(150), "text/csv")
    page.run().button(key="own_read").click().run()
    for percent in (100, 37, 3):
        page = open_page(page, "workbench/workbench")
        page.slider(key="ratio").set_value(percent)
        page.number_input(key="max_steps").set_value(100)
        page = finish_jobs(page.run().button(key="train").click().run())
        page = open_page(page, "evaluate/classifiers")
        assert page.slider(key="ratio").value == percent
        (mine,) = next(pills for pills in page.get("button_group") if pills.label == "Yours").value
        for key, names in {"utw": ["TF"], "stw": ["TFRF"], "ltw": [], "learners": ["SVM"]}.items():
            _pills(page, key).set_value(names)  # one of them is not known from the Workbench
        page = finish_jobs(page.run().button(key="evaluate").click().run()).run()
        assert not page.exception and not page.error and mine.startswith("run:")
        scores = page.dataframe[-1].value["F1"]
        assert len(scores) == 3 and scores.between(0, 1).all()


def test_a_chosen_share_holds_for_other_datasets_and_the_usual_one_follows_the_dataset(app):
    page = open_page(app, "evaluate/classifiers")
    assert page.slider(key="ratio").value == 10
    page = upload(page, None)
    page = open_page(page, "evaluate/classifiers")
    assert page.slider(key="ratio").value == 100
    page.slider(key="ratio").set_value(37).run()
    labelled(page, "selectbox", "Dataset").set_value("synthetic")
    page = page.run().run()
    slider = page.slider(key="ratio")
    assert (slider.value, slider.label) == (37, "Terms kept · 391 :primary[● paper: 10%]")
    page = open_page(page, "data/data")
    assert "are kept, 37% as you chose" in texts(page)
    page = page.button(key="usual_terms").click().run()
    assert "as you chose" not in texts(page) and _kept_in_address(page) is None


@pytest.mark.parametrize(("asked", "percent"), [("37", 37), ("0", 10), ("101", 10), ("all", 10), ("²", 10)])
def test_an_address_says_the_share(asked, percent):
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    test.query_params["dataset"], test.query_params["kept"] = "synthetic", asked
    test.session_state["_mode"] = "full"
    page = test.run()
    said = [toast.value for toast in page.toast]
    assert percent == 37 or f"keep “{asked}” % of the terms; it must be a number from 1 to 100" in said[0]
    page = settled(page)
    assert open_page(page, "evaluate/classifiers").slider(key="ratio").value == percent
    assert _kept_in_address(page) == ("37" if percent == 37 else None)


def _kept_in_address(page):
    found = page.query_params.get("kept")
    return found[0] if isinstance(found, list) else found


def _pills(page, key):
    return next(group for group in page.get("button_group") if group.key == key)


def _f1(page):
    page = finish_jobs(page.run().button(key="evaluate").click().run()).run()
    assert not page.exception and not page.error
    (value,) = page.dataframe[-1].value["F1"]
    return value
