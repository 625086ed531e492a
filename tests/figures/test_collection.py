"""Figures of a collection: JSON without NaN, described, themed; titles of classes shown as text."""

import json

import numpy as np
import pytest
from scipy import sparse

from ltw_core import insight
from ltw_core.figures import document_lengths, label_overlap, label_pairs, prevalence, surface_grid, term_map, theme
from ltw_core.figures import vocabulary_growth as growth_figure
from ltw_core.figures import zipf as zipf_figure
from ltw_core.tasks import TermStatistics

RNG = np.random.default_rng(0)
COUNTS = sparse.csr_array(RNG.poisson(np.broadcast_to(3 / np.arange(1, 400), (60, 399))))
LABELS = sparse.csr_array(RNG.random((60, 6)) < 0.4)
HOSTILE = '<script>alert("x")</script> & <b>bold</b>'
TITLES = ["grain", HOSTILE, "c", "d", "e", "f"]


def figures(counts, labels, base):
    overlap = insight.label_overlap(labels)
    return {
        "growth": growth_figure(insight.vocabulary_growth(counts), base=base),
        "zipf": zipf_figure(insight.zipf(counts), base=base),
        "lengths": document_lengths(insight.document_lengths(counts)[0], base=base),
        "overlap": label_overlap(overlap, [TITLES[k] for k in overlap.classes], selected="c", base=base),
        "pairs": label_pairs(overlap, [TITLES[k] for k in overlap.classes], base=base),
    }


@pytest.mark.parametrize("base", ["light", "dark"])
@pytest.mark.parametrize("name", ["growth", "zipf", "lengths", "overlap", "pairs"])
def test_figures_are_valid_described_and_themed(name, base):
    figure = figures(COUNTS, LABELS, base)[name]
    json.loads(figure.to_json(), parse_constant=lambda value: pytest.fail(f"{value} in JSON"))
    assert theme.alt(figure).endswith(".") and figure.layout.uirevision and figure.layout.height
    assert figure.layout.template.layout.paper_bgcolor == theme.ink(base).paper


@pytest.mark.parametrize("shape", [(0, 4), (1, 4), (3, 1)])
def test_hardly_any_documents_still_make_figures(shape):
    counts = sparse.csr_array(np.ones(shape))
    for figure in figures(counts, sparse.csr_array(np.ones((shape[0], 2), dtype=bool)), "light").values():
        assert "NaN" not in figure.to_json() and "Infinity" not in figure.to_json()


def test_markup_in_titles_is_shown_as_text():
    of_labels = figures(COUNTS, LABELS, "light")
    shown = of_labels["overlap"].to_json() + of_labels["pairs"].to_json()
    shown += prevalence(["a", "b"], [3, 4], 9, titles=["x", HOSTILE], base="light").to_json()
    assert "<script>" not in shown and "&lt;script" in shown.replace("\\u003c", "<")


def test_a_narrow_page_has_the_largest_classes_in_sight():
    overlap = insight.label_overlap(LABELS)
    whole, narrow = (label_overlap(overlap, TITLES, most=most).layout for most in (None, 4))
    assert narrow.xaxis.range == (-0.5, 3.5) and narrow.yaxis.range == (3.5, -0.5)
    assert whole.xaxis.range[1] == len(TITLES) - 0.5 and narrow.height < whole.height


def test_columns_have_the_numbers_of_their_rows_and_cells_their_share():
    labels = sparse.csr_array(np.array([[1, 1], [1, 1], [1, 1], [1, 0], [0, 1], [0, 1]], dtype=bool))
    layout = label_overlap(insight.label_overlap(labels), ["grain", "wheat"]).layout
    assert list(layout.xaxis.ticktext) == ["1", "2"] and layout.xaxis.tickangle == 0
    assert list(layout.yaxis.ticktext) == ["grain  1", "wheat  2"]
    assert {(note.y, note.x): note.text for note in layout.annotations} == {(0, 1): "60", (1, 0): "75"}  # of 5, of 4


def test_lengths_lose_no_document():
    lengths = np.r_[0, 1, 1, 2, 3, 5, 8, 500]
    assert document_lengths(lengths).data[0].y.sum() == 7


def test_density_lies_below_the_terms():
    tp, fp = RNG.integers(0, 40, 300), RNG.integers(0, 900, 300)
    terms = TermStatistics(np.array([f"t{k}" for k in range(300)]), tp, fp, 200, 9200)
    grid = surface_grid(terms.tpr, terms.fpr, 0.02, 9603)
    figure = term_map(terms, grid, density=True)
    assert figure.data[0].name == "density" and np.isfinite(figure.data[0].z).all()
    assert [t.name for t in term_map(terms, grid).data] == [t.name for t in figure.data[1:]]
