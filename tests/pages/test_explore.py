"""The explore pages on a small corpus: every section, one's own formula, the lab, the reader, bad input."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from ltw_core.weighting import TermWeighting
from tests.pages.conftest import figures, finish_jobs, labelled, open_page, open_workbench, texts

VIEWS = ("Surface", "Map", "Slice", "Ranks", "Film", "Likeness", "Properties")


def view(page, name, key="view"):
    page.session_state[key] = name
    return finish_jobs(page.run())


@pytest.fixture
def functions(app):
    return open_workbench(app, "formulas")


@pytest.fixture
def corpus(app):
    return open_page(app, "data/data")


def test_every_view_of_formulas_alone(functions):
    for name in VIEWS:
        page = view(functions, name)
        assert not page.exception and not page.error, name


def test_formulas_alone_show_the_film_of_an_example_and_the_slices_of_a_learned_surface(functions):
    page = view(functions, "Slice")
    assert page.select_slider(key="slice_at").label == "Slice at fpr"
    page = view(page, "Film")
    assert not page.exception and "This is the film of an example: **LTW-L-I**" in texts(page)
    assert "snapshots of the training run" in texts(page)


def test_transforms_keep_the_ranking_and_change_f1(functions):
    page = view(view(functions, "Properties"), "powers", "alone")
    assert "is 1.0000 for each" in texts(page)
    frame = page.dataframe[0].value
    assert list(frame["rank"]) == sorted(frame["rank"]) and frame["k = ⅓"].iloc[1] > frame["k = 3"].iloc[1]
    assert "Linear SVM, quick grid" in texts(page)


def test_formulas_alone_are_looked_at_as_a_learned_weighting_is(functions):
    shown = {}
    for name in ("Slice", "Ranks", "Likeness"):
        page = view(functions, name)
        shown[name] = {figure["name"] for figure in figures(page)}
    assert shown["Slice"] == {"shapes_slices"} and shown["Ranks"] == {"shapes_ranks"}
    assert shown["Likeness"] >= {"shapes_likeness", "shapes_map"}
    assert "χ² is most like" in texts(page) and "seed" not in texts(page).split("; equal weights")[1].split("Near")[0]
    assert "Never rises as fpr grows" in str(view(functions, "Properties").table[0].value)


def test_what_is_compared_goes_along_when_a_learned_weighting_comes_or_goes(functions):
    functions.multiselect(key="functions").set_value(["BNS", "RF"])
    page = functions.run()
    page = page.selectbox(key="shape_source").set_value("shipped:synthetic-relevant-LTW-L-I").run()
    assert page.multiselect(key="beside").value == ["BNS", "RF"]
    page = page.multiselect(key="beside").set_value(["GSS"]).run()
    page = page.selectbox(key="shape_source").set_value("formulas").run()
    assert page.multiselect(key="functions").value == ["GSS"] and not page.exception


def test_formulas_that_find_no_room_beside_a_learned_weighting_are_told(functions):
    functions.multiselect(key="functions").set_value(["BNS", "RF", "GSS", "IG", "GR", "PMI"])
    functions.session_state["beside"] = [run := "shipped:synthetic-relevant-LTW-L-I"]
    page = functions.run().selectbox(key="shape_source").set_value("shipped:synthetic-relevant-LTW-L-sigma").run()
    assert page.multiselect(key="beside").value == [run, "BNS", "RF", "GSS", "IG"] and not page.exception
    assert page.toast[0].value.endswith("Left out: GR and PMI.")


def test_formulas_alone_without_a_class_are_drawn_over_the_square(app, monkeypatch):
    from pages._ui.reader import selection

    monkeypatch.setattr(selection, "class_name", lambda: None)
    app.query_params["run"] = "formulas"
    for name, words in {
        "Likeness": " is nearest to χ²; the difference keeps",
        "Properties": "Negative correlation",
    }.items():
        app.session_state["view"] = name
        page = app.switch_page("pages/workbench/workbench.py").run()
        assert words in texts(page) and not page.exception and not page.error, name


def test_ranks_of_one_formula_are_at_the_prevalence_that_is_set(app):
    shares = []
    for p in (0.2, 0.9):
        page = open_workbench(app, "formulas", view="Ranks", functions=["CHI2"])
        page = page.select_slider(key="p").set_value(p).run()
        shares.append(page.dataframe[0].value["share"].tolist())
        assert not page.exception and not page.error
    assert shares[0] != shares[1]


def test_formulas_of_ones_own_may_say_the_same_and_have_any_name(app):
    from ltw_core.weighting import Composed
    from pages._ui.reader import own_weightings

    named = [Composed(name, cd="tpr - fpr") for name in ("one", "other", "LTW-L-I")]
    app.session_state["own_weightings"] = {c.name: c for c in named}
    page = open_workbench(app, "formulas", view="Likeness", likeness="classes")
    for composed in named:
        page = page.multiselect(key="functions").set_value([own_weightings.identifier(composed)]).run()
        assert not page.exception and not page.error
        assert composed.name in page.dataframe[0].value["weighting"].tolist()
        assert "Difference" in labelled(page, "button_group", "Likeness").options


def test_what_one_calls_as_a_known_formula_does_not_take_its_place(monkeypatch):
    from ltw_core.weighting import Composed
    from pages._ui.reader import own_weightings

    monkeypatch.setattr(own_weightings.st, "session_state", {})
    own_weightings.keep(Composed("χ²", cd="tpr - fpr"))
    assert list(own_weightings.everything()) == ["χ² (yours)"]


def test_a_former_address_names_the_rate_of_a_slice(app):
    app.query_params["at"] = "0.22"
    page = open_workbench(app, "formulas", view="Slice")
    assert page.select_slider(key="slice_at").value == 0.2


def test_the_lab_writes_formulas_with_its_numbers(functions):
    page = view(view(functions, "Properties"), "table", "alone")
    page.slider(key="lab_tp").set_value(7)
    page = page.run()
    assert not page.exception and not page.error
    latex = " ".join(e.value for e in page.get("latex")) or texts(page)
    assert "7" in latex and r"\max(1" in latex
    for name in ("tp", "fp", "fn", "tn"):
        page.slider(key=f"lab_{name}").set_value(0)
    page = page.run()
    assert not page.exception and "no document at all" in texts(page)


def test_a_doubled_document_by_numbers(functions):
    page = view(view(functions, "Properties"), "document", "alone")
    frame = page.dataframe[0].value.set_index("dd")
    assert frame.loc["1 + ln f", "cosine"] < 0.999 < frame.loc["ln(1 + f/dl)", "cosine"]
    for bad in ("x, y", "0", ",", "1," * 20):
        page.text_input(key="doubled").set_value(bad)
        page = page.run()
        assert not page.exception and len(page.error) == 1


def test_notes_have_the_numbers_of_the_class(functions):
    page = view(view(functions, "Properties"), "formulas", "alone")
    assert "χ² grows with N" in texts(page) and "1,400 documents" in texts(page) and "FP = 0" in texts(page)


def test_a_formula_of_ones_own_is_named_and_used_elsewhere(functions):
    page = view(functions, True, "own_open")
    page.text_input(key="own_formula").set_value("tpr - fpr +")
    page = page.run()
    assert not page.exception and "Column 12" in page.error[0].value and "↑" in page.code[0].value
    page.text_input(key="own_formula").set_value("tpr / (tpr + fpr)")
    page.text_input(key="own_name").set_value("<b>mine</b>")
    page = finish_jobs(page.run())
    assert not page.exception and not page.error
    assert any("cd='tpr / (tpr + fpr)'" in block.value for block in page.code)
    page = finish_jobs(page.button(key="own_keep").click().run())
    (option,) = [o for o in labelled(page, "multiselect", "Formulas").options if "mine" in o]
    page.multiselect(key="functions").set_value(["CHI2", next(_own(page))])
    page = page.run()
    assert option and not page.exception and not page.error

    page = view(open_page(page, "data/data"), "Table", "section")
    assert not page.exception and "<b>mine</b>" in page.dataframe[-1].value.columns
    row = page.dataframe[-1].value.iloc[0]  # χ² as in the map and as by hand, at the numbers of its own row
    tp, fp, fn, tn = (int(row[name]) for name in ("tp", "fp", "fn", "tn"))
    n, sides = tp + fp + fn + tn, (tp + fp) * (fn + tn) * (tp + fn) * (fp + tn)
    assert row["χ²"] == pytest.approx(n * (tp * tn - fp * fn) ** 2 / sides)
    page = view(page, "Documents", "section")
    page.multiselect(key="doc_weightings").set_value([next(_own(page)), "TFRF"])
    page = page.run()
    assert not page.exception and not page.error
    page = open_page(page, "evaluate/classifiers")
    yours = labelled(page, "button_group", "Yours")
    assert next(_own(page)) in yours.value
    yours.set_value([next(_own(page))])
    for key, names in {"utw": [], "stw": ["TFRF"], "ltw": [], "learners": ["SVM"]}.items():
        next(group for group in page.get("button_group") if group.key == key).set_value(names)
    page = finish_jobs(page.run().button(key="evaluate").click().run())
    assert not page.exception and not page.error and len(page.dataframe[-1].value) == 2


def test_test_documents_are_looked_at_when_asked_and_looks_are_counted(functions, monkeypatch):
    from pages._ui.weightings import quick_f1

    looked, real = [], quick_f1.evaluate
    usual = {
        repr(TermWeighting(cd="IDF", dd="log1p")),
        repr(TermWeighting()),
    }  # for the sentence of another test's page

    def look(*given, **more):
        looked.extend({repr(given[1])} - usual)
        return real(*given, **more)

    monkeypatch.setattr(quick_f1, "evaluate", look)
    page = view(functions, True, "own_open")
    page.text_input(key="own_formula").set_value("log2(3 + tp / max(1, 2 * fp))")
    page = finish_jobs(page.run())
    assert not looked and "no test document is looked at" in texts(page) and "held-out" in figures(page)[-1]["alt"]
    page = finish_jobs(page.button(key="own_reveal").click().run())
    assert looked and "**once**" in texts(page) and " test documents, " in texts(page)
    assert " minus RF: " in texts(page) and " minus χ²: " in texts(page)
    assert not [b for b in page.button if b.key == "own_reveal"]  # it is shown
    page.text_input(key="own_formula").set_value("log2(4 + tp / max(1, 2 * fp))")
    page = finish_jobs(page.run())
    assert page.button(key="own_reveal") and "**once**" in texts(page)
    page = finish_jobs(page.button(key="own_reveal").click().run())
    assert "**twice**" in texts(page) and not page.exception and not page.error


def test_files_are_made_without_a_session(functions, monkeypatch):
    """Streamlit makes a file that is asked for in a thread of its own."""
    import streamlit as st

    made, real = {}, st.download_button
    keep = lambda label, data, **k: made.update({label: data}) or real(label, data, **k)  # noqa: E731
    monkeypatch.setattr(st, "download_button", keep)
    view(functions, True, "own_open")
    with ThreadPoolExecutor(1) as pool:
        files = {label: pool.submit(data).result() if callable(data) else data for label, data in made.items()}
    assert "TermWeighting(" in files["Python"] and files["Surfaces (HTML)"].startswith("<")


def _own(page):
    from pages._ui.reader import own_weightings

    return (own_weightings.identifier(c) for c in page.session_state["own_weightings"].values())


def painted(page, heights, number="1"):
    """What the board's browser sends when a stroke has ended."""
    page.session_state["sculpt_board"] = {"drawn": {"id": number, "heights": heights}}
    return finish_jobs(page.run())


def test_a_sculpted_surface_is_drawn_tested_kept_and_transplanted(functions):
    page = view(functions, True, "own_open")
    labelled(page, "button_group", "How").set_value("sculpt")
    page = finish_jobs(page.run())
    assert not page.exception and not page.error
    before = page.dataframe[0].value
    assert "held-out" in figures(page)[-1]["alt"] and len(before) == 12  # it begins with RF
    page = painted(page, [0] * 28 * 29 + [2047] * 29)  # only terms of a tpr near 100% weigh anything
    assert not page.exception and not page.error
    after = page.dataframe[0].value
    assert after["tpr"].iloc[0] > before["tpr"].median()
    del page.session_state["sculpt_board"]  # another page was shown, or another step: what a board holds is gone
    page = finish_jobs(page.run())
    assert not page.exception and page.dataframe[0].value.equals(after)
    page = painted(page, [9999] * 841, "2")  # nonsense is not taken
    assert not page.exception and page.dataframe[0].value.equals(after)
    page.selectbox(key="sculpt_from").set_value("flat")
    page = finish_jobs(page.run())
    assert set(page.dataframe[0].value["weight"].round(3)) == {0.5}
    assert any("weightings_in(Path('my-weighting.json')" in block.value for block in page.code)
    page.text_input(key="own_name").set_value("by hand")
    page = finish_jobs(page.run())
    page = finish_jobs(page.button(key="own_keep").click().run())
    (kept,) = page.session_state["own_weightings"].values()
    assert kept.name == "by hand" and len(kept.heights) == 29
    page.toggle(key="sculpt_transplant").set_value(True)
    page = finish_jobs(page.run())
    assert not page.exception and not page.error and len(page.dataframe) == 2
    page.session_state["scale"] = "linear"
    page = finish_jobs(page.run())
    assert not page.exception and set(page.dataframe[0].value["weight"].round(3)) == {0.5}  # the same on other axes


def test_a_file_of_weightings(functions):
    page = view(functions, True, "own_open")
    uploader = next(u for u in page.file_uploader if u.label == "Weightings")
    uploader.upload(
        "w.json", json.dumps([{"name": "a", "cd": "RF"}, {"name": "b", "cd": "tpr +"}]).encode(), "text/json"
    )
    page = page.run()
    page = next(b for b in page.button if b.label == "Take them").click().run()
    assert not page.exception
    assert page.error[0].value == (
        "This is not a file of weightings\\: the file, value 2 cannot be made\\: cd 'tpr +' cannot be read as a "
        "formula\\: column 6\\: the formula ends where a number, a variable or a function is expected."
    )
    assert page.session_state["own_weightings"] == {}  # all of them or none


def test_every_section_of_the_corpus_page_has_its_own_title(corpus):
    titles = set()
    for name in ("Terms", "Table", "Documents", "Classes", "Collection"):
        page = view(corpus, name, "section")
        assert not page.exception and not page.error, name
        titles.add(page.title[0].value)
        assert ("gray-badge[" in texts(page)) == (name != "Collection"), name  # the class, where it plays a part
    assert len(titles) == 5 and all(title.startswith("Data: ") for title in titles)


def test_all_terms_and_a_term_in_context(corpus):
    page = view(corpus, "Terms", "section")
    reads = page.button(key="example_term")
    labelled(page, "button_group", "Terms").set_value("all")
    page = page.run()
    term = page.multiselect(key="corpus_terms").options[0]
    page.multiselect(key="corpus_terms").set_value([term])
    page = page.run()
    assert not page.exception and not page.error
    assert "of the class and" in texts(page) and len(page.multiselect(key="corpus_terms").options) > 500
    leads = page.button(key="example_term")
    assert not leads.disabled and leads.icon == reads.icon  # one button, before a term is selected and after
    assert all(re.fullmatch(r"Documents with “.+”", each.label) for each in (reads, leads))
    page = leads.click().run()  # to the documents, and the term stays selected
    assert page.session_state["_contexts_asked"] == 1 and page.multiselect(key="corpus_terms").value == [term]


def test_the_reader_finds_documents_and_errors(corpus):
    page = view(corpus, "Documents", "section")
    assert "true labels:" in texts(page) and "The SVM is linear (C\u00a0=\u00a01, not tuned)" in texts(page)
    keys = [each.proto.body for each in page.get("html") if 'class="ltw-shades"' in each.proto.body]
    scale = re.compile(r"weight in the document, own scale: 0 <i .*></i> \.\d\d")
    assert len(keys) == 2 and all(map(scale.search, keys))
    every = len(page.dataframe[-1].value)
    page.selectbox(key="doc_kind").set_value("class")
    page = page.run()
    assert page.dataframe[-1].value["of the class"].eq("✓").all() and every
    page.text_input(key="doc_find").set_value("nosuchword")
    page = page.run()
    assert not page.exception and "document with “nosuchword”" in texts(page)
    page = page.button(key="doc_all").click().run()
    assert page.text_input(key="doc_find").value == "" and not page.exception and "nosuchword" not in texts(page)
    page.text_input(key="doc_find").set_value("")
    page.selectbox(key="doc_kind").set_value("disputed")
    page = page.run()
    said = [each.value for each in page.markdown if "by the SVM: " in each.value]  # at the head of each text
    assert not page.exception and len(said) == 2 and sum("not relevant</b> (" in each for each in said) == 1
    page.selectbox(key="doc_kind").set_value("all")
    page = page.run()
    before = page.session_state["doc_row"]
    page = page.button(key="doc_next").click().run()
    assert page.session_state["doc_row"] != before and not page.exception


@pytest.mark.parametrize(
    "path", ["data/data", "workbench/workbench", "evaluate/classifiers", "learn_by_doing/classroom"]
)
def test_a_corpus_that_comes_between_sidebar_and_page(app, path, monkeypatch):
    """The sidebar finds no corpus and so no class; a moment later the page finds one."""
    from pages._ui import sidebar

    real, missed = sidebar.class_choice, []

    def late(name):
        if missed:
            real(name)
        missed.append(name)

    monkeypatch.setattr(sidebar, "class_choice", late)
    app.session_state["class_of"] = {}
    page = app.switch_page(f"pages/{path}.py").run()
    assert not page.exception and not page.error and len(missed) > 1
    assert labelled(page, "selectbox", "Class").value == "relevant"


def test_what_was_named_is_what_training_can_start_from(app):
    from ltw_core.weighting import Composed

    heights = tuple(tuple(float(i >= j) for j in range(5)) for i in range(5))
    named = [
        Composed("typed", cd="tpr - fpr"),
        Composed("drawn", heights=heights),
        Composed("log", cd="RF", logarithm=True),
    ]
    app.session_state["own_weightings"] = {c.name: c for c in named}
    page = open_workbench(app)
    start = labelled(page, "selectbox", "Start from")
    assert [o for o in start.options if "yours" in o] == [f"pre-trained to {c.name} (yours)" for c in named]
    start.set_value(named[1].function.name)
    page = page.run()
    page.session_state["max_steps"] = 200
    page = finish_jobs(page.button(key="train").click().run())
    assert not page.exception and not page.error


def test_documents_are_shown_under_weightings_that_weigh_terms(app):
    page = open_page(app, "data/data")
    page.session_state["section"] = "Documents"
    page = page.run()
    assert not page.exception
    offered = page.multiselect(key="doc_weightings").options
    assert {"TFRF", "BNS"} <= set(offered) and not {"Dense", "CCA"} & set(offered)


def test_terms_that_are_ticked_are_selected_and_of_all_at_once_the_first(monkeypatch):
    from types import SimpleNamespace

    from pages._ui.data import terms_view
    from pages._ui.reader import selection

    names = [f"t{k}" for k in range(40)]
    task = SimpleNamespace(term_index={name: k for k, name in enumerate(names)})
    monkeypatch.setattr(selection.st, "session_state", state := {"terms": ["elsewhere", "t5"]})
    terms_view._ticked(task, ["t3", "t5"])
    assert state["terms"] == ["elsewhere", "t5", "t3"]
    terms_view._ticked(task, ["t3"])  # what is no longer ticked is not selected; of what is not listed nothing is known
    assert state["terms"] == ["elsewhere", "t3"]
    terms_view._ticked(task, names)
    assert len(state["terms"]) == selection.TERM_LIMIT and set(state["terms"]) < set(names[:13])
    terms_view._ticked(task, [])
    assert state["terms"] == []
