"""Tables to take along, as spreadsheets and pandas read them."""

import io

import pandas as pd

from ltw_core.corpora import load
from ltw_core.tasks import vectorize
from pages._ui.downloads import csv, encoded, from_corpus


def test_a_spreadsheet_sees_letters_as_they_are_and_computes_nothing():
    frame = pd.DataFrame({"=class": ['=HYPERLINK("x")', "@a", "-x", "-0.5", "-", "corn"], "χ²": [-1.5, 2, 3, 4, 5, 6]})
    content = encoded("terms.csv", csv(frame))
    assert content.startswith(b"\xef\xbb\xbf")
    again = pd.read_csv(io.BytesIO(content), dtype={"'=class": str})
    assert again["'=class"].tolist() == ['\'=HYPERLINK("x")', "'@a", "'-x", "-0.5", "-", "corn"]
    assert again["χ²"].tolist() == frame["χ²"].tolist()


def test_what_is_no_csv_is_left_as_it_is():
    assert encoded("page.html", "χ²") == "χ²"
    assert encoded("weights.safetensors", b"\x00") == b"\x00"


def test_results_say_of_which_dataset_content_and_class_they_are():
    made = vectorize(load("synthetic", documents=60), cache=False)
    frame = from_corpus(pd.DataFrame({"F1": [0.5, 1.0]}), made, "relevant")
    content = made.corpus.fingerprint[:16]
    assert csv(frame).splitlines() == [
        "dataset,content,class,F1",
        f"synthetic,{content},relevant,0.5",
        f"synthetic,{content},relevant,1.0",
    ]
    assert list(from_corpus(frame[["F1"]], made)) == ["dataset", "content", "F1"]
