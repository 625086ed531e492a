"""What classes share: the short formula that resembles it, how that does as a weighting, and one network for all."""

import pandas as pd
import streamlit as st

from ltw_core.evaluation import decimals
from ltw_core.figures import differences_from
from ltw_core.metrics import listed
from ltw_core.studies import joint_network, universal_formula
from ltw_core.studies.beyond import AGAINST
from ltw_core.studies.class_scores import Compared, compared
from ltw_core.studies.joint_network import JOINT, JOINTS, MEAN, SEES
from ltw_core.studies.shared_surfaces import LENDS, RUNS
from ltw_core.studies.universal_formula import CHOSEN, KNOWN, RF_TOO, Candidate
from ltw_core.weighting import formula as read_formula
from ltw_core.weighting.methods import METHODS
from pages._ui import choices, words
from pages._ui.downloads import offer_table
from pages._ui.evaluate.study_corpus import choose_corpus
from pages._ui.evaluate.study_lists import whole_table
from pages._ui.evaluate.study_source import StudyData, short_titles, titles
from pages._ui.evaluate.study_tables import SIGNS, SIGNS_TOLD, drawn_difference, interval_in_cell
from pages._ui.evaluate.study_views import Row, nothing_known, of_corpora
from pages._ui.guard import plain
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.result_cache import kept

EQUAL = "1"  # among the known ones: all terms weigh the same


def formula(data: StudyData, line: Row) -> None:
    """Formulas: the verdict over all corpora, and of one the intervals and the table."""
    if not of_corpora(data):
        return
    found, rows = _formulas()
    chosen = [one for one in found if one.kind == CHOSEN]
    if not chosen or not rows:
        nothing_known()
        return
    named = titles()
    line.answer(verdict(rows, list(dict.fromkeys(one.formula for one in chosen))))
    frame = pd.DataFrame(
        {
            "weighting": [_name(row.weighting) for row in rows],
            "corpus": [row.corpus for row in rows],
            "difference": [row.more.value if row.more else None for row in rows],
            "interval": [interval_in_cell(row.more.both) if row.more else "" for row in rows],
            "mark": [SIGNS[row.more.sign] if row.more else "" for row in rows],
            "macro F1": [row.macro_f1 for row in rows],
            "classes": [row.classes for row in rows],
        }
    )
    about = f"Macro F1 of formulas for all classes, and that minus {AGAINST}’s"
    corpus = choose_corpus(list(dict.fromkeys(row.corpus for row in rows)), line.line)
    here = [row for row in rows if row.corpus == corpus]
    drawn = {_name(row.weighting): drawn_difference(row.more) for row in here if row.more and row.more.both}
    look = {"numbers": True, "base": words.base(), "uirevision": corpus}
    narrow = narrow_layout(differences_from.plain(AGAINST, drawn, narrow=True, **look), "universal-differences")
    plot(differences_from.plain(AGAINST, drawn, **look), "universal-differences", live=True, narrow=narrow)
    shown = frame[frame["corpus"] == corpus].drop(columns=["corpus", "classes"])
    whole_table(shown, "universal", about)
    st.caption(
        f"SVM, quick grid, seed 0. {SIGNS_TOLD} LTW-U: the mean of the surfaces that the classes of a corpus learned. "
        "The formulas counted above are those that resemble such a mean most, one from each corpus; RF and LTW-U are "
        "for comparison. All but TFRF are multiplied by ln(1 + f/dl).",
        help=f"The mean is over {RUNS} training runs of LTW-L-I for every class with {LENDS['min_documents']} training "
        f"documents or more, those that reach a validation F1 of {LENDS['min_f1']:g}. Likeness: alignment of the "
        "document vectors under both, a mean over classes. 95% intervals are of paired "
        f"differences over classes. In `data/results/{universal_formula.FORMULAS}` and `{universal_formula.SCORES}`; "
        "`python -m ltw_core.studies.universal_formula` computes them.",
    )
    st.header("What each corpus learned", anchor=False)
    st.markdown("\n".join(f"- {_like(one, found, named)}" for one in chosen))
    exported = frame.assign(formula=[row.weighting for row in rows])
    offer_table("Formulas for all classes (CSV)", "ltw-universal.csv", exported, "The table above, of every corpus.")


def joint(data: StudyData, row: Row) -> None:
    """One network for all classes, against the mean of what each learned alone: an answer, intervals, and a table."""
    if not of_corpora(data):
        return
    rows, named = sorted(_joint(), key=lambda found: -found[0].more.value), short_titles()  # as the figure has them
    if not rows:
        nothing_known()
        return
    better, worse = (sum(found.more.sign == sign for found, _, _ in rows) for sign in (1, -1))
    answer = f"{_times(better, worse, len(rows))}."
    row.answer(f"**No**: {answer}" if worse and not better else answer[0].upper() + answer[1:])
    called = [named.get(found.corpus, found.corpus) + sees for found, _, sees in rows]
    pairs = zip(called, rows, strict=True)
    drawn = {name: drawn_difference(found.more) for name, (found, *_) in pairs if found.more.both}
    frame = pd.DataFrame(
        {
            "corpus": called,
            "classes": [found.classes for found, *_ in rows],
            "macro F1": [found.macro_f1 for found, *_ in rows],
            "mean": [mean for _, mean, _ in rows],
            "difference": [found.more.value for found, *_ in rows],
            "interval": [interval_in_cell(found.more.both) for found, *_ in rows],
        }
    )
    look = {"numbers": True, "base": words.base()}
    narrow = narrow_layout(differences_from.plain("the mean", drawn, narrow=True, **look), "joint-differences")
    plot(differences_from.plain("the mean", drawn, **look), "joint-differences", live=True, narrow=narrow)
    about = "Macro F1 of one network for all classes, and of the mean of the classes’ surfaces"
    whole_table(frame, "joint", about)
    st.caption(
        "SVM, quick grid, seed 0. One: one network for all classes. Mean: the mean of the surfaces that the classes "
        "learned alone. Difference: one minus mean, coloured where its 95% interval excludes 0. (log): learned from "
        "the logarithms of tpr and fpr. Mean of three: of three networks.",
        help="The mean is over one training run per class. The intervals leave out the "
        f"variation between training runs. In `data/results/{joint_network.FILE}`, with the mean of three runs and "
        f"{AGAINST}; `python -m ltw_core.studies.joint_network` computes them.",
    )


def _times(better: int, worse: int, of: int) -> str:
    """How often it is better, worse, or neither, without what never happened."""
    counts = {"better": better, "worse": worse, "not distinguishable": of - better - worse}
    parts = [f"{said} in **{count}**" for said, count in counts.items() if count]
    if of == 1:
        found = next(said for said, count in counts.items() if count)
        return f"in the only comparison with the mean of the classes’ surfaces it is {found}"
    return f"of {of} comparisons with the mean of the classes’ surfaces it is {listed(parts)}"


@kept(1)
def _joint() -> list[tuple[Compared, float, str]]:
    """The joint network on each corpus, or the mean of several, the macro F1 of the mean of what classes learned alone,
    and what tells it from the others of a corpus."""
    scores, found = joint_network.read(), []
    for sees in SEES.values():
        rows = compared(scores, MEAN + sees)
        means = {row.corpus: row.macro_f1 for row in rows if row.weighting == MEAN + sees}
        for way, said in ((JOINT, ""), (JOINTS.format(3), ", mean of three")):
            found += [(row, means[row.corpus], sees + said) for row in rows if row.weighting == way + sees]
    return found


@kept(1)
def _formulas() -> tuple[list[Candidate], list[Compared]]:
    return universal_formula.read_formulas(), compared(universal_formula.read_scores(), AGAINST)


def verdict(rows: list[Compared], formulas: list[str]) -> str:
    """Whether one of the formulas is better than TFRF somewhere and worse nowhere, in a sentence."""
    of = {formula: [row for row in rows if row.weighting == formula] for formula in formulas}
    wins, losses = ({f: sum(row.more.sign == sign for row in of[f]) for f in formulas} for sign in (1, -1))
    corpora = words.count(len({row.corpus for row in rows}), "corpus", "corpora")
    tried = f"{words.count(len(formulas), 'formula')} on {corpora}"
    good = [formula for formula in formulas if wins[formula] and not losses[formula]]
    if not good:
        return (
            f"**No**: of {tried}, none is better than {AGAINST} without being worse elsewhere. Of "
            f"{words.count(sum(map(len, of.values())), 'comparison')} they are better in {sum(wins.values())} and "
            f"worse in {sum(losses.values())}."
        )
    best = max(good, key=lambda formula: (wins[formula], sum(row.more.value for row in of[formula])))
    return (
        f"**Perhaps**: of {tried}, {_written(best)} is better than {AGAINST} on {wins[best]} and worse on none. One of "
        "twenty such differences would be marked by chance alone."
    )


def _like(one: Candidate, found: list[Candidate], named: dict[str, str]) -> str:
    """What the shared surface of a corpus resembles, and which of the known formulas is nearest to it."""
    known = {each.formula: each.likeness for each in found if (each.corpus, each.kind) == (one.corpus, KNOWN)}
    nothing = known.pop(EQUAL, None)
    nearest = max(known, key=known.get)
    return (
        f"{plain(named.get(one.corpus, one.corpus))}: the mean of what {words.count(one.lenders, 'class', 'classes')} "
        f"learned resembles {_written(one.formula)}, likeness {decimals(one.likeness)}. Nearest known formula: "
        f"{choices.symbol(nearest)}, {decimals(known[nearest])}"
        + (f"; equal weights: {decimals(nothing)}." if nothing is not None else ".")
    )


def _name(weighting: str) -> str:
    """What a formula is called among the weightings."""
    if weighting == RF_TOO:
        return "RF × ln(1 + f/dl)"
    return next((name for name, method in METHODS.items() if method.cd == weighting), weighting)


def _written(formula: str) -> str:
    """A formula in a sentence."""
    return f"${read_formula(formula).latex}$"
