"""Cells that are written column by column say what pandas would write in them, and are written once where kept."""

import pandas as pd
import pytest
from streamlit import dataframe_util
from streamlit.elements import arrow
from streamlit.proto.ArrowData_pb2 import ArrowData

from pages._ui import tables
from pages._ui.streamlit_fixes import written_cells

FRAME = pd.DataFrame(
    {
        "name": ["TFRF", None, "<b>χ²</b>"],
        "f1": [0.91149, float("nan"), 1.0],
        "gain": [0.0441, -0.5, float("nan")],
        "documents": [3, 0, 12_345],
        "seconds": [0.123456789, float("nan"), 1e9],
        "own": [True, False, True],
    }
)
FORMATS = {"f1": ".3", "gain": "+.2", "documents": "%d"}


def told(marshall, styler) -> pd.DataFrame:
    proto = ArrowData()
    marshall(proto, styler, "7")
    return dataframe_util.convert_arrow_bytes_to_pandas_df(proto.styler.display_values)


def test_the_cells_are_those_of_pandas():
    styler = tables.without_zeros(FRAME, FORMATS)
    expected = told(written_cells._marshall, FRAME.style.format(styler.ltw_written, na_rep="–"))
    found = told(arrow.marshall_styler, styler)
    pd.testing.assert_frame_equal(found, expected)
    assert found["f1"].tolist() == [".911", "–", "1.000"] and found["gain"].tolist() == ["+.04", "−.50", "–"]


def test_a_table_is_the_same_message_each_time():
    sent = [ArrowData(), ArrowData()]
    for proto in sent:
        arrow.marshall_styler(proto, tables.without_zeros(FRAME, FORMATS), "7")
    assert sent[0].SerializeToString() == sent[1].SerializeToString()


def test_other_styles_are_left_to_streamlit():
    found = told(arrow.marshall_styler, FRAME.style.format({"f1": "{:.1f}"}))
    assert found["f1"].tolist() == ["0.9", "nan", "1.0"]


def test_what_is_kept_is_written_once(monkeypatch):
    made = tables.ready(FRAME.rename(columns={"f1": "F1"}), "results")
    expected = told(arrow.marshall_styler, made)
    monkeypatch.setattr(written_cells, "texts", lambda *_: pytest.fail("written again"))
    pd.testing.assert_frame_equal(told(arrow.marshall_styler, tables.without_zeros(made, {})), expected)
    assert expected["F1"].tolist()[0] == ".911"


def test_numbers_have_their_labels_at_the_right_and_some_cells_a_look_of_their_own():
    frame = pd.DataFrame({"class": ["corn", "acq"], "F1": [0.9, 0.8], "precision": [0.9, 0.7]})
    assert tables._numbers(frame) == ["F1", "precision"]
    proto = ArrowData()
    looks = tables._looks(frame, tables.Marked(1, {"F1": [0]}))
    arrow.marshall_styler(proto, tables.without_zeros(frame, {"F1": ".3"}, looks), "7")
    bold, marked = proto.styler.styles.splitlines()
    assert bold.startswith("#T_7_row0_col1, #T_7_row1_col0, ") and tables.BOLD in bold
    assert marked.startswith("#T_7_row1_col0, #T_7_row1_col1, ") and "background-color" in marked
