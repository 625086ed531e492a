"""The parts of the pages that are plain Python."""

import ast
import json
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode, urlsplit

import numpy as np
import pandas as pd
import pytest

from ltw_core.corpora import load
from ltw_core.figures.plain_figure import PlainFigure
from ltw_core.tasks import vectorize
from pages._ui import guard, words
from pages._ui.plots import board, plot, turntable
from pages._ui.reader import selection
from pages._ui.reader.selection import first_class
from pages._ui.result_cache import kept
from pages._ui.workbench import nearest
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("message", "sentence"),
    [
        ("learning_rate must be positive", "Learning\\_rate must be positive."),
        ("", "Something went wrong."),
        ("A.", "A."),
        ("cuda:0 does not work", "cuda\\:0 does not work."),
    ],
)
def test_messages_become_sentences(message, sentence):
    assert guard.capital(message) == sentence


@pytest.mark.parametrize("element", [plot, turntable])
def test_scripts_that_are_sent_as_one_declare_no_name_twice(element):
    text = "".join(element.FOLDER.joinpath(f"{name}.js").read_text("utf-8") for name in element.SCRIPTS)
    names = re.findall(r"^(?:async )?(?:function|const|let|class) (\w+)", text, re.MULTILINE)
    assert len(names) > 40 and sorted(names) == sorted(set(names))


def test_who_paints_sees_a_point_wherever_a_map_has_one(monkeypatch):
    terms = vectorize(load("synthetic")).task("relevant").statistics
    found = {(tp, fp) for tp, fp in zip(terms.tp.tolist(), terms.fp.tolist(), strict=True)}
    dots, names, named = board._points(terms, [str(terms.terms[3]), "no such term"], "log")
    assert len(dots) == 2 * len(found) == 2 * len(names)
    assert [name for *_, name in named] == [str(terms.terms[3])]
    painted = board.Board(np.zeros((29, 29)), "one", terms=terms)
    assert not painted.sampled
    monkeypatch.setattr(board, "POINT_LIMIT", len(found) - 1)
    assert painted.sampled


def test_the_alignment_of_an_earlier_step_is_not_told_once_a_training_has_ended():
    ended, task = (
        SimpleNamespace(source="run:a", key="last", weighting=object()),
        SimpleNamespace(fingerprint="of a test"),
    )
    moving = SimpleNamespace(source="run:a", key="some step", weighting=None)
    of = nearest._of(ended, task)
    nearest._read.put(of, "of some step", 1)
    assert not nearest.to_come(moving, task) and nearest.to_come(ended, task)
    nearest._read.put((*of, "last", True), "of the last", 1)
    assert not nearest.to_come(ended, task) and nearest.known(ended, task) == "of the last"


def test_markup_is_escaped():
    assert guard.plain("<b>x</b> *y* $z$") == "\\<b\\>x\\</b\\> \\*y\\* \\$z\\$"


def test_the_time_told_counts_what_is_computed_before(monkeypatch):
    from pages._ui import jobs

    monkeypatch.setattr(jobs.owners, "current_owner", lambda: "ann")
    for before, seconds, told in (
        ((0, 0.0), 40.2, "about 40 s"),
        ((0, 0.0), None, ""),
        ((1, 62.0), 40.2, "about 40 s, after 1 other computation (about 62 s)"),
        ((2, None), 0.1, "about 1 s, after 2 other computations"),
        ((1, 180.0), None, "after 1 other computation (about 3 min)"),
    ):
        monkeypatch.setattr(jobs, "manager", lambda before=before: SimpleNamespace(before=lambda owner: before))
        assert jobs.takes(seconds) == told


def test_the_view_that_comes_is_named(monkeypatch):
    from pages._ui import sheets

    sent = []
    monkeypatch.setattr(sheets.st, "empty", lambda: SimpleNamespace(html=sent.append))
    monkeypatch.setattr(sheets.st, "session_state", {"scope": "all"})
    assert sheets.hide_old_view() is None
    turning = sheets.turning("scope", {"one": "One class", "all": "All classes"}.get)
    turning["on_change"](*turning["args"])
    assert sheets.hide_old_view() is not None and "content: 'Loading All classes …'" in sent.pop()
    assert sheets.hide_old_view() is None and not sent
    sheets.view_turned()  # by an address
    assert sheets.hide_old_view() is not None and "content: 'Loading …'" in sent.pop()


def test_numbers_in_words():
    percent = [words.percent(share) for share in (0.3, 0.0188, 0.0001)]
    assert percent == ["30%", "1.9%", "0.01%"]
    assert words.count(1, "class", "classes") == "1 class" and words.count(1234, "document") == "1,234 documents"
    assert words.f1(float("nan")) == "–" and words.f1(0.5) == ".500"
    assert words.seconds(200) == "3 min 20 s"


def test_every_word_of_the_glossary_has_a_meaning_a_formula_and_a_source():
    from pages._ui import glossary

    assert 25 <= len(glossary.ENTRIES) <= 50
    assert all(len(e.text) > 20 and e.formula and e.source for e in glossary.ENTRIES)
    forms = [form for e in glossary.ENTRIES for form in (e.term, *e.also)]
    assert len(forms) == len(set(forms))
    needed = {
        "tpr",
        "fpr",
        "prevalence",
        "cd",
        "dd",
        "canonical form",
        "validation F1",
        "patience",
        "cell",
        "grid",
        "seed",
    }
    assert needed <= set(forms)
    assert all(f"<dt>{e.term}</dt>" in glossary.listing() for e in glossary.ENTRIES)  # other forms stand below
    assert "<span>also: true positive rate</span>" in glossary.listing()
    interval = "95% interval|95% intervals|confidence interval|bootstrap|paired bootstrap|not distinguishable"
    assert f'data-forms="{interval}"' in glossary.listing()
    for formula, seen in {
        "cd(t) = a function of N, a · 10⁻": "cd(<i>t</i>) = a function of <i>N</i>, <i>a</i> · 10<sup>−</sup>",
        "L: tpr_F W₁; F1 of an LTW-L-I": "L: tpr<sub><i>F</i></sub> <i>W</i><sub>1</sub>; F1 of an LTW-L-I",
    }.items():
        assert glossary.typeset(formula) == seen


def test_where_a_word_is_seen_is_there():
    from ltw_core.lessons import read_lesson
    from pages._ui import glossary, glossary_list
    from pages._ui.learn_by_doing import lesson_files, vocabulary

    lessons, known = {}, vocabulary.vocabulary()
    for number, path in enumerate(sorted(lesson_files.SHIPPED.glob("*.md")), 1):
        lessons[lesson_files.name_of(path)] = number, read_lesson(path, known).steps
    labels = {"classifiers?scope=one": "Classifiers, one class", "classifiers?scope=all": "Classifiers, all classes"}
    labels["workbench?view=Likeness"] = "Workbench, Likeness"
    for group, views in study_views().items():
        for view in views:
            asked = {"study": group, f"study_{group.lower().split()[0]}": view}
            labels[f"study?{urlencode(asked)}"] = f"Studies, {view}"
    unnamed = set()
    for entry in filter(lambda e: e.seen, glossary.ENTRIES):
        label, address = entry.seen
        parts = urlsplit(address)
        assert parts.path in glossary_list.PAGES
        if parts.path == "lessons":
            asked = dict(parse_qsl(parts.query))
            number, steps = lessons[asked["lesson"]]
            assert label == f"Lesson {number}, step {asked['step']}" and int(asked["step"]) <= len(steps)
            forms = "|".join(re.escape(form) for form, of in glossary.BY_FORM.items() if of is entry)
            if not re.search(rf"(?<!\w)({forms})(?!\w)", str(steps[int(asked["step"]) - 1])):
                unnamed.add(entry.term)
        else:
            assert labels[address] == label
    # shown there, in other words: four boxes, a network that learns weights, whether a difference is more than luck, …
    assert unnamed == {
        "contingency table",
        "supervised term weighting",
        "Learning to Weight",
        "McNemar’s test",
        "Wilcoxon test",
    }


def study_views():
    """The views of the Studies page by group, as its file has them: run, it would be a page."""
    tree = ast.parse((ROOT / "pages/evaluate/study.py").read_text("utf-8"))
    of = next(n.value for n in tree.body if isinstance(n, ast.Assign) and n.targets[0].id == "VIEWS")
    return {group.value: [view.value for view in views.keys] for group, views in zip(of.keys, of.values, strict=True)}


def test_a_word_is_explained_where_it_first_stands():
    from pages._ui.glossary import glossed, with_meanings

    text = glossed("A *tpr* and another tpr; validation F1 is not F1, and transform no form.")
    assert text.count('<abbr class="ltw-word"') == 3 and "&#10;tpr = TP / (TP + FN)&#10;Paper: Equation 11" in text
    assert ">validation F1</abbr> is not <abbr" in text
    assert glossed("Nothing to explain.") == "Nothing to explain."
    assert glossed("*Learning to Weight for Text Classification*").count("<abbr") == 0
    assert with_meanings("How many.", "Seeds").startswith("How many.\n\n**seed**: ")
    assert with_meanings("", "Name") == ""


def test_references_are_read_as_they_are_written():
    from pages._ui.weightings.reference import METHOD, OWN, RUN, SHIPPED, Reference

    for text, kind, name in (
        ("TFRF", METHOD, "TFRF"),
        ("run:abc", RUN, "abc"),
        ("own:a: b~12", OWN, "a: b~12"),
        ("shipped:pydocs-x", SHIPPED, "pydocs-x"),
    ):
        assert Reference.parse(text) == (kind, name) and str(Reference(kind, name)) == text


def test_arrays_travel_as_float32():
    figure = PlainFigure()
    figure.add("surface", z=np.zeros((4, 4)))
    sent = json.loads(figure.to_json())
    assert sent["data"][0]["z"]["dtype"] == "f4"


def test_the_first_class_is_neither_tiny_nor_huge():
    assert first_class("elsewhere", {"a": 1000, "b": 55, "c": 1}) == "b"
    assert first_class("reuters21578", {"earn": 2877, "corn": 181}) == "corn"


def test_the_start_page_needs_no_torch():
    code = "import sys, ltw_core.figures, ltw_core.studies.examples as e; e.examples()\n"
    code += "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_a_class_gets_fewer_pictures_than_a_few_readers(monkeypatch):
    from pages._ui.reader import owners

    tabs = {f"browser {k}": {f"its tab {k}"} for k in range(owners.FEW)}
    monkeypatch.setattr(owners, "_sessions", tabs | {"its tab 0": {"its tab 0"}, "who has gone": set()})
    assert (owners.sessions_present(), owners.paced(0.5), owners.rest_after(0.5)) == (owners.FEW, 0.5, 0)
    tabs = {**tabs, "one more": {"tab"}}
    monkeypatch.setattr(owners, "_sessions", tabs)
    assert (owners.paced(0.5, 2), owners.paced(1)) == (1, 3)
    for at_work, rests in ((0, 1.5), (1, 1.5), (2, 3.0)):  # training runs
        monkeypatch.setattr(owners, "manager", lambda at_work=at_work: SimpleNamespace(counts=lambda: (at_work, 0)))
        assert owners.rest_after(0.5) == rests


def test_the_end_of_a_training_waits_a_moment_for_what_it_comes_to(monkeypatch):
    from ltw_core.service.job_manager import manager_of_idle_work
    from pages._ui.workbench import answers, training_view

    found = threading.Event()
    job = manager_of_idle_work().submit("ann", "f1", "of the end", lambda job: found.wait(20))
    monkeypatch.setattr(answers, "ask", lambda option, task: [job])
    long = time.monotonic() + 60
    assert training_view._waits_for_answer("run:1", None, long)
    assert not training_view._waits_for_answer("run:1", None, time.monotonic())  # it takes too long
    found.set()
    wait_for(lambda: not job.active)
    assert not training_view._waits_for_answer("run:1", None, long)


def test_figures_are_told_apart_by_their_terms():
    from pages._ui.plots.cached_figures import _digests, content_key

    terms = np.array(["oats", "wheat"], dtype=object)
    spoken = content_key(("map", (terms,), {"p": 0.1}))
    assert spoken == content_key(("map", (terms.copy(),), {"p": 0.1}))
    assert spoken != content_key(("map", (np.array(["oats", "rye"], dtype=object),), {"p": 0.1}))
    assert spoken != content_key(("map", (terms,), {"p": 0.2}))
    number = id(terms)
    assert number in _digests
    del terms
    assert number not in _digests  # nothing is kept of arrays that are gone


def test_a_row_of_a_table_can_be_chosen_and_its_columns_are_those_on_file(monkeypatch):
    from pages._ui import tables

    given, chosen = {}, []
    monkeypatch.setattr(tables.st, "dataframe", lambda frame, **options: given.update(options))
    monkeypatch.setattr(tables.st, "session_state", {"class_table": {"selection": {"rows": [1]}}})
    tables.table(
        pd.DataFrame(), "class_table", "Classes", chosen.append, {"more": {"label": "of the page"}}, height=100
    )
    given["on_select"]()
    assert chosen == [1] and given["height"] == 100 and given["selection_mode"] == "single-row"
    assert (
        given["column_config"]["share"]["label"] == "Pr(c)" and given["column_config"]["more"]["label"] == "of the page"
    )
    tables.table(pd.DataFrame(), "class_table", "Classes", chosen.append, at=4)  # chosen elsewhere: its row is ticked
    assert tables.st.session_state["class_table"]["selection"]["rows"] == [4]
    assert given["selection_default"]["selection"]["rows"] == [4]  # and where it is put up once more
    assert given["selection_mode"] == tables.READ_ONE
    tables.table(pd.DataFrame(), "class_table", "Classes", chosen.append, at=[0, 2])  # of several all are told
    assert given["selection_mode"] == "multi-row" and given["selection_default"]["selection"]["rows"] == [0, 2]
    given["on_select"]()
    assert chosen == [1, [0, 2]]
    tables.table(pd.DataFrame(), "term_table", "Terms")
    labels = {name: column["label"] for name, column in given["column_config"].items()}
    assert labels["term"] == "Term" and labels["tpr"] is labels["tp"] is None  # a symbol is written as it is


def test_what_is_made_while_all_is_forgotten_is_not_found_later():
    made = []

    @kept(4)
    def value(number: int) -> int:
        made.append(number)
        if len(made) == 1:
            value.clear()  # by another thread, in the middle of it
        return len(made)

    assert [value(7), value(7), value(7)] == [1, 2, 2] and made == [7, 7]


def test_while_another_dataset_is_read_no_title_names_the_class_of_the_one_before(monkeypatch):
    state = {"_dataset": "one", "class_of": {"one": "a", "two": "b"}}
    monkeypatch.setattr(selection.st, "session_state", state)
    selection.name_class("Class A")
    assert selection.class_title() == "Class A"
    state["_dataset"] = "two"  # and a class of it is known, as from an example on Start
    assert selection.class_title() == ""
    selection.name_class("Class B")
    assert selection.class_title() == "Class B"
