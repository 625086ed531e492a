"""What figures say to a reader who does not see them: the finding, with its class, term, method and value."""

import numpy as np
import pytest
from scipy import sparse

from ltw_core import insight
from ltw_core.figures import (
    PlaneView,
    PrecisionRecall,
    SurfacePanel,
    TrainingCurve,
    bump_chart,
    contours,
    curves_over_steps,
    dd_curves,
    document_lengths,
    f1_by_prevalence,
    f1_comparison,
    f1_heatmap,
    label_overlap,
    label_pairs,
    overlay,
    precision_recall,
    prevalence,
    slices,
    surface_grid,
    surfaces,
    term_map,
    theme,
    top_terms,
    training,
    vocabulary_growth,
    zipf,
)
from ltw_core.figures.sentences import course, number, strongest, without_marks
from ltw_core.metrics import listed
from ltw_core.tasks import TermStatistics

# 10 of 100 documents are of the class; "for" is in 9 of them and 1 other, "against" in 1 and 81 others
TERMS = TermStatistics(np.array(["for", "both", "against"]), np.array([9, 5, 1]), np.array([1, 45, 81]), 10, 100)
GRID = surface_grid(p=0.1, n=100, region="square", scale="linear", size=11)
HISTORY = [(100, 0.7, 0.25), (200, 0.5, 0.75), (300, 0.4, 0.5)]


@pytest.mark.parametrize(
    ("items", "most", "words"),
    [
        ("", None, ""),
        ("a", None, "a"),
        ("ab", None, "a and b"),
        ("abc", None, "a, b and c"),
        ("abc", 3, "a, b and c"),
        ("abcd", 2, "a, b and 2 more"),
        ("ab", 1, "a and 1 more"),
        ("ab", 0, "2 more"),
        ("x" * 1_234, 1, "x and 1,233 more"),
    ],
)
def test_a_list_in_words(items, most, words):
    assert listed(items, most) == listed(iter(items), most) == words


def test_words():
    values = {0: "0", 5830.4: "5,830", -2: "−2", 0.012345: "0.0123", 1e-7: "0.0000001", 0.9996: "1", 999.6: "1,000"}
    values |= {-1234.5: "−1,230", 1_234_567: "1,230,000", 100: "100", 1e-11: "0"}
    assert [number(value) for value in values] == list(values.values())
    assert without_marks('<b>F1 &lt; 1</b>   <span style="x">■</span> learned') == "F1 < 1 ■ learned"
    assert without_marks("a<br>b\n c") == "a b c"
    names, weights = ["a", "b", "c", "d", "e"], np.array([1.0, 3.0, -4.0, 2.0, 1.0])
    assert [strongest(names, weights, count) for count in (1, 2, 4, 9)] == ["b", "b and d", *["b, d, a and e"] * 2]
    assert strongest(names, weights) == "b, d and a"  # three, and of equals the first
    assert strongest(["a", 1], np.array([0.0, 1e-9])) == "1"


@pytest.mark.parametrize(
    ("y", "said"),
    [
        ([], "f has no point"),
        ([3], "f is 3 throughout"),
        ([3, 3], "f is 3 throughout"),
        ([0, 0, 0], "f is 0 throughout"),
        ([-1, 0, 2], "f goes from −1 at x0 to 2 at x2"),
        ([0, 9e-4, 1], "f goes from 0 at x0 to 1 at x2"),
        ([9e-4, 1], "f goes from 0 at x0 to 1 at x1"),  # too small to be seen beside the largest
        ([1e-3, 1], "f goes from 0.001 at x0 to 1 at x1"),
        ([-9e-4, -1], "f goes from 0 at x0 to −1 at x1"),
        ([0, 2, -1, 1], "f goes from 0 at x0 to 1 at x3 (highest is 2 at x1 and lowest is −1 at x2)"),
        ([0, 2, 2, 1], "f goes from 0 at x0 to 1 at x3 (highest is 2 at x1)"),
        ([0, -2, 1], "f goes from 0 at x0 to 1 at x2 (lowest is −2 at x1)"),
        ([1, 0, 1], "f goes from 1 at x0 to 1 at x2 (lowest is 0 at x1)"),
        ([1, 0, 1, 0], "f goes from 1 at x0 to 0 at x3"),
    ],
)
def test_a_curve_is_told_by_its_ends_and_by_what_lies_beyond_them(y, said):
    assert course("f", range(len(y)), y, lambda x: f"x{x}") == said


def test_classes_and_the_collection():
    said = theme.alt(prevalence(["a", "b", "c"], [5, 50, 1], 100, selected="a", titles=["alpha", "beta", "<gamma>"]))
    assert said == (
        "Share of the 100 training documents, 3 classes: beta (50%) has the most, <gamma> (1%) the fewest; "
        "the chosen class, alpha, has 5%."
    )
    assert theme.alt(prevalence([], [], 0)) == "No classes."
    counts = sparse.csr_array(np.array([[2, 1, 0], [1, 1, 4]]))  # documents of 3 and 6 words, three terms in all
    assert theme.alt(document_lengths(insight.document_lengths(counts)[0])) == (
        "Document lengths from 3 to 6 words, median 4, mean 4."
    )
    assert theme.alt(zipf(insight.zipf(counts))).startswith(
        "Frequency by rank falls from 4 occurrences of the most frequent term to 2 at rank 3"
    )
    assert theme.alt(vocabulary_growth(insight.vocabulary_growth(counts))).startswith(
        "Vocabulary growth: 3 distinct terms after 9 occurrences"
    )
    # three of the four documents of the first class are of the second as well, which has a fourth of its own
    labels = sparse.csr_array(np.array([[1, 1], [1, 1], [1, 1], [1, 0], [0, 1], [0, 1]], dtype=bool))
    overlap = insight.label_overlap(labels)
    titles = [["wheat", "grain"][k] for k in overlap.classes]
    assert theme.alt(label_overlap(overlap, titles)) == (
        "Label co-occurrence among 2 classes: most often a document of wheat has grain as well (75%)."
    )
    # of grain, with five documents, three are of wheat; of wheat, with four, too: the smaller class is told
    told = "Labels that come together: of the documents of wheat, 75% are also of grain."
    assert theme.alt(label_pairs(overlap, titles)) == told
    apart = insight.label_overlap(sparse.csr_array(np.eye(2, dtype=bool)))
    assert theme.alt(label_pairs(apart, ["wheat", "grain"])) == "Labels that come together: none do."
    assert theme.alt(label_overlap(apart, ["wheat", "grain"])) == (
        "Label co-occurrence among 2 classes: no document has two of them."
    )


def test_results():
    assert theme.alt(f1_comparison({"LogTFIDF": 0.8, "LTW-L-I": 0.9}, error={"LTW-L-I": 0.01}, learner="SVM")) == (
        "F1 on the test documents with SVM: LTW-L-I .900 ± .010 and LogTFIDF .800."
    )
    values, rows = [[0.5, np.nan], [0.7, 1.0]], ["TFIDF", "LTW-L-sigma"]
    assert theme.alt(f1_heatmap(values, rows, ["SVM", "LR"])) == (
        "F1 of 2 weightings with 2 classifiers: with SVM LTW-L-σ is highest, .700; with LR LTW-L-σ is highest, 1.000."
    )
    assert theme.alt(f1_heatmap([[np.nan]], ["TFIDF"], ["SVM"])) == (
        "F1 of 1 weightings with 1 classifiers: none is known yet."
    )
    assert theme.alt(top_terms(["a", "b"], [1.0, -2.0], title="<b>Terms</b>  ▲▼")) == "Terms ▲▼: b −2 and a 1."
    curve = PrecisionRecall("TFRF", "TFRF with SVM", np.ones(2), np.ones(2), np.ones(2), 0.9, (0.5, 0.75), (1.0, 0.25))
    assert theme.alt(precision_recall([curve])) == (
        "Precision against recall on the test documents. TFRF with SVM: average precision .900; at its own threshold "
        "precision .750, recall .500; at the one tried precision .250, recall 1.000."
    )
    assert theme.alt(f1_by_prevalence({"TF": ([3], [0.5], ["a"])}, 10)) == (
        "F1 of every class with test documents over its share of them. TF: F1 .500."
    )


def test_training_runs():
    assert theme.alt(training(HISTORY, stop_reason="It stopped.")) == (
        "Training curves of LTW-L-I over 300 steps: validation F1 is best, .750, at step 200; "
        "the loss goes from .700 to .400. It stopped."
    )
    assert ": validation F1 of the step that is kept, .250, at step 100;" in theme.alt(training(HISTORY, best_step=100))
    assert theme.alt(training([])) == "Training curves of LTW-L-I: no step has been made yet."
    assert theme.alt(overlay([TrainingCurve("seed 0", HISTORY), TrainingCurve("seed 1", [])], mean=HISTORY)) == (
        "Training curves of 2 training runs. "
        "Best validation F1: seed 0 .750 at step 200, seed 1 none and their mean .750 at step 200."
    )
    assert theme.alt(curves_over_steps([100, 200], {"χ²": [0.1, 0.9]}, title="Similarity")) == (
        "Similarity over 200 steps. χ² goes from 0.1 at step 100 to 0.9 at step 200."
    )


def test_functions_along_a_line():
    running = np.array([0.0, 0.25, 0.5, 1.0])
    said = theme.alt(
        slices(running, {"IG": 4 * running, "OR": np.array([0, 3, 0, np.inf])}, along="tpr", at=0.01, p=0.02)
    )
    assert said == (
        "Weight along tpr, at fpr = 1%, Pr(c) = 2%. IG goes from 0 at tpr = 0 to 1 at tpr = 100%. "
        "OR goes from 0 at tpr = 0 to 0 at tpr = 100% (highest is 1 at tpr = 25%)."
    )
    assert theme.alt(dd_curves(np.array([1, 2, 4]), {"f": [1, 2, 4]}, normalise=False)) == (
        "Weight of a term’s frequency in the document. f goes from 1 at 1 occurrence to 4 at 4 occurrences."
    )


@pytest.mark.parametrize(("kind", "name"), [(surfaces, "3D surface"), (contours, "Contour map")])
def test_surfaces(kind, name):
    panels = [
        SurfacePanel("A", GRID.tpr - GRID.fpr, TERMS.tpr - TERMS.fpr),
        SurfacePanel("B", np.ones_like(GRID.tpr), np.array([1.0, 3.0, 2.0])),
        SurfacePanel("C", None, -TERMS.tpr),
    ]
    assert theme.alt(kind(panels, GRID, TERMS, PlaneView(0.1, "corn"))) == (
        f"{name}s of A, B and C for corn over false-positive and true-positive rate over the whole unit square, "
        "with 3 terms as points, prevalence 10%. "
        "A is highest at tpr 100%, fpr 0 and lowest at tpr 0, fpr 100%; it gives for the highest weight. "
        "B is the same everywhere; it gives both, against and for the highest weight."
    )


def test_a_surface_is_told_of_where_terms_lie():
    grid = surface_grid(TERMS.tpr, TERMS.fpr, 0.1, 100, region="square", scale="linear", size=11)
    said = theme.alt(surfaces([SurfacePanel("A", grid.tpr - grid.fpr)], grid, TERMS))
    assert "A is highest at tpr 90%, fpr 0 and lowest at tpr 10%, fpr 90%;" in said  # the corners are extrapolated


def test_terms():
    assert theme.alt(term_map(TERMS, GRID, PlaneView(title="corn"))) == (
        "Map of 3 terms of corn by false-positive and true-positive rate. "
        "Strongest above the diagonal: for. "
        "Strongest below the diagonal: against."
    )
    places = [[1, 2, 3, 4], [4, 1, 2, 3]]  # x moves three places here, but w 81 ranks of all
    chart = bump_chart(["TFRF", "LTW-L-sigma"], [*"xyzw"], places, [[1, 7, 8, 9], [9, 3, 4, 90]], total=99)
    assert theme.alt(chart) == (
        "Order of 4 terms under TFRF and LTW-L-σ. TFRF puts x, y and z first. LTW-L-σ puts y, z and w first. "
        "w moves most: rank 9 under TFRF and 90 under LTW-L-σ, of 99."
    )
