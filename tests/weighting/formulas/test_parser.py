"""The grammar of typed formulas: against the known functions, against Python's own arithmetic, and fuzzed."""

import pickle
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone

from ltw_core.weighting import CD, ExpressionError, TermWeighting, formula
from ltw_core.weighting.formulas.evaluation import CONSTANTS, FUNCTIONS, VARIABLES
from ltw_core.weighting.formulas.parser import DEPTH_LIMIT, LENGTH_LIMIT, is_formula, parse

TPR, FPR = np.array([0.0, 0.2, 0.7, 1.0])[:, None], np.array([0.0, 0.1, 0.5, 1.0])
P, N = 0.2, 100
VOCABULARY = (
    "variables are tpr, fpr, p, N, tp, fp, fn, tn, df, constants e, pi, functions log, ln, log2, log10, sqrt, exp, "
    "abs, sign, min, max"
)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("log2(2 + tp / max(1, fp))", "RF"),
        ("N * p * (1 - p) * (tpr - fpr)**2 / ((df / N) * (1 - df / N))", "CHI2"),
        ("log(N / max(1, df))", "IDF"),
        ("max(0, ln((N - df + 1/2) / (df + .5)))", "BM25"),
        ("p·(1−p)·(tpr−fpr)", "GSS"),
        ("(tp * tn - fp * fn) / N^2", "GSS"),
        ("1", "1"),
    ],
)
def test_known_functions_can_be_typed(text, name):
    np.testing.assert_allclose(formula(text)(TPR, FPR, P, N), CD[name](TPR, FPR, P, N), atol=1e-9)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2 + 3 * 4", 14),
        ("2 - 3 - 4", -5),
        ("2 / 4 / 2", 0.25),
        ("-2**2", -4),
        ("2**3**2", 512),
        ("2**-1", 0.5),
        ("- - 2", 2),
        ("+2", 2),
        (".5e1", 5),
        ("min(3, 1, 2)", 1),
        ("sign(-3) + sqrt(9) + abs(-1)", 3),
        ("e + pi", np.e + np.pi),
        ("1 / 0", 0),
        ("0 / 0", 0),
        ("0**-1", 0),
        ("sqrt(-1)", 0),
        ("(-8)**(1/3)", -2),
        ("exp(1000)", np.exp(230)),
        ("1e99 * 1e99", 1e100),
        ("n", 100),
        ("P", 0.2),
    ],
)
def test_arithmetic(text, value):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert formula(text)(0.5, 0.5, P, N) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("tp", 15), ("fp", 20), ("fn", 5), ("tn", 60), ("df", 35), ("N", 100), ("p", 0.2), ("tpr", 0.75), ("FPR", 0.25)],
)
def test_variables(text, value):
    assert formula(text)(0.75, 0.25, 0.2, 100) == pytest.approx(value)
    assert formula(text)([0.75], [0.25], 0.2, [100, 100]) == pytest.approx([value, value])
    assert formula(text).supervised == (text not in ("N", "df"))


def test_formulas_are_equal_as_their_texts_are():
    assert parse(" tpr + 1 ") == parse("tpr + 1") != parse("tpr+1")
    assert parse(" tpr ").text == "tpr" and repr(parse(" tpr ")) == "Expression(text='tpr')"
    assert len({parse("tpr"), parse(" tpr")}) == 1
    assert parse("tpr + log(df) * pi").variables == {"tpr", "df"}
    values = parse("tpr")(np.array([0.1, 0.2]), 0.5, P, N)
    values[0] = 5  # one's own: no view of what was given


def test_a_formula_says_what_it_is():
    shown = formula(" tpr-fpr ")
    assert (shown.name, shown.symbol, shown.formula) == ("tpr - fpr", "tpr − fpr", "tpr - fpr")
    assert formula("tpr", "mine").symbol == "mine"
    assert shown.signed and shown.supervised and not formula("log(N/df)").supervised


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["-tpr"] * 60),  # signs, powers and parentheses side by side are not within each other
        "(" + "+".join(["-tpr"] * 60) + ")",
        "+".join(["tpr**2"] * 50),
        "+".join(["(tpr)"] * 60),
        "*".join(["(-tpr)"] * 50),
        "max(" + ",".join(["-tpr"] * 8) + ")",
        "(" * (DEPTH_LIMIT - 1) + "tpr" + ")" * (DEPTH_LIMIT - 1),
        "-" * (DEPTH_LIMIT - 1) + "tpr",
        "min(" * (DEPTH_LIMIT - 1) + "tpr" + ")" * (DEPTH_LIMIT - 1),
        "2 * " + "-" * (DEPTH_LIMIT - 1) + "tpr",
        "(1) + " + "(" * (DEPTH_LIMIT - 1) + "tpr" + ")" * (DEPTH_LIMIT - 1),
        "(2 / " + "-" * (DEPTH_LIMIT - 2) + "tpr)",
        "max(1, " + "-" * (DEPTH_LIMIT - 2) + "tpr)",
        "2**" * (DEPTH_LIMIT - 1) + "0",
    ],
)
def test_what_is_not_too_deep(text):
    assert np.isfinite(formula(text)(0.5, 0.1, P, N))


@pytest.mark.parametrize("text", ["(" * DEPTH_LIMIT + "tpr" + ")" * DEPTH_LIMIT, "-" * DEPTH_LIMIT + "tpr"])
def test_what_is_too_deep_by_one(text):
    with pytest.raises(ExpressionError) as caught:
        formula(text)
    sentence = "more than 40 parentheses, signs or powers lie within each other"
    assert str(caught.value) == f"column 41: {sentence}"
    for before, column in (("2 * ", 45), ("(1) + ", 47), ("(2 + ", 45), ("max(1, ", 47), ("2 ** ", 45)):
        with pytest.raises(ExpressionError) as caught:
            formula(before + text)
        assert str(caught.value) == f"column {column}: {sentence}"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(1 + (2", "column 6: this parenthesis is never closed"),
        ("1, 2", "column 2: ',' is not expected here"),
        ("(1, 2)", "column 3: a closing parenthesis is expected, not ','"),
        ("max(1, (2, 3))", "column 10: a closing parenthesis is expected, not ','"),
        ("(1 2)", "column 4: a closing parenthesis is expected, not 2.0; multiplication is written *"),
        ("(tpr fpr)", "column 6: a closing parenthesis is expected, not 'fpr'; multiplication is written *"),
        ("2(3)", "column 2: '(' is not expected here; multiplication is written *"),
        ("pi(3)", "column 3: pi is not a function; multiplication is written *"),
        ("log()", "column 5: a number, a variable or a function is expected, not ')'"),
        ("1 + min()", "column 9: a number, a variable or a function is expected, not ')'"),
        ("1 + min(1,2,3,4,5,6,7,8,9)", "column 5: min takes 1 to 8 arguments, not 9"),
        ("abs(1) + abs(1, 2)", "column 10: abs takes 1 argument, not 2"),
        ("exp + 1", "column 5: exp is a function: its argument goes into parentheses, as in exp(tpr)"),
        ("exp", "column 4: exp is a function: its argument goes into parentheses, as in exp(tpr)"),
        ("tpr + 2 )", "column 9: this parenthesis closes nothing"),
        ("()", "column 2: a number, a variable or a function is expected, not ')'"),
        ("LOG(2)", "column 1: there is no 'LOG'; " + VOCABULARY),
        ("a" * 30, "column 1: there is no '" + "a" * 30 + "'; " + VOCABULARY),
        ("a" * 31, "column 1: there is no '" + "a" * 29 + "…'; " + VOCABULARY),
        ("", "column 1: the formula is empty; an example is log2(2 + tp / max(1, fp))"),
        ("tpr +", "column 6: the formula ends where a number, a variable or a function is expected"),
        ("tpr + * 2", "column 7: a number, a variable or a function is expected, not '*'"),
        ("1" * 401, "column 401: the formula is longer than 400 characters"),
    ],
)
def test_whole_sentences(text, sentence):
    with pytest.raises(ExpressionError) as caught:
        formula(text)
    assert str(caught.value) == sentence


def test_it_broadcasts_and_gives_a_scalar_for_scalars():
    assert formula("tpr")(TPR, FPR, P, N).shape == (4, 4)
    assert formula("3")(TPR, FPR, P, N).shape == (4, 4)
    assert np.ndim(formula("fpr")(0.1, 0.2, P, N)) == 0
    with pytest.raises(ValueError, match="tpr ranges"):
        formula("fpr")(2.0, 0.2, P, N)


@pytest.mark.parametrize(
    ("text", "column", "sentence"),
    [
        ("", 1, "the formula is empty"),
        ("  ", 3, "the formula is empty"),
        ("tpr +", 6, "the formula ends where"),
        ("tpr + * 2", 7, "is expected, not '\\*'"),
        ("2tpr", 2, "multiplication is written \\*"),
        ("2 (tpr)", 3, "multiplication is written \\*"),
        ("tpr(2)", 4, "tpr is not a function"),
        ("log tpr", 5, "its argument goes into parentheses, as in log\\(tpr\\)"),
        ("log(tpr", 4, "this parenthesis is never closed"),
        ("(1 + (2)", 1, "this parenthesis is never closed"),
        ("tpr)", 4, "closes nothing"),
        ("log(1, 2)", 1, "log takes 1 argument, not 2"),
        ("x + 1", 1, "there is no 'x'; variables are tpr"),
        ("tpr > fpr", 5, "for a condition use"),
        ("tpr[0]", 4, "parentheses are round"),
        ("tpr²", 4, "a power is written \\*\\*"),
        ("'a'", 1, "no quotation marks"),
        ("tpr.real", 4, "'.' does not belong"),
        ("tpr ** ^ 2", 8, "is expected"),
        ("__import__('os').system('ls')", 12, "quotation"),
        ("1 + " * 99 + "x\0", 398, "there is no 'x'|U\\+0000"),
        ("(" * 60, DEPTH_LIMIT + 1, "more than 40"),
        ("-" * 60, DEPTH_LIMIT + 1, "more than 40"),
        ("2**" * 60 + "2", 121, "more than 40"),
        ("1" * 300, 1, "the number is larger than"),
        ("9" * (LENGTH_LIMIT + 1), LENGTH_LIMIT + 1, "longer than 400 characters"),
    ],
)
def test_errors_point_at_the_column(text, column, sentence):
    with pytest.raises(ExpressionError, match=sentence) as caught:
        formula(text)
    assert caught.value.column == column and str(caught.value).startswith(f"column {column}: ")
    line, arrow = caught.value.pointer.split("\n")
    assert len(arrow) <= len(line) + 1 and arrow.endswith("↑")


def test_only_a_text_is_a_formula():
    with pytest.raises(ExpressionError, match="a formula is a text, not int"):
        formula(3)


def test_is_formula_tells_names_from_formulas():
    assert [text for text in ("RF", "rf", "LTW-L-I", "", "tpr", "tpr/2", "log(tpr)", "2x") if is_formula(text)] == [
        "tpr",
        "tpr/2",
        "log(tpr)",
        "2x",
    ]


def test_how_it_is_written_out():
    shown = formula("((tpr))-(fpr-(p*2))/sqrt(abs(N))", "mine")
    assert shown.formula == "tpr - (fpr - p * 2) / sqrt(abs(N))" and shown.symbol == "mine"
    assert shown.latex == r"\mathit{tpr} - \frac{\mathit{fpr} - \Pr(c)\cdot 2}{\sqrt{\left|N\right|}}"
    assert formula("2**(tpr+1) + 1e-9*pi").latex == r"{2}^{\mathit{tpr} + 1} + 1\cdot 10^{-9}\cdot \pi"


# ---- fuzzed ----------------------------------------------------------------------------------------------------------

PIECES = [*VARIABLES, *CONSTANTS, *FUNCTIONS, *"+-*/()^,.", "**", "1", "2.5", "1e3", " ", "é", "\0", "x", "0"]


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(PIECES), max_size=60).map("".join)))
@settings(max_examples=400, deadline=None)
def test_whatever_is_typed_is_a_function_or_a_sentence(text):
    try:
        function = formula(text)
    except ExpressionError as error:
        assert 1 <= error.column <= len(text) + 1 and len(str(error)) < 400 and str(error).isprintable()
        assert error.pointer
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        values = function(TPR, FPR, P, N)
    assert values.shape == (4, 4) and np.isfinite(values).all()
    again = parse(function.formula)
    assert again.formula == function.formula and again.variables == function.compute.variables
    np.testing.assert_allclose(again(TPR, FPR, P, N), values, rtol=1e-6)
    assert function.latex


TREES = st.recursive(
    st.sampled_from(["tpr", "fpr", "p", "N", "2", "0.5", "3"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"{t[0]} {t[1]} {t[2]}"),
        inner.map(lambda t: f"-({t})"),
        inner.map(lambda t: f"-{t}"),
        inner.map(lambda t: f"{t}**2"),
        inner.map(lambda t: f"abs({t})"),
    ),
    max_leaves=8,
)


@given(TREES)
@settings(max_examples=200, deadline=None)
def test_it_agrees_with_python_on_what_both_know(text):
    try:
        expected = eval(text, {"__builtins__": {}}, {"tpr": 0.3, "fpr": 0.02, "p": 0.1, "N": 50.0, "abs": abs})
    except OverflowError:
        return
    if len(text) <= LENGTH_LIMIT and abs(expected) < 1e90:
        assert formula(text)(0.3, 0.02, 0.1, 50.0) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_longest_formula_that_is_allowed_is_no_problem():
    function = formula("1+" * (LENGTH_LIMIT // 2 - 1) + "1")
    assert function(0.5, 0.5, P, N) == LENGTH_LIMIT // 2 and len(function.latex) > LENGTH_LIMIT
    nested = formula("(" * (DEPTH_LIMIT - 1) + "tpr" + ")" * (DEPTH_LIMIT - 1))
    assert nested(0.5, 0.1, P, N) == 0.5


# ---- as a weighting --------------------------------------------------------------------------------------------------

X = sparse.csr_array(np.array([[2, 1, 0, 0], [1, 1, 0, 3], [0, 1, 4, 0], [0, 2, 1, 1], [0, 1, 1, 0]], dtype=np.int32))
Y = np.array([True, True, False, False, False])


def test_a_formula_is_a_weighting_like_any_other():
    typed = TermWeighting(cd="log2(2 + tp / max(1, fp))")
    np.testing.assert_allclose(
        typed.fit_transform(X, Y).toarray(), TermWeighting(cd="RF").fit_transform(X, Y).toarray()
    )
    assert clone(typed).get_params() == typed.get_params()
    given_as_function = TermWeighting(cd=formula("tpr - fpr"))
    copied = clone(given_as_function).fit(X, Y)
    np.testing.assert_array_equal(copied.cd_, pickle.loads(pickle.dumps(copied)).cd_)


def test_a_formula_that_does_not_look_at_the_class_needs_no_labels():
    np.testing.assert_allclose(TermWeighting(cd="log(N / df)").fit(X).cd_, TermWeighting(cd="IDF").fit(X).cd_)
    assert not TermWeighting(cd="log(N / df)").__sklearn_tags__().target_tags.required
    assert TermWeighting(cd="tpr / fpr").__sklearn_tags__().target_tags.required
    with pytest.raises(ValueError, match="requires y"):
        TermWeighting(cd="tpr / fpr").fit(X)


def test_a_bad_formula_is_fits_to_report():
    weighting = TermWeighting(cd="tpr +")
    assert not weighting.__sklearn_tags__().target_tags.required
    with pytest.raises(ValueError, match=r"cd 'tpr \+' cannot be read as a formula: column 6: the formula ends"):
        weighting.fit(X, Y)
