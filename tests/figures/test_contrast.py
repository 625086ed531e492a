"""What figures write and draw can be seen: WCAG 2.2 asks 4.5 : 1 of words, 3 : 1 of large ones and of marks."""

import numpy as np
import pytest

from ltw_core import figures, insight
from ltw_core.figures import contrast, palette, theme
from ltw_core.weighting import methods
from ltw_core.weighting.functions import CD
from tests.figures import test_learning
from tests.figures.legibility import marks, words
from tests.figures.test_collection import COUNTS, LABELS
from tests.figures.test_figures import drawn, mapped

BASES = ("light", "dark")
RUNS = [(100, 0.7, 0.25), (200, 0.5, 0.75), (300, 0.4, 0.5)]
ORDER = {"positions": [[1, 2], [2, 1]], "ranks": [[1, 7], [9, 3]], "total": 10}
# marks that may be fainter than 3 : 1, as they only repeat what is said otherwise, by figure and mark
FAINT = {
    ("training", "line loss, every validation"): "the smoothed curve of the same colour goes through it",
    ("training", "line F1, every validation"): "the same",
    ("overlay, mean", "line seed 0"): "a run behind the mean of all; the table below has its numbers",
    (
        "bump_chart, selected",
        "line x",
    ): "not selected, and so behind what is; named at both ends, its points in full colour",
    ("f1_by_prevalence", "line others"): "behind the line of a panel; each is strong in a panel of its own",
    **{
        (
            "f1_by_prevalence",
            f"points {theme.label(name)}",
        ): "a class behind the means; the table to save has its numbers"
        for name in methods()
    },
}


def drawings(base):
    """Every figure of the package with all that it may hold, by the name of its function."""
    names, rates, many = methods(), np.linspace(0, 1, 5), [f"t{k}" for k in range(20)]
    curves = {name: np.linspace(0, k, 5) for k, name in enumerate([*CD, "a", "b", "c"], 1)}
    curve = figures.PrecisionRecall("TFRF", "TFRF", np.ones(2), np.ones(2), np.ones(2), 0.9, (0.5, 0.7), (1, 0.2))
    learned = [test_learning.line(name, [0.2, 0.3, 0.5, 0.6, 0.7, 0.72]) for name in names]
    run, counts = figures.TrainingCurve("seed 0", RUNS), np.array([[3, 1, 40], [0, 20, 9], [5, 6, 7]])
    growth, fall = insight.vocabulary_growth(COUNTS), insight.zipf(COUNTS)
    lengths, overlap = insight.document_lengths(COUNTS)[0], insight.label_overlap(LABELS)
    shades = np.linspace(0, 1, 200).reshape(100, 2)
    marked = {"base": base, "selected": ("term1", "term2")}
    by_class = {name: ([3, 9], [0.5, 0.6], ["a", "b"]) for name in names}
    make = {
        "surfaces": lambda: drawn(figures.surfaces, **marked),
        "contours": lambda: drawn(figures.contours, **marked),
        "term_map": lambda: mapped(**marked),
        "training": lambda: figures.training(
            RUNS, best_step=200, stop_reason="It stopped.", smoothing=0.5, method="LTW-L-sigma", base=base
        ),
        "overlay": lambda: figures.overlay([run, figures.TrainingCurve("seed 1", RUNS, "LTW-L-sigma")], base=base),
        "overlay, mean": lambda: figures.overlay([run, run], mean=RUNS, base=base),
        "prevalence": lambda: figures.prevalence(["a", "b"], [5, 50], 100, selected="b", base=base),
        "f1_comparison": lambda: figures.f1_comparison(dict.fromkeys(names, 0.5), error={"TF": 0.1}, base=base),
        "score_parts": lambda: figures.score_parts({"a": 0.3, "b": -0.1}, before={"a": 0.2, "b": 0.1}, base=base),
        "asked": lambda: figures.asked(["a", "b"], "F1", (-1, 1), base=base),
        "f1_differences": lambda: figures.f1_differences({"a": (0.1, -0.1, 0.2)}, base=base),
        "f1_drawn": lambda: figures.f1_drawn(np.linspace(0.7, 0.9, 200), 0.8, (0.6, 1.0), base=base),
        "top_terms": lambda: figures.top_terms(["a", "b"], [1.0, -2.0], before=[1.0, 0.1], title="Terms", base=base),
        "slices": lambda: figures.slices(rates, curves, rug=[0.1], marked={"corn": 0.2}, base=base),
        "dd_curves": lambda: figures.dd_curves(range(5), dict.fromkeys(palette.FACTORS, np.arange(5)), base=base),
        "curves_over_steps": lambda: figures.curves_over_steps(range(5), curves, best_step=2, base=base),
        "likeness_scale": lambda: figures.likeness_scale(
            list(CD), np.linspace(0.5, 0.9, len(CD)), zero=0.6, ceiling=(0.93, 0.96), base=base
        ),
        "likeness_map": lambda: figures.likeness_map(
            ["a", "b", "c"], [[0, 0], [1, 0.4], [0.2, 1]], scores={"a": 0.5, "b": 0.9}, kinds={"a": "this"}, base=base
        ),
        "likeness_matrix": lambda: figures.likeness_matrix(["a", "b"], [[1, 0.2], [0.2, 1]], base=base),
        "learning_curves": lambda: test_learning.drawn(*learned, base=base),
        "precision_recall": lambda: figures.precision_recall([curve, curve], base=base),
        "f1_heatmap": lambda: figures.f1_heatmap(shades, [f"w{k}" for k in range(100)], ["SVM", "LR"], base=base),
        "confusion_matrix": lambda: figures.confusion_matrix(counts, ["a", "b", "c"], chosen=(0, 2), base=base),
        "bump_chart": lambda: figures.bump_chart(["TF"], many, [range(1, 21)], [range(20)], total=20, base=base),
        "bump_chart, selected": lambda: figures.bump_chart(names[:2], "xy", **ORDER, selected="y", base=base),
        "critical_difference": lambda: figures.critical_difference(names, range(len(names)), 2, [(1, 3)], base=base),
        "f1_by_prevalence": lambda: figures.f1_by_prevalence(by_class, 10, selected="b", base=base),
        "difference_by_prevalence": lambda: figures.difference_by_prevalence(
            [0, 5, 9], [0.5, -0.2, 0.0], ["a", "b", "c"], 10, base=base
        ),
        "differences_from": lambda: figures.differences_from(
            "TFRF",
            {name: figures.DrawnDifference(0.1 * k, 0.1 * k - 0.2, 0.1 * k + 0.1, "") for k, name in enumerate("abcd")},
            base=base,
        ),
        "score_intervals": lambda: figures.score_intervals(
            [figures.DrawnScore(name, 0.5, (0.4, 0.6), name, True, name) for name in names], chosen=1, base=base
        ),
        "differences_by_reason": lambda: figures.differences_by_reason([("a", -0.1, 3), ("b", 0.1, 1)], base=base),
        "f1_by_seconds": lambda: figures.f1_by_seconds(
            [(name, "SVM", 1, 0.5) for name in names],
            {name: palette.family(name) or "STW" for name in names},
            base=base,
        ),
        "vocabulary_growth": lambda: figures.vocabulary_growth(growth, base=base),
        "zipf": lambda: figures.zipf(fall, base=base),
        "document_lengths": lambda: figures.document_lengths(lengths, base=base),
        "formula_front": lambda: figures.formula_front(
            [1, 5, 9], [0.4, 0.8, 0.9], ["1", "tpr - fpr", "log(2 + tp)"], known={"RF": 0.7}, chosen=1, base=base
        ),
        "input_surface": lambda: figures.input_surface(
            insight.InputPlane(rates, rates, np.outer(rates, rates) - 0.2),
            ["a", "b<"],
            np.ones((2, 2)),
            [1.0, -0.2],
            titles=("idf", "tpr"),
            base=base,
        ),
        "label_overlap": lambda: figures.label_overlap(overlap, list("abcdef"), selected="c", base=base),
        "label_pairs": lambda: figures.label_pairs(overlap, list("abcdef"), base=base),
    }
    return {name: draw() for name, draw in make.items()}


@pytest.fixture(scope="module", params=BASES)
def all_figures(request):
    return drawings(request.param)


def test_every_figure_is_looked_at_and_says_what_it_shows(all_figures):
    assert {name.partition(",")[0] for name in all_figures} == {
        name for name, of in vars(figures).items() if hasattr(of, "plain")
    }
    for name, figure in all_figures.items():
        assert theme.alt(figure).endswith(".") and len(theme.alt(figure)) > 8, name


def test_every_word_can_be_read(all_figures):
    found = {name: list(words(figure)) for name, figure in all_figures.items()}
    assert min(map(len, found.values())) > 3
    assert not [(name, word) for name, of in found.items() for word in of if word.contrast < word.least]


def test_every_mark_can_be_seen(all_figures):
    faint = {
        (name, mark.what): mark
        for name, figure in all_figures.items()
        for mark in marks(figure)
        if mark.contrast < mark.least
    }
    assert not {where: mark for where, mark in faint.items() if where not in FAINT}
    assert set(faint) == set(FAINT)


def test_colours_of_methods_and_functions_stand_out_from_the_page():
    for base in BASES:
        paper = palette.rgb([theme.ink(base).paper])
        for name in [*methods(), *CD, *palette.FACTORS, "STW", "UTW", "LTW", "my own", "another"]:
            rgb = palette.rgb([palette.colour(name, base)])
            assert contrast.ratio(rgb, paper)[0] >= contrast.MARK, (name, base)
            legible = palette.rgb([theme.legible(palette.colour(name, base), base)])
            assert contrast.ratio(legible, paper)[0] >= contrast.TEXT, (name, base)


def test_numbers_on_any_colour_of_a_scale_can_be_read():
    values = np.linspace(0, 1, 500)
    ramps = (palette.DIVERGING, palette.GREYS, palette.NEAR)
    for scale in (palette.CIVIDIS, *(scale for ramp in ramps for scale in ramp.values())):
        painted = palette.paint(values, scale, 0, 1)
        inks, halos = palette.ink_on(values, scale, 0, 1)
        assert contrast.ratio(palette.rgb(inks), painted).min() >= contrast.TEXT
        assert contrast.ratio(palette.rgb(inks), palette.rgb(halos)).min() >= contrast.TEXT
        assert (
            len({*inks}) == 1 or scale not in palette.NEAR.values()
        )  # black beside white on a like colour looks wrong
        for half in (values <= 0.5, values >= 0.5):  # from the page's colour on, the ink changes once
            assert np.diff(np.array(inks)[half] == palette.INK_ON_DARK).sum() <= 1
        behind, on = palette.behind_words(values, scale, 0, 1)
        assert contrast.ratio(palette.rgb(on), palette.rgb(behind)).min() >= palette.CLEAR - 0.05  # whole numbers
        assert np.abs(palette.rgb(behind) - painted).max() <= 32  # and hardly another colour


def test_contrast_is_that_of_the_guidelines():
    # the examples of WebAIM's checker: black on white, and the greys just above and below 4.5 : 1
    assert contrast.ratio([0, 0, 0], [255, 255, 255]) == pytest.approx(21)
    assert contrast.ratio([0x76] * 3, [255] * 3) == pytest.approx(4.54, abs=0.005)
    assert contrast.ratio([0x77] * 3, [255] * 3) == pytest.approx(4.48, abs=0.005)
    assert contrast.enough("#777777", "#ffffff") == "#767676"
    assert contrast.enough("#1f2328", "#ffffff") == "#1f2328"
    assert contrast.enough("#ffff00", "#12151a") == "#ffff00"
    with pytest.raises(ValueError, match="no colour"):
        contrast.enough("#777777", "#777777", 7)
