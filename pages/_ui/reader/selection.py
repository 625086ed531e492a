"""What all pages share: dataset, class, and the terms that are selected. Kept in the session and in the address.

``?dataset=…&class=…&terms=a,b`` are written by hand and not with ``bind``, since bound lists put their labels (with
the number of documents) into the address and a link should hold identifiers alone.
"""

from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from pages._ui.controls import control

DEFAULT = "pydocs"
TERM_LIMIT = 12
LISTED = 5000
_lists: WeakKeyDictionary[Any, tuple[list[str], set[str]]] = WeakKeyDictionary()


def read_address() -> None:
    """Keep what the address asked for when the session began: a quick click on another page empties it, while the
    first run is still busy with its imports."""
    if "_address" not in st.session_state:
        st.session_state["_address"] = st.query_params.to_dict()


def on_page(title: str) -> None:
    """Note which page is shown; what another one's figures were, megabytes in each session, is forgotten."""
    if st.session_state.get("_page") != title:
        st.session_state["_page"] = title
        st.session_state.pop("_plots", None)


def page() -> str:
    """Title of the page that is shown, as the navigation has it."""
    return st.session_state["_page"]


def dataset() -> str:
    """Identifier of the chosen dataset."""
    return st.session_state["_dataset"]


def class_name() -> str | None:
    """The chosen class, None as long as the corpus is not there."""
    return st.session_state.get("class_of", {}).get(dataset())


def choose_dataset(name: str) -> None:
    """Choose a dataset from anywhere; it counts from the next run of the script."""
    st.session_state["dataset_next"] = name


def choose_class(name: str) -> None:
    """Choose a class from anywhere but the sidebar's list. Only in callbacks, or before the list is drawn."""
    st.session_state[class_key()] = name


def class_key() -> str:
    """Key of the sidebar's list of classes: every dataset has its own."""
    return f"class-{dataset()}"


def start(datasets: list[str]) -> int:
    """Position of the dataset to begin with: the one in the address when a session begins, later the one chosen.

    It is the list's default and not set by its key, since a browser that is quick to go to another page would answer
    with the default.
    """
    state = st.session_state
    if "_dataset" not in state:
        address = state["_address"]
        asked = address.get("dataset", DEFAULT)
        if asked not in datasets:
            state["lost"] = f"There is no dataset “{asked}” here; choose one in the list."
            asked, address = DEFAULT, {}  # neither its class nor its terms are looked for in another one
        state["_dataset"] = asked
        state["class_asked"] = address.get("class")
        listed = [t for t in address.get("terms", "").split(",") if t]
        state["terms"] = list(dict.fromkeys(listed))[:TERM_LIMIT]
    if "dataset_next" in state:
        state["_dataset"] = state["dataset"] = state.pop("dataset_next")
    if state["_dataset"] not in datasets:
        state["_dataset"] = state["dataset"] = DEFAULT
    return datasets.index(state["_dataset"])


def settle_class(positives: dict[str, int]) -> str:
    """The class to begin with: the one asked for, the one last chosen there, or a good first one."""
    state = st.session_state
    chosen: dict[str, str] = state.setdefault("class_of", {})
    asked = state.pop("class_asked", None)
    typed = state.get(class_key())
    if asked in positives:
        chosen[dataset()] = asked
    if typed is not None and typed not in positives:
        asked = typed
        del state[class_key()]
    if asked is not None and asked not in positives:
        state["lost"] = f"There is no class “{asked}” in this dataset; choose one in the list."
    if chosen.get(dataset()) not in positives:
        chosen[dataset()] = first_class(dataset(), positives)
    return chosen[dataset()]


def listed_classes(positives: dict[str, int]) -> list[str]:
    """The classes that a list holds: all of them, or the largest and the chosen one where a browser would stall."""
    if len(positives) <= LISTED:
        return list(positives)
    largest = sorted(positives, key=positives.get, reverse=True)[:LISTED]
    present = {settled for settled in (st.session_state.get(class_key()), class_name()) if settled in positives}
    return [*sorted(present - set(largest)), *largest]


def first_class(name: str, positives: dict[str, int]) -> str:
    """The class to begin with: the corpus's own, else the one nearest to a twentieth of all labels."""
    from ltw_core.corpora import catalogue

    for reader in catalogue():
        if reader.name == name and reader.first_class in positives:
            return reader.first_class
    target = sum(positives.values()) / 20
    return min(positives, key=lambda c: abs(positives[c] - target))


def write_address() -> None:
    """Write the selection into the address, if it differs."""
    state = st.session_state
    wanted = {"dataset": dataset(), "class": class_name() or state.get("class_asked"), "terms": ",".join(terms())}
    for key, value in wanted.items():
        if value and st.query_params.get(key) != value:
            st.query_params[key] = value
        elif not value and key in st.query_params:
            del st.query_params[key]


def terms() -> list[str]:
    """The selected terms, the same on every page."""
    return list(st.session_state.get("terms", []))


def toggle_term(term: str) -> None:
    """Select a term, or deselect it."""
    chosen = terms()
    if term in chosen:
        chosen.remove(term)
    else:
        chosen = [*chosen, term][-TERM_LIMIT:]
    st.session_state["terms"] = chosen


def pick(value: dict[str, Any]) -> None:
    """A click on a term's point in a figure: the strongest term of that place is selected, or deselected."""
    from ltw_core.figures import terms_of

    names = terms_of(value.get("text") or "")
    if names:
        toggle_term(names[0].replace("<b>", "").replace("</b>", "").replace("&lt;", "<"))


def _offered(of: Any) -> tuple[list[str], set[str]]:
    """Terms that a list offers, and all that there are."""
    found = _lists.get(of)
    if found is None:
        listed = of.terms
        if len(listed) > LISTED:  # a browser takes seconds over a list of tens of thousands: the rest is typed in full
            listed = listed[of.document_frequency.argsort(kind="stable")[::-1][:LISTED]]
        found = _lists[of] = ([str(t) for t in listed], {str(t) for t in of.terms})
    return found


def term_picker(of: Any, key: str) -> list[str]:
    """The shared selection as a searchable list; returns the terms of it that a task has, or a figure's ``Terms``."""
    state = st.session_state
    listed, present = _offered(of)
    known = [t for t in terms() if t in present]
    state[key] = known

    def changed() -> None:
        others = [t for t in terms() if t not in present]
        found = [t.strip().lower() for t in state[key]]
        missing = [t for t in found if t not in present]
        if missing:
            state["lost"] = f"No training document holds “{missing[0]}”."
        state["terms"] = list(dict.fromkeys(others + [t for t in found if t in present]))[-TERM_LIMIT:]

    control(
        st.multiselect,
        key,
        list(dict.fromkeys([*known, *listed])),
        like="terms",
        accept_new_options=len(present) > len(listed),
        on_change=changed,
        max_selections=TERM_LIMIT,
        placeholder="Search, or click in a map",
        filter_mode="contains",
    )
    return known
