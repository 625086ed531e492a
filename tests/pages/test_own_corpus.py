"""Bringing one's own table, through the corpus page."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.conftest import APP, figures, labelled, open_page, settled, texts
from tests.waiting import PATIENCE


def table(rows=120):
    lines = ["text,label"]
    lines += [f"apples pears fruit number{i},fruit" for i in range(rows)]
    lines += [f"hammer nails tools number{i + rows},tools" for i in range(rows)]
    return "\n".join(lines).encode()


def test_a_table_becomes_a_dataset_of_this_session_alone(app):
    page = open_page(app, "explore/corpus")
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run()
    assert not page.exception and not page.error
    page.button(key="own_read").click().run()
    assert not page.exception and not page.error
    assert page.session_state["_dataset"].startswith("own-")
    assert set(page.session_state["own_corpora"]) == {page.session_state["_dataset"]}
    assert labelled(page, "selectbox", "Class").value in ("fruit", "tools")


def test_another_corpus_is_shown_whole_wherever_the_last_one_was_zoomed(app):
    """What a reader zoomed stays while a figure's ``uirevision`` does."""
    page = open_page(app, "explore/corpus")
    page.session_state["section"] = "Collection"
    names = {"prevalence", "lengths", "growth", "zipf"}  # no overlap: synthetic documents have one label
    before = _revisions(page.run(), names)
    labelled(page, "selectbox", "Class").set_value("other")
    assert _revisions(page.run(), names) == before
    page.file_uploader[0].upload("mine.csv", table(), "text/csv")
    page.run().button(key="own_read").click().run()
    after = _revisions(page, names)
    assert before.keys() == after.keys() == names and all(before[name] != after[name] for name in names)


def _revisions(page, names):
    assert not page.exception and not page.error
    return {f["name"]: json.loads(f["figure"])["layout"]["uirevision"] for f in figures(page) if f["name"] in names}


def test_the_columns_that_will_be_taken_are_named_before_reading(app):
    page = open_page(app, "explore/corpus")
    rows = table().replace(b"text,label", b"words,topic")
    page.file_uploader[0].upload("mine.csv", rows, "text/csv")
    page.run()
    hints = {key: page.selectbox(key=f"own_{key}").placeholder for key in ("text", "label", "split")}
    assert hints == {"text": "guessed: words", "label": "guessed: topic", "split": "guessed: none"}


def test_a_table_that_cannot_be_read_gets_a_sentence(app):
    page = open_page(app, "explore/corpus")
    page.file_uploader[0].upload("mine.csv", b"", "text/csv")
    page.run()
    assert not page.exception and len(page.error) == 1


def test_markup_in_a_table_is_shown_as_text(app):
    page = open_page(app, "explore/corpus")
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
    page = open_page(page, "explore/corpus")
    page.file_uploader[0].upload("Fruit.csv", table(), "text/csv")
    page.run()
    if share is not None:
        page.checkbox(key="own_share").set_value(share)
    return page.button(key="own_read").click().run()


def seen(page):
    return [option for option in labelled(page.run(), "selectbox", "Dataset").options if "Fruit.csv" in option]


def test_another_session_sees_an_upload_only_where_owner_and_reader_share_it(app, other, monkeypatch):
    page = open_page(app, "explore/corpus")
    assert "Nobody else sees it, and it is gone when you close the page" in texts(page)
    page = upload(page, None)  # the owner has not allowed it, and nothing offers it
    assert not page.checkbox and seen(page) == ["Fruit.csv (yours)"] and seen(other) == []

    monkeypatch.setenv("LTW_SHARE_UPLOADS", "1")
    assert "unless you share it, which this server allows" in texts(open_page(other, "explore/corpus"))
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
