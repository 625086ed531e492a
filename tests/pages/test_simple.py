"""Simple and Full: one shows less of the same, nothing is lost; and the first entry of the list of datasets."""

import re

import pytest
from streamlit.testing.v1 import AppTest

from pages._ui.controls import TEXTS
from tests.pages.conftest import APP, labelled, open_page, settled, texts
from tests.waiting import PATIENCE


def opened(**address):
    test = AppTest.from_file(str(APP), default_timeout=PATIENCE)
    for name, value in {"dataset": "synthetic", **address}.items():
        test.query_params[name] = value
    return settled(test.run())


def folded(page):
    """Controls of a page that are for Full alone."""
    kinds = ("slider", "button_group", "toggle", "selectbox")
    named = {entry["label"] for entry in TEXTS.values() if not entry.get("simple", True)}
    return {w.label.partition(" ·")[0] for kind in kinds for w in page.get(kind)} & named


@pytest.mark.parametrize("path", ["evaluate/classifiers", "data/data"])
def test_simple_comes_first_and_full_adds_to_it(path):
    page = open_page(opened(), path)
    assert "mode" not in page.query_params and folded(page) == set()
    page = page.get("button_group")[-1].set_value("full").run()
    assert page.query_params["mode"] == "full" and folded(page) and not page.exception
    assert folded(open_page(opened(mode="full"), path)) == folded(page)


def test_what_the_address_sets_stays_in_sight_and_counts():
    page = open_page(opened(seeds="3"), "evaluate/classifiers")
    assert folded(page) == {"Seeds"} and labelled(page, "slider", "Seeds").value == 3


def test_bring_your_own_is_the_first_dataset_and_opens_the_choice_of_a_file():
    page = opened()
    listed = page.selectbox(key="dataset")
    assert listed.options[0] == "Bring your own data…"
    page = settled(listed.set_value("bring_own").run())
    assert not page.exception and page.title[0].value.startswith("Data: ")
    assert page.query_params["dataset"] == "synthetic" and page.selectbox(key="dataset").value == "synthetic"
    first = next(expander.label for expander in page.expander)
    assert first == "Bring your own data"
    page = settled(page.selectbox(key="dataset").set_value("pydocs").run())
    assert page.expander[-1].label != first or len(page.expander) > 1


def test_pages_say_in_a_sentence_what_they_found():
    page = open_page(opened(), "data/data")
    found = {  # of each view a sentence of its own, and behind it the corpus in numbers
        "Terms": r"The single word that best identifies \*\*relevant\*\* is “\w+”: [\d.]+% of its 280 training "
        r"documents hold it \(\*tpr\*\), [\d.]+% of the 1,120 others do",
        "Table": r"Of \d+ terms “\w+” has the largest weight under ",
        "Documents": r"120 of the 600 test documents are of \*\*relevant\*\*. An SVM on TFRF finds \d+ of them",
        "Classes": r"The largest of 2 classes, \*\*other\*\*, has 1,120 of 1,400 training documents",
        "Collection": r"Half of the 1,400 training documents have \d+ words or fewer",
    }
    for section, sentence in found.items():
        page.session_state["section"] = section
        page = page.run()
        (said,) = (m for m in page.markdown if re.match(sentence, re.sub("</?abbr[^>]*>", "", m.value)))
        assert "1,400 training and 600 test documents, 2 classes" in said.proto.help
    page = open_page(page, "evaluate/study")
    assert re.search(
        r"Of the paper’s nine claims, \*\*five hold\*\* in its own results, \*\*\w+\*\* in ours when the authors’ code "
        r"is followed, and \*\*\w+\*\* when the paper’s text is\.",
        texts(page),
    )
    page.session_state["study"] = "Tables"
    page = page.run()
    answer = texts(page)
    near = r"\*\*\d+ of \d+\*\* comparable .*macro F1(</abbr>)? scores lie within \.02 of the paper’s"
    assert re.search(near, answer)
    assert any(
        re.search(r"By the text \*\*\d+ of \d+\*\*: \d+ of \d+ on 20 Newsgroups", m.proto.help) for m in page.markdown
    )
