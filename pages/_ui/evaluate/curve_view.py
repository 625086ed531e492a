"""How many labels a class takes: its learning curve, in the background, as a figure, in words and as a table."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from ltw_core.evaluation import GRIDS, Result, learners
from ltw_core.evaluation.curve_findings import findings
from ltw_core.evaluation.curve_plan import CurvePlan, parse_sizes, plan_curve
from ltw_core.evaluation.curve_rows import every_draw, summary
from ltw_core.evaluation.learning_curve import LearningCurve
from ltw_core.figures import LearningLine
from ltw_core.figures import learning_curves as figure_of
from ltw_core.metrics import listed
from ltw_core.service.cells_on_demand import Item
from ltw_core.service.job import Job
from ltw_core.studies.estimate import usual_seconds
from ltw_core.weighting import display, methods
from ltw_core.weighting.methods import METHODS
from pages._ui import choices, jobs, loading, words
from pages._ui.controls import choose_one, control
from pages._ui.downloads import csv, offer
from pages._ui.evaluate import cell_sentences, weighting_choice
from pages._ui.evaluate.curves import CurveRequest
from pages._ui.evaluate.evaluations import Evaluation, EvaluationPlan
from pages._ui.evaluate.missing_button import missing_button, stop_or_compute
from pages._ui.guard import plain, sentences
from pages._ui.plots.plot import narrow_layout, plot
from pages._ui.reader import counting, selection, uploads
from pages._ui.tables import table
from pages._ui.terms_kept import terms_kept

LEAD = (
    "How many labelled documents does a class need? Test F1 of classifiers whose terms and weights come from random "
    "samples of each size."
)
NOTHING_YET = "Press Compute to draw the curve. Where it is steep, more labels help; where flat, they no longer do."
FOLLOWED = "curve_computing"
TICK = 1.0
SAMPLES, USUAL = 5, choices.WEIGHTINGS["curve"]
BAND_FROM = 3  # samples: the interval of two is nearly all of the axis
TOLD = 2  # sentences above the curve, where they fit on two lines; what its lines show stands beside its numbers
TWO_LINES = 165  # characters
TELLING = 0.1  # of all documents: by the time that smaller samples take none is estimated
TALL = 470  # pixels of the figure on a wide page
MOST = 20_000  # fits that one may ask for


def show(
    dataset: str, head: Any, places: tuple[Any, Any], settings: Callable, documents_that_count: Callable[[Any], str]
) -> None:
    """The whole view; ``places``: of the button that computes, and of the choices; what follows from its figures goes
    into ``head``."""
    line, bar = places
    folded = weighting_choice.drawer(bar, "curve_drawer")
    called = {name: words.classifier(name) for name in learners()}
    meant = {"formerly": words.full_names(called), "more": words.classifiers(called)}
    with_learner = control(bar.selectbox, "curve_learner", called, width=150, **meant)
    place = settings()
    task = loading.task(dataset, selection.class_name(), documents=documents_that_count(place))
    terms_kept(task, place)
    request = None
    with sentences():
        plan = _plan(task, with_learner, folded, bar, place)
        if plan is not None:
            counting_all = task.vectorized.counting("all")
            request = CurveRequest(dataset, counting_all, plan, _of_one_class(dataset, task, plan))
    if request is None:
        with head:
            words.lead(LEAD)
        return
    with sentences():
        jobs.expect_end_of(request.job(), FOLLOWED)
        curve, found, _ = request.curve()
        button = partial(_button, request, found, not _drawable(curve))
        stop_or_compute(line, request.job(), button, partial(_state, request))
        with head:
            said = _told(findings(curve, missing=False)[:-1]) if _drawable(curve) else []
            words.answer_or_lead(LEAD, plain(" ".join(said)))
        _computed(request)


def _of_one_class(dataset: str, task: Any, plan: CurvePlan) -> Mapping[str, Result]:
    """What One class knows of formulas and keeps in memory alone, by the keys of the same cells; nothing of a table of
    the reader's own, which has no cells."""
    if dataset.startswith(uploads.PREFIX):
        return {}
    evaluation = Evaluation(dataset, task, EvaluationPlan(plan.weightings, (plan.learner,), plan.grid), display)
    return evaluation.computed_elsewhere


def _plan(task: Any, with_learner: str, folded: Any, bar: Any, place: Any) -> CurvePlan | None:
    """What to compute, by choices in the line and where settings go; None without a weighting."""
    grid = choose_one("grid", {name: name.capitalize() for name in GRIDS}, "quick", place)
    samples = control(place.slider, "curve_draws", 2, 10, SAMPLES)
    sizes = control(place.text_input, "curve_sizes", placeholder="50, 100, 200, …, all")
    every = task.vectorized.class_names
    of = {"one": task.class_title, "all": f"All {words.count(len(every), 'class', 'classes')}"}
    whose = choose_one("curve_classes", {key: plain(text) for key, text in of.items()}, "one", bar)
    minutes = [name for name in methods() if METHODS[name].minutes]
    chosen = weighting_choice.by_family(folded, USUAL, prefix="curve_", out=minutes)
    if not chosen:
        st.info("Choose a weighting.", icon=":material/info:")
        return None
    classes = None if whose == "all" else task.class_name
    given = parse_sizes(sizes)
    ratio = None if task.ratio == task.vectorized.default_ratio else task.ratio  # each sample has its own default
    plan = plan_curve(task.vectorized, classes, chosen, with_learner, given, samples, grid=grid, ratio=ratio)
    fits = len(plan.classes) * len(plan.weightings) * len(plan.sizes) * len(plan.seeds)
    if fits > MOST:
        raise ValueError(
            f"this would train {fits:,} classifiers, and {MOST:,} are allowed here; choose fewer weightings, samples "
            "or sizes, or compute it on the command line (python -m ltw_core.studies curve)"
        )
    return plan


def _computed(request: CurveRequest) -> None:
    job = request.job()

    def draw() -> None:
        curve, found, errors = request.curve()
        running = job is not None and job.active
        drawable = _drawable(curve)
        said = findings(curve, missing=False)
        _curve(curve, said, "" if drawable or running else NOTHING_YET)
        with st.container(key="evaluation_state"):
            if drawable:
                _what_is_drawn(curve, said, request.vectorized.without_terms().train)
            else:
                _what_comes(curve, bool(found) and not _is_curve(request, found))
            if job is not None:
                jobs.ended(job)
        if _is_curve(request, found):
            _numbers(request, curve, found, said[len(_told(said[:-1])) : -1])
        for sentence in dict.fromkeys(map(jobs.failure, errors.values())):
            st.warning(f"Some points are missing. {sentence}", icon=":material/error:")

    jobs.follow(job, FOLLOWED, draw, TICK)


def _drawable(curve: LearningCurve) -> bool:
    """Whether points of two sizes are known, or of the only one."""
    return np.isfinite(curve.mean()).any(axis=0).sum() >= min(2, len(curve.plan.sizes))


def _told(said: list[str]) -> list[str]:
    """What of it stands above the curve: the figure stays where it was as the lead stood there."""
    return said[: TOLD if len(" ".join(said[:TOLD])) <= TWO_LINES else 1]


def _is_curve(request: CurveRequest, found: dict[str, Result]) -> bool:
    """Whether more is known than what One class computed of all documents."""
    sizes = {request.points[key].size for key in found}
    return len(sizes) > 1 or (bool(sizes) and sizes != {request.vectorized.labels_train.shape[0]})


def _button(request: CurveRequest, found: dict[str, Result], empty: bool, place: Any) -> Job | None:
    """The button that computes what is missing; the job, if it was pressed."""
    total, left, seconds = len(request.points), len(request.points) - len(found), _seconds(request, found)
    if not missing_button(
        place,
        "draw_curve",
        left or total if empty else total,  # as long as it is no curve yet, all of it is left
        left,
        "point",
        first="Compute the curve",
        help=f"Trains a classifier for each of {words.count(total, 'point')}, in the background, small samples first. "
        "What was computed on this server before, by anyone, is not computed again; of an uploaded table all stays in "
        "your session.",
        seconds=seconds,
    ):
        return None
    job = request.start(found, seconds)
    jobs.expect_end(FOLLOWED)
    return job


def _seconds(request: CurveRequest, found: dict[str, Result]) -> float | None:
    """About how long the missing points take, by the seconds a document that each weighting took so far, in its
    largest sample, or else in the shipped studies; None where neither is known. The time that small samples take says
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
            return None
        measured[name] = [sum(usual) / n_train]
    return sum(point.size * fmean(measured[point.weighting]) for point in missing)


def _state(request: CurveRequest, job: Job) -> jobs.JobState:
    points, known = job.meta["points"], len(request.curve()[1])

    def name(item: Item) -> str:
        point = points[item.key]
        return f"{display(point.weighting)}, {point.size:,} documents, sample {point.seed + 1}"

    return jobs.state_of_cells(job.meta["progress"], name, known, len(request.points))


def _what_is_drawn(curve: LearningCurve, said: list[str], without: int) -> None:
    """Below the figure, beside its question mark what the figure rests on; where some training documents hold no known
    term, why there are more here than beside the class."""
    told = f"Means and 95% intervals over {words.count(len(curve.plan.seeds), 'random sample')}"
    every = f" Of the {curve.n_train:,} documents {without:,} hold no known term; elsewhere they are left out."
    names = cell_sentences.factors(curve.plan.weightings)
    st.caption(f"{told}, {curve.plan.grid} grid. {names}", help=f"{plain(said[-1])}{every * bool(without)}")


def _what_comes(curve: LearningCurve, of_one_class: bool) -> None:
    """The same as long as there is no line."""
    plan = curve.plan
    names = listed([plain(display(name)) for name in plan.weightings])
    seeds = "Of a learned weighting the point is the mean of its seeds; One class shows seed 0 unless more are chosen."
    st.caption(
        f"To compute: {names} with {words.classifier(plan.learner)}, each on "
        f"{words.count(len(plan.seeds), 'random sample')} of every size, {plan.grid} grid."
        + " Points at the right: known from **One\u00a0class**."
        * of_one_class,
        help=seeds if of_one_class else None,
    )


def _curve(curve: LearningCurve, said: list[str], nothing: str) -> None:
    plan, mean, few = curve.plan, curve.mean(), np.isfinite(curve.f1).sum(axis=2) < BAND_FROM
    low, high = (np.where(few, np.nan, end) for end in curve.interval())
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
        "nothing": nothing,
        "base": words.base(),
        "uirevision": f"{plan.classes[:2]}{plan.sizes}",
    }
    key = "learning-curve"
    narrow = narrow_layout(figure_of.plain(lines, plan.sizes, held, narrow=True, **options), key)
    plot(figure_of.plain(lines, plan.sizes, held, height=TALL, **options), key, narrow=narrow)


def _numbers(request: CurveRequest, curve: LearningCurve, found: dict[str, Result], said: list[str]) -> None:
    """The curve as a table, with what it shows said in words: ``said``."""
    frame = pd.DataFrame(summary(curve)).assign(weighting=lambda f: f["weighting"].map(display))
    several = len(curve.plan.classes) > 1
    with st.expander("All points with intervals", key="all_figures"):
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
        about = "One line per class, weighting, number of labelled documents and sample, with what each rests on."
        offer("Results (CSV)", name, lambda: csv(_every(request, curve, found)), about)
        nothing = 0 if several else int(curve.unlearned.sum())
        of = words.count(nothing, "sample holds", "samples hold")
        empty = (
            f" {of} no positive document with a known term, or no negative one: no test document, or every one, "
            "is then predicted positive, and that F1 counts too."
        ) * bool(nothing)
        usual = f"{request.vectorized.default_ratio:.0%}" if request.cells else "the usual share"
        share = usual if plan.ratio is None else f"{plan.ratio:.0%}"
        st.caption(
            f"{plain(corpus.title)}, {words.classifier(plan.learner)}, {plan.grid} grid, {share} of each sample’s "
            f"terms; {curve.n_test:,} test documents, with and without a known term.{empty}",
            help="Samples are not stratified: whoever labels does not know the classes in advance.",
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
