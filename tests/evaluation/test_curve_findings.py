"""Sentences on curves whose figures are put in by hand."""

import csv
import io

import numpy as np
import pytest

from ltw_core.corpora import load
from ltw_core.evaluation.curve_findings import findings
from ltw_core.evaluation.curve_plan import plan_curve
from ltw_core.evaluation.curve_rows import every_draw, summary
from ltw_core.evaluation.learning_curve import blank_curve
from ltw_core.tasks import vectorize


@pytest.fixture(scope="module")
def small():
    return vectorize(load("synthetic", documents=200, noise_terms=60))


def made(small, **values):
    """A curve at 20, 40 and all documents in three draws; ``values`` are means, around which draws lie by ± .1."""
    n = small.corpus.n_train
    curve = blank_curve(small, plan_curve(small, "relevant", tuple(values), sizes=(20, 40, n), draws=3))
    for w, means in enumerate(values.values()):
        for s, mean in enumerate(means):
            curve.f1_by_class[0, w, s] = mean + (np.array([-0.1, 0, 0.1]) if s < 2 else 0)
    return curve


def test_heights_with_their_intervals_and_what_is_needed(small):
    needed, *_, middle, every, _ = findings(made(small, TFIDF=(0.3, 0.5, 0.7), TFRF=(0.5, 0.68, 0.7)))
    n = small.corpus.n_train
    assert middle.startswith("With 40 labelled documents (")
    # t of two degrees of freedom is 4.303; .1 / √3 · 4.303 = .248
    assert middle.endswith(
        "of the class on average) TFRF reaches an F1 of .68 (.43 to .93) and TFIDF .50 (.25 to .75)."
    )
    assert every.startswith(f"With all {n} labelled documents (")
    assert every.endswith("of the class) TFIDF reaches an F1 of .70 and TFRF .70.")
    assert needed == (f"To reach 90% of the F1 with all {n} documents on average, TFRF needs 40 and TFIDF needs all.")


def test_paired_draws_tell_weightings_apart_that_their_own_intervals_do_not(small):
    said = findings(made(small, TFIDF=(0.4, 0.5, 0.7), TFRF=(0.5, 0.6, 0.7)))  # .1 apart in every draw
    assert "TFRF is better than TFIDF at 20 and 40 documents." in said  # with all documents nothing is drawn
    crossing = made(small, TFIDF=(0.4, 0.5, 0.7), TFRF=(0.3, 0.7, 0.7))
    assert "TFRF is better than TFIDF at 40 documents and is worse than it at 20." in findings(crossing)
    crossing.f1_by_class[0, 1, :2] = [[0.6, 0.3, 0.5], [0.7, 0.4, 0.5]]  # the order changes with the draw
    assert "TFRF is not distinguishable from TFIDF at 20 and 40 documents." in findings(crossing)


def test_sizes_that_are_not_finished_are_not_compared(small):
    curve = made(small, TFIDF=(0.4, 0.5, 0.7), TFRF=(0.5, 0.6, 0.7))
    curve.f1_by_class[0, 1, 1, 0] = np.nan  # two of three draws
    assert "TFRF is better than TFIDF at 20 documents." in findings(curve)
    curve.f1_by_class[0, 1, 0, 0] = np.nan
    assert not any("better" in said or "apart" in said for said in findings(curve))


def test_sizes_in_a_row_are_told_by_the_first_and_the_last(small):
    curve = blank_curve(small, plan_curve(small, "relevant", ("TFIDF", "TFRF"), sizes=(20, 30, 40, 50), draws=3))
    curve.f1_by_class[0, 0], curve.f1_by_class[0, 1] = 0.4, [0.55, 0.6, 0.65]
    assert "TFRF is better than TFIDF at all sizes from 20 to 50 documents." in findings(curve)
    curve.f1_by_class[0, 1, 3, 0] = np.nan
    assert "TFRF is better than TFIDF at all sizes from 20 to 40 documents." in findings(curve)


def test_what_is_missing_is_told_and_one_draw_claims_nothing(small):
    curve = made(small, TFIDF=(0.4, 0.5, 0.7), TFRF=(0.5, 0.6, 0.7))
    curve.f1_by_class[0, 1, 1:] = np.nan
    said = findings(curve)
    # three draws at 40, and one with all documents, which no draw changes
    assert "4 figures are not computed yet; means and intervals are of the others." in said
    assert any(text.startswith("With 20 labelled") for text in said) and not any(
        text.startswith("90%") for text in said
    )
    curve.f1_by_class[0, 1] = np.nan
    told = "TFIDF reaches an F1 of .50 (.25 to .75)."  # of what is known, all is told
    assert any(text.endswith(told) for text in findings(curve))
    curve.f1_by_class[:] = np.nan
    assert findings(curve) == []
    one = blank_curve(small, plan_curve(small, "relevant", ("TFIDF", "TFRF"), sizes=(20,), draws=1))
    one.f1_by_class[:] = 0.5
    said = findings(one)
    assert said[-1] == "One sample does not tell how much chance is in it: take more for intervals."
    assert not any("apart" in text for text in said)


def test_rows_hold_every_figure_once_and_what_it_rests_on(small):
    curve = made(small, TFIDF=(0.4, 0.5, 0.7), TFRF=(0.5, 0.6, 0.7))
    rows = list(every_draw(curve))
    assert len(rows) == 2 * (3 + 3 + 1)  # with all documents no draw changes anything
    assert {row["of the class"] for row in rows} == set(curve.positives_by_class.ravel().tolist())
    means = list(summary(curve))
    assert [row["draws"] for row in means] == [3, 3, 1] * 2
    assert means[3]["F1"] == pytest.approx(0.5) and np.isnan(means[2]["low"])
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]))
    writer.writerows(rows)
    assert out.getvalue().count("\n") == len(rows)
