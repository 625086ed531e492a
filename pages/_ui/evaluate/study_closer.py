"""Two settings of the study page class by class: which classes make the difference, which documents, which terms."""

from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import describe, interval_text, short_learner, verdict
from ltw_core.figures import difference_by_prevalence
from ltw_core.figures.sentences import number
from ltw_core.protocol import AUTHORS, PAPER, PREDICTED
from ltw_core.studies.averages import MACRO, AveragedCells
from ltw_core.studies.class_gaps import ClassGap, by_size, class_gaps, total
from ltw_core.studies.over_classes import difference
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.controls import choose_one, control
from pages._ui.evaluate import closer_documents
from pages._ui.evaluate.study_corpus import mark, pick
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import StudyData, in_order, short_titles
from pages._ui.evaluate.study_tables import hanging_in_words, interval_in_cell, short
from pages._ui.evaluate.study_views import (
    FULLEST,
    GRID_WORDS,
    RUN_BY,
    UNTESTED_WORDS,
    Kind,
    Row,
    footer,
    lowered,
    rests_on,
)
from pages._ui.guard import plain
from pages._ui.plots.plot import plot
from pages._ui.tables import FIRST_ROW, READ_ONE, table

FIRST = (("LTW-L-I", "TFRF"), ("TFCHI", "LogTF"), ("TFRF", "LogTFIDF"))
PRESETS = (
    (
        (("TFCHI", "SVM", AUTHORS), ("LogTF", "SVM", AUTHORS)),
        "TFCHI and single documents’ terms",
        "A term that occurs in a single document, a positive one, can have the highest χ² of all: see what is "
        "predicted for lit, peseta and wool, which no test document has.",
    ),
    (
        (("LTW-U", "SVM", PAPER), ("LTW-L-I", "SVM", PAPER)),
        "When other classes’ surfaces help",
        "LTW-U weights terms with the mean of what all other classes learned, LTW-L-I with what the class itself "
        "learned. *By class size*, below, shows where each is better.",
    ),
)


def show(data: StudyData, row: Row) -> None:
    """Two places of the tables, of one corpus, compared."""
    places = _places(data)
    if not any(len(of) > 1 for of in places.values()):
        st.info(
            "This needs two settings computed for all classes of a corpus: start them under *Run a study*.",
            icon=":material/hourglass_empty:",
        )
        return
    several = in_order(name for name, of in places.items() if len(of) > 1)
    with row.line:
        corpus = pick(f"closer_corpus-{'-'.join(several)}", several, like="by_corpus", leads=True)
        of = places[corpus]
        at = mark(corpus, next(iter(of.values())).by_class, data)
    keys = list(of)
    first, second = _to_begin(of)
    choice = st.container(horizontal=True, gap="medium", vertical_alignment="center", key="closer_choice")
    with choice:
        named = {key: key for key in keys}
        one, two = (
            control(st.selectbox, f"{key}-{corpus}", named, index=keys.index(begin), like=like, width=250)
            for key, like, begin in (("closer_one", "closer_setting", first), ("closer_two", "closer_other", second))
        )
    _presets(of, corpus, choice)
    if one == two:
        st.info("Choose two different settings.", icon=":material/info:")
        return
    sides = (of[one], of[two])
    measure = MACRO[PREDICTED]
    if any(s.untested for s in sides[0].by_class.values()):
        measure = MACRO[choose_one("closer_untested", UNTESTED_WORDS, PREDICTED, row.settings, like="untested")]
    gaps, records = class_gaps(*sides, measure), [closer_documents.records_of(data, side) for side in sides]
    said, more = _verdict(one, two, sides, measure, short_titles().get(corpus, corpus), gaps)
    row.answer(said)
    _by_class(corpus, at, (one, two), sides, records, gaps, measure, more)
    _sizes((one, two), sides, measure)
    footer(data, Kind(FULLEST), frame=_frame(corpus, (one, two), records, gaps), name=f"{corpus}-class-by-class")


def _places(data: StudyData) -> dict[str, dict[str, AveragedCells]]:
    """By corpus and in words: every figure that has all its classes."""
    found: dict[str, dict[str, AveragedCells]] = {}
    by_several = len({f.example.how.name for f in data.averaged} & RUN_BY.keys()) > 1
    for f in data.averaged:
        if f.by_class and f.example.how.name in RUN_BY:
            found.setdefault(f.example.corpus, {})[_told(f, by_several)] = f
    return found


def _told(f: AveragedCells, by_several: bool) -> str:
    """A setting in words; ``by_several``: whether there are several protocols, so that which one is to be said."""
    cell = f.example
    how = GRID_WORDS[cell.grid].lower() + f", {lowered(RUN_BY[cell.how.name])}" * (by_several or cell.how.name != PAPER)
    return f"{display(f.weighting)} · {short_learner(f.learner)} · {how}"


def _to_begin(of: dict[str, AveragedCells]) -> tuple[str, str]:
    """Two weightings with one classifier under the same settings; full grids before quick ones."""
    order = sorted(of, key=lambda key: (of[key].example.grid != "full", of[key].example.how.name != PAPER))
    for one, two in FIRST:
        for key in order:
            f = of[key]
            others = [k for k in order if of[k].group == f.group and of[k].learner == f.learner]
            other = next((k for k in others if of[k].weighting == two), None)
            if f.weighting == one and other is not None:
                return key, other
    first, second, *_ = order
    return first, second


def _presets(of: dict[str, AveragedCells], corpus: str, where: Any) -> None:
    """Buttons that choose two settings whose difference has a story of its own."""
    found = [(n, preset, keys) for n, preset in enumerate(PRESETS) if (keys := _with_one_grid(of, preset[0]))]
    if not found:
        return
    line = where.container(horizontal=True, vertical_alignment="center", width="content", key="closer_examples")
    line.caption("Examples:", width="content")
    for n, (_, title, help_text), keys in found:
        line.button(title, key=f"closer_preset_{n}", help=help_text, on_click=_choose, args=(corpus, *keys))


def _with_one_grid(of: dict[str, AveragedCells], wanted: tuple) -> list[str]:
    """The settings that are wanted, of the fullest grid that all of them have; none where there is no such grid."""
    for grid in ("full", "quick"):
        settings = {
            (f.weighting, f.learner, f.example.how.name): key for key, f in of.items() if f.example.grid == grid
        }
        if all(each in settings for each in wanted):
            return [settings[each] for each in wanted]
    return []


def _choose(corpus: str, one: str, two: str) -> None:
    st.session_state[f"closer_one-{corpus}"], st.session_state[f"closer_two-{corpus}"] = one, two


def _verdict(one: str, two: str, sides: Any, measure: str, where: str, gaps: list[ClassGap]) -> tuple[str, list[str]]:
    """Which is better, and in which class they differ most; and what hangs on classes without test documents."""
    far = gaps[0]
    most = ""
    if far.difference:
        most = f"; they differ most in {plain(far.class_name)} ({short(far.difference, signed=True)})"
    found = difference(*sides, measure)
    values = [side.value(measure) for side in sides]
    names = [plain(name.partition(" · ")[0]) for name in (one, two)]
    if names[0] == names[1]:
        names = ["the first", "the second"]
    said = verdict(*names, found, plain(where))
    said = (
        f"**{said[:1].upper()}{said[1:]}**: macro F1 {short(values[0])} and {short(values[1])}, "
        f"{short(found.value, signed=True)} (95% interval {interval_text(found.both, plus=True)}); "
        f"higher in {found.first_right:g}, lower in {found.second_right:g} classes{most}."
    )
    hanging = [(name, hanging_in_words(side, measure)) for name, side in zip((one, two), sides, strict=True)]
    return said, [f"{plain(name)}: {plain(' '.join(parts))}" for name, parts in hanging if parts]


def _by_class(
    corpus: str, at: str | None, names: Any, sides: Any, records: list, gaps: list[ClassGap], measure: str, more: list
) -> None:
    """The classes over their size, and as a table, ``at`` first; a line of it opens the documents behind."""
    record = next(iter(records[0].values()))
    documents = record.tp + record.fp + record.fn + record.tn
    told = [plain(name) for name in names]
    figure = difference_by_prevalence.plain(
        [gap.positives for gap in gaps],
        [gap.difference for gap in gaps],
        [gap.class_name for gap in gaps],
        documents,
        titles=(names[0], names[1]),
        minus=" minus ".join(closer_documents.what_differs(names)),
        selected=at,
        base=words.base(),
        uirevision=corpus,
    )
    plot(figure, "closer", live=True)
    if none := sum(gap.positives == 0 for gap in gaps):
        more = [
            f"{words.count(none, 'class has', 'classes have')} no test documents: their points stand at the left "
            "edge; their F1 is 1 if nothing is predicted and 0 otherwise.",
            *more,
        ]
    if more:
        st.caption(more[0], help=" ".join(more[1:]) or None)
    differing = sorted((gap for gap in gaps if gap.difference), key=lambda gap: gap.class_name != at)
    frame = pd.DataFrame(
        {
            "class": gap.class_name,
            "difference": gap.difference,
            "first": gap.f1[0],
            "second": gap.f1[1],
            "documents": gap.positives,
            "share": gap.share,
            "tp": _pair(gap, "tp"),
            "fp": _pair(gap, "fp"),
            "fn": _pair(gap, "fn"),
        }
        for gap in differing
    )
    if frame.empty:
        st.info("They have the same F1 in every class.", icon=":material/done_all:")
        return
    key = f"closer-{abs(hash((names, measure, at))):x}"
    options = {"on_select": "rerun", "selection_mode": READ_ONE, "selection_default": FIRST_ROW, "key": key}
    event = table(
        frame,
        "closer",
        f"{told[0]} minus {told[1]} by class",
        more=_f1_of(names),
        height=320,
        width="stretch",
        **options,
    )
    rows = event["selection"]["rows"] if event else []
    chosen = differing[rows[0] if rows and rows[0] < len(frame) else 0]
    st.caption(
        f"{told[0]} minus {told[1]}; {rests_on(sides)}. The contributions of all classes add up to the difference in "
        f"macro F1, {short(total(gaps), signed=True)}. TP, FP and FN: first / second. Choose a row to see its "
        "documents."
    )
    closer_documents.show(names, sides, records, chosen)


def _f1_of(names: Any) -> dict[str, Any]:
    """The columns of F1, each with the name of its setting."""
    called = zip(("first", "second"), closer_documents.what_differs(names), names, strict=True)
    return {
        side: st.column_config.NumberColumn(f"F1, {called_in_short}", width=88, help=plain(name))
        for side, called_in_short, name in called
    }


def _pair(gap: ClassGap, count: str) -> str:
    numbers = (getattr(side, count) for side in gap.counts)
    return " / ".join(number(value) if value < 1000 else f"{value:,.0f}" for value in numbers)  # means over seeds


def _sizes(names: Any, sides: Any, measure: str) -> None:
    """Macro F1 of both by how many test documents a class has."""
    st.header("By class size", anchor=False)
    groups = sorted(by_size(sides, measure), key=lambda group: not group.low)  # those without test documents last
    n = sum(group.classes for group in groups)
    called = [f"F1, {what}" for what in closer_documents.what_differs(names)]
    frame = pd.DataFrame(
        {
            "documents": group.told,
            "difference": group.f1[0] - group.f1[1],
            "interval": interval_in_cell(group.difference.both) if group.difference else "",
            **dict(zip(called, group.f1, strict=True)),
            "classes": group.classes,
            "share": (group.f1[0] - group.f1[1]) * group.classes / n,
        }
        for group in groups
    )
    about = "Macro F1 by test documents of the class"
    whole_table(frame, "closer_sizes", about, dict.fromkeys(called, ".3"))
    st.caption(
        f"{plain(names[0])} minus {plain(names[1])}. Mean F1 over classes of similar size; 95% intervals of the paired "
        "difference over these classes."
    )


def _frame(corpus: str, names: Any, records: list, gaps: list[ClassGap]) -> pd.DataFrame:
    """Every class, for the CSV."""
    chosen = [{c: describe(r.parameters) for c, r in of.items()} for of in records]
    return pd.DataFrame(
        {
            "dataset": corpus,
            "class": gap.class_name,
            "test documents": gap.positives,
            **{
                f"{place} {what}": value
                for place, name, f1, counts, settings in zip(
                    ("first", "second"), names, gap.f1, gap.counts, chosen, strict=True
                )
                for what, value in (
                    ("setting", name),
                    ("F1", f1),
                    ("tp", counts.tp),
                    ("fp", counts.fp),
                    ("fn", counts.fn),
                    ("chosen", settings.get(gap.class_name, "")),
                )
            },
            "difference": gap.difference,
            "share of the difference of macro F1": gap.share,
        }
        for gap in gaps
    )
