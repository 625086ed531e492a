"""How texts are set, and which document comes first."""

import numpy as np
import pytest
from scipy import sparse

from pages._ui.documents.reading import at_a_glance, most_disputed, prose, reflowed, trimmed, unruled, unsigned
from pages._ui.documents.shaded_text import FLATTEST, STEEPEST, TYPICAL, power_of

WIRE = """COCOA EXPORTS SEEN HIGHER
    Showers continued throughout the week in the Bahia cocoa
zone, alleviating the drought since early January and improving
prospects for the coming temporao.
    Prices rose.
  Reuter"""


def test_many_line_breaks_cost_nothing():
    text = "\n" * 100_000 + "x"
    assert unsigned(text) == text and unsigned("It rose.\n  REUTER.\n") == "It rose."


def test_a_newswires_lines_go_on_and_its_paragraphs_stay():
    found = reflowed(WIRE)
    assert len(found) == len(WIRE)  # words are found at their places
    assert "cocoa zone, alleviating" in found and "improving prospects" in found
    assert found.count("\n") == 3 and reflowed(WIRE.replace("    ", "")).startswith(
        "COCOA EXPORTS SEEN HIGHER\nShowers"
    )
    assert found.count("\n") == 3 and "HIGHER\n    Showers" in found and "temporao.\n    Prices" in found


def test_an_agencys_name_alone_in_the_last_line_is_no_text():
    assert unsigned(WIRE) == WIRE.removesuffix("\n  Reuter")
    assert unsigned("He was with\nReuter then") == "He was with\nReuter then"


def test_headings_are_not_underlined():
    assert unruled("It is masked.\n\nReturns\n-------\nx : float - - -") == "It is masked.\n\nReturns\nx : float - - -"


def test_what_was_not_broken_by_its_width_stays_as_it_is():
    code = "Return the mean of an array along one of its axes, as an array.\n\n>>> mean([1, 2])\n1.5\n" * 3
    table = "\n".join(f"shr {k} cts     vs {k + 1} cts     net {k},000 mln dlrs     vs {k}" for k in range(5))
    for text in (code, table, "one line", "a short one\nand another\nand a third"):
        assert reflowed(text) == text


PROSE = (
    "The monitor arrived, but its power cable was missing. If anyone knows how to reach the seller I would be glad to "
    "hear of it.\nIt would be a lot more useful to me if I had the cable as well, and a word from him would do. I am "
    "sure that he just set it aside."
)
DOCSTRING = """Variance of the distribution, which has as many dimensions as its scale matrix has rows.

Parameters
----------
df : array_like
    Degrees of freedom, must be greater than or equal to dimension of the scale matrix
scale : ``(p, p)`` array_like
    Symmetric positive definite scale matrix of the distribution (default: ``1``)
"""
FIGURES = "Shr 34 cts vs 1.19 dlrs, net 807,000 vs 2,858,000, and assets 510.2 mln vs 479.7 mln, all of them audited."


def test_a_document_that_reads_as_prose_comes_before_code_and_figures():
    assert prose(PROSE) == 1 and prose("") == 0
    assert prose(DOCSTRING) < 0.4 and prose(FIGURES) == 0

    class Task:
        counts_test = sparse.csr_array(np.ones((4, 9)))
        document = staticmethod(lambda row, part: (DOCSTRING, PROSE, "Short.", PROSE + FIGURES)[row])

    assert at_a_glance(Task(), "test", np.arange(4)).tolist() == [1]
    assert at_a_glance(Task(), "test", np.array([0, 2])).tolist() == [0]  # there is no better one
    assert at_a_glance(Task(), "test", np.array([2])).tolist() == [2]


def test_the_first_document_is_one_on_which_weightings_decide_differently():
    rows = np.array([1, 2, 3])
    vectors = [
        sparse.csr_array(np.eye(4)),
        sparse.csr_array(np.array([[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1.0]])),
    ]
    assert most_disputed(rows, vectors, []) == 2  # at right angles
    decisions = [np.array([1.0, 1, 1, 1]), np.array([-1.0, 1, 1, -1])]
    assert most_disputed(rows, vectors, decisions) == 3  # alike, but only one predicts it
    assert most_disputed(rows, vectors[:1], []) == 1


def test_of_several_empty_lines_one_is_left():
    assert trimmed("\n  \n  One.\n\n \n\nTwo.\nThree.\n\n") == "  One.\n\nTwo.\nThree."


def test_the_middle_word_of_a_document_is_shaded_faintly_under_every_weighting():
    alike, steep = np.array([0.4, 0.5, -0.5, 1.0]), np.array([1e-4, 1e-3, 1e-3, 1.0])
    assert 0.5 ** power_of(alike, 0.0) == pytest.approx(TYPICAL)
    assert power_of(np.array([0.25, 1.0, 1.0, 2.0]), 4.0) == power_of(np.array([0.25, 0.25, 1.0]), 0.0)  # of the top
    assert power_of(steep, 0.0) == FLATTEST and power_of(np.ones(3), 0.0) == STEEPEST  # and all are strongest
    assert power_of(np.zeros(2), 0.0) == 1
