"""Bringing one's own table, through the corpus page."""

from tests.pages.conftest import labelled, open_page, texts


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
