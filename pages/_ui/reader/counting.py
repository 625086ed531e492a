"""How the reader has corpora counted: the choice, its popover beside the dataset, and how the address tells it.

``?count=ngrams:1-2,stop:none`` holds on every page and for every dataset. Leaves out token patterns of one's own, which
could keep the server busy forever: here they are chosen by name, from Python and the command line any will do.
"""

from typing import Any

import streamlit as st

from ltw_core.tasks import ANALYZERS, TOKENIZERS, VectorizerOptions, languages
from ltw_core.tasks.options import OPTIONS
from pages._ui.controls import control
from pages._ui.guard import capital, plain

WORDS = {name: title for name, (title, options) in TOKENIZERS.items() if options}
LARGEST = {"word": 3, "char": 5, "char_wb": 5}  # n of n-grams: more take minutes and memory
MOST = 10**8 - 1  # of numbers
USUAL = "usual"
NAMES = ("analyzer", "ngrams", "words", "stop", "case", "min_df", "most")


def text() -> str:
    """The choice as the address has it; "" for the usual one."""
    return st.session_state.get("_count", "")


def choose(wanted: str) -> None:
    """Have corpora counted so; in callbacks, or before anything is drawn. What cannot be is said, nothing changes."""
    try:
        options_of(wanted, None)
    except ValueError as error:
        st.session_state["lost"] = capital(str(error))
    else:
        st.session_state["_count"] = wanted


def options_of(wanted: str, language: str | None) -> VectorizerOptions:
    """The options that a text stands for.

    Parameters
    ----------
    wanted : str
        As of ``text``.
    language : str or None
        Whose stop words are left out where nothing is said of them.

    Raises
    ------
    ValueError
    """
    parts = _parts(wanted)
    unknown = [name for name in parts if name not in NAMES]
    if unknown:
        raise ValueError(f"the address counts by “{unknown[0]}”; there are {', '.join(NAMES)}")
    analyzer = parts.get("analyzer", "word")
    low, _, high = parts.get("ngrams", "1").partition("-")
    sizes = _number("ngrams", low), _number("ngrams", high or low)
    if sizes[1] > LARGEST.get(analyzer, 0) and analyzer in LARGEST:
        raise ValueError(f"n-grams go up to n = {LARGEST[analyzer]} here, not {sizes[1]}")
    if parts.get("words", "words") not in WORDS:
        raise ValueError(f"“{parts['words']}” is not a kind of word; choose one of {', '.join(WORDS)}")
    stop = parts.get("stop", USUAL)
    word = analyzer == "word"
    return VectorizerOptions(
        analyzer=analyzer,
        ngram_range=sizes,
        tokenizer=parts.get("words", "words") if word else "words",
        stop_words=language if stop == USUAL else None if stop == "none" else stop,
        lowercase=parts.get("case", "lower") != "kept",
        min_df=_number("min_df", parts.get("min_df", "1")),
        max_features=_number("most", parts["most"]) if "most" in parts else None,
    )


def _parts(wanted: str) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in wanted.split(",") if part)


def _number(name: str, text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > MOST:
        raise ValueError(f"{name} is “{text}”; it must be a whole number")
    return int(text)


def chosen() -> dict[str, Any]:
    """The options that were chosen, by the names of ``VectorizerOptions``: what a study takes. Without stop words where
    nothing is said of them: they are then those of each dataset's language."""
    options, usual = options_of(text(), None), VectorizerOptions(stop_words=None)
    found = {name: value for name in OPTIONS if (value := getattr(options, name)) != getattr(usual, name)}
    if "stop" in _parts(text()):
        found["stop_words"] = options.stop_words
    return found


def popover() -> None:
    """The choice beside the dataset, and what differs from the usual one."""
    wanted = text()
    with st.popover("Options", icon=":material/tune:", width="stretch"):
        st.caption("What a term is, as scikit-learn’s CountVectorizer means it. For all datasets and on every page.")
        _form(wanted)
    if wanted:
        told = plain(told_of(wanted))
        st.caption(f":primary[● Counted otherwise: {told}.]")


def stem(corpus_name: str) -> str:
    """How the name of a file begins that holds figures of a dataset as it is counted for this reader."""
    return f"{corpus_name}-{text().replace(':', '-').replace(',', '-').replace(' ', '-')}" if text() else corpus_name


def told_of(wanted: str) -> str:
    """What a choice changes, in a few words."""
    return options_of(wanted, "english").told()


def _form(wanted: str) -> None:
    parts = _parts(wanted)
    low, _, high = parts.get("ngrams", "1").partition("-")
    stop = {USUAL: "Of the dataset’s language", "none": "None left out"} | {name: name for name in languages()}
    first = {
        "analyzer": parts.get("analyzer", "word"),
        "low": int(low),
        "high": int(high or low),
        "words": parts.get("words", "words"),
        "stop": parts["stop"] if parts.get("stop") in stop else USUAL,
        "case": parts.get("case") != "kept",
        "min_df": int(parts.get("min_df", 1)),
        "most": int(parts["most"]) if "most" in parts else None,
    }
    if st.session_state.get("_count_drawn") != wanted:  # another choice came from elsewhere, or nothing is drawn yet
        st.session_state.update({f"count_{name}": value for name, value in first.items()})
        st.session_state["_count_drawn"] = wanted
    else:
        for name, value in first.items():
            st.session_state.setdefault(f"count_{name}", value)
    with st.form("count", border=False), st.container(gap="xsmall", key="count_form"):  # its button above the fold
        # values as defaults, too: what is set by a key in a run that another one cuts off never reaches the browser
        control(st.selectbox, "count_analyzer", ANALYZERS, index=list(ANALYZERS).index(first["analyzer"]))
        left, right = st.columns(2, vertical_alignment="bottom")
        control(left.number_input, "count_low", value=first["low"], min_value=1, max_value=max(LARGEST.values()))
        control(right.number_input, "count_high", value=first["high"], min_value=1, max_value=max(LARGEST.values()))
        control(st.selectbox, "count_words", WORDS, index=list(WORDS).index(first["words"]))
        control(st.selectbox, "count_stop", stop, index=list(stop).index(first["stop"]))
        left, right = st.columns(2, vertical_alignment="bottom")
        control(left.number_input, "count_min_df", value=first["min_df"], min_value=1, max_value=MOST)
        control(right.number_input, "count_most", value=first["most"], min_value=1, max_value=MOST, placeholder="all")
        left, right = st.columns(2, vertical_alignment="center")
        control(left.checkbox, "count_case", value=first["case"])
        control(right.form_submit_button, "count_apply", type="primary", width="stretch", on_click=_applied)
    if wanted:
        control(st.button, "count_usual", icon=":material/undo:", on_click=choose, args=("",))


def _applied() -> None:
    names = ("low", "high", *(name for name in NAMES if name != "ngrams"))
    value: dict[str, Any] = {name: st.session_state[f"count_{name}"] for name in names}
    low, high = value["low"], value["high"]
    word = value["analyzer"] == "word"
    parts = {
        "analyzer": "" if word else value["analyzer"],
        "ngrams": "" if low == high == 1 else f"{low}-{high}",
        "words": value["words"] if word and value["words"] != "words" else "",
        "stop": value["stop"] if word and value["stop"] != USUAL else "",
        "case": "" if value["case"] else "kept",
        "min_df": "" if value["min_df"] == 1 else str(value["min_df"]),
        "most": "" if value["most"] is None else str(value["most"]),
    }
    choose(",".join(f"{name}:{part}" for name, part in parts.items() if part))
