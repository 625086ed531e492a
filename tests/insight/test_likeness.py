"""Documents under a weighting, and what is said of likeness."""

import numpy as np
import pytest
from scipy import sparse

from ltw_core.insight import alignments, centred_gram, likeness, nearest, sample_documents, weighted_documents
from ltw_core.insight.likeness import EQUAL, Likeness
from ltw_core.metrics import decimals
from ltw_core.weighting import TermWeighting

COUNTS = sparse.csr_array(np.random.default_rng(0).poisson(0.6, (40, 12)))
Y = np.arange(40) < 10


def test_documents_are_those_of_the_transformer():
    fitted = TermWeighting(cd="RF").fit(COUNTS, Y)
    expected = fitted.transform(COUNTS)
    np.testing.assert_allclose(weighted_documents(COUNTS, fitted.cd_).toarray(), expected.toarray(), atol=1e-6)
    learned = TermWeighting(dd="log(1+f/dl)", cd="RF").fit(COUNTS, Y)
    made = weighted_documents(COUNTS, learned.cd_, "log(1+f/dl)")
    np.testing.assert_allclose(made.toarray(), learned.transform(COUNTS).toarray(), atol=1e-6)
    assert not weighted_documents(COUNTS, np.zeros(12)).toarray().any()


def test_the_scale_goes_from_no_cd_to_another_seed():
    rng, sample = np.random.default_rng(1), sample_documents(Y)
    learned = rng.uniform(1, 2, 12)
    weights = {EQUAL: np.ones(12), "mine": learned, "seed 1": learned * rng.uniform(0.98, 1.02, 12)}
    weights |= {"near": learned**1.1, "far": rng.exponential(size=12) ** 3}
    found = alignments({name: weighted_documents(COUNTS, w) for name, w in weights.items()}, sample)
    read = likeness("mine", found, ("far", "near"), ("seed 1",))
    assert [name for name, *_ in read.formulas] == ["near", "far"] and read.zero == found.of("mine", EQUAL)
    assert read.ceiling == (found.of("mine", "seed 1"),) * 2 and read.own == found.with_class[1]
    assert read.sentence.startswith("mine is most like near")
    assert likeness("mine", found, ("far",)).sentence.endswith(f"; equal weights {decimals(read.zero, 2)})")
    assert likeness("mine", found, ()).sentence == ""


def test_the_nearest_formula_is_the_one_that_all_alignments_tell():
    rng, sample = np.random.default_rng(2), sample_documents(Y)
    weights = {EQUAL: np.ones(12), "mine": rng.uniform(1, 2, 12), "far": rng.exponential(size=12) ** 3}
    weights |= {"near": weights["mine"] ** 1.1, "seed 1": weights["mine"] + 0.1, "seed 2": weights["mine"] ** 2}
    documents = {name: weighted_documents(COUNTS, w) for name, w in weights.items()}
    read = likeness("mine", alignments(documents, sample), ("far", "near"), ("seed 1", "seed 2"))
    grams = {name: centred_gram(each) for name, each in documents.items()}
    formulas = {name: grams[name] for name in (EQUAL, "far", "near")}
    found = nearest(grams["mine"], formulas, [grams["seed 1"], grams["seed 2"]])
    assert found.formula == "near" == read.formulas[0][0]
    expected = [read.formulas[0][1], read.zero, read.ceiling[0]]
    assert [found.alignment, found.zero, found.ceiling] == pytest.approx(expected, abs=1e-6)
    alone = nearest(grams["mine"], {EQUAL: grams[EQUAL]})
    assert (alone.formula, alone.ceiling) == (None, None) and np.isnan(alone.alignment)


@pytest.mark.parametrize(
    ("read", "said"),
    [
        (
            Likeness("LTW", (("χ²", 0.858, 0.5), ("GR", 0.85, 0.5)), 0.5, 0.742, (0.931, 0.95), 2),
            "LTW is most like χ² and GR: alignment .85 to .86 (1 = the same; equal weights .74, 2 other seeds .93 to "
            ".95): a shape of its own",
        ),
        (
            Likeness("LTW", (("RF", 0.97, 0.5),), 0.5, 0.9, (0.96, 0.96), 1),
            "LTW is most like RF: alignment .97 (1 = the same; equal weights .90, another seed .96): about as "
            "near as two seeds are to each other",
        ),
        (
            Likeness("LTW", (("IDF", 0.71, 0.5),), 0.5, 0.74, None, 0),
            "No formula is more like LTW than equal weights are; IDF comes next: .71 (1 = the same; equal weights .74)",
        ),
    ],
)
def test_what_follows_is_said(read, said):
    assert read.sentence == said
