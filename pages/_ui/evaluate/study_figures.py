"""The study page's figures: average ranks, F1 of every class over its frequency, F1 over seconds."""

from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import GRIDS, LEARNERS, average_ranks, cliques, short_learner
from ltw_core.figures import critical_difference, f1_by_prevalence, f1_by_seconds, palette
from ltw_core.metrics import Counts, listed
from ltw_core.protocol import AUTHORS, PAPER
from ltw_core.studies.class_gaps import by_size
from ltw_core.studies.comparison import LEAST_PAIRS, complete
from ltw_core.studies.tables import OURS, PAPERS, family_of
from ltw_core.studies.times import times
from ltw_core.weighting import display
from ltw_core.weighting.methods import RF_BEFORE
from pages._ui import choices, words
from pages._ui.controls import choose_in_list, control
from pages._ui.evaluate.study_claims import ranked
from pages._ui.evaluate.study_corpus import mark, pick
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import StudyData, in_order
from pages._ui.evaluate.study_tables import short
from pages._ui.evaluate.study_views import (
    FULLEST,
    LED,
    RUN_BY,
    Kind,
    Row,
    controls,
    footer,
    lowered,
    measure_words,
    rests_on,
    run_by,
    scores,
    shown_table,
)
from pages._ui.guard import plain
from pages._ui.plots.plot import narrow_layout, plot

LEARNED = "LTW-L-I"  # the paper's best


def ranks(data: StudyData, row: Row) -> None:
    """Critical-difference diagrams of ours and of the paper's figures."""
    measure, averaged, kind = controls(data, row)
    shown = shown_table(data, averaged, measure)
    folded = row.line.popover("Weightings", key="ranked")
    told, sides = [], {"Ours": OURS, "The paper’s": PAPERS}
    values = {title: scores(shown, whose) for title, whose in list(sides.items())[: 1 if data.of_table else 2]}
    chosen = {title: _ranked(title, of, sides[title], folded) for title, of in values.items()}
    for title, of in values.items():
        whose = sides[title]
        none = [name for name in values.get("The paper’s", ()) if name not in of]
        claims = whose == OURS and measure == "macro_f1" and not data.of_table and kind.protocol in (PAPER, AUTHORS)
        claimed = ranked(data, kind.protocol) if claims and kind.grid in (FULLEST, "full") else ((), ())
        if best := _ranks(title, of, whose, chosen[title], max(map(len, chosen.values())), none, claimed):
            said = run_by("our results", kind) if whose == OURS else "the paper’s"
            told.append(f"**{plain(display(best[0]))}** in {said} ({best[1]:.2f})")
    if told:
        row.answer(f"Best by mean rank: {listed(told)}.", f"Ours: {rests_on(averaged)}.")
        st.caption(
            "A bar joins weightings whose mean ranks differ by less than the critical difference: by Nemenyi’s test at "
            "α = .05 they do not differ significantly. It allows for all comparisons of a diagram, and is stricter "
            "than Wilcoxon’s test of two weightings, under *Significance*."
        )
    footer(data, kind, averaged)


def _ranked(title: str, values: dict, whose: str, folded: Any) -> list[str]:
    """The weightings of one side that the reader has chosen."""
    first = sharing(values)
    key, names = f"ranked-{whose}-{'-'.join(first)}", {name: display(name) for name in values}
    return control(folded.multiselect, key, names, default=first, like="ranked", mark=f": {title.lower()}")


def _ranks(
    title: str, values: dict, whose: str, chosen: list[str], last: int, none: list[str], claimed: tuple[tuple, tuple]
) -> tuple[str, float] | None:
    """Draw the mean ranks of one side, to the rank ``last`` at least; which weighting has the highest, and that.
    ``none``: weightings without any score; ``claimed``: which ones *Claims* ranks, and over which pairs."""
    pairs = complete(values, chosen)
    if len(chosen) < 3 or len(pairs) < 2:
        st.info(
            "Choose at least three weightings with two pairs of corpus and classifier in common.",
            icon=":material/info:",
        )
        return None
    result = average_ranks([[values[name][pair] for pair in pairs] for name in chosen])
    content = chosen, result.average, result.critical_difference, cliques(result)
    options = {"title": f"{title}, {len(pairs)} pairs", "last": last, "base": words.base()}
    over = f"Mean ranks of {len(chosen)} weightings over the {len(pairs)} pairs of corpus and classifier that all have"
    key, few = f"ranks-{whose}", [name for name in values if not set(pairs) <= set(values[name])]
    narrow = narrow_layout(critical_difference.plain(*content, narrow=True, **options), key)
    plot(critical_difference.plain(*content, **options), key, live=True, narrow=narrow)
    other = all(claimed) and [*map(set, claimed)] != [set(chosen), set(pairs)]
    told = "; *Claims* ranks another selection, {} weightings over {} pairs, and its mean ranks differ" * other
    told = told.format(*map(len, claimed))
    verdict = "the weightings differ" if result.p < 0.05 else "no significant difference"
    st.caption(
        f"{over}{told}. Friedman test: p {'< .001' if result.p < 0.001 else f'= {short(result.p)}'}, {verdict}."
        + f" Not ranked, for lack of scores: {plain(listed([*map(display, few + none)]))}." * bool(few + none)
    )
    return min(zip(chosen, result.average, strict=True), key=lambda found: found[1])


def sharing(values: dict) -> list[str]:
    """Weightings to begin with: those with at least n pairs, n chosen so that these have the most in all; the paper's
    best is one of them where it has enough pairs to be tested."""
    counts = [len(of) for of in values.values()]
    least = max(set(counts), key=lambda n: n * sum(count >= n for count in counts), default=0)
    of_best = len(values.get(LEARNED, ()))
    least = min(least, of_best) if of_best >= LEAST_PAIRS else least
    return [name for name, of in values.items() if len(of) >= least]


def by_class(data: StudyData, row: Row) -> None:
    """F1 of every class over its prevalence."""
    records = data.results.records()
    corpora = in_order(r.cell.corpus for r in records)
    if not corpora:
        st.info(
            "No study has been run yet: start one under *Run a study*, or choose *Both* under *Our results*.",
            icon=":material/hourglass_empty:",
        )
        return
    with row.line:
        corpus = _pick_corpus("by_corpus", corpora, leads=True)
        of = [r for r in records if r.cell.corpus == corpus]
        learners = sorted({r.cell.learner for r in of}, key=list(LEARNERS).index)
        shown = {learner: short_learner(learner) for learner in learners}
        key = f"by_learner-{'-'.join(learners)}"
        learner = choose_in_list(key, shown, learners[0], like="by_learner", width=110)
        of = [r for r in of if r.cell.learner == learner]
        kinds = {f"{name}-{grid}": Kind(grid, name) for name in RUN_BY for grid in GRIDS}
        here = {(r.cell.grid, r.cell.how.name) for r in of}
        kinds = {key: kind for key, kind in kinds.items() if kind in here}
        if not kinds:
            st.info(
                "Scores under other protocols are in the exports only: see *Each class (CSV)* under *Tables*.",
                icon=":material/info:",
            )
            return
        chosen = next((key for key, kind in kinds.items() if kind.grid == "full"), next(iter(kinds)))
        if len(kinds) > 1:
            shown = {key: kind.named for key, kind in kinds.items()}
            chosen = choose_in_list(f"by_grid-{'-'.join(kinds)}", shown, chosen, like="by_grid", width=215)
        kind = kinds[chosen]
        at = mark(corpus, [r.cell.class_name for r in of], data)
    of = [r for r in of if (r.cell.grid, r.cell.how.name) == kind and r.cell.seed == 0]
    names = list(dict.fromkeys(r.cell.weighting for r in of))
    default = [name for name in choices.WEIGHTINGS["studies"] if name in names] or names[:3]
    names = {name: display(name) for name in names}
    key = f"by_weightings-{corpus}"
    folded = row.line.popover("Weightings")
    chosen = control(
        folded.multiselect, key, names, default=default, max_selections=5, select_all=False, like="by_weightings"
    )
    points = {
        name: ([r.tp + r.fn for r in some], [r.f1 for r in some], [r.cell.class_name for r in some])
        for name in chosen
        if (some := [r for r in of if r.cell.weighting == name])
    }
    if not points:
        st.info("Choose a weighting.", icon=":material/info:")
        return
    group = {f.weighting: f for f in kind.of(data.averaged) if (f.example.corpus, f.learner) == (corpus, learner)}
    averaged = [group[name] for name in points if name in group and group[name].by_class]
    documents = sum(getattr(of[0], count) for count in Counts._fields)
    f1_by_class(points, documents, selected=at, uirevision=corpus)
    none = len({r.cell.class_name for r in of if not r.tp + r.fn})
    empty = ""
    if none:
        empty = (
            f"{words.count(none, 'class has', 'classes have')} no test documents, and no point: F1 would be 1 "
            "if nothing is predicted and 0 otherwise."
        )
    by = "" if data.of_table else f"{lowered(RUN_BY[kind.protocol])}, "
    st.caption(
        f"Point: a class ({kind.grid} grid, {by}seed 0). Line: mean over classes of similar prevalence. Grey: the "
        "other weightings.",
        help=f"Where all classes are about equally frequent, a ◆ stands for the line. {empty}",
    )
    if len(averaged) == len(points):
        _sizes(averaged)
    frame = pd.DataFrame(
        {"weighting": name, "class": c, "test documents": n, "F1": value}
        for name, (positives, f1, classes) in points.items()
        for n, value, c in zip(positives, f1, classes, strict=True)
    )
    footer(data, kind, frame=frame, name=f"{corpus}-{learner}-by-class")


def f1_by_class(points: dict, documents: int, **look: Any) -> None:
    """Draw F1 of every class over its prevalence, a panel a weighting; ``documents``: all test documents."""
    key, look = "by-class", {"base": words.base(), **look}
    narrow = narrow_layout(f1_by_prevalence.plain(points, documents, narrow=True, **look), key)
    plot(f1_by_prevalence.plain(points, documents, **look), key, live=True, narrow=narrow)


def _sizes(averaged: list) -> None:
    """Macro F1 of the chosen weightings over classes of like size."""
    groups = by_size(averaged)
    frame = pd.DataFrame(
        {"documents": group.told + "*" * (not group.low), "classes": group.classes}
        | {display(f.weighting): value for f, value in zip(averaged, group.f1, strict=True)}
        for group in sorted(groups, key=lambda group: not group.low)  # what the note is about stands above it
    )
    more = {display(f.weighting): ".3" for f in averaged}
    whole_table(frame, "sizes", "Macro F1 by test documents of the class", more)
    none = r" \*Without any, F1 is 1 if nothing is predicted and 0 otherwise." * any(not group.low for group in groups)
    st.caption(f"Macro F1 of classes by their number of test documents.{none}", help="Over all seeds.")


def seconds(data: StudyData, row: Row) -> None:
    """F1 over what it costs to compute."""
    measure, averaged, kind = controls(data, row)
    averaged = [f for f in averaged if f.value(measure) is not None]
    if not averaged:
        st.info(
            "No weighting is computed for all classes yet: start one under *Run a study*.",
            icon=":material/hourglass_empty:",
        )
        return
    corpora = in_order(f.example.corpus for f in averaged)
    with row.line:
        corpus = _pick_corpus("time_corpus", corpora)
    rows = [
        (f.weighting, f.learner, f.seconds + f.weighting_seconds, f.value(measure))
        for f in averaged
        if f.example.corpus == corpus and f.weighting != RF_BEFORE
    ]
    options = {"measure": measure_words(measure), "uirevision": f"{corpus}-{measure}"}
    options["learners"] = {learner: short_learner(learner) for _, learner, *_ in rows}
    families = {weighting: family_of(weighting) for weighting, *_ in rows}
    row.answer(_best_of_each(rows, families, kind))
    options["base"] = words.base()
    narrow = narrow_layout(f1_by_seconds.plain(rows, families, narrow=True, **options), "f1-seconds")
    plot(f1_by_seconds.plain(rows, families, **options), "f1-seconds", live=True, narrow=narrow)
    st.caption(
        "Mark: a weighting with a classifier; tap or point at it for its name. Outlined: the best of their kind. "
        f"Ours, {rests_on([f for f in averaged if f.example.corpus == corpus])}.",
        help="Time for weighting, tuning, refitting and testing, on one core. The time for document vectors that "
        "several classifiers share is counted for each of them.",
    )
    others = [] if data.of_table else _times(averaged, corpus)
    frame = pd.DataFrame(rows, columns=["weighting", "learner", "seconds a class", measure])
    footer(data, kind, frame=frame, name=f"{corpus}-seconds", others=others)


def _best_of_each(rows: list[tuple[str, str, float, float]], families: dict[str, str], kind: Kind) -> str:
    """The best of each family, and in what time."""
    parts = []
    for family in reversed(palette.IN_WORDS):
        if of := [found for found in rows if families[found[0]] == family]:
            weighting, learner, took, value = max(of, key=lambda found: found[3])
            what = f"{plain(display(weighting))} with {short_learner(learner)}, F1 {short(value)}"
            takes = " weighting takes" * (not parts)
            parts.append(f"the best {palette.IN_WORDS[family]}{takes} **{words.seconds(took)}** ({what})")
    led = LED.get(kind.protocol, "")
    return f"{led}{'for' if led else 'For'} one class, classifier included, {listed(parts)}."


def _times(averaged: list, corpus: str) -> list[tuple[str, str, pd.DataFrame]]:
    """The paper's seconds of weighting, and ours beside them; what ``footer`` offers of them."""
    found = times(averaged, corpus)
    if not found:
        return []
    st.header("Weighting time, the paper’s and ours", anchor=False)
    frame = pd.DataFrame(
        {
            "kind": f"{row.kind}, {palette.IN_WORDS[row.kind]}" if row.kind in palette.IN_WORDS else row.kind,
            "paper": row.paper or "not said",
            "a class": "–" if row.a_class is None else words.seconds(row.a_class),
            "all classes": "–" if row.all_classes is None else words.seconds(row.all_classes),
            "of": ", ".join(display(name) for name in row.weightings) or "not run",
        }
        for row in found
    )
    whole_table(frame, "weighting_times", "Weighting time, the paper’s and ours")
    st.caption(
        "Time to weight training and test documents, learning included, without a classifier: means over the "
        "weightings named.",
        help="The paper, on Reuters-21578: “less than a second for any UTW …, while STW requires 23 seconds and LTW "
        "requires 62 seconds”, on twelve cores and a GTX 1080; whether for one class or all is not said (for CCA, "
        "one). Ours: means on one core, often of a busy machine; all classes one after the other.",
    )
    return [("Times (CSV)", f"{corpus}-times.csv", frame)]


def _pick_corpus(key: str, corpora: list[str], **more: Any) -> str:
    return pick(f"{key}-{'-'.join(corpora)}", corpora, like=key, **more)
