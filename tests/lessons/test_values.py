"""What lessons compute: measures against a table counted by hand, guesses against answers, the check on a corpus."""

import numpy as np
import pytest
from scipy.stats import chi2_contingency

from ltw_core.lessons import MEASURES, Expression, Question, Text, Values, Verdict, judge, parse
from ltw_core.lessons.check import check_on
from ltw_core.lessons.function_measures import interval
from ltw_core.lessons.guesses import checked, reason, relief
from ltw_core.lessons.hard_document import HardDocument
from ltw_core.lessons.measures import Curve
from ltw_core.lessons.values import said
from ltw_core.metrics import Counts
from ltw_core.weighting.formulas.spline import FINE, knots

REVEAL = "\n\n::: {.reveal for=p}\nSo.\n:::"


def lesson(text: str = "", values: str = ""):
    defined = f"::: {{.values}}\n{values}\n:::\n" if values else ""
    return parse(f"---\ntitle: T\n---\n\n{defined}\n## S\n\nWords.\n\n{text}\n", "own.md")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{{documents}} {{positives}} {{negatives}} {{terms}}", "8 4 4 5"),
        ("{{prevalence}}", "50%"),
        ("{{tp cat}} {{fp cat}} {{fn cat}} {{tn cat}} {{df cat}}", "4 1 0 3 5"),
        ("{{tpr dog}} {{fpr tax}} {{precision cat}}", "50% 75% 80%"),
        ("{{f1 cat}} {{f1 dog}}", ".889 .667"),  # 8 / 9, 4 / 6
        ("{{place cat}}", "tpr 100%, fpr 25%"),
        ("{{best_word 1}} {{best_word 2}}", "cat dog"),
        ("{{typical 1}} {{typical 2}} {{against 1}} {{common 1}}", "cat dog tax cat"),
        ("{{pure 1}}", "dog"),
        ("{{ranking tpr-fpr tax dog cat}}", "cat, dog, tax"),
        ("{{highest tpr-fpr tax dog}}", "dog"),
        ("{{crowd .6 .3}}", "40%"),  # dog and bank: day has an fpr of .5, cat a tpr of 1, tax an fpr of .75
        ("{{rates_known cat}}", "hardly known"),  # of five documents
        ("{{seen_at_most 2}}", "40%"),  # dog and bank
        ("{{class}} in {{corpus}}", "pets in Pets"),
        ("{{test_documents}} {{test_positives}}", "8 4"),
    ],
)
def test_measures_of_terms_are_those_counted_by_hand(task, text, found):
    assert Values(lesson(), task).text(text) == found


def test_chi_square_is_scipys(task):
    """At cat's table: 4 and 0 of the class, 1 and 3 of the rest."""
    expected = chi2_contingency([[4, 0], [1, 3]], correction=False).statistic
    assert Values(lesson("{{weight CHI2 cat}}"), task).text("{{weight CHI2 cat}}") == f"{expected:#.3g}"


def test_a_slice_is_the_function_scaled_to_its_largest(task):
    curve = Values(lesson(), task).value(Expression("slice", ("tpr-fpr", "tpr", ".2"), "curve"))
    assert np.allclose(curve.y, (curve.x - 0.2) / 0.8)


def test_values_with_a_name_stand_for_themselves_and_texts_of_the_corpus_are_escaped(task):
    values = Values(lesson(values="- word = best_word 1"), task, escape=str.upper)
    assert values.text("{{@word}}: {{tp @word}}") == "CAT: 4"


def test_of_an_order_at_another_prevalence_it_is_said_how_far_it_is_that_of_this_class(task):
    """The shares of documents with cat, dog, bank, tax and day are .625, .25, .125, .375 and .5 here, and at Pr(c) = 1%
    .2575, .005, .2475, .7425 and .5: by IDF their ranks are 1, 4, 5, 3, 2 and 3, 5, 4, 1, 2, so 1 - 6 · 10 / 120."""
    values = Values(lesson(), task)
    kept = lambda function: values.value(Expression("order_kept", (function, ".01"), "number"))  # noqa: E731
    assert kept("tpr-fpr") == pytest.approx(1) and kept("IDF") == pytest.approx(0.5)


def test_a_slice_at_another_prevalence_differs(task):
    values = Values(lesson(), task)
    here = values.value(Expression("slice", ("CHI2", "fpr", ".5"), "curve"))
    rare = values.value(Expression("slice_at", ("CHI2", "fpr", ".5", ".01"), "curve"))
    assert np.allclose(here.y[0], 1) and np.allclose(rare.y[0], 1)
    assert rare.y[10] < here.y[10] / 3  # the thin wall of a rare class


def test_the_interval_is_about_that_of_the_recall_where_nothing_is_predicted_in_vain():
    class Subject:
        def result(self, name):
            return Counts(50, 0, 50, 900)

    low, high = interval(Subject(), "TFRF")
    # F1 = 2r / (1 + r) with r the recall; r has a standard deviation of √(.25 / 100) = .05
    assert low == pytest.approx(2 * 0.402 / 1.402, abs=0.02) and high == pytest.approx(2 * 0.598 / 1.598, abs=0.02)


class Decided:
    """Of six test documents, the first three of the class, one weighting finds all but the third and has no false
    alarm, the other finds the third alone, with one: right where the other is not in three documents, and once."""

    class task:
        y_test = np.array([True, True, True, False, False, False])

    def result(self, name):
        from types import SimpleNamespace

        tp, fp, predicted = {"TFRF": (2, 0, [0, 1]), "TFIDF": (1, 1, [2, 5])}[name]
        return SimpleNamespace(tp=tp, fp=fp, fn=3 - tp, tn=3 - fp, f1=2 * tp / (tp + fp + 3), predicted=predicted)


def test_two_weightings_are_compared_on_the_same_test_documents():
    def found(measure, *names):
        return MEASURES[measure].compute(Decided(), *names)

    assert [found(name, "TFIDF") for name in ("test_tp", "test_fp", "test_fn")] == [1, 1, 2]
    assert found("only_right", "TFRF", "TFIDF") == 3 and found("only_right", "TFIDF", "TFRF") == 1
    assert found("gain", "TFRF", "TFIDF") == pytest.approx(0.8 - 0.4)
    assert found("gain_low", "TFRF", "TFIDF") < 0.4 < found("gain_high", "TFRF", "TFIDF")
    assert found("gain_low", "TFRF", "TFIDF") == pytest.approx(-found("gain_high", "TFIDF", "TFRF"), abs=0.05)
    assert found("better_or_luck", "TFRF", "TFIDF") == "cannot be told"
    assert found("better_or_luck", "TFRF", "TFRF") == "cannot be told" and found("gain", "TFRF", "TFRF") == 0


def test_what_the_field_is_led_by_has_the_highest_f1_on_held_out_documents(task):
    values = Values(lesson(), task)
    scores = {name: float(values.text(f"{{{{held_f1 {name}}}}}")) for name in ("1", "CHI2", "RF")}
    best = values.text("{{held_best 1 CHI2 RF}}")
    assert scores[{"χ²": "CHI2"}.get(best, best)] == max(scores.values())
    assert values.text("{{held_gain CHI2 CHI2}} {{held_verdict CHI2 CHI2}}") == ".000 cannot be told"
    gain = float(values.text("{{held_gain CHI2 1}}").replace("−", "-"))
    assert gain == pytest.approx(scores["CHI2"] - scores["1"], abs=0.002)


def test_what_is_learned_is_compared_by_alignment_and_stands_in_the_field(monkeypatch):
    """The measure of the app's line *Nearest*: R² would compare weights, and not what they do to documents."""
    from functools import partial

    from ltw_core import weighting
    from ltw_core.corpora import load
    from ltw_core.insight import alignment, sample_documents, weighted_documents
    from ltw_core.lessons.function_measures import weights_of
    from ltw_core.tasks import vectorize

    monkeypatch.setattr(weighting, "LearnedWeighting", partial(weighting.LearnedWeighting, max_steps=200))
    values = Values(lesson(), vectorize(load("synthetic")).task("relevant"))
    found, counts = values.alignments(0), values.task.counts_train[sample_documents(values.task.y_train).rows]
    rf = weighted_documents(counts, weights_of(values, weighting.CD["RF"]))
    assert found["RF"] == pytest.approx(alignment(values.weighting(0).transform(counts), rf), abs=1e-5)
    nearest = max(("IDF", "CHI2", "IG", "RF"), key=found.get)
    assert values.text("{{learned_nearest 0}}") == {"CHI2": "χ²"}.get(nearest, nearest)
    assert values.text("{{learned_alignment 0}}") == said(found[nearest], "score")
    scores = {name: float(values.text(f"{{{{held_f1 {name}}}}}")) for name in ("1", "RF")}
    learned = float(values.text("{{held_learned_f1 0}}"))
    best = values.text("{{held_best_of 0 1 RF}}")
    assert {"LTW-L-I, seed 0": learned, **scores}[best] == max(learned, *scores.values())
    made = weighting.TermWeighting(cd=values.learned_function(0)).fit(values.task.counts_train, values.task.y_train)
    np.testing.assert_allclose(made.cd_, values.weighting(0).cd_, rtol=1e-4, atol=1e-4)  # at each term's own rates
    value = lambda name, *of: values.value(Expression(name, of, "score"))  # noqa: E731
    gain = value("learned_gain", "0", "TFRF")
    assert gain == pytest.approx(value("learned_test_f1", "0") - value("test_f1", "TFRF"))
    low, high = (value(f"learned_gain_{end}", "0", "TFRF") for end in ("low", "high"))
    assert low <= gain <= high
    said_of_it = "better" if low > 0 else "worse" if high < 0 else "cannot be told"
    assert values.text("{{learned_better_or_luck 0 TFRF}}") == said_of_it


def question(kind, options=(), **settings):
    expression = Expression("documents", (), "count")
    return Question("p", kind, Text("?", 1), 1, options, expression, settings)


def test_numbers_are_close_high_or_low():
    asked = question("number", low=0.0, high=10.0)
    assert judge(asked, 5.9, 5) == Verdict("close", pytest.approx(0.09))
    assert judge(asked, 6.1, 5).name == "high" and judge(asked, 3.9, 5).name == "low"
    assert judge(question("number", low=0.0, high=10.0, close=0.5), 5.6, 5).name == "high"


def test_points_are_near_on_the_axis_that_is_shown():
    asked = question("point", scale="log")
    assert judge(asked, (0.01, 0.2), (0.02, 0.2)).name == "close"  # .3 decades of 4
    assert judge(asked, (0.01, 0.2), (0.2, 0.2)).name == "far"
    assert judge(question("point", scale="linear"), (0.01, 0.2), (0.1, 0.2)).name == "close"
    assert judge(asked, (0, 0.2), (1e-5, 0.2)).distance == pytest.approx(0)


def test_sketches_are_compared_by_their_mean_distance():
    answer = Curve(np.linspace(0, 1, 101), np.linspace(0, 1, 101))
    assert judge(question("sketch"), np.linspace(0, 1, 21), answer).distance == pytest.approx(0)
    flat = judge(question("sketch"), np.full(21, 0.5), answer)
    assert flat.name == "far" and flat.distance == pytest.approx(0.25, abs=0.001)
    walls = Curve(np.linspace(0, 1, 101), np.r_[1, np.zeros(99), 1])  # thin ones weigh nothing in the mean
    one, both = np.r_[1, np.zeros(39), 0.15], np.r_[0.9, np.zeros(39), 0.8]
    assert (
        judge(question("sketch"), one, walls).name == "far" and judge(question("sketch"), both, walls).name == "close"
    )


def test_a_sketch_is_judged_up_to_a_rate_and_by_the_height_of_its_figure():
    x = np.linspace(0, 1, 101)
    answer = Curve(x, np.where(x <= 0.3, 0.0, 1.0))
    flat = np.zeros(41)
    assert judge(question("sketch", to=0.3), flat, answer) == Verdict("close", 0)
    assert judge(question("sketch"), flat, answer).name == "far"
    # a height of .15 is .15 of a figure from 0 to 1, and .075 of one from -1 to 1
    low, high = Curve(x, np.zeros(101)), np.full(41, 0.15)
    assert judge(question("sketch"), high, low) == Verdict("far", pytest.approx(0.15))
    assert judge(question("sketch", low=-1.0), high, low) == Verdict("close", pytest.approx(0.075))


def test_what_is_drawn_or_painted_and_not_near_gets_a_reason_without_the_answer():
    x = np.linspace(0, 1, 101)
    wall = Curve(x, np.where(x <= 0.2, 1.0, 0.0))
    said = reason(question("sketch"), np.zeros(41), wall)
    assert said.startswith("On average your line is 21% of the figure’s height above or below the answer, most of all")
    assert said.endswith("at about 0% on the horizontal axis; near is up to 10%.")
    assert reason(question("sketch", to=0.5), np.zeros(41), wall).endswith("Only the part up to 50% counts.")
    flat, just = Curve(x, np.zeros(101)), np.full(41, 0.1001)
    assert judge(question("sketch"), just, flat).name == "far" and "is 11% of" in reason(question("sketch"), just, flat)
    thin = Curve(x, np.r_[1, np.zeros(99), 1])  # two walls of which one was drawn
    said = reason(question("sketch"), np.r_[1, np.zeros(40)], thin)
    assert (
        said.startswith("On average your line is near, but it misses the answer at about 100% on") and "100% of" in said
    )
    asked = question("surface", scale="linear")

    def rising(tpr, fpr):
        return tpr

    guess = relief(rising, asked)
    assert "correlation of 1.00;" in reason(asked, guess.ravel(), rising)
    assert "correlation of −1.00; near is from .70 up." in reason(asked, (1 - guess).ravel(), rising)
    where = question("point", scale="linear")
    assert reason(where, (0.2, 0.5), (0.6, 0.52)) == "The answer lies more to the right."
    assert reason(where, (0.6, 0.9), (0.2, 0.3)) == "The answer lies lower and more to the left."
    assert "correlation of .00;" in reason(asked, np.zeros(guess.size), rising)
    assert reason(question("number", low=0.0, high=10.0), 3, 5) == ""


def test_orders_are_judged_by_pairs():
    asked, options = question("order"), ["a", "b", "c", "d"]
    assert judge(asked, [0, 1, 2, 3], ["a", "b", "c", "d"], options) == Verdict("right", 0)
    assert judge(asked, [0, 1, 3, 2], ["a", "b", "c", "d"], options) == Verdict("close", pytest.approx(1 / 6))
    assert judge(asked, [3, 2, 1, 0], ["a", "b", "c", "d"], options) == Verdict("far", 1)


def test_a_choice_is_right_where_its_text_is_the_computed_answer(task):
    options = "- [ ] tax\n- [ ] {{highest tpr-fpr cat dog}} (of {{documents}})"
    asked = f'::: {{.predict #p kind=choice answer="highest tpr-fpr cat tax"}}\nWhich?\n\n{options}\n:::'
    read = lesson(asked + REVEAL)
    (asked,) = read.questions()
    values = Values(read, task)
    options = values.options(asked)
    assert [judge(asked, i, values.answer(asked), options).name for i in (0, 1)] == ["wrong", "right"]
    assert check_on(read, task) == []


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("{{tpr zebra}}", 10, "“zebra” is not among the 5 terms"),
        ("{{pure 4}}", 10, "there are only 1."),
        (
            '::: {.predict #p kind=number answer="documents" low=0 high=7}\nN?\n:::' + REVEAL,
            10,
            "between",
        ),
        (
            '::: {.predict #p kind=choice answer="best_word 1"}\n?\n\n- [ ] dog\n- [ ] tax\n:::' + REVEAL,
            10,
            "not one of its options",
        ),
        ("{{ratio CHI2 cat day}}", 10, "there is no ratio"),
    ],
)
def test_what_a_corpus_cannot_answer_is_said_with_its_line(task, text, line, words):
    found = check_on(lesson(text), task)
    assert [mistake.line for mistake in found] == [line] and words in found[0].sentence
    assert "On pets, pets" in found[0].sentence


def test_numbers_are_said_with_three_digits():
    assert [said(v, "number") for v in (1234.5, 0.00012345, 3.14159, 200)] == ["1,234", ".000123", "3.14", "200"]
    assert [said(v, "number") for v in (2.4e-12, -3e-7)] == ["2.40·10⁻¹²", "−3.00·10⁻⁷"]
    assert [said(v, "number") for v in (0.77, -1.2, 2.91e-6, -0.0, 123.4)] == [
        ".770",
        "−1.20",
        ".00000291",
        "0",
        "123",
    ]
    assert [said(v, "number") for v in (0.906, -0.04, 0.9996)] == [".906", "−.0400", "1.00"]
    assert [said(v, "score") for v in (0.906, -0.04, 1)] == [".906", "−.040", "1.000"]
    assert [said(v, "share") for v in (0.5, 1, 0.123456, 0.00012345)] == ["50%", "100%", "12.3%", "0.0123%"]


def test_every_measure_says_what_it_is():
    assert all(found.about and found.gives for found in MEASURES.values())


def test_surfaces_are_judged_by_their_shape():
    """The plane tpr - fpr, low=0: half as high is as good, upside down is not, and a flat one says nothing."""
    question = Question("p", "surface", Text("", 1), 1, answer=Expression("surface", ("tpr-fpr",), "surface"))
    answer = lambda tpr, fpr: tpr - fpr  # noqa: E731
    plane = np.subtract.outer(knots("linear"), knots("linear")).clip(0)
    assert judge(question, (plane / 2).ravel().tolist(), answer) == pytest.approx(("close", 0.0))
    assert judge(question, plane.T.ravel().tolist(), answer).name == "far"
    assert judge(question, [0.5] * FINE**2, answer) == ("far", 0.5)
    assert checked(question, plane.ravel().tolist()) == plane.ravel().tolist()
    for wrong in ([0.0] * 25, [-1.0] * FINE**2, "x"):
        with pytest.raises(ValueError, match="no guess for a question of kind surface"):
            checked(question, wrong)


def test_a_missed_document_is_found_when_its_own_words_weigh_more():
    from ltw_core.corpora import load
    from ltw_core.tasks import vectorize

    task = vectorize(load("synthetic")).task("relevant")
    found = HardDocument(task)
    assert found.terms.tolist() == [t for _, t in sorted(zip(-found.adds, found.terms, strict=True))]
    row = task.counts_train.tocsr()[[found._row]].toarray().ravel()
    assert [row[task.term_index[t]] for t in found.terms] == found.frequency.tolist()
    assert len(found.terms) == (row > 0).sum()
    assert task.y_train[found._row] and task.validation[found._row]
    constant = found.rescored({}) - found.adds.sum()  # a sum over words and a constant
    assert found.rescored({}) == pytest.approx(found.score) and found.rescored({}, 2.0) == pytest.approx(found.score)
    before, after = found.added({}), found.added({found.movable[0]: 5.0})
    assert found.score == pytest.approx(sum(before.values()) + found.constant)
    assert all(abs(after[term]) < abs(before[term]) for term in found.movable[1:])  # they share one length
    assert after[found.movable[0]] > before[found.movable[0]] and before == pytest.approx(found.added({}, 1.0))
    weights, coefficients, bars = map(np.array, zip(*found.by_bar(), strict=True))
    assert np.bincount(bars, weights * coefficients) / np.linalg.norm(weights) == pytest.approx([*before.values()])
    favoured = dict.fromkeys(found.movable[:3], 5.0) | dict.fromkeys(found.movable[3:], 0.0)
    assert found.rescored(favoured, 0.0) > found.score
    assert found.rescored({}, 0.0) == pytest.approx(constant)  # no word is left
    assert found.retrained({})[0] == pytest.approx(found.score, abs=1e-3)
    with pytest.raises(ValueError, match="nothing is left"):
        found.retrained({}, 0.0)


def test_a_surface_is_judged_at_the_terms_alone_where_the_lesson_says_so(task):
    """What is painted upside down where no term lies counts over the square and not at the terms."""
    answer, s = Values(lesson(), task).value(Expression("surface", ("tpr-fpr",), "surface")), task.statistics
    tpr, fpr = np.meshgrid(*[knots("linear")] * 2, indexing="ij")
    empty = (np.maximum(abs(tpr[..., None] - s.tpr), abs(fpr[..., None] - s.fpr)) > 0.15).all(axis=-1)
    square, terms = (question("surface", scale="linear", low=-1.0, **over) for over in ({}, {"over": "terms"}))
    guess = (np.where(empty, -1, 1) * relief(answer, square)).ravel()
    assert judge(square, guess, answer).name == "far"
    assert judge(terms, guess, answer) == ("close", pytest.approx(0, abs=0.05))
    assert reason(terms, -guess, answer).startswith("At the class’s terms, your heights and the answer’s have a corr")
    far = np.zeros((FINE, FINE))
    far[15:17, 15:17] = 1  # between the terms: a spline ripples there
    for flat in (np.zeros(FINE**2), np.where(empty, far, 0).ravel()):
        assert judge(terms, flat, answer) == ("far", 0.5)
