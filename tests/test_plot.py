"""Figures in one line: what is drawn of tasks, weightings and results, that it stays private, and what is refused."""

import dataclasses
import doctest
import re
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import plotly.graph_objects as go
import plotly.io as pio
import pytest

from ltw_core import plot
from ltw_core.corpora import load
from ltw_core.evaluation import estimate, evaluate
from ltw_core.figures import theme
from ltw_core.figures.palette import colour
from ltw_core.tasks import vectorize
from ltw_core.weighting import CD, Composed, GlobalWeighting, LearnedWeighting, TermWeighting
from ltw_core.weighting.canonical import canonical
from ltw_core.weighting.dense.fasttext import FastText
from ltw_core.weighting.learned.network import VARIANTS


@pytest.fixture(scope="module")
def corpus():
    return vectorize(load("synthetic", documents=300, noise_terms=100))


@pytest.fixture(scope="module")
def task(corpus):
    return corpus.task("relevant", ratio=1.0)


def learn(task, variant="LTW-L-I", **more):
    weighting = LearnedWeighting(
        variant=variant, hidden=8, hidden_dd=8, max_steps=40, check_every=10, patience=10_000, **more
    )
    return weighting.fit(task.counts_train, task.y_train, validation=task.validation)


@pytest.fixture(scope="module")
def learned(task):
    return learn(task)


def meshes(figure):
    return [trace for trace in figure.data if trace.type == "mesh3d"]


def words(figure):
    return " ".join(note.text for note in figure.layout.annotations)


@pytest.mark.parametrize("name", ["surface", "terms", "training", "compare"])
def test_the_example_in_each_docstring_runs(name):
    (test,) = doctest.DocTestFinder(recurse=False).find(getattr(plot, name), name, globs={})
    assert len(test.examples) >= 4
    assert doctest.DocTestRunner().run(test).failed == 0


def test_a_learned_surface_beside_formulas(task, learned):
    figure = plot.surface(learned, task)
    assert isinstance(figure, go.Figure)
    assert [mesh.name for mesh in meshes(figure)] == ["LTW-L-I", "χ²", "RF"]
    factor = canonical(learned.cd_, task.tpr, task.fpr, task.document_frequency)
    raw = plot.surface(learned, task, (), heights="raw")
    rates = np.asarray(meshes(raw)[0].customdata) / 100
    z = factor * learned.surface(*rates.T)
    low, high = raw.layout.meta["z_range"]
    np.testing.assert_allclose(meshes(raw)[0].z, np.clip(z, low, high), rtol=1e-4, atol=1e-5)
    assert sum(trace.type == "scatter3d" and trace.name == "terms" for trace in figure.data) == 3
    assert re.search(r"R² \d\.\d\d|opposite sign", words(figure)) and "learned" in words(figure)


def test_a_formula_fits_itself_by_whatever_it_is_named(task):
    figure = plot.surface("TFRF", task, ("RF", CD["RF"], TermWeighting(cd="RF"), Composed("mine", cd="RF"), "IG"))
    fits = re.findall(r"R² \d\.\d\d", words(figure))
    assert fits[:4] == ["R² 1.00"] * 4 and fits[4] != "R² 1.00"
    assert [mesh.name for mesh in meshes(plot.surface("CHI2", task))] == ["χ²", "RF"]
    assert "R² 1.00" in words(plot.surface("tpr - fpr", task, "fpr - tpr"))  # the sign is brought into one form
    assert "opposite sign" in words(plot.surface("IDF", task, "tpr - 2 * fpr"))


def test_it_looks_like_the_app_in_light_and_in_dark(task):
    light, dark = plot.surface("IG", task), plot.surface("IG", task, theme="dark")
    assert light.layout.template.layout.paper_bgcolor == theme.ink("light").paper
    assert dark.layout.template.layout.paper_bgcolor == theme.ink("dark").paper
    assert colour("IG", "dark") in words(dark)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_drawn(task, variant):
    figure = plot.surface(learn(task, variant), task, "RF")
    shown = VARIANTS[variant].has_surface
    assert len(meshes(figure)) == 1 + shown
    assert ("one weight a term: no surface" in words(figure)) is not shown
    assert ("its dd too" in words(figure)) is (variant == "LTW-TF")
    assert sum(trace.name == "terms" for trace in figure.data) == 2


def test_any_weighting_with_a_weight_a_term_has_points(task):
    weighting = GlobalWeighting(base="RF").fit(task.counts_train, task.y_train)
    assert meshes(plot.surface(weighting, task, ())) == []


def test_the_map_of_terms_with_lines_of_equal_weight(task, learned):
    assert [t for t in plot.terms(task).data if t.type == "contour"] == []
    figure = plot.terms(task, ("CHI2", learned))
    assert {t.name for t in figure.data if t.type == "contour"} == {"χ²", "LTW-L-I"}
    points = next(trace for trace in figure.data if trace.name == "terms")
    largest = CD["CHI2"](task.tpr, task.fpr, task.prevalence, task.n_documents).max()
    assert np.asarray(points.customdata)[:, 7].max() == pytest.approx(largest, rel=1e-5)  # as it is, not canonical
    title = plot.terms(task, learn(task, "LTW-G-I")).layout.title.text
    assert "relevant: no lines of LTW-G-I, one weight a term" in title


def test_curves_of_one_training_run_and_of_several(task, learned):
    (f1,) = (t for t in plot.training(learned).data if t.name == "validation F1")
    assert list(f1.x) == [step for step, _, _ in learned.history_]
    other = learn(task, random_state=1)
    assert "their mean" in plot.training([learned, other]).alt
    mixed = plot.training(iter([learned, learn(task, "LTW-L-sigma")])).alt
    assert "LTW-L-σ, seed 0" in mixed and "mean" not in mixed


@pytest.fixture(scope="module")
def result(task):
    return evaluate(task, "TFRF", "MNB")


def of(result, tp, seed=0, **more):
    """The same test documents, another count."""
    positives = result.tp + result.fn
    return dataclasses.replace(result, tp=tp, fn=positives - tp, fp=0, tn=result.tn + result.fp, seed=seed, **more)


def test_seeds_are_one_bar_and_others_stand_alone(result):
    seeds = [of(result, tp, seed, weighting="LTW-L-sigma") for seed, tp in enumerate((10, 12, 14))]
    again, other = of(result, 5, 0, weighting="LTW-L-sigma"), of(result, 6)
    figure = plot.compare([*seeds, again, other], order="given")
    bars = figure.data[0]
    assert bars.y[::-1] == ("LTW-L-σ · quick grid · 3 seeds", "LTW-L-σ · quick grid", "TFRF")
    values = [each.f1 for each in seeds]
    assert bars.x[::-1] == pytest.approx((np.mean(values), again.f1, other.f1))
    three, one = estimate(seeds), again.estimate
    assert bars.error_x.array[2] == pytest.approx(three.both.high - three.value)
    assert bars.error_x.arrayminus[1] == pytest.approx(one.value - one.both.low)
    assert f"± {np.std(values, ddof=1):.3f}".replace(" 0.", " .") in figure.alt and "(95% interval" in figure.alt
    assert bars.marker.color[::-1] == (colour("LTW-L-sigma"), colour("LTW-L-sigma"), colour("TFRF"))
    title = figure.layout.title.text  # without a key to families: RF has a colour of its own
    assert title == "<b>F1 on the test set, MNB</b>"


def test_bars_say_what_tells_them_apart(result):
    own = [of(result, 9, learner="<b>", grid="no", parameters={"C": c}) for c in (1, 2, 2)]
    figure = plot.compare([of(result, 8), of(result, 8, grid="full"), *own], order="given")
    assert figure.data[0].y[::-1] == (
        "TFRF · MNB · quick grid",
        "TFRF · MNB · full grid",
        "TFRF · &lt;b&gt; · C = 1",
        "TFRF · &lt;b&gt; · C = 2",
        "TFRF · &lt;b&gt; · C = 2 (2)",
    )
    assert plot.compare(result).data[0].y == ("TFRF",)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda t, r: plot.surface("XYZ", t), "cd is 'XYZ'; it must be one of"),
        (lambda t, r: plot.surface("LTW-L-I", t), "LTW-L-I is no formula, but is learned: fit it"),
        (lambda t, r: plot.surface(LearnedWeighting(), t), "LTW-L-I has no weight a term"),
        (lambda t, r: plot.surface(FastText(), t), "FastText has no weight a term"),
        (lambda t, r: plot.surface("IG", "relevant"), "task is str; it must be a class: vectorize"),
        (lambda t, r: plot.surface("IG", t, theme="sepia"), "theme is 'sepia'; it must be one of light, dark"),
        (lambda t, r: plot.terms(t, scale="cubic"), "scale must be one of"),
        (lambda t, r: plot.training(LearnedWeighting()), "LTW-L-I has no training curve; give a LearnedWeighting"),
        (lambda t, r: plot.training([]), "no training run to draw"),
        (lambda t, r: plot.compare([]), "no result to compare"),
        (lambda t, r: plot.compare(["TFRF"]), "str is no Result; give what evaluate returns"),
        (lambda t, r: plot.compare([r, dataclasses.replace(r, tn=r.tn + 1)]), "are of different test documents"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(task, result, call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(task, result)


def test_a_weighting_of_another_task_is_refused(task, learned, corpus):
    with pytest.raises(ValueError, match="was learned on other documents or another class; give the task"):
        plot.surface(learned, corpus.task("other", ratio=1.0))
    with pytest.raises(ValueError, match=r"weighs \d+ terms, and the task has \d+; give the task"):
        plot.surface(learned, corpus.task("relevant", ratio=0.1))


# Where a figure is shown ----------------------------------------------------------------------------------------------
def test_pages_need_no_network_and_send_nothing(task, tmp_path):
    figure = plot.terms(task)
    figure.write_html(tmp_path / "terms.html")
    for page in (figure.to_html(), figure._repr_html_(), (tmp_path / "terms.html").read_text(encoding="utf-8")):
        assert not re.search(r"<(script|link)[^>]+(src|href)=", page) and len(page) > 3_000_000
        assert '"showSendToCloud": false' in page and "plotlyServerURL: " not in page.rpartition("Plotly.newPlot")[2]
    assert '"editable": true' in figure.to_html({"editable": True}, include_plotlyjs=False)


def test_a_notebook_gets_the_apps_settings_and_words_for_who_sees_no_figure(task, monkeypatch):
    monkeypatch.setattr(pio.renderers, "default", "plotly_mimetype")
    shown = []
    display = SimpleNamespace(display=lambda bundle, raw: shown.append((bundle, raw)))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(display=display))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    figure = plot.terms(task)
    figure._ipython_display_()
    ((bundle, raw),) = shown
    assert raw and bundle["text/plain"] == figure.alt
    assert bundle["application/vnd.plotly.v1+json"]["config"]["showSendToCloud"] is False


def test_without_plotly_there_is_a_sentence():
    code = "import sys; sys.modules['plotly'] = None; import ltw_core.plot"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: ltw_core.plot draws with plotly, which is not installed here: pip install plotly"
    )
