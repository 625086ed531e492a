"""The results of evaluations: what is being computed, heat map, table. A cell that is chosen opens below the map."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import streamlit as st
from pandas.io.formats.style import Styler

from ltw_core.evaluation import Difference, F1Estimate, decimals, interval_text, short_learner
from ltw_core.evaluation.paired import APART
from ltw_core.figures import f1_heatmap
from ltw_core.figures.f1_heatmap import HeatmapCell
from ltw_core.service.job import Job
from ltw_core.weighting import methods
from pages._ui import jobs, words
from pages._ui.downloads import csv, from_corpus, offer
from pages._ui.evaluate import bred_view, cell_sentences, evaluation_example, study_tables, summaries
from pages._ui.evaluate.evaluations import ORIGINS, Evaluation, EvaluationPlan
from pages._ui.guard import capital, plain, sentences
from pages._ui.plots.plot import Ready, plot
from pages._ui.plots.plot import ready as figure_as_sent
from pages._ui.reader import counting
from pages._ui.result_cache import kept
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.tables import ready, table
from pages._ui.weightings import estimators

FOLLOWED = "evaluating"
CELL = "evaluation_cell"  # "weighting|learner" that is looked at
PICKED = "_cell_picked"  # whether the reader chose it, for the class at hand

Label = Callable[[str], str]


def results(evaluation: Evaluation, first: Job | None, known: dict) -> None:
    """Heat map and progress: they move while cells are computed. ``first``: the job that nobody has asked for;
    ``known``: the results that the headline speaks of."""
    job, label = evaluation.job(), evaluation.label
    lacked = job is not None and evaluation.lacks_learned(known)

    def draw() -> None:
        _open_below()
        found, errors = evaluation.results()
        if lacked and found and not evaluation.lacks_learned(found):  # the headline says that it lacks
            run_again()
        active, begun = (one is not None and one.active for one in (job, first))
        if evaluation.items and (found or active or begun):
            shown, wanted = _shown(evaluation, found), set(evaluation.items)
            now = {
                (item.weighting, item.learner)
                for one in (job, first)
                if one is not None and one.active
                for item in one.meta["progress"].items_now()
                if item in wanted  # the plan may be another by now
            }
            _signs(evaluation, shown, bool(now))
            _figure(evaluation, shown, frozenset(now))
        with st.container(key="evaluation_state"):  # below the figure, so that it stays where it is
            if found:
                _what_is_bold(evaluation, shown)
            if job is not None:
                jobs.ended(job)
        if not (found or errors or active or begun):
            evaluation_example.nothing_yet(evaluation)
        cell_sentences.failures(errors, label)

    jobs.follow(job if job is not None and job.active else first or job, FOLLOWED, draw)


def numbers(evaluation: Evaluation) -> None:
    """What the heat map rests on, last on the page: table, formulas, remarks and files. That a computation has ended
    ``results`` finds, and then all is drawn again."""
    job = evaluation.job()
    with sentences():
        found, _ = evaluation.results()
        if found:
            _table(evaluation, found, _shown(evaluation, found), job is not None and job.active)


def _open_below() -> None:
    """Draw the whole page where a cell of the heat map was chosen: what it opens lies outside of its fragment."""
    if st.session_state.pop("_cell_opened", None):
        run_again()


def state(evaluation: Evaluation, job: Job) -> jobs.JobState:
    """How far a job is."""
    called, (found, _) = partial(cell_sentences.called, label=evaluation.label), evaluation.results()
    return jobs.state_of_cells(job.meta["progress"], called, len(found), len(evaluation.items))


class Shown(NamedTuple):
    """What is known in a table and for the heat map.

    Attributes
    ----------
    key : names it.
    known : summaries by weighting and learner.
    behind : how far each of them is behind the best with its learner.
    asked, than : the pair that the page is about, and how much more it has than others with its learner, by name.
    cells : "weighting|learner" of the table's rows.
    table : as it is sent.
    columns : its columns that are shown.
    """

    key: tuple
    known: dict[tuple[str, str], summaries.Summary]
    behind: dict[tuple[str, str], Difference]
    asked: tuple[str, str]
    than: dict[str, Difference]
    cells: list[str]
    table: pa.Table | Styler
    columns: list[str]


def _named(evaluation: Evaluation) -> tuple:
    return tuple((name, evaluation.label(name)) for name in evaluation.plan.weightings)


def _shown(evaluation: Evaluation, found: dict) -> Shown:
    if not found:
        return Shown((_named(evaluation), evaluation.task.fingerprint), {}, {}, ("", ""), {}, [], pa.table({}), [])
    names = _named(evaluation)
    cells = tuple(
        (item, origin, result.f1, result.seconds, result.predicted is None) for item, (result, origin) in found.items()
    )
    return _summarised(names, cells, evaluation.task.fingerprint, found, evaluation.label, evaluation.task.y_test)


@kept(128)
def _summarised(names: tuple, cells: tuple, fingerprint: str, _found: dict, _label: Label, _y: np.ndarray) -> Shown:
    known = summaries.summarise(_found)
    frame = summaries.table(known, _label)
    several = bool((frame["seeds"] > 1).any())
    columns = [c for c in frame.columns if c != "id" and (several or c not in ("sd", "seeds"))]
    behind = summaries.behind(known, _y)
    asked = summaries.asked(known)
    return Shown(
        (names, cells, fingerprint),
        known,
        behind,
        asked,
        summaries.more_than(known, asked, _y),
        [str(cell) for cell in frame["id"]],
        ready(frame, "results"),
        columns,
    )


def verdict(evaluation: Evaluation) -> tuple[str, str]:
    """What follows from the figures, and by how much and what it rests on; "" where there is nothing to compare."""
    if not (found := evaluation.results()[0]):
        return "", ""
    return cell_sentences.verdict(evaluation, _shown(evaluation, found))


def _figure(evaluation: Evaluation, shown: Shown, now: frozenset) -> None:
    plan = evaluation.plan
    names, used = list(plan.weightings), list(plan.learners)
    chosen = st.session_state.get(CELL, "|").rsplit("|", 1)
    at = (names.index(chosen[0]), used.index(chosen[1])) if chosen[0] in names and chosen[1] in used else None
    drawn = _heatmap(shown.key, plan, evaluation.task.fingerprint, at, words.base(), now, evaluation, shown)
    plot(drawn, "f1", on_pick=_choose)


def _signs(evaluation: Evaluation, shown: Shown, active: bool) -> None:
    """What shades and signs say, above the figure as in the studies' tables."""
    plan = evaluation.plan
    missing = len(shown.known) < len(plan.weightings) * len(plan.learners)
    items = [study_tables.shades_told("F1 ", missing), study_tables.ALIKE_TOLD]
    items += [("–", "not computed yet")] * missing + [("…", "being computed")] * active
    st.html(study_tables.style() + study_tables.legend(items))


def _what_is_bold(evaluation: Evaluation, shown: Shown) -> None:
    plan = evaluation.plan
    of = "Seed 0, " if plan.seeds == 1 else f"Means of {plan.seeds} seeds, "
    if plan.seeds == 1 and any(map(estimators.is_fitted, plan.weightings)) and set(plan.weightings) & {*methods("LTW")}:
        of = ""  # rows say of which seed they are
    apart = any(less.sign == 0 < less.value and less.rests_on == APART for less in shown.behind.values())
    same = " ≈: by counts alone; **Two weightings** compares document by document." * apart
    st.caption(
        f"{capital(f'{of}{plan.grid} grid')}{same} Choose a cell to open it.{_name_told(plan.weightings)}",
        help="Each is tuned on held-out training documents and tested once. …: being computed. "
        "Point at a cell for its interval, setting and formula. ≈: the 95% interval of the difference contains 0 "
        "(paired bootstrap over the test documents). "
        + summaries.counts_alone(shown.behind.values())
        + f"\n\n{cell_sentences.factors(plan.weightings)}. {cell_sentences.no_factors(plan.weightings)}",
    )


def _name_told(weightings: tuple[str, ...]) -> str:
    """What the names of formulas are, on one whose factor has another name elsewhere."""
    one = next((cell_sentences.factors([name]) for name in ("TFCHI", "TFRF", "TFGR", "TFIG") if name in weightings), "")
    return f" A formula’s name says its factors: {one}." if one else ""


@kept(128)
def _heatmap(
    key: tuple,
    plan: EvaluationPlan,
    fingerprint: str,
    at: tuple | None,
    base: str,
    now: frozenset,
    _evaluation: Evaluation,
    _shown: Shown,
) -> Ready:
    label, known, behind = _evaluation.label, _shown.known, _shown.behind
    names, used = list(plan.weightings), list(plan.learners)  # all of them, so that nothing moves while cells come
    values = np.full((len(names), len(used)), np.nan)
    formulas = {name: f"<br>{told}" if (told := cell_sentences.factors([name])) else "" for name in names}
    cells = [
        [HeatmapCell(name=f"{name}|{one}", detail=formulas[name], now=(name, one) in now) for one in used]
        for name in names
    ]
    for r, name in enumerate(names):
        for c, with_learner in enumerate(used):
            summary = known.get((name, with_learner))
            if summary is not None:
                values[r, c] = summary.of("f1")
                less = behind[name, with_learner]
                more = {"detail": _detail(summary, less) + formulas[name], "alike": less.sign == 0}
                cells[r][c] = cells[r][c]._replace(spread=summary.spread, **more)
    figure = f1_heatmap.plain(
        values,
        names,
        [short_learner(name) for name in used],
        labels={name: label(name) for name in names},
        colours={name: estimators.coloured_as(name) for name in names},
        cells=cells,
        chosen=at,
        base=base,
        height=36 + 30 * len(names),
        scale=False,
        uirevision=fingerprint,
    )
    return figure_as_sent(figure, "f1")


def _detail(summary: summaries.Summary, less: Difference) -> str:
    spread, found = summary.spread, summary.estimate
    over = f" ± {words.f1(spread)} over {len(summary.seeds)} seeds" if spread == spread else ""
    return (
        f"{over}<br>95% interval {interval_text(found.both)}{_sources(found)}"
        f"<br>{_less(less)}"
        f"<br>precision {words.f1(summary.of('precision'))}, recall {words.f1(summary.of('recall'))}"
        f"<br>validation F1 {words.f1(summary.of('validation_f1'))} with {summary.setting}"
        f"<br>{summary.origin}"
    )


def _sources(found: F1Estimate) -> str:
    """Of several seeds, what each of the two sources would change alone."""
    if found.blind:
        return " (nothing to find)"
    if found.seeds is None:
        return ""
    return f"<br>(other documents alone {interval_text(found.documents)}, other seeds {interval_text(found.seeds)})"


def _less(less: Difference) -> str:
    if less.value == 0:
        return "the highest with this classifier"
    by = f"{decimals(less.value)} [{interval_text(less.both)}] below the highest"
    return by if less.sign else f"{by}: not distinguishable{' by counts alone' * (less.rests_on == APART)}"


def _choose(value: dict) -> None:
    if value.get("id"):
        _open(value["id"])
        st.session_state["_cell_opened"] = True


def _open(cell: str) -> None:
    st.session_state[CELL], st.session_state[PICKED] = cell, True


def _open_another(cell: str) -> None:
    """Not the one that is open: a browser tells of the row that the page itself has ticked, too, and while cells
    are computed late, when another is."""
    if cell != st.session_state.get(CELL):
        _open(cell)


def _table(evaluation: Evaluation, found: dict, shown: Shown, active: bool) -> None:
    task, plan, label = evaluation.task, evaluation.plan, evaluation.label
    own = any(item.weighting not in methods() for item in found)
    width = 165 if own else 105  # room for "LTW-L-I (run by a link)"
    # a key of its own for every class and plan: a row that was chosen in another table must not stay chosen here
    key = f"results-{abs(hash((task.fingerprint, plan, len(shown.cells), active))):x}"
    fold = st.expander("All F1 scores with intervals and settings", key="all_figures", on_change="rerun")
    if fold.open:
        with fold:
            table(
                shown.table,
                "results",
                "F1, precision and recall of each weighting with each classifier",
                None if active else lambda row: _open_another(shown.cells[row]),
                {"weighting": st.column_config.Column("Weighting", width=width)},
                key=key,
                most=380,
                width="stretch",
                at=shown.cells.index(cell) if (cell := st.session_state.get(CELL)) in shown.cells else 0,
                column_order=shown.columns,
            )
    bred_view.of_class(result.warnings for result, _ in found.values())
    cell_sentences.warnings(found, label)
    with st.container(horizontal=True, vertical_alignment="center"):
        make = lambda: csv(from_corpus(summaries.every_seed(found, label), task.vectorized, task.class_name))  # noqa: E731
        about = "One line per weighting, classifier and seed, with the counts behind each F1."
        offer("Results (CSV)", f"{counting.stem(task.corpus_name)}-{task.class_name}-f1.csv", make, about)
        origins = {origin for _, origin in found.values()}
        st.caption(
            f"{plain(words.class_label(task))}: {len(task.terms):,} terms, {plan.grid} grid, "
            f"{words.count(plan.seeds, 'seed')}, {len(task.y_test):,} test documents, {int(task.y_test.sum()):,} of "
            f"the class{cell_sentences.counted_without_terms(task)}. "
            f"{capital('; '.join(text for o, text in ORIGINS.items() if o in origins))}"
            + (" What uses no random numbers runs once." if plan.seeds > 1 else ""),
            help=plain(words.note_without_terms(task)) or None,
        )
