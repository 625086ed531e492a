"""Addresses of earlier versions, and pages' titles typed as addresses: each opens the same view in its place."""

from collections.abc import Callable

import streamlit as st

from pages._ui import choices
from pages._ui.reader import under_way

WORKBENCH = "pages/workbench/workbench.py"
# a former page, as its address named it, and the file of the page that has now what it had
MOVED = {"corpus": "pages/data/data.py", "functions": WORKBENCH, "train": WORKBENCH, "shapes": WORKBENCH}
MOVED |= {"studies": "pages/evaluate/study.py", "classroom": under_way.CLASS_PAGE}  # titles, typed as addresses

Asked = dict[str, list[str]]  # the values of an address, by name

# former tabs, and where their content is now
FUNCTIONS: dict[str, Asked] = {
    "From above": {"view": ["Map"]},
    "Slices": {"view": ["Slice"]},
    "Difference": {"view": ["Likeness"], "likeness": ["difference"]},
    "One table": {"view": ["Properties"], "alone": ["table"]},
    "Transforms": {"view": ["Properties"], "alone": ["powers"]},
    "In a document": {"view": ["Properties"], "alone": ["document"]},
    "Your own": {"own_open": ["true"]},
    "Formulas": {"view": ["Properties"], "alone": ["formulas"]},
}
SHAPES: dict[str, Asked] = {
    "Surfaces": {},
    "Which formula?": {"view": ["Likeness"]},
    "As a formula": {"view": ["Likeness"], "likeness": ["found"]},
    "Slices": {"view": ["Slice"]},
    "Properties": {"view": ["Properties"]},
    "Time machine": {"view": ["Film"]},
    "Ranks": {"view": ["Ranks"]},
    "One weight a term": {"view": ["Properties"], "properties": ["weights"]},
    "Occurrences": {"view": ["Properties"], "properties": ["occurrences"]},
    "The paper’s figures": {"view": ["Properties"], "properties": ["paper"]},
}
RENAMED = {"fscale": "scale", "fregion": "region"}


def new_place(former: str, asked: Asked) -> tuple[str, Asked]:
    """The page that shows what an address of a former page asked for, and what the address of that page asks for."""
    asked = {RENAMED.get(name, name): values for name, values in asked.items()}
    if former == "functions":
        tab = asked.pop("view", [""])[-1]
        asked |= {"run": ["formulas"], **FUNCTIONS.get(tab, {})}
    elif former == "shapes":
        tab = asked.pop("part", [""])[-1]
        formulas = [choices.symbol(name) for name in choices.FORMULAS["shapes"]]
        asked = {"run": ["example"], "beside": formulas} | asked | SHAPES.get(tab, {})
    return MOVED[former], asked


def _forward(former: str) -> Callable[[], None]:
    def forward() -> None:
        page, asked = new_place(former, {name: st.query_params.get_all(name) for name in st.query_params})
        st.switch_page(page, query_params=asked)

    return forward


def pages() -> list:
    """Pages that no list shows, one an address that was: a link to it is answered, and forwarded."""
    return [st.Page(_forward(former), title=former, url_path=former, visibility="hidden") for former in MOVED]
