"""What all pages share: dataset, class, the terms that are marked, and the share of terms that is kept. In the session
and in the address.

``?dataset=…&class=…&terms=a,b&kept=37&count=…&upload=…`` are written by hand and not with ``bind``, since bound lists
put their labels (with the number of documents) into the address and a link should hold identifiers alone.
"""

from collections.abc import Callable
from typing import Any
from weakref import WeakKeyDictionary

import streamlit as st

from ltw_core.storage.file_schema import FileError, Text
from pages._ui.controls import control
from pages._ui.reader import counting, mode
from pages._ui.weightings.reference import SHIPPED, Reference

DEFAULT = "pydocs"
_MISSING = "_missing_dataset"
_OWN = "_own_choice"  # the reader's dataset and class, while a page shows others
SEEN = "_terms_seen"  # the terms that were selected when this page looked last: one that is new is shown at once
TERM_LIMIT = 12
LISTED = 5000  # classes
OFFERED = 1500  # terms, the most frequent: a browser takes .03 s for a thousand, at each look at a training run
STRONGEST = 30  # terms of the class, by tpr − fpr, that a list begins with
ADDRESS = {  # what this app writes into it; controls that are bound to it are checked by Streamlit
    "dataset": Text(100),
    "class": Text(300),  # a label of a table has at most 200 characters
    "terms": Text(5_000),  # twelve terms, some of them addresses of pages
    "kept": Text(3),  # percent
    "count": Text(200),
    "run": Text(100),  # a token, or the name of an example
    "method": Text(100),
    "code": Text(100),  # of a class of students, with who looks at it; see ``class_door``
    "drawer": Text(10),  # of a term's documents
    "by": Text(100),  # its link's ticket
    "me": Text(100),
    "screen": Text(100),
    "mode": Text(20),
    "upload": Text(100),  # the token of tables that the reader brought; see ``kept``
}
_lists: WeakKeyDictionary[Any, list[str]] = WeakKeyDictionary()


def read_address() -> None:
    """Take what cannot be out of the address, before anything else looks at it, and keep what it asked for when the
    session began: a quick click on another page empties it, while the first run is still busy with its imports."""
    for name in [name for name in ADDRESS if name in st.query_params]:
        try:
            ADDRESS[name].check(st.query_params[name], name)
        except FileError as error:
            del st.query_params[name]
            st.session_state["lost"] = f"A part of the address cannot be read: {error}."
    if "_address" not in st.session_state:
        st.session_state["_address"] = _of_its_example(st.query_params.to_dict())


def _of_its_example(address: dict[str, str]) -> dict[str, str]:
    """An address that asks for an example asks for its class, whatever else it says: what is seen is of that class."""
    kind, name = Reference.parse(address.get("run", ""))
    if kind != SHIPPED:
        return address
    from ltw_core.studies.examples import examples

    of = next(({"dataset": info.corpus, "class": info.class_name} for info in examples() if info.name == name), {})
    return address | of


def on_page(title: str) -> None:
    """Note which page is shown; what another one's figures were, megabytes in each session, is forgotten."""
    if st.session_state.get("_page") != title:
        st.session_state["_page"] = title
        st.session_state.pop("_plots", None)
        st.session_state.pop(SEEN, None)
        name, chosen = st.session_state.pop(_OWN, (None, None))
        if name is not None:
            choose_dataset(name)
            choose_class(chosen, of=name)


def borrow(name: str, chosen: str) -> None:
    """Note what the reader has chosen where a page needs another dataset or class: the next page has theirs again."""
    if class_name() is not None and (dataset(), class_name()) != (name, chosen):
        st.session_state.setdefault(_OWN, (dataset(), class_name()))


def page() -> str:
    """Title of the page that is shown, as the navigation has it."""
    return st.session_state["_page"]


def dataset() -> str:
    """Identifier of the chosen dataset."""
    return st.session_state["_dataset"]


def class_name() -> str | None:
    """The chosen class, None as long as the corpus is not there."""
    return st.session_state.get("class_of", {}).get(dataset())


def class_title() -> str:
    """What the chosen class is called; "" as long as the corpus is not there."""
    of, title = st.session_state.get("_class_title", (None, ""))
    return title if "_dataset" in st.session_state and of == (dataset(), class_name()) else ""


def name_class(title: str) -> None:
    """Note what the chosen class is called."""
    st.session_state["_class_title"] = (dataset(), class_name()), title


def choose_dataset(name: str) -> None:
    """Choose a dataset from anywhere; it counts from the next run of the script."""
    st.session_state["dataset_next"] = name


def choose_class(name: str, of: str = "") -> None:
    """Choose a class (of another dataset than the one that is shown) from anywhere but the sidebar's list. Only in
    callbacks, or before the list is drawn."""
    st.session_state[f"class-{of}" if of else class_key()] = name
    if of:
        st.session_state.setdefault("class_of", {})[of] = name


def expected() -> tuple[str, str | None]:
    """Dataset and class that the sidebar is going to show, for a page that is drawn before it; None for a class that
    only the corpus can tell."""
    state, address = st.session_state, st.session_state["_address"]
    name = state.get("dataset_next") or state.get("dataset") or state.get("_dataset") or address.get("dataset", DEFAULT)
    asked = state.get("class_asked") if "_dataset" in state else address.get("class")
    if name != address.get("dataset", DEFAULT):
        asked = None
    return name, state.get(f"class-{name}") or state.get("class_of", {}).get(name) or asked


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
            state[_MISSING] = asked
            asked, address = DEFAULT, {}  # neither its class nor its terms are looked for in another one
        state["_dataset"] = asked
        state["class_asked"] = address.get("class")
        listed = [t for t in address.get("terms", "").split(",") if t]
        state["terms"] = list(dict.fromkeys(listed))[:TERM_LIMIT]
        keep_percent(_percent(state["_address"].get("kept")))
        counting.choose(state["_address"].get("count", ""))
    if "dataset_next" in state:
        state["_dataset"] = state["dataset"] = state.pop("dataset_next")
        forget_missing()
    if state["_dataset"] not in datasets:
        state[_MISSING] = state["_dataset"]  # whoever shared it does so no longer
        state["_dataset"] = state["dataset"] = DEFAULT
    return datasets.index(state["_dataset"])


def missing() -> str | None:
    """The dataset that was asked for and is not here, until another is chosen than what is shown in its place."""
    if dataset() != DEFAULT:
        forget_missing()
    return st.session_state.get(_MISSING)


def forget_missing() -> None:
    """Take it that the reader knows."""
    st.session_state.pop(_MISSING, None)


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


def write_address(upload: str | None = None) -> None:
    """Write the selection into the address, if it differs, and the token of the reader's tables."""
    state = st.session_state
    wanted = {"dataset": dataset(), "class": class_name() or state.get("class_asked"), "terms": ",".join(terms())}
    wanted |= {"kept": str(kept_percent() or ""), "count": counting.text(), "upload": upload}
    wanted["mode"] = mode.FULL if mode.full() else None
    for key, value in wanted.items():
        if value and st.query_params.get(key) != value:
            st.query_params[key] = value
        elif not value and key in st.query_params:
            del st.query_params[key]


def _percent(text: str | None) -> int | None:
    """The percentage that an address asks for."""
    if not text:
        return None
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 100:
        return int(text)
    st.session_state["lost"] = f"The address asks to keep “{text}” % of the terms; it must be a number from 1 to 100."
    return None


def kept_percent() -> int | None:
    """Percent of the terms that the reader, or the address, asked to keep; None for the dataset's usual share."""
    return st.session_state.get("_kept")


def keep_percent(value: int | None) -> None:
    """Keep such a share of the terms on every page and of every dataset. In callbacks, or before anything is drawn."""
    st.session_state["_kept"] = value


def ratio(source: Any) -> float:
    """Share of a vectorised corpus's terms that is kept: the one asked for, else the corpus's own."""
    percent = kept_percent()
    return source.default_ratio if percent is None else percent / 100


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


def select_term(term: str) -> None:
    """Select a term, as the last of those selected."""
    st.session_state["terms"] = [*(t for t in terms() if t != term), term][-TERM_LIMIT:]


def keep_terms_of(name: str) -> None:
    """Forget the selected terms when another class than the one they were selected for is shown."""
    state, of = st.session_state, (dataset(), name)
    if state.setdefault("_terms_of", of) != of:
        state["_terms_of"], state["terms"] = of, []


def select_none() -> None:
    """Deselect all terms."""
    st.session_state["terms"] = []


def pick(value: dict[str, Any]) -> None:
    """A click on a term's point in a figure: the strongest term of that place is selected, or deselected."""
    from ltw_core.figures import terms_of

    names = terms_of(value.get("text") or "")
    if names:
        toggle_term(names[0].replace("<b>", "").replace("</b>", "").replace("&lt;", "<"))


def _offered(of: Any) -> list[str]:
    """Terms that a list offers."""
    found = _lists.get(of)
    if found is None:
        listed = of.terms
        if len(listed) > OFFERED:  # the rest is typed in full
            listed = listed[of.document_frequency.argsort(kind="stable")[::-1][:OFFERED]]
        # the class's strongest, to choose from; then the shortest, as what was typed stands before terms that hold it
        strongest = map(str, of.terms[(of.fpr - of.tpr).argsort(kind="stable")[:STRONGEST]])
        found = _lists[of] = list(dict.fromkeys([*strongest, *sorted(map(str, listed), key=len)]))
    return found


def one_term(of: Any, key: str, chosen: str | None, on_change: Callable[[], None]) -> None:
    """A searchable list to choose one term from instead of clicking it; ``on_change`` finds it in session state."""
    st.session_state[key] = chosen
    options = dict.fromkeys([*([chosen] if chosen else []), *_offered(of)])
    look = {"placeholder": "Search for a term", "filter_mode": "contains", "on_change": on_change}
    control(st.selectbox, key, list(options), like="lesson_term", index=None, **look)


def term_picker(of: Any, key: str, placeholder: str = "Search") -> list[str]:
    """The shared selection as a searchable list; returns the terms of it that a task has, or a figure's ``Terms``."""
    state = st.session_state
    listed, present = _offered(of), of.term_index
    known = [t for t in terms() if t in present]
    state[key] = known

    def changed() -> None:
        others = [t for t in terms() if t not in present]
        found = [t.strip().lower() for t in state[key]]
        missing = [t for t in found if t not in present]
        if missing:
            state["lost"] = f"“{missing[0]}” is not among the terms of this class."
        state["terms"] = list(dict.fromkeys(others + [t for t in found if t in present]))[-TERM_LIMIT:]

    control(
        st.multiselect,
        key,
        list(dict.fromkeys([*known, *listed])) if known else listed,
        like="terms",
        accept_new_options=len(present) > len(listed),
        on_change=changed,
        max_selections=TERM_LIMIT,
        select_all=False,
        placeholder=placeholder,
        filter_mode="contains",
    )
    return known
