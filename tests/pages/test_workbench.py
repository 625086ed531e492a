"""The Workbench after a training: what was learned in words, any step of it on the stage, runs as small pictures."""

import json
import re
from types import SimpleNamespace

import numpy as np

from ltw_core.figures import palette
from ltw_core.insight import centred_gram, weighted_documents
from ltw_core.insight.likeness import DD_OF_FORMULAS
from pages._ui import loading
from pages._ui.workbench import likeness_of, shape_properties
from pages._ui.workbench.sparkline import sparkline
from tests.pages.conftest import figures, finish_jobs, open_page, open_workbench, texts
from tests.waiting import wait_for

PAGE = "workbench/workbench"


def sent(page, name):
    """What a component was told, by a word that only its message has."""
    return next(json.loads(e.proto.bytes) for e in page.get("bidi_component") if name in e.proto.bytes[:60])


def verdict(page):
    """The sentence below the title, and its help, as soon as all that they say has been computed."""

    def found():
        said = [each for each in page.run().markdown if "Test F1 (SVM): " in re.sub("<.*?>", "", each.value)]
        return [each for each in said if "Nearest: **" in each.proto.help and "leans most on" in each.proto.help]

    (said,) = wait_for(found, every=0.2)
    assert "<abbr" not in said.value  # a plain sentence: what its words mean is behind its question mark
    return re.sub("<.*?>", "", said.value), said.proto.help


def test_a_training_is_told_in_words_and_can_be_gone_through_step_by_step(app):
    page = open_page(app, PAGE)
    page.number_input(key="max_steps").set_value(400)
    page = finish_jobs(page.button(key="train").click().run())
    said, behind = verdict(page)
    value = r"[.\d]+\s\[[.\d]+\sto\s[.\d]+\]"
    verb = "(Not distinguishable from|Better than|Worse than) "
    own = rf"LTW-L-I \(seed 0\) {value}, χ²\s"
    assert re.match(rf"{verb}.* on this class \(\d+ test documents? of it\)\.Test F1 \(SVM\): {own}", said)
    assert "LogTFIDF\xa0" in said and "LogTF\xa0" in said
    assert "test documents of the class)" in behind
    assert "alignment ." in behind and "equal weights" in behind  # by alignment, with what equal weights have

    (slider,) = [each for each in page.slider if each.label == "Step"]
    kept = slider.value
    assert f"**Kept: step {kept:,}** of 400 · " in texts(page)
    page = slider.set_value(100).run()
    f1 = re.search(r"the network:? ([.\d]+)", str(figures(page)))[1]  # at its curve, too
    shown = f"**Step 100: validation F1 {f1}** (kept: {kept:,})"
    assert shown in texts(page) and not page.exception
    for view in ("Likeness", "Surface"):  # the first has no slider, and the step is the chosen one when it is back
        page.session_state["view"] = view
        page = page.run()
    assert shown in texts(page)
    page = next(each for each in page.slider if each.label == "Step").set_value(0).run()
    assert shown in texts(page) and not page.exception  # nothing was kept of the start

    page.session_state["beside"] = ["IG"]  # told is what it is compared with, once that is known
    wait_for(lambda: ", IG\u00a0" in verdict(page)[0])
    assert " RF\u00a0" not in verdict(page)[0] and " LogTFIDF\u00a0" in verdict(page)[0]

    assert not any(b'"token"' in each.proto.bytes[:60] for each in page.get("bidi_component"))  # it stands above
    (run,) = sent(page.button(key="reset").click().run(), b'"token"')
    assert not run["shown"] and run["name"] == "LTW-L-I · seed 0" and run["about"] == "relevant"
    assert run["src"].startswith("data:image/png;base64,iVBOR") and run["f1"].startswith("val. F1 .")


def test_the_strongest_terms_at_rest_are_the_first_of_the_ranks(app):
    """Both count what a term contributes to the class's documents."""
    page = open_page(app, PAGE)
    page.number_input(key="max_steps").set_value(200)
    page = finish_jobs(page.button(key="train").click().run())
    strongest = listed_terms(page, "live_terms")
    leans = re.search(r"leans most on “(.*?)” \([.\d]+%\)(?:, “(.*?)” \(.*?\))? and “(.*?)” \(", verdict(page)[1])
    assert [term for term in leans.groups() if term] == strongest[:3]  # and the sentence above says the same
    page.session_state["view"] = "Ranks"
    (alt,) = (figure["alt"] for figure in figures(page.run()) if figure["name"] == "shapes_ranks")
    first = re.search(r"LTW-L-I puts (.*?), (.*?) and (.*?) first", alt)
    assert list(first.groups()) == strongest[:3] and len(set(strongest[:3])) == 3
    assert "χ² puts" in alt and "RF puts" in alt and "Choose the others under *Compare with*" in texts(page)


def test_what_is_drawn_of_random_weights_says_so_and_the_key_counts_what_is_bold(app):
    page = open_page(app, PAGE)
    assert "**Train** begins from a network with random weights" in texts(page)
    assert "usually a few seconds" in texts(page)  # nothing was measured yet
    assert "IDF (TFIDF, LogTFIDF)" in page.multiselect(key="beside").options
    page.session_state["view"] = "Ranks"
    page = page.run()
    (ranks,) = (figure for figure in figures(page) if figure["name"] == "shapes_ranks")
    assert "<br>before training" in ranks["figure"]
    bold = ranks["figure"].count('"width":2.5')
    assert bold and f"Bold: the {bold} terms whose rank under LTW-L-I differs most" in texts(page)


def listed_terms(page, name):
    """The first terms of a figure, as its sentence lists them."""
    (alt,) = (figure["alt"] for figure in figures(page) if figure["name"] == name)
    return [re.sub(r" [−.\d].*", "", term) for term in re.split(", | and ", alt.split(": ", 1)[1])]


def test_kept_grams_give_the_same_alignments(app, monkeypatch):
    """They are kept in half precision, and made once."""
    task = loading.vectorized("synthetic").task("relevant")
    weighed = likeness_of.formula_weights(task, task.statistics)
    kept = likeness_of.formula_grams(task, weighed)
    rows = likeness_of.sample_of(task).rows
    exact = {
        name: centred_gram(weighted_documents(task.counts_train[rows], formula.weights, DD_OF_FORMULAS))
        for name, formula in weighed.items()
    }
    both = [np.array(list(grams.values())) for grams in (kept, exact)]
    assert both[0].dtype == np.float32
    assert {gram.dtype.name for gram, _ in likeness_of._grams._kept.values()} == {"float16"}
    np.testing.assert_allclose(both[0] @ both[0].T, both[1] @ both[1].T, atol=2e-5)
    monkeypatch.setattr(likeness_of, "centred_gram", None)
    again = likeness_of.formula_grams(task, weighed)
    assert all(np.array_equal(again[name], gram) for name, gram in kept.items())


def test_the_way_to_a_formula_of_ones_own_is_beside_what_was_learned(app):
    page = open_workbench(app, "example")
    page = page.button(key="write_own").click().run()
    assert not page.exception and page.selectbox(key="shape_source").value == "formulas"
    assert page.toggle(key="own_open").value and page.text_input(key="own_formula").value
    assert not [button for button in page.button if button.key == "write_own"]  # there is the switch


def test_the_small_curve_has_the_axis_of_the_large_one():
    history = [(0, 0.7, 0.04), (100, 0.5, 0.6), (200, 0.4, 0.7), (300, 0.4, 0.72), (400, 0.4, 0.71)]
    assert re.findall(r"<span>([.\d]+)</span>", sparkline(history, {}))[:2] == ["1", "0"]
    drawn = sparkline(history, {"RF": 0.66, "χ²": 0.7})  # it has a name, and so do its dashed lines
    chi, rf = (f'<b style="color:{palette.colour(name)}">' for name in ("CHI2", "RF"))  # as their lines
    assert f"<b>Validation F1</b><span>dashed: {chi}χ² .700</b> · {rf}RF .660</b></span>" in drawn


def test_what_several_formulas_have_alike_of_the_properties_is_said_once():
    def said(**held):
        each = {name: [SimpleNamespace(holds=k < count) for k in range(5)] for name, count in held.items()}
        return shape_properties._sentence(each, untrained=False)

    assert said(A=0, B=2, C=2) == "**A** has none of these 5 properties; B and C have 2 each."
    assert said(A=3, B=2, C=0) == "**A** has 3 of these 5 properties; B has 2 and C has none."
    assert said(A=1, B=0, C=0).endswith("; B and C have none.") and said(A=1).endswith("properties.")
