import numpy as np
import pytest
import scipy.stats

from ltw_core.corpora import load
from ltw_core.corpora.corpus import assemble
from ltw_core.evaluation import Cancelled, curve_sizes, evaluate, learning_curve
from ltw_core.evaluation.curve_plan import parse_sizes, plan_curve
from ltw_core.evaluation.curve_rows import NOTHING, every_draw
from ltw_core.evaluation.learning_curve import blank_curve, half_width
from ltw_core.tasks import sampled, vectorize


@pytest.fixture(scope="module")
def small():
    return vectorize(load("synthetic", documents=200, noise_terms=60))


def test_sizes_double_from_where_five_of_the_class_are_expected():
    assert curve_sizes(1000, 100) == (50, 100, 200, 400, 1000)  # 800 is too close to 1,000
    assert curve_sizes(9603, 181) == (400, 800, 1600, 3200, 6400, 9603)  # 3.8 of 200, 7.5 of 400
    assert curve_sizes(80, 40) == (10, 20, 40, 80)
    assert curve_sizes(1000, 2) == (1000,)  # never five: all there are


def test_each_figure_is_that_of_its_sample_evaluated_by_hand(small):
    curve = learning_curve(small, "relevant", ("TFIDF", "TFRF"), sizes=(20, 60, small.corpus.n_train), draws=2, seed=3)
    assert curve.f1.shape == (2, 3, 2) and curve.complete
    for s, size in enumerate(curve.plan.sizes):
        for d, seed in enumerate((3, 4)):
            by_hand = evaluate(sampled(small, size, seed).task("relevant"), "TFRF", "SVM", seed=seed)
            assert curve.f1[1, s, d] == by_hand.f1
    assert len(set(curve.f1[1].ravel())) > 2  # else this compares nothing
    assert np.isnan(curve.interval()[0][:, 2]).all()  # the same documents in each draw
    assert np.isfinite(curve.interval()[0][:, :2]).all()


def test_macro_f1_is_over_all_classes_of_the_same_samples(small):
    names = small.class_names
    both = learning_curve(small, None, ("TFIDF",), sizes=(30,), draws=2)
    single = [learning_curve(small, name, ("TFIDF",), sizes=(30,), draws=2) for name in names]
    assert both.f1 == pytest.approx(np.mean([one.f1 for one in single], axis=0))
    assert both.positives_by_class[:, 0].sum(axis=0).tolist() == [30, 30]  # each document has one of the two


def test_a_sample_without_the_class_predicts_nothing_and_counts(small):
    plan = plan_curve(small, "relevant", ("TFIDF",), sizes=(2,), draws=12)
    curve = blank_curve(small, plan)
    one_class = np.isin(curve.positives_by_class[0, 0], (0, 2))
    known = ~np.isnan(curve.f1[0, 0])
    assert one_class.any() and not one_class.all() and (known == one_class).all()
    test = small.labels_of("relevant")[1]
    all_positive = 2 * test.sum() / (test.size + test.sum())
    told = {0: 0.0, 2: all_positive}
    expected = [told[n] for n in curve.positives_by_class[0, 0] if n in told]
    assert curve.f1[0, 0, one_class].tolist() == pytest.approx(expected)
    assert {point.seed for point in curve.points()} == set(np.flatnonzero(~one_class).tolist())


def test_what_no_draw_changes_is_computed_once(small):
    n = small.corpus.n_train
    curve = blank_curve(small, plan_curve(small, "relevant", ("TFIDF", "LTW-L-I"), sizes=(n,), draws=3))
    assert [(p.weighting, p.seed) for p in curve.points()] == [
        *(("TFIDF", 0), ("LTW-L-I", 0), ("LTW-L-I", 1), ("LTW-L-I", 2))
    ]


def test_sizes_in_words():
    assert parse_sizes("50, 100 200") == [50, 100, 200] and parse_sizes(" , ") is parse_sizes(None) is None
    for text, said in (("5O", "'5O'"), ("-1", "'-1'"), ("²", "'²'"), ("9" * 5_000, f"'{'9' * 40}'")):
        with pytest.raises(ValueError, match=f"^{said} is no number of documents; give whole numbers such as 50"):
            parse_sizes(f"50, {text}")


def test_intervals_are_students_and_pair_the_draws():
    values = np.array([[0.5, 0.6, 0.7, np.nan], [0.4, np.nan, np.nan, np.nan]])
    low, high = scipy.stats.t.interval(0.95, 2, loc=0.6, scale=scipy.stats.sem([0.5, 0.6, 0.7]))
    assert half_width(values)[0] == pytest.approx((high - low) / 2)
    assert np.isnan(half_width(values)[1])
    v = vectorize(load("synthetic", documents=200, noise_terms=60))
    curve = blank_curve(v, plan_curve(v, "relevant", ("TFIDF", "TFRF"), sizes=(20,), draws=3))
    curve.f1_by_class[0, :, 0] = [[0.2, 0.5, 0.8], [0.3, 0.6, 0.9]]  # far apart between draws, .1 between weightings
    mean, half = curve.difference("TFRF", "TFIDF")
    assert (mean[0], half[0]) == (pytest.approx(0.1), pytest.approx(0, abs=1e-12))
    assert curve.interval()[0][0, 0] == 0  # an F1 below 0 there is none


def test_it_is_cancelled_within_a_fit_and_refuses_with_a_sentence(small):
    told = []
    with pytest.raises(Cancelled):
        learning_curve(small, "relevant", ("LTW-L-I",), sizes=(60,), on_event=lambda p: told.append(p.message) or True)
    assert len(told) == 1 and told[0].startswith(
        "0 of 5 fits done. LTW-L-I from 60 documents, draw 1 of 5: learning the weighting"
    )
    for options, sentence in (
        ({"weightings": ()}, "there is no weighting to compare"),
        ({"weightings": ("XY",)}, "weighting is 'XY'; it must be one of "),
        ({"sizes": (1, 20)}, "size 1 was given; sizes are numbers of labelled documents, from 2 to the "),
        ({"draws": 0}, "draws is 0; it must be a whole number from 1 to 50"),
        ({"learner": "FT"}, "FT goes with the weighting Dense alone"),
    ):
        with pytest.raises(ValueError, match=sentence):
            learning_curve(small, "relevant", **({"weightings": ("TFIDF",)} | options))


@pytest.mark.parametrize("options", [{"min_df": 2}, {"max_features": 3}, {"min_df": 0.6}])
def test_what_a_sample_lacks_is_judged_by_its_own_terms(options):
    """The documents of the class share no word with any other, so that a sample's own vocabulary may lose them."""
    texts = [f"rare{i} rare{i // 4}x" if i % 4 == 0 else f"common word{i % 3}" for i in range(48)]
    v = vectorize(
        assemble(
            name="made",
            title="Made",
            documents=texts,
            label_sets=[{"rare"} if i % 4 == 0 else {"other"} for i in range(48)],
            train=np.arange(48) < 40,
            origin="made",
        ),
        cache=False,
        **options,
    )
    curve = learning_curve(v, "rare", ("TFIDF",), sizes=(2, 8, 40), draws=8)
    assert curve.complete
    lost = curve.unlearned[0] & (curve.positives_by_class[0] > 0) & (curve.positives_by_class[0] < [[2], [8], [40]])
    assert lost.any()  # of both kinds, and yet nothing to learn from
    for row in every_draw(curve):
        s, d = curve.plan.sizes.index(row["labelled documents"]), row["seed of the draw"]
        assert row["learned"] == (NOTHING if curve.unlearned[0, s, d] else "from the sample")
        assert row["F1"] == 0 or not lost[s, d]
