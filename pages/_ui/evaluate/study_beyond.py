"""Beyond the paper: weightings that it has not, against TFRF on whole collections, and what averaging runs does."""

from typing import Any

import pandas as pd
import streamlit as st

from ltw_core.evaluation import GRIDS, short_learner
from ltw_core.figures import DrawnDifference, differences_from
from ltw_core.metrics import listed
from ltw_core.protocol import PAPER
from ltw_core.studies.beyond import AGAINST, LEARNED, PAIRS, BeyondRow, MembersRow, beyond, by_members
from ltw_core.studies.members import FILE, WAYS, read
from ltw_core.weighting import display
from pages._ui import words
from pages._ui.controls import choose_in_list
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_corpus import choose_corpus
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import StudyData, in_order, short_titles
from pages._ui.evaluate.study_tables import SIGNS, SIGNS_TOLD, drawn_difference, interval_in_cell, interval_of, short
from pages._ui.evaluate.study_views import FULLEST, LED, Kind, Row, footer, kind_of, nothing_known, of_corpora, run_by
from pages._ui.guard import plain
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import selection
from pages._ui.result_cache import kept

SAVED = ["of macro F1", "more interval", "won and lost", "seeds"]  # columns of the file alone
OF_PAPER = "reference · "  # before the names of those that the paper has
PLAIN = {  # what they are, in so many words as a row has room for
    "LTW-U": "Other classes’ mean surface",
    "LTW-U + own surface": "Other classes’ mean, with the class’s own",
    "LTW-U + RF": "Other classes’ mean, with RF",
    "LTW-RF": "Mean of five runs from RF, with RF",
    "LTW-L-I×5": "Mean of five runs",
    "LTW-L-I (log)": "One run, log rates",
}
NEW = {  # what that leaves out; of a formula by how its name begins
    "LTW-U + own surface": "the mean of the other classes’ surfaces (LTW-U) and the class’s own, weighted more to its "
    "own the more documents the class has",
    "LTW-U + RF": "three quarters of LTW-U, one quarter RF",
    "LTW-L-I (log)": "LTW-L-I on log(1 + 100 x) of both rates",
    "Formula": "a short formula, found on the corpus that is named",
}


def show(data: StudyData, row: Row) -> None:
    """How many are better and worse by corpus and classifier, and the differences and the table of one."""
    kind = kind_of(data, row)
    found = _compared(data.key, kind, data)
    if not found:
        led = LED.get(kind.protocol, "")
        other = bool(led) and any(f.example.how.name == PAPER for f in data.averaged)
        st.info(
            f"{led}{'none' if led else 'None'} of them is computed for all classes yet: "
            f"{'choose *By the text*, or ' * other}start one under *Run a study*, or with `run --weighting "
            "NAME` on the command line.",
            icon=":material/hourglass_empty:",
        )
    named, saved = short_titles(), []
    tables = {
        "-".join(place): (f"{named.get(place[0], place[0])}, {short_learner(place[1])}, {place[2]} grid", place, *made)
        for place, made in found.items()
    }
    if tables:
        overview = pd.DataFrame([{"where": where} | _counted(frame) for where, *_, frame in tables.values()])
        row.answer(_answer(overview, kind), "Significant: the 95% interval of the difference excludes 0.")
        wheres = {key: where for key, (where, *_) in tables.items()}
        # the corpus at hand, or the first, with the classifier that the app begins with, where it compares the most
        order = in_order(corpus for corpus, *_ in found)

        def near(key: str) -> tuple:
            corpus, learner, _ = tables[key][1]
            return corpus == selection.dataset(), learner == "SVM", -order.index(corpus), len(tables[key][-1])

        first = max(tables, key=near)
        chosen = choose_in_list("beyond_of", wheres, first, row.line, width=240)
        where, (*_, grid), follows, drawn, frame = tables[chosen]
        kind = kind._replace(grid=grid)
        papers: list[str] = []
        if drawn:
            papers = [name.removeprefix(OF_PAPER) for name in drawn if name.startswith(OF_PAPER)]
            drawn = {name.removeprefix(OF_PAPER): row for name, row in drawn.items()}
            look = {"aside": papers, "called": PLAIN, "numbers": True, "base": words.base(), "uirevision": chosen}
            narrow = narrow_layout(differences_from.plain(AGAINST, drawn, narrow=True, **look), "beyond-differences")
            plot(differences_from.plain(AGAINST, drawn, **look), "beyond-differences", narrow=narrow, live=True)
        hollow = " Hollow: in the paper, not counted above." * bool(papers)
        shown = {"Formula" if one.startswith("Formula") else one for one in frame["weighting"]}
        defined = "".join(f"\n\n**{name}**: {NEW[name]}." for name in NEW if name in shown)
        st.caption(
            f"Line: 95% interval of the difference{_colours(frame)}.{hollow} "
            f"{grid.capitalize()} grid, {_seeds(frame)}.",
            help="Paired bootstrap over classes; variation between seeds enters only as variation between classes."
            f"{defined}",
        )
        with st.expander("Better and worse, by how much", expanded=not drawn):
            st.markdown(follows)
            about = f"Macro F1 of weightings on {where}, and that minus {AGAINST}’s"
            whole_table(frame.drop(columns=SAVED), "beyond", about)
            st.caption(SIGNS_TOLD)
        with st.expander("All corpora and classifiers"):
            whole_table(overview, "beyond_overview", "How many are better and worse, by corpus and classifier")
        every = [
            frame.assign(corpus=corpus, learner=learner, grid=grid)
            for (corpus, learner, grid), (*_, frame) in found.items()
        ]
        saved.append(("Comparisons (CSV)", "ltw-beyond.csv", pd.concat(every)))
    footer(data, kind, others=saved)


@kept(8, "Drawing intervals…")
def _compared(key: tuple, kind: Kind, _data: StudyData) -> dict[tuple[str, str, str], tuple[str, dict, pd.DataFrame]]:
    """What follows, the differences that are drawn, and the table, by corpus, learner and grid."""
    # of few of them the full grid is complete: where the fullest is asked for, each grid that there is
    kinds = [kind._replace(grid=grid) for grid in GRIDS] if kind.grid == FULLEST else [kind]
    found = [rows for one in kinds for rows in beyond(one.of(_data.averaged)).items()]
    return {
        (*place, rows[0].averaged.example.grid): (_follows(rows), _drawn(rows), _frame(rows)) for place, rows in found
    }


def _counted(frame: pd.DataFrame) -> dict[str, int | None]:
    """How many are better than TFRF and than the paper's learned weighting, and how many worse; None where nothing is
    compared yet."""
    new = frame[~frame["weighting"].str.startswith(OF_PAPER)]
    found: dict[str, int | None] = {"weightings": len(new)}
    for base, value, mark in ((AGAINST, "difference", "mark"), (LEARNED, "more", "more mark")):
        known = new[value].notna().any()
        for sign, said in ((1, "better"), (-1, "worse")):
            found[f"{said} than {base}"] = int((new[mark] == SIGNS[sign]).sum()) if known else None
    return found


def _answer(overview: pd.DataFrame, kind: Kind) -> str:
    """Whether any is better than TFRF, counted over all corpora and classifiers."""
    known = overview[overview[f"better than {AGAINST}"].notna()]
    number, better, worse = (
        int(known[name].sum()) for name in ("weightings", f"better than {AGAINST}", f"worse than {AGAINST}")
    )
    if not number:
        return f"{AGAINST} itself is not computed for all classes yet, so nothing is compared with it."
    where, chance = run_by(words.count(number, "comparison"), kind), round(number / 40)  # on each side of 95%
    open_ = number - better - worse
    rest = f"; {open_} {'is' if open_ == 1 else 'are'} not significant" * bool(open_)
    return (
        f"**In {better} of {where} a weighting that the paper does not have is better than {AGAINST}**, in {worse} it "
        f"is worse{rest}." + f" Chance alone would give about {chance} better and {chance} worse." * bool(chance)
    )


def _follows(rows: list[BeyondRow]) -> str:
    """Which are better than TFRF and than the paper's learned weighting, and which worse, in two sentences."""
    n = words.count(rows[0].averaged.classes, "class", "classes")
    said = [
        _against({row.weighting: getattr(row, part) for row in rows if row.beyond}, base, n)
        for base, part in ((AGAINST, "less"), (LEARNED, "more"))
    ]
    return " ".join(said)


def _against(found: dict[str, Any], base: str, classes: str) -> str:
    if None in found.values():
        return f"{display(base)} itself is not computed for all classes yet, so nothing is compared with it."
    listed = lambda sign: [  # noqa: E731
        f"{plain(display(name))} ({short(less.value, signed=True)})"
        for name, less in found.items()
        if less.sign == sign
    ]
    better, worse = listed(1), listed(-1)
    parts = [f"better: **{', '.join(better)}**" if better else "none is significantly better"]
    parts += [f"worse: {', '.join(worse)}"] if worse else []
    rest = len(found) - len(better) - len(worse)
    parts += [f"{rest} not distinguishable from it"] if rest else []
    return f"Of {len(found)} beyond the paper, against {display(base)} over {classes}: {'; '.join(parts)}."


def _drawn(rows: list[BeyondRow]) -> dict[str, DrawnDifference]:
    return {_name(row): drawn_difference(row.less) for row in rows if row.less and row.less.both}


def _colours(frame: pd.DataFrame) -> str:
    """What the colours say that occur."""
    said = {1: "gold above 0", -1: "blue below 0", 0: "grey where it contains 0"}
    marks = set(frame.loc[frame["interval"] != "", "mark"])
    return "".join(f", {told}" for sign, told in said.items() if SIGNS[sign] in marks)


def _seeds(frame: pd.DataFrame) -> str:
    """Over how many seeds figures are means."""
    least, most = frame["seeds"].min(), frame["seeds"].max()
    return words.count(int(most), "seed") if least == most else f"{least} to {most} seeds"


def _name(row: BeyondRow) -> str:
    return ("" if row.beyond else OF_PAPER) + display(row.weighting)


def _frame(rows: list[BeyondRow]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "weighting": [_name(row) for row in rows],
            "difference": [row.less.value if row.less else None for row in rows],
            "interval": [interval_in_cell(row.less.both) if row.less else "" for row in rows],
            "mark": [SIGNS[row.less.sign] if row.less else "" for row in rows],
            "macro F1": [row.macro_f1 for row in rows],
            "of macro F1": [interval_of(row.interval) for row in rows],
            "more": [row.more.value if row.more else None for row in rows],
            "more interval": [interval_in_cell(row.more.both) if row.more else "" for row in rows],
            "more mark": [SIGNS[row.more.sign] if row.more else "" for row in rows],
            "won and lost": [
                f"{row.less.first_right:g} : {row.less.second_right:g}" if row.less else "" for row in rows
            ],
            "seeds": [row.averaged.seeds for row in rows],
        }
    )


def averaged_runs(data: StudyData, row: Row) -> None:
    """What averaging training runs does."""
    if not of_corpora(data):
        return
    found, named = _averaged_runs(), short_titles()
    if not found:
        nothing_known()
        return
    frames, told, more = {}, {}, ""
    for corpus, rows in found.items():
        by_way = {of.way: of for of in rows}
        one, five = by_way["one"], by_way["mean of 5"]
        where = plain(named.get(corpus, corpus))
        surface, classifier = (by_way.get(f"mean, one {part}") for part in ("classifier", "surface"))
        if surface is not None and classifier is not None:
            latter = surface.less.sign == 0 < classifier.less.sign
            more += (
                f"{where}: averaging runs that differ in the initial surface alone gains {_gain(surface)}; averaging "
                f"runs that differ in the classifier on top and its batches gains {_gain(classifier)}"
                f"{': it is the latter chance that averaging removes' * latter}. "
            )
        scores = f"on {where} (macro F1 {short(five.macro_f1)} and {short(one.macro_f1)})"
        told.setdefault(five.less.sign, []).append(scores)
        frame = pd.DataFrame(
            {
                "way": [WAYS.get(row.way, row.way) for row in rows],
                "difference": [row.less.value if row.less else None for row in rows],
                "interval": [interval_in_cell(row.less.both) if row.less else "" for row in rows],
                "mark": [SIGNS[row.less.sign] if row.less else "" for row in rows],
                "than": [WAYS.get(PAIRS.get(row.way, ""), "") for row in rows],
                "macro F1": [row.macro_f1 for row in rows],
                "alike": [row.alike for row in rows],
            }
        )
        frames[corpus] = frame.assign(corpus=corpus, classes=one.classes)
    kinds = {1: "better than", -1: "worse than", 0: "not distinguishable from"}
    parts = [f"{said} a single one {listed(told[sign])}" for sign, said in kinds.items() if sign in told]
    row.answer(f"The mean surface of five runs is **{parts[0]}**{''.join(f', {part}' for part in parts[1:])}.", more)
    chosen = choose_corpus(list(found), row.line)
    drawn = {WAYS.get(of.way, of.way): drawn_difference(of.less) for of in found[chosen] if of.less}
    measure = "macro F1 minus that of the one under “Against”"  # in the table below
    look = {"measure": measure, "numbers": True, "base": words.base(), "uirevision": chosen}
    narrow = narrow_layout(differences_from.plain("", drawn, narrow=True, **look), "averaged-runs")
    plot(differences_from.plain("", drawn, **look), "averaged-runs", live=True, narrow=narrow)
    about = f"Macro F1 by how training runs are averaged, {named.get(chosen, chosen)}"
    shown = frames[chosen].drop(columns=["alike", "corpus", "classes"])
    whole_table(shown, "members", about)
    st.caption(
        f"SVM, quick grid. {SIGNS_TOLD} Same initial surface: runs differ only in the classifier on top and in the "
        "batches. Same classifier: only in the initial surface.",
        help="Classes with ten training documents or more; a single run is the mean F1 of five. "
        f"Intervals are of paired differences over classes. "
        f"In `data/results/{FILE}`; `python -m ltw_core.studies.members` computes it.",
    )
    offer_table(
        "Averages of runs (CSV)", "ltw-members.csv", pd.concat(frames.values()), "The table above, of every corpus."
    )


@kept(1)
def _averaged_runs() -> dict[str, list[MembersRow]]:
    return by_members(read())


def _gain(row: Any) -> str:
    return f"{short(row.less.value, signed=True)} (95% interval {interval_of(row.less.both)})"
