"""Options beside the dataset: what is chosen is counted, stands in the address, is told wherever the title stands."""

import pytest

from pages._ui import loading
from pages._ui.reader import counting
from tests.pages.conftest import open_page, texts
from tests.waiting import PATIENCE

CHOSEN = "ngrams:1-2,case:kept,min_df:3"


def opened(app, path):
    """A page with its corpus counted as chosen."""
    page = open_page(app, path)
    state = page.session_state
    wanted = f"?{state['_count']}" if "_count" in state else ""
    loading.ask(f"synthetic{wanted}".rstrip("?")).exception(timeout=PATIENCE)
    return page.run()


@pytest.fixture
def page(app):
    return opened(app, "data/data")


def form(page, **values):
    for key, value in values.items():
        next(
            w for kind in (page.selectbox, page.checkbox, page.number_input) for w in kind if w.key == f"count_{key}"
        ).set_value(value)
    next(button for button in page.button if button.label == "Count terms").click()
    return opened(page.run(), "data/data")


def test_a_choice_is_counted_and_told_and_stands_in_the_address(page):
    assert "count" not in page.query_params and "Counted otherwise" not in texts(page)
    page = form(page, low=1, high=2, case=False, min_df=3)
    assert not page.exception and not page.error and not page.warning
    assert page.query_params["count"] in (CHOSEN, [CHOSEN])
    told = "1- to 2-grams, case kept, terms in at least 3 documents"
    assert f"● Counted otherwise: {told}" in texts(page).replace("\\", "")
    source = loading.ask(f"synthetic?{CHOSEN}").result()
    assert source.options.ngram_range == (1, 2) and not source.options.lowercase and source.options.min_df == 3
    assert source.options.stop_words is None  # those of its language: none
    assert any(" " in term for term in source.vocabulary)
    assert source.corpus.title == f"Synthetic, of known roles ({told})"
    assert source.corpus.fingerprint == loading.ask("synthetic").result().corpus.fingerprint
    assert source.fingerprint != loading.ask("synthetic").result().fingerprint
    next(button for button in page.button if button.label == "As usual").click()
    page = opened(page.run(), "data/data")
    assert "count" not in page.query_params and "Counted otherwise" not in texts(page)


@pytest.mark.parametrize("path", ["data/data", "workbench/workbench", "evaluate/classifiers"])
def test_an_address_with_options_opens_every_page(app, path):
    app.query_params["count"] = "analyzer:char_wb,ngrams:2-3"
    for key in ("_address", "_dataset"):
        del app.session_state[key]
    page = opened(app.run(), path)
    assert not page.exception and not page.error
    assert "Counted otherwise: characters within words, 2- to 3-grams" in texts(page).replace("\\", "")


@pytest.mark.parametrize("wanted", ["min_df:2000000", "analyzer:char,stop:klingon", "most:99999999,stop:english"])
def test_the_form_holds_whatever_an_address_can_ask_for(app, wanted):
    app.query_params["count"] = wanted
    for key in ("_address", "_dataset"):
        del app.session_state[key]
    page = opened(app.run(), "workbench/workbench")
    assert not page.exception and page.session_state["_count"] == wanted
    most = next(number for number in page.number_input if number.key == "count_most")
    assert most.value == (99_999_999 if "most" in wanted else None)


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("ngrams:2-1", "Ngram_range is (2, 1); its first number must be at least 1"),
        ("ngrams:1-4", "N-grams go up to n = 3 here, not 4"),
        ("ngrams:x", "Ngrams is “x”; it must be a whole number"),
        ("token_pattern:(a+)+$", "The address counts by “token_pattern”; there are analyzer"),
        ("analyzer:chars", "Analyzer is 'chars'; it must be one of word, char, char_wb"),
        ("stop:klingon", "There are no stop words for 'klingon'"),
        ("words:bigrams", "“bigrams” is not a kind of word"),
        ("most:0", "Max_features is 0"),
    ],
)
def test_an_address_that_cannot_be_is_said_and_changes_nothing(app, wanted, said):
    app.query_params["count"] = wanted
    for key in ("_address", "_dataset"):
        del app.session_state[key]
    page = app.run()
    assert not page.exception
    assert [toast.value.replace("\\", "")[: len(said)] for toast in page.toast] == [said]
    assert "Counted otherwise" not in texts(page)


def test_what_leaves_nothing_is_a_sentence_with_a_way_back(page):
    page = form(page, min_df=90_000)
    assert not page.exception
    assert [w.value.replace("\\", "") for w in page.warning if "holds a term that 90000 documents share" in w.value]
    next(button for button in page.button if button.label == "Count as usual").click()
    page = opened(page.run(), "data/data")
    assert not page.warning and loading.ready("synthetic")


def test_few_corpora_counted_otherwise_are_kept():
    for most in range(1, 8):
        loading.ask(f"synthetic?most:{most}").exception(timeout=PATIENCE)
    kept = [key for key in loading._futures if "?most:" in key]
    assert kept == [f"synthetic?most:{most}" for most in (5, 6, 7)] or len(kept) <= loading.VARIANTS + 1


def test_words_are_shaded_and_characters_are_said_not_to_be(page):
    page = form(page, analyzer="char_wb", low=2, high=3)
    page.session_state["section"] = "Documents"
    page = opened(page, "data/data")
    assert not page.exception and "no word of the text is shaded" in texts(page)


def test_the_texts_of_an_address_are_options():
    options = counting.options_of(
        "analyzer:char,ngrams:2-4,case:kept,min_df:2,most:900,stop:german,words:letters", "english"
    )
    assert (options.analyzer, options.ngram_range, options.stop_words, options.tokenizer) == (
        "char",
        (2, 4),
        None,
        "words",
    )
    assert (options.lowercase, options.min_df, options.max_features) == (False, 2, 900)
    assert (
        counting.options_of("", None).stop_words is None
        and counting.options_of("stop:none", "english").stop_words is None
    )
