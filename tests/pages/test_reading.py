"""How texts are set, and which document comes first."""

import numpy as np
from scipy import sparse

from pages._ui.documents.reading import most_disputed, reflowed, unsigned

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


def test_what_was_not_broken_by_its_width_stays_as_it_is():
    code = "Return the mean of an array along one of its axes, as an array.\n\n>>> mean([1, 2])\n1.5\n" * 3
    table = "\n".join(f"shr {k} cts     vs {k + 1} cts     net {k},000 mln dlrs     vs {k}" for k in range(5))
    for text in (code, table, "one line", "a short one\nand another\nand a third"):
        assert reflowed(text) == text


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
