"""What stands on the stage: a training run, a shipped weighting, a network before its first step, or formulas alone."""

from collections import Counter
from collections.abc import Iterable

import streamlit as st

from ltw_core.corpora import catalogue
from ltw_core.metrics import listed
from ltw_core.studies.examples import WITH_SNAPSHOTS, ExampleInfo, examples
from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS
from pages._ui import choices, words
from pages._ui.controls import control
from pages._ui.guard import plain
from pages._ui.reader import selection
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import lookup, run_words
from pages._ui.training.run import Run
from pages._ui.weightings.learned import Learned, shipped
from pages._ui.weightings.reference import RUN, SHIPPED, Reference
from pages._ui.workbench.training_controls import at_start, begun, to_start

KEY, BESIDE, FORMULAS = "shape_source", "beside", "functions"  # of widgets
NEW, ALONE = "new", "formulas"  # as the address names them, too
FOUND_AS = {"IDF": "IDF (TFIDF, LogTFIDF)"}  # a list of functions of tpr and fpr has no factor for occurrences
EXAMPLE = "example"  # in addresses of the former page of shapes: what is there for the class, first what ships
MOST = 5  # beside the first one: six scenes are as many as a screen has room for


def shown(dataset: str, class_name: str | None) -> str:
    """What the reader wants to see for a class, as an option of the list; from session and address alone.

    An example stands there with its own class alone: another one may have been chosen since.
    """
    asked = st.query_params.get("run")
    if asked == ALONE:
        return ALONE
    info = _shipped().get(asked)
    if info is not None and _is_of(info, dataset, class_name):
        return asked
    if at_start(dataset, class_name):
        return NEW
    run = lookup.current(dataset, class_name)
    if run is not None:
        return run.reference
    info = example(dataset, class_name or st.query_params.get("class")) if asked == EXAMPLE else None
    return NEW if info is None or not _is_of(info, dataset, class_name) else str(Reference(SHIPPED, info.name))


def choose(dataset: str, class_name: str | None) -> str:
    """The list; returns the chosen option."""
    own = {run.reference: run for run in lookup.own_or_linked(dataset, class_name)}
    known = _shipped(dataset, class_name)
    now = shown(dataset, class_name)
    options = {NEW: "A new network", ALONE: "Formulas alone, or your own"} | _labels(own, dataset, class_name)
    for option, info in known.items():
        here = (info.corpus, info.class_name) == (dataset, class_name)
        where = "" if here else f" of {info.class_title}, {info.corpus_title.partition(' (')[0]}"
        options[option] = f"{display(info.variant)} · example{where}"
    st.session_state[KEY] = now if now in options else NEW
    picked = control(st.selectbox, KEY, options, on_change=_picked, filter_mode="contains")
    if class_name is not None or picked != NEW:
        _into_address(picked)
    return picked


def learned_now(option: str) -> tuple[Learned | None, Run | None]:
    """What was learned, of what is shown, as far as it has come; and its training run, if it is one."""
    kind, name = Reference.parse(option)
    if kind == SHIPPED:
        return shipped(name), None
    run = lookup.find(name) if kind == RUN else None
    return (run.learned() if run is not None else None), run


def at_once(option: str) -> tuple[Learned | None, Run | None]:
    """The same at one moment, for all that is drawn of it: the training run as it is now does not go on."""
    learned, run = learned_now(option)
    if run is None or not run.active:
        return learned, run
    still = run.at_once()
    return still.learned(), still


def beside(dataset: str, class_name: str | None, option: str) -> list[str]:
    """What is put beside it: formulas, the reader's own, and other learned weightings that have a surface."""
    runs = [run for run in lookup.own_or_linked(dataset, class_name) if VARIANTS[run.variant].has_surface]
    own = {run.reference: run for run in runs if run.reference != option and run.latest is not None}
    options = {name: FOUND_AS.get(name) or choices.symbol(name) for name in choices.cd_names()}
    options |= _labels(own, dataset, class_name)
    whole = _labels(own, dataset, class_name, whole=True)
    formerly = {label: option for option, label in whole.items()}  # labels that addresses may hold
    for other, info in _shipped(dataset, class_name).items():
        if (info.corpus, info.class_name) == (dataset, class_name) and other != option:
            options[other] = f"{display(info.variant)} · example"
            formerly[f"{display(info.variant)} · shipped"] = other
    asked = st.session_state.get(BESIDE)
    if asked and any(name not in options for name in asked):  # of another class, deleted, or forgotten
        st.session_state[BESIDE] = [name for name in asked if name in options]
    limit = {"max_selections": MOST, "select_all": False, "placeholder": "Formulas, runs…"}
    return control(st.multiselect, BESIDE, options, default=[], formerly=formerly, **limit)


def put_beside(name: str) -> None:
    """Put one more beside it. A callback."""
    now = st.session_state.get(BESIDE, [])
    st.session_state[BESIDE] = [*[other for other in now if other != name], name][-MOST:]
    st.session_state["_put_beside"] = True


def was_put_beside() -> bool:
    """Whether that happened since this was asked: the page around the click does not know yet."""
    return bool(st.session_state.pop("_put_beside", False))


def example(dataset: str, class_name: str | None, variant: str = WITH_SNAPSHOTS) -> ExampleInfo | None:
    """The example to look at: of the class where one ships, else of a class whose corpus is here; of the method, if
    there is one. None where none ships."""
    here = {entry.name for entry in catalogue() if entry.available} | {dataset}
    infos = [info for info in _shipped(dataset, class_name).values() if info.corpus in here]
    return min(infos, key=lambda info: (_distance(info, dataset, class_name), info.variant != variant), default=None)


def offer(info: ExampleInfo | None) -> None:
    """A button that shows an example, and makes its class the one of every page; nothing where none is at hand."""
    if info is None:
        return
    here = _is_of(info, selection.dataset(), selection.class_name())
    look = {"on_click": _look_at, "args": (info,), "icon": ":material/visibility:"}
    mark = "" if here else f" of {plain(info.class_title)}"
    if control(st.button, "see_example", like="see_example" if here else "see_example_of", mark=mark, **look):
        run_again()  # the whole page is of it


def offer_own() -> None:
    """A button that leads to the editor of one's own weighting."""
    if control(st.button, "write_own", type="tertiary", icon=":material/edit:", on_click=_write_own):
        run_again()  # as above


def _write_own() -> None:
    """Show formulas alone, and the editor among them. A callback."""
    st.session_state[KEY] = ALONE
    st.session_state["own_open"] = True
    _picked()


def _look_at(info: ExampleInfo) -> None:
    """Show an example, its class the one of every page. A callback."""
    st.session_state[KEY] = str(Reference(SHIPPED, info.name))
    _picked()


def _is_of(info: ExampleInfo, dataset: str, class_name: str | None) -> bool:
    """Whether an example is of a class; of any of the corpus, as long as that is not there."""
    return info.corpus == dataset and class_name in (None, info.class_name)


def _distance(info: ExampleInfo, dataset: str, class_name: str | None) -> tuple[bool, bool]:
    return (info.corpus, info.class_name) != (dataset, class_name), info.corpus != dataset


def _shipped(dataset: str = "", class_name: str | None = None) -> dict[str, ExampleInfo]:
    """The shipped weightings by option: those of the class first, then those of the corpus, which may be absent."""
    listed = sorted(examples(), key=lambda info: _distance(info, dataset, class_name))
    return {str(Reference(SHIPPED, info.name)): info for info in listed}


def _labels(own: dict[str, Run], dataset: str, class_name: str | None, whole: bool = False) -> dict[str, str]:
    """Training runs by option, newest first, told apart. While their corpus is read they are of any of its classes, and
    say of which where it is not the address's; if ``whole``, all do."""
    here = None if whole else (dataset, class_name or st.query_params.get("class"))
    listed = lookup.own_records(dataset, class_name, limit=lookup.LISTED) if own else []
    named = {record.token: record.name for record in listed}
    oldest_first = {option: _label(run, named.get(run.token, ""), here) for option, run in reversed(own.items())}
    if not whole:  # when it was is said where the rest does not tell it from another one
        brief = {option: _label(own[option], named.get(own[option].token, ""), here, False) for option in oldest_first}
        alike = Counter(brief.values())
        oldest_first = {option: said if alike[said] == 1 else oldest_first[option] for option, said in brief.items()}
    labels = dict(zip(oldest_first, run_words.numbered(oldest_first.values()), strict=True))
    return {option: labels[option] for option in own}


def _label(run: Run, name: str, here: tuple | None, dated: bool = True) -> str:
    """A training run in a list: its reader's name for it, method and seed, and what is not as in the paper; if
    ``dated``, when it was computed or brought here."""
    of = run.problem
    title = "" if (of.corpus, of.class_name) == here else of.class_title
    parts: Iterable[str] = (name, ", ".join(filter(None, (run.label, words.settings(run.changed)))))
    origin = run.origin() if here is None else run.origin_in_short()
    when = origin[0].lower() + origin[1:] if dated else ""
    return " · ".join(filter(None, (*parts, title, when)))


def _picked() -> None:
    """Something was chosen. A callback: the page that follows is of it."""
    option = st.session_state[KEY]
    if option == NEW:
        to_start()
    else:
        begun()
    _take_along(option)
    _into_address(option)
    info = _shipped().get(option)
    if info is not None and (info.corpus, info.class_name) != (selection.dataset(), selection.class_name()):
        selection.choose_dataset(info.corpus)
        selection.choose_class(info.class_name, info.corpus)


def _take_along(option: str) -> None:
    """The formulas that are compared stay when a learned weighting comes or goes."""
    state, alone = st.session_state, st.query_params.get("run") == ALONE
    beside = state.get(BESIDE, [])
    formulas = [name for name in beside if name in choices.cd_names()]
    if option == ALONE and formulas:
        state[FORMULAS] = formulas
    elif alone and option != ALONE:
        learned = [name for name in beside if name not in formulas]
        together = [*learned, *state.get(FORMULAS, [])]
        state[BESIDE], left = together[:MOST], together[MOST:]
        if left:
            names = plain(listed(map(choices.symbol, left)))
            st.toast(f"At most {MOST} stand beside a learned weighting. Left out: {names}.", icon=":material/info:")


def _into_address(option: str) -> None:
    """A link to the page shows the same."""
    kind, name = Reference.parse(option)
    value = name if kind == RUN else None if option == NEW else option
    if value is None:
        st.query_params.pop("run", None)
    elif st.query_params.get("run") != value:
        st.query_params["run"] = value
