"""Cells that say a number in a way of their own, written column by column.

Streamlit has pandas lay a styled table out as HTML and reads from that what each cell says: 12 to 60 ms for sixty rows,
at each rerun; and as pandas names each styled table at random, a browser is sent it anew each time. Here the texts are
written straight away, as pandas would, and the name is that of the table's place on the page. Seen in 1.67.0. To be
deleted when the format of a number column can leave out the zero before the point.
"""

import logging
from collections.abc import Callable
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler
from streamlit import dataframe_util
from streamlit.elements import arrow

log = logging.getLogger(__name__)

MISSING = "–"
Written = dict[str, Callable[[Any], str]]
Looks = dict[str, list[tuple[int, int]]]  # CSS, and the rows and columns of the cells that look so


def written(frame: pd.DataFrame, how: Written, looks: Looks | None = None) -> Styler:
    """A frame, with an index of its rows' numbers, as ``st.dataframe`` takes it: its values are sorted and searched as
    they are, some columns say them in a way of their own, and some cells have a look of their own."""
    styler = frame.style
    if KNOWN:
        styler.ltw_written, styler.ltw_looks = how, looks or {}
        return styler
    return styler.format(how, na_rep=MISSING)


def written_once(styler: Styler) -> None:
    """Write the cells now, of one that is to be shown many times."""
    if KNOWN:
        styler.ltw_cells = _cells(styler)


def _cells(styler: Styler) -> bytes:
    return dataframe_util.convert_pandas_df_to_arrow_bytes(texts(styler.data, styler.ltw_written))


def texts(frame: pd.DataFrame, how: Written) -> pd.DataFrame:
    """What each cell says."""
    return pd.DataFrame({name: _texts(frame[name], how.get(name)) for name in frame.columns}, frame.index, dtype=str)


def _texts(column: pd.Series, say: Callable[[Any], str] | None) -> list[str]:
    if say is None:
        say = "{:.6f}".format if pd.api.types.is_float_dtype(column) else str
    missing = column.isna()
    return [MISSING if gone else say(value) for value, gone in zip(column, missing, strict=True)]


_marshall = getattr(arrow, "marshall_styler", None)
KNOWN = _marshall is not None and hasattr(dataframe_util, "convert_pandas_df_to_arrow_bytes")


def _marshall_written(proto: Any, styler: Styler, default_uuid: str) -> None:
    if hasattr(styler, "ltw_written"):
        proto.styler.uuid = default_uuid
        proto.styler.display_values = getattr(styler, "ltw_cells", b"") or _cells(styler)
        proto.styler.styles = "\n".join(
            f"{', '.join(f'#T_{default_uuid}_row{row}_col{column}' for row, column in cells)} {{ {css} }}"
            for css, cells in styler.ltw_looks.items()
        )
    else:
        _marshall(proto, styler, default_uuid)


if KNOWN:
    arrow.marshall_styler = _marshall_written
else:
    log.warning("this version of Streamlit is not known; tables with F1 take it longer")
