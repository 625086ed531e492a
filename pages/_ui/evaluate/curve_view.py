"""How many labels a class takes: its learning curve, in the background, as a figure, in words and as a table."""

import time
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import Result, learners
from ltw_core.evaluation.curve_findings import findings
from ltw_core.evaluation.curve_plan import CurvePlan, parse_sizes, plan_curve
from ltw_core.evaluation.curve_rows import every_draw, summary
from ltw_core.evaluation.learning_curve import LearningCurve
from ltw_core.figures import LearningLine
from ltw_core.figures import learning_curves as figure_of
from ltw_core.service.cells_on_demand import Item
from ltw_core.service.job import Job
from ltw_core.studies.estimate import duration, usual_seconds
from ltw_core.weighting import display, methods
from ltw_core.weighting.methods import METHODS
from pages._ui import choices, jobs, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, offer
from pages._ui.evaluate import weighting_choice
from pages._ui.evaluate.curves import CurveRequest
from pages._ui.evaluate.missing_button import missing_button
from pages._ui.guard import plain, sentences
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import counting
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.tables import table

LEAD = (
    "How many labelled documents does a class need? Test F1 with random samples of them, from which alone terms and "
    "weights come."
)
TICK = 1.0
DRAWS = 5
TOLD = 2  # sentences below the curve; what its lines show stands beside its numbers
TELLING = 0.1  # of all documents: by the time that smaller samples take none is estimated
MOST = 20_000  # fits that one may ask for


def show(dataset: str, task: Any, grid: str, bar: Any) -> None:
    """The section: choices, in ``bar``, the button, and what is known; `task` is the class's at hand."""
    with sentences():
        line = bar.container(
            horizontal=True, vertical_alignment="bottom", gap="small", key="curve_line", width="content"
        )
        plan = _choices(task, grid, line)
        if plan is not None:
            _computed(CurveRequest(dataset, task.vectorized.counting("all"), plan), line)


def _choices(task: Any, grid: str, line: Any) -> CurvePlan | None:
    every = task.vectorized.class_names
    of = {"one": task.class_title, "all": f"All {words.count(len(every), 'class', 'classes')}"}
    whose = choose_one("curve_classes", {key: plain(text) for key, text in of.items()}, "one", line)
    weightings = weighting_choice.drawer(line, "curve_drawer")
    called = {name: words.classifier(name) for name in learners()}
    meant = {"formerly": words.full_names(called), "more": words.classifiers(called)}
    with_learner = control(line.selectbox, "curve_learner", called, width=210, **meant)
    draws = control(line.slider, "curve_draws", 2, 10, DRAWS, width=150)
    sizes = control(line.text_input, "curve_sizes", placeholder="50, 100, 200, …, all", width=210)
    minutes = [name for name in methods() if METHODS[name].minutes]
    chosen = weighting_choice.by_family(weightings, choices.WEIGHTINGS["curve"], prefix="curve_", out=minutes)
    if not chosen:
        st.info("Choose a weighting.", icon=":material/info:")
        return None
    classes = None if whose == "all" else task.class_name
    given = parse_sizes(sizes)
    ratio = None if task.ratio == task.vectorized.default_ratio else task.ratio  # each sample has its own default
    plan = plan_curve(task.vectorized, classes, chosen, with_learner, given, draws, grid=grid, ratio=ratio)
    fits = len(plan.classes) * len(plan.weightings) * len(plan.sizes) * len(plan.seeds)
    if fits > MOST:
        raise ValueError(
            f"this would train {fits:,} classifiers, and {MOST:,} are allowed here; choose fewer weightings, draws or "
            "sizes, or compute it on the command line (python -m ltw_core.studies curve)"
        )
    return plan


def _computed(request: CurveRequest, line: Any) -> None:
    job, total = request.job(), len(request.points)
    if total == len(request.curve()[1]):  # as it stays; when a job has ended, the whole page is drawn again
        line.caption(f":material/check: All {words.count(total, 'point')} known", width="content")

    def draw() -> None:
        curve, found, errors = request.curve()
        running, missing = job is not None and job.active, total > len(found)
        drawable = np.isfinite(curve.mean()).any()
        first = missing and not drawable and not running  # no line to draw yet
        if first:
            _told(curve)
        if missing and not running:
            _button(request, found)
        if job is not None:
            _status(job)
        said = findings(curve, missing=False)  # the button says it
        if not first:
            _curve(curve, said, request.vectorized.without_terms().train)
        sizes = {request.points[key].size for key in found}
        if len(sizes) > 1 or (sizes and sizes != {curve.n_train}):  # what One class computed is no curve
            _numbers(request, curve, found, said[TOLD:-1])
        for sentence in dict.fromkeys(map(jobs.failure, errors.values())):
            st.warning(f"Some points are missing. {sentence}", icon=":material/error:")

    jobs.follow(job, "curve_computing", draw, TICK)


def _button(request: CurveRequest, found: dict[str, Result]) -> None:
    total = len(request.points)
    if missing_button(
        st,
        "draw_curve",
        total,
        total - len(found),
        "point",
        first=f"Draw the curve: train {words.count(total, 'classifier')}",
        help="Runs in the background, small samples first. What was computed on this server before, by anyone, is not "
        "computed again; of an uploaded table all stays in your session.",
        takes=_takes(request, found),
    ):
        request.start(found)
        run_again()


def _takes(request: CurveRequest, found: dict[str, Result]) -> str:
    """About how long the missing points take, by the seconds a document that each weighting took so far, in its
    largest sample, or else in the shipped studies; "" where neither is known. The time that small samples take says
    little about large ones."""
    missing = [point for key, point in request.points.items() if key not in found]
    measured: dict[str, list[float]] = {}
    largest: dict[str, int] = {}
    for key in found:
        point = request.points[key]
        largest[point.weighting] = max(point.size, largest.get(point.weighting, 0))
    n_train, n_test = (labels.shape[0] for labels in (request.vectorized.labels_train, request.vectorized.labels_test))
    for key, result in found.items():
        point = request.points[key]
        if point.size < max(largest[point.weighting], TELLING * n_train):
            continue
        measured.setdefault(point.weighting, []).append((result.seconds + result.weighting_seconds) / point.size)
    for name in {point.weighting for point in missing} - measured.keys():
        usual = usual_seconds(request.dataset, n_test, name, request.plan.learner, request.plan.grid)
        if None in usual:
            return ""
        measured[name] = [sum(usual) / n_train]
    seconds = sum(point.size * fmean(measured[point.weighting]) for point in missing)
    return f"about {duration(max(seconds, 1))}" * bool(missing)


def _status(job: Job) -> None:
    points = job.meta["points"]

    def name(item: Item) -> str:
        point = points[item.key]
        return f"{display(point.weighting)}, {point.size:,} documents, sample {point.seed + 1}"

    jobs.show(job, "stop_curve", lambda: jobs.state_of_cells(job.meta["progress"], "point", name))


def _told(curve: LearningCurve) -> None:
    """What is known before there is a line to draw, and what there will be, in few words."""
    said = findings(curve, missing=False)
    with st.container(key="curve_told"):
        if said:
            st.markdown(plain(" ".join(said[:-1])), help=said[-1])
        st.caption(
            f"One line per weighting, each point the mean over {words.count(len(curve.plan.seeds), 'random sample')}. "
            "Where a line is steep, more labels help; where it is flat, they no longer do."
        )


def _all_counted(n_train: int, without: int) -> str:
    """Why there are more training documents here than beside the class, where some hold no known term."""
    return f" Of the {n_train:,} documents {without:,} hold no known term; elsewhere they are left out." * bool(without)


def _curve(curve: LearningCurve, said: list[str], without: int) -> None:
    plan, mean, (low, high) = curve.plan, curve.mean(), curve.interval()
    lines = [LearningLine(name, display(name), mean[w], low[w], high[w]) for w, name in enumerate(plan.weightings)]
    several = len(plan.classes) > 1
    held = [
        f"{n:,.{int(n < 10)}f} of {'a' if several else 'the'} class on average".replace(".0 ", " ")
        for n in curve.positives.tolist()
    ]
    options = {
        "n_train": curve.n_train,
        "measure": "macro F1" if several else "F1",
        "said": " ".join(said),
        "base": words.base(),
        "uirevision": f"{plan.classes[:2]}{plan.sizes}",
    }
    key = "learning-curve"
    narrow = narrow_layout(figure_of.plain(lines, plan.sizes, held, narrow=True, **options), key)
    plot(figure_of.plain(lines, plan.sizes, held, **options), key, narrow=narrow)
    if said:
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said[:-1][:TOLD]))
        told = f"Means and 95% intervals over {words.count(len(plan.seeds), 'random sample')}, {plan.grid} grid."
        st.caption(f"{told}{_all_counted(curve.n_train, without)}", help=plain(said[-1]))


def _numbers(request: CurveRequest, curve: LearningCurve, found: dict[str, Result], said: list[str]) -> None:
    """The curve as a table, with what it shows said in words: ``said``."""
    frame = pd.DataFrame(summary(curve)).assign(weighting=lambda f: f["weighting"].map(display))
    several = len(curve.plan.classes) > 1
    with st.expander("The numbers", icon=":material/table:"):
        if said:
            st.markdown("\n".join(f"- {plain(sentence)}" for sentence in said))
        table(
            frame.sort_values(["documents", "F1"], ascending=[True, False], ignore_index=True),
            "learning_curve",
            "Mean F1 by weighting and number of labelled documents, with its interval",
            most=400,
            placeholder="–",
            column_order=[c for c in frame.columns if several or c != "lacking"],
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        corpus, plan = request.vectorized.corpus, curve.plan
        name = f"{counting.stem(corpus.name)}-{'all' if several else plan.classes[0]}-learning-curve.csv"
        about = "One line per class, weighting, number of labelled documents and draw, with what each rests on."
        offer("Curve (CSV)", name, lambda: csv(_every(request, curve, found)), about)
        nothing = 0 if several else int(curve.unlearned.sum())
        of = words.count(nothing, "sample holds", "samples hold")
        empty = (
            f" {of} no positive document with a known term, or no negative one: no test document, or every one, "
            "is then predicted positive, and that F1 counts too."
        ) * bool(nothing)
        usual = f"{request.vectorized.default_ratio:.0%}" if request.cells else "the usual share"
        share = usual if plan.ratio is None else f"{plan.ratio:.0%}"
        st.caption(
            f"{plain(corpus.title)}, {words.classifier(plan.learner)}, {plan.grid} grid, {share} of each sample's "
            f"terms; {curve.n_test:,} test documents, with and without a known term. Samples are not stratified: "
            f"whoever labels does not know the classes in advance.{empty}"
        )


def _every(request: CurveRequest, curve: LearningCurve, found: dict[str, Result]) -> pd.DataFrame:
    """Every figure with its setting, cell and day, for the CSV."""
    keys = {point: key for key, point in request.points.items()}
    rows = []
    for row in every_draw(curve, {point: found[key] for key, point in request.points.items() if key in found}):
        at = (row["class"], row["weighting"], row["labelled documents"], row["seed of the draw"])
        result = found.get(keys.get(at, ""))
        finished = getattr(result, "finished", None)
        rows.append(
            row
            | {
                "chosen setting": "" if result is None else str(result.parameters),
                "warnings": "" if result is None else " ".join(result.warnings),
                "computed": "" if finished is None else time.strftime("%Y-%m-%d", time.gmtime(finished)),
                "cell": keys.get(at, "")[:16],
                "corpus fingerprint": request.vectorized.corpus.fingerprint[:16],
            }
        )
    return pd.DataFrame(rows)
