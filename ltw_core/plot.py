"""Figures in one line, for notebooks: what ``figures`` draws for the app, from a task, weightings and results.

Each function returns a plotly Figure in the app's look, ``theme`` "light" or "dark". It shows itself in Jupyter;
``figure.write_html("surface.html")`` writes a page that needs no network, and ``figure.alt`` says in sentences what
there is to see. All of it is drawn by ``ltw_core.figures``, which takes arrays and has more kinds of figures.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

try:
    import plotly  # noqa: F401
except ImportError as error:
    raise ImportError("ltw_core.plot draws with plotly, which is not installed here: pip install plotly") from error

from ltw_core import figures
from ltw_core.evaluation import Result, estimate
from ltw_core.figures import NotebookFigure, PlaneView, SurfacePanel, TrainingCurve
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.insight import called, mean_curve, on_terms, similarity
from ltw_core.metrics import listed
from ltw_core.tasks import TermStatistics
from ltw_core.weighting import display

NAME = 48  # characters of a part of a bar's name
WIDTH = 860  # pixels of a notebook's output, about


def surface(
    learned, task, beside=("CHI2", "RF"), *, theme: str = "light", region="terms", scale="log", **view: Any
) -> NotebookFigure:
    """Weightings as surfaces over (fpr, tpr), side by side, with the class's terms on them as points.

    All are in canonical sign and scale; of several each is scaled to its strongest term. A weighting that has one
    weight a term and is no function of the rates (LTW-G) is drawn as points alone, and its subtitle says so.

    Parameters
    ----------
    learned : LearnedWeighting, TermWeighting, Function, Composed or str
        A fitted ``LearnedWeighting``, or what names a cd function: "CHI2", "TFRF", "tpr / (tpr + fpr)".
    task : BinaryTask
        The class, which gives terms, prevalence and number of documents; a learned weighting was learned on it.
    beside : sequence of the same, or one of them
        What it is compared with; a name that is drawn already is left out. Each says how well it fits the first one up
        to a factor (R² over the terms, by document frequency).
    theme : {"light", "dark"}
    region : {"terms", "square"}
        Where the class's terms lie, or all rates from 0 to 1.
    scale : {"log", "linear", "logit"}
        Of both axes.
    **view
        More of ``figures.PlaneView``: ``selected`` (terms to mark), ``labels``, ``height``, ``width``, ``columns``, …

    Raises
    ------
    ValueError
        A weighting that is not fitted, was learned on another task, or has no weight a term.

    Examples
    --------
    >>> from ltw_core import plot
    >>> from ltw_core.corpora import load
    >>> from ltw_core.tasks import vectorize
    >>> task = vectorize(load("synthetic", documents=300)).task("relevant")
    >>> figure = plot.surface("CHI2", task, beside=("RF", "tpr - fpr"))
    >>> print(figure.alt[:35])
    3D surfaces of χ², RF and tpr − fpr
    """
    terms = _statistics(task)
    grid = figures.term_grid(terms, region=region, scale=scale)
    beside = [each for each in _several(beside) if not (isinstance(each, str) and each == learned)]
    first, *others = [on_terms(each, terms) for each in (learned, *beside)]
    panels = [SurfacePanel.of(first.name, first.form, grid, first.note)]
    for other in others:
        (alike,) = similarity(first.form.weights, {other.name: other.form.weights}, terms.document_frequency)
        fit = f"R² {alike.r2:.2f}" if alike.factor > 0 else "opposite sign"
        panels.append(SurfacePanel.of(other.name, other.form, grid, " · ".join(filter(None, (fit, other.note)))))
    shown = {
        "title": _title(task),
        "width": WIDTH,
        "hover": {each.name: each.form.weights for each in (first, *others)},
        "unit": figures.CANONICAL,
    }
    look = PlaneView(terms.prevalence, base=_base(theme), **(shown | view))
    return _figure(figures.surfaces.plain(panels, grid, terms, look))


def terms(task, function=(), *, theme: str = "light", region="terms", scale="log", density=False, **view: Any):
    """The map of a class's terms: each at its (fpr, tpr), with lines of equal weight of the functions one names.

    Parameters
    ----------
    task : BinaryTask
    function : see ``learned`` of ``surface``, or a sequence of such
        Lines run through the weights that 80, 95 and 99 % of the terms lie below; the hover lists the weights. Those of
        a learned weighting are in canonical form.
    density : bool
        Shade the plane by how many terms lie about each place.
    theme, region, scale, **view : as for ``surface``

    Returns
    -------
    NotebookFigure

    Examples
    --------
    >>> from ltw_core import plot
    >>> from ltw_core.corpora import load
    >>> from ltw_core.tasks import vectorize
    >>> task = vectorize(load("synthetic", documents=300)).task("relevant")
    >>> print(plot.terms(task, "IG").alt[:27])
    Map of 63 terms of relevant
    """
    statistics = _statistics(task)
    grid = figures.term_grid(statistics, region=region, scale=scale, lines=True)
    drawn = [on_terms(each, statistics, raw=True) for each in _several(function)]
    lines = [SurfacePanel.of(each.name, each.form, grid) for each in drawn if each.form.surface is not None]
    without = listed(each.name for each in drawn if each.form.surface is None)
    title = f"{_title(task)}: no lines of {without}, one weight a term" if without else _title(task)
    shown = {"title": title, "hover": {each.name: each.form.weights for each in drawn}}
    look = PlaneView(statistics.prevalence, base=_base(theme), **(shown | view))
    return _figure(figures.term_map.plain(statistics, grid, look, iso=lines, density=density))


def training(learned, *, theme: str = "light", **options: Any) -> NotebookFigure:
    """Validation F1 and loss over the steps of a training run, or of several over each other, with their mean.

    Parameters
    ----------
    learned : LearnedWeighting or sequence of them
        Fitted. The mean is that of one variant; of several variants there is none.
    theme : {"light", "dark"}
    **options
        Of ``figures.training``, or of several of ``figures.overlay``: ``smoothing``, ``log_loss``, ``height``, …

    Examples
    --------
    >>> from ltw_core import plot
    >>> from ltw_core.corpora import load
    >>> from ltw_core.tasks import vectorize
    >>> from ltw_core.weighting import LearnedWeighting
    >>> task = vectorize(load("synthetic", documents=300)).task("relevant")
    >>> learned = LearnedWeighting(hidden=8, max_steps=40, check_every=10, engine="reference")
    >>> learned = learned.fit(task.counts_train, task.y_train, validation=task.validation)
    >>> print(plot.training(learned).alt[:40])
    Training curves of LTW-L-I over 40 steps
    """
    runs = _several(learned)
    for run in runs:
        if not hasattr(run, "variant") or not hasattr(run, "history_"):
            raise ValueError(f"{called(run)} has no training curve; give a LearnedWeighting that is fitted")
    if not runs:
        raise ValueError("there is no training run to draw: the list is empty")
    if len(runs) == 1:
        (run,) = runs
        known = {"best_step": run.best_step_, "method": run.variant, "base": _base(theme)}
        return _figure(figures.training.plain(run.history_, **(known | options)))
    curves = [TrainingCurve(f"{display(run.variant)}, seed {run.seed_}", run.history_, run.variant) for run in runs]
    mean = mean_curve([run.history_ for run in runs]) if len({run.variant for run in runs}) == 1 else ()
    return _figure(figures.overlay.plain(curves, mean=mean, base=_base(theme), **options))


def compare(results: Iterable[Result], *, theme: str = "light", **options: Any) -> NotebookFigure:
    """F1 of several results, a point each in its weighting's colour; seeds of the same as one point with their spread.

    Parameters
    ----------
    results : iterable of Result
        Of ``evaluate``, of one class. Those that differ in nothing but the seed are one point, with their number, mean
        and standard deviation (n - 1). What stands here twice with one seed has two points. Whiskers are 95% intervals:
        what other test documents and, of several seeds, other seeds would change (``evaluation.estimate``).
    theme : {"light", "dark"}
    **options
        Of ``figures.f1_comparison``: ``order`` ("value" or "given"), ``height``.

    Examples
    --------
    >>> from ltw_core import plot
    >>> from ltw_core.corpora import load
    >>> from ltw_core.evaluation import evaluate
    >>> from ltw_core.tasks import vectorize
    >>> task = vectorize(load("synthetic", documents=300)).task("relevant")
    >>> results = [evaluate(task, weighting, "MNB") for weighting in ("TFIDF", "TFRF")]
    >>> print(plot.compare(results).alt[:33])
    F1 on the test documents with MNB
    """
    groups = _groups(results)
    learners = {group[0].learner for group in groups}
    alike = Counter((group[0].weighting, group[0].learner) for group in groups)
    f1, spread, intervals, names, colours, seen = {}, {}, {}, {}, {}, Counter()
    for number, group in enumerate(groups):
        key, found = str(number), estimate(group)
        f1[key], colours[key], intervals[key] = found.value, group[0].weighting, found.both
        spread[key] = found.sd or 0.0
        words = [display(group[0].weighting)] + [group[0].learner] * (len(learners) > 1)
        if alike[group[0].weighting, group[0].learner] > 1:  # what else tells them apart
            words.append(group[0].chosen if group[0].grid == "no" else f"{group[0].grid} grid")
        words += [f"{len(group)} seeds"] if len(group) > 1 else []
        name = " · ".join(figures.theme.shortened(word, NAME) for word in words)
        seen[name] += 1
        names[key] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    look = {"learner": learners.pop() if len(learners) == 1 else "", "labels": names, "colours": colours}
    look["intervals"] = intervals
    return _figure(figures.f1_comparison.plain(f1, error=spread, base=_base(theme), **(look | options)))


def _groups(results: Iterable[Result]) -> list[list[Result]]:
    """Results that differ in nothing but the seed, together; one that has the seed of another begins a new group."""
    results = _several(results)
    if not results:
        raise ValueError("there is no result to compare: the list is empty")
    wrong = next((result for result in results if not isinstance(result, Result)), None)
    if wrong is not None:
        raise ValueError(f"{called(wrong)} is no Result; give what evaluate returns")
    tested = {(result.tp + result.fn, result.fp + result.tn) for result in results}
    if len(tested) > 1:
        said = listed(f"{here:,} of {here + other:,}" for here, other in sorted(tested))
        raise ValueError(
            f"these results are of different test documents ({said} of the class); compare those of one class"
        )
    groups: dict[tuple, list[Result]] = {}
    for result in results:
        fixed = result.chosen if result.grid == "no" else ""  # what was tuned may differ with the seed
        same, copy = (result.weighting, result.learner, result.grid, fixed), 0
        while any(other.seed == result.seed for other in groups.get((*same, copy), ())):
            copy += 1
        groups.setdefault((*same, copy), []).append(result)
    return list(groups.values())


def _figure(plain: PlainFigure) -> NotebookFigure:
    return NotebookFigure(plain.data, plain.layout)


def _statistics(task) -> TermStatistics:
    statistics = getattr(task, "statistics", task)
    if not isinstance(statistics, TermStatistics):
        raise ValueError(f"task is {called(task)}; it must be a class: vectorize(corpus).task('name')")
    return statistics


def _title(task) -> str:
    return getattr(task, "class_title", "") or "this class"


def _several(things) -> list:
    """The items of a list, tuple or generator; anything else as the only one."""
    return list(things) if isinstance(things, Sequence | Iterator) and not isinstance(things, str) else [things]


def _base(theme: str) -> str:
    if theme not in figures.theme.INKS:
        raise ValueError(f"theme is {theme!r}; it must be one of {', '.join(figures.theme.INKS)}")
    return theme
