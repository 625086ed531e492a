"""A cd function and a weighting that are added from outside: a row in a table each, and all else follows."""

import colorsys

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ltw_core.corpora import load
from ltw_core.evaluation import evaluate
from ltw_core.figures import palette
from ltw_core.studies.plan import plan
from ltw_core.tasks import vectorize
from ltw_core.weighting import CD, Function, TermWeighting, cd_function, make, methods
from ltw_core.weighting.cd import arguments
from ltw_core.weighting.methods import METHODS, Method
from ltw_core.weighting.worked_examples import worked
from tests.weighting.contract import check_cd, check_method


def difference(tpr, fpr, p, n):
    """tpr - fpr, in [-1, 1]."""
    tpr, fpr, _, _ = arguments(tpr, fpr, p, n)
    return (tpr - fpr)[()]


ROW = Function(
    name="Diff",
    compute=difference,
    symbol="Δ",
    formula="tpr − fpr",
    latex=r"\mathit{tpr}-\mathit{fpr}",
    source="This test.",
    note="A plane.",
    worked="<tpr>-<fpr>",
    caveat_of=lambda task: f"It is {float(task.tpr.max()):.0f} at most.",
    signed=True,
    supervised=True,
)


@pytest.fixture
def registered(monkeypatch):
    monkeypatch.setitem(CD, "Diff", ROW)
    monkeypatch.setitem(
        METHODS, "TFDiff", Method("TFDiff", "STW", "Log of occurrences times Δ.", "1+log", "Diff", "l2")
    )


@pytest.mark.usefixtures("registered")
def test_it_keeps_the_contracts():
    check_cd("Diff")
    check_method("TFDiff")
    assert "TFDiff" in methods() and "TFDiff" in methods("STW")
    assert make("TFDiff", power=2).get_params() == TermWeighting(cd="Diff", power=2).get_params()
    assert cd_function("Diff") is ROW


@pytest.mark.usefixtures("registered")
def test_it_has_a_worked_example_a_caveat_and_a_colour_of_its_own():
    assert worked(ROW, 30, 20, 70, 880) == r"0.3-0.0222 = \mathbf{0.2778}"
    assert ROW.caveat(type("Task", (), {"terms": ["a"], "tpr": np.ones(1)})) == "It is 1 at most."
    for base in ("light", "dark"):
        own = palette.colour("TFDiff", base)
        assert own == palette.colour("Diff", base) == palette.colour("Δ", base)
        others = {palette.colour(name, base) for name in [*methods(), *CD] if name not in ("TFDiff", "Diff")}
        assert own not in others and palette.has_colour("Δ")
        hue, _, _ = colorsys.rgb_to_hls(*palette.rgb([own])[0] / 255)
        assert 0.35 < hue < 0.75  # cool, as supervised weightings are


@pytest.mark.usefixtures("registered")
def test_the_app_and_studies_offer_it():
    def page():
        from pages._ui import choices

        choices.functions("Functions", ("Diff",), "functions", 3, "")

    script = AppTest.from_function(page).run()
    assert not script.exception
    assert "Δ" in script.multiselect[0].options and script.multiselect[0].value == ["Diff"]
    cells = plan(["synthetic"], classes=["relevant"], weightings=["STW"], learner_names=["SVM"], grid="quick", seeds=1)
    assert "TFDiff" in {cell.weighting for cell in cells}
    assert evaluate(vectorize(load("synthetic")).task("relevant"), "TFDiff").f1 > 0.5
