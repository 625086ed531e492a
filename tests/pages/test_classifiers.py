"""The classifiers page: cells computed once, seeds, what is behind a cell, and one's own apart from all others'."""

import gc
import json
import re
import threading
import weakref

import pytest

from ltw_core import evaluation
from ltw_core.storage.bounded_cache import BoundedCache
from tests.evaluation.test_tuning import Centroid
from tests.pages.conftest import figures, finish_jobs, labelled, open_page, settled, texts
from tests.waiting import PATIENCE, wait_for

PATH = "evaluate/classifiers"
FEW = {"utw": ["LogTFIDF"], "stw": ["TFRF"], "ltw": []}


@pytest.fixture
def page(app, tmp_path, monkeypatch):
    """The page with a state folder of its own and a plan of two weightings and two classifiers."""
    from ltw_core.studies import shared_cells

    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    shared_cells._opened.cache_clear()
    return choose(open_page(app, PATH))


def choose(page, learners=("SVM", "MNB"), **weightings):
    for key, names in (FEW | weightings).items():
        pills(page, key).set_value(list(names))
    pills(page, "learners").set_value(list(learners))
    return page.run()


def without_meanings(text):
    """A sentence without what its words mean under the pointer."""
    return re.sub("</?abbr.*?>", "", text, flags=re.S)


def pills(page, key):
    return next(group for group in page.get("button_group") if group.key == key)


def evaluate(page):
    page = finish_jobs(page.button(key="evaluate").click().run())
    assert not page.exception and not [error.value for error in page.error]
    return page.run()


def look(page, view):
    pills(page, "look").set_value(view)
    return page.run()


def chosen(page):
    return labelled(page, "selectbox", "Weighting shown").value, labelled(page, "selectbox", "Classifier shown").value


def best(page):
    """What the table begins with: the highest F1."""
    return tuple(page.dataframe[-1].value.iloc[0][["weighting", "classifier"]])


def test_it_says_what_to_do_before_anything_is_computed(page):
    assert "Nothing has been computed" in texts(page)
    assert page.button(key="evaluate").label.startswith("Compute 4 F1 scores, about ")
    page = choose(page, utw=[], stw=[])
    assert page.button(key="evaluate").disabled
    assert page.button(key="evaluate").label == "Choose a weighting and a classifier"
    assert not page.exception


def test_the_rest_is_counted_as_its_button_does_and_what_is_learned_comes_first():
    from pages._ui import jobs
    from pages._ui.evaluate import cell_sentences
    from pages._ui.weightings import estimators

    assert jobs.so_far(18, 30, None) == "18 of 30 known"
    assert jobs.so_far(2, 1030, 120) == "2 of 1,030 known, about 2 min left"
    told = cell_sentences.no_factors(["LogTFIDF", "BM25", "your run"])  # neither a formula of two nor one's own
    assert told == "**BM25**: Saturating occurrences times rarity, corrected for length."
    names = ["LogTFIDF", "LTW-U", "LTW-L-I", "TFRF"]
    assert sorted(names, key=estimators.comes_later) == ["LTW-L-I", "LogTFIDF", "LTW-U", "TFRF"]  # the second: minutes


def test_what_takes_seconds_has_its_f1_before_anybody_asks(app, tmp_path, monkeypatch):
    from ltw_core.evaluation import evaluate
    from ltw_core.service import cells_on_demand
    from ltw_core.service.job_manager import manager_of_idle_work
    from ltw_core.studies import shared_cells
    from pages._ui import jobs
    from pages._ui.evaluate import evaluations

    known = {}

    def computed(task, weightings):  # one, as by the Workbench
        return {key: known.get(key) or known.setdefault(key, evaluate(task, w)) for key, w in [*weightings.items()][:1]}

    monkeypatch.setattr(evaluations.quick_f1, "computed", computed)
    monkeypatch.setattr(evaluations, "UNASKED", ("SVM",))
    monkeypatch.setattr(jobs, "SHORT", 20.0)
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    shared_cells._opened.cache_clear()

    def begun():
        return [job.key for job in manager_of_idle_work().of("test session id", evaluations.KIND)]

    before = begun()
    going, evaluate_cell = threading.Event(), cells_on_demand.evaluate_cell
    monkeypatch.setattr(
        cells_on_demand, "evaluate_cell", lambda *of, **options: going.wait(60) and evaluate_cell(*of, **options)
    )
    page = open_page(app, PATH)
    assert page.button(key="stop_evaluation").label == "Stop"  # beside a bar, as where a reader has asked
    assert not [b for b in page.button if b.key == "evaluate"]
    assert len(page.dataframe[-1].value)  # what the Workbench knows is there at once, and the others come all the same
    assert len(begun()) == len(before) + 1
    assert not [b for b in page.button if b.key == "confusion_tp"]  # nothing opens before all are there
    going.set()
    wait_for(lambda: not any(job.active for job in manager_of_idle_work().of("test session id")), every=0.05)
    page = page.run()
    assert page.button(key="evaluate").label.startswith("Compute 24 more, about ")
    assert page.button(key="evaluate").proto.type == "primary"  # as long as anything is missing
    assert set(page.dataframe[-1].value["classifier"]) == {"SVM"} and len(page.dataframe[-1].value) == 6
    assert [b for b in page.button if b.key == "confusion_tp"]
    begun_once = begun()
    page = choose(page, utw=["BM25", "TFIDF"], stw=[])  # a choice of the reader's own waits for the button
    assert page.button(key="evaluate").label.startswith("Compute 3 more, about ")
    assert begun() == begun_once and not page.exception


def test_what_ends_before_the_page_has_been_drawn_is_shown_at_once(page, monkeypatch):
    from pages._ui.evaluate.evaluations import Evaluation

    start = Evaluation.start

    def start_and_wait(evaluation):
        job = start(evaluation)
        wait_for(lambda: not job.active)
        return job

    monkeypatch.setattr(Evaluation, "start", start_and_wait)
    page = page.button(key="evaluate").click().run()
    assert page.button(key="evaluate").label == "All 4 F1 scores known"


def test_a_learner_registered_from_outside_can_be_chosen(app, page, monkeypatch):
    from ltw_core.evaluation import LEARNERS

    monkeypatch.setitem(LEARNERS, "NC", Centroid())
    page = page.run()
    assert "NC" in pills(page, "learners").options
    page = evaluate(choose(page, learners=["NC"]))
    assert set(page.dataframe[-1].value["classifier"]) == {"NC"}
    study = open_page(app, "evaluate/study")
    study.session_state["study"] = "Run a study"
    assert "NC" in study.run().multiselect(key="run_learners").options


def test_cells_are_computed_once_and_found_by_the_next_reader(page, monkeypatch):
    from ltw_core.service import cells_on_demand
    from pages._ui.weightings import estimators

    monkeypatch.setattr(estimators, "is_learned", lambda name: name == "LogTFIDF")
    page = evaluate(page)
    frame = page.dataframe[-1].value
    assert len(frame) == 4 and frame["F1"].between(0, 1).all() and set(frame["from"]) == {"here"}
    assert page.button(key="evaluate").label == "All 4 F1 scores known" and page.button(key="evaluate").disabled
    settings = frame.loc[frame["classifier"] == "SVM", "chosen setting"]  # without what all have
    assert settings.str.fullmatch(r"C = [\d.e+-]+").all()
    assert '"heatmap"' in figures(page)[0]["figure"]
    for of, low, high in ((r["F1"], *map(float, r["interval"].split(" to "))) for _, r in frame.iterrows()):
        assert low - 5e-4 <= of <= high + 5e-4
    (lead,) = [m for m in page.markdown if without_meanings(m.value).startswith("Test F1 with")]
    said, more = without_meanings(lead.value), lead.proto.help
    assert "**LogTFIDF" in said and "the best, TFRF\u00a0." in said  # what is learned against what "≈" refers to
    assert "test documents of the class" in more and "only the counts" not in more
    formula = "TFRF = (1 + ln tf) × RF"  # what a name stands for: at its cells, and beside the question mark
    assert formula in json.dumps(json.loads(figures(page)[0]["figure"]), ensure_ascii=False)
    assert any(formula in each.help for each in page.caption)

    page = choose(page, learners=("SVM", "MNB", "LR"))
    assert page.button(key="evaluate").label.startswith("Compute 2 more, about ")
    computed = []
    evaluate_cell = cells_on_demand.evaluate_cell
    monkeypatch.setattr(
        cells_on_demand, "evaluate_cell", lambda *a, **o: computed.append(a[0]) or evaluate_cell(*a, **o)
    )
    page = evaluate(page)
    assert [cell.learner for cell in computed] == ["LR", "LR"]
    assert len(page.dataframe[-1].value) == 6


def test_several_seeds_give_a_mean_and_a_standard_deviation(page):
    page = choose(page, learners=["RF"], utw=["TF"], stw=[])
    labelled(page, "slider", "Seeds").set_value(3)
    page = page.run()
    assert page.button(key="evaluate").label.startswith("Compute 3 F1 scores, about ")  # a forest is drawn, TF is not
    page = evaluate(page)
    (row,) = page.dataframe[-1].value.to_dict("records")
    assert row["seeds"] == 3 and 0 <= row["sd"] < 0.5
    assert labelled(page, "selectbox", "Seed").options == ["0", "1", "2"]
    labelled(page, "selectbox", "Seed").set_value(2)
    assert not page.run().exception


def test_the_confusion_matrix_opens_its_documents(page):
    page = evaluate(page)
    counts = {name: page.button(key=f"confusion_{name}").label for name in ("tp", "fp", "fn", "tn")}
    number = {name: int(label.split("**")[1].replace(",", "")) for name, label in counts.items()}
    page = page.button(key="confusion_tn").click().run()
    assert page.button(key="confusion_tn").proto.type == "primary"
    listed = page.dataframe[0].value
    assert len(listed) == min(300, number["tn"])
    assert (listed["score"] <= 0).all() and listed["score"].is_monotonic_increasing
    assert not page.exception and not page.error


def test_another_threshold_gives_other_counts(page):
    page = look(evaluate(page), "threshold")
    assert "ring marks the classifier’s own threshold" in texts(page)
    table = page.table[0].value
    assert table.shape[1] == 1  # nothing is tried yet
    slider = labelled(page, "select_slider", "Threshold")
    assert not any(option.lstrip("−").startswith("0.") for option in slider.options)  # they are written as F1 is
    page = slider.set_value(float(slider.options[-1])).run()
    table = page.table[0].value
    assert table.iloc[:, 1]["true positives"] == table.iloc[:, 1]["false positives"] == "0"
    assert len(figures(page)) == 2 and not page.exception


def test_two_weightings_are_compared(page):
    page = look(evaluate(page), "versus")
    one, other = labelled(page, "selectbox", "Weighting shown").value, labelled(page, "selectbox", "Compare with").value
    assert {one, other} == {"LogTFIDF", "TFRF"}
    told = texts(page)
    (alike,) = re.findall(r"Both are right on ([\d,]+), both wrong on ([\d,]+)\.", told)
    (differ,) = re.findall(r"They differ on ([\d,]+) test document", told)
    assert sum(int(number.replace(",", "")) for number in (*alike, differ)) == 600 and "McNemar" in told
    assert told.count("distance from the hyperplane") == 1 and "p = " not in told  # no line ends there
    assert any("95% interval" in said.help for said in page.markdown)
    assert "is not distinguishable from" in texts(page) or " than " in texts(page)
    page = choose(page, utw=[])
    assert "only one weighting" in texts(page) and not page.exception


def test_learners_that_add_nothing_up_are_told_apart(page):
    page = look(evaluate(choose(page, learners=["KNN"])), "versus")
    assert not page.exception and not page.error
    if "Both are right on" in texts(page):  # they do not agree on all
        assert "classifiers that add terms up" in texts(page)


def test_there_is_a_way_back_from_the_example(page, monkeypatch):
    monkeypatch.setattr("pages._ui.evaluate.evaluation_example.EXAMPLE", ("pydocs", "scipy.stats"))
    before = page.session_state["_dataset"], page.selectbox(key="class-synthetic").value
    page = settled(page.run())
    page = settled(page.button(key="example_figures").click().run())
    assert not page.exception and page.session_state["_dataset"] == "pydocs"
    assert page.selectbox(key="class-pydocs").value == "scipy.stats"
    back = page.button(key="example_back")
    assert back.label.startswith("Back to ")
    page = settled(back.click().run())
    assert not page.exception
    assert (page.session_state["_dataset"], page.selectbox(key="class-synthetic").value) == before
    assert not [button for button in page.button if button.key == "example_back"]


def test_the_chosen_cell_does_not_outlive_its_class(page):
    """A row of the table once stayed chosen by its number, and showed another weighting's counts in the next class."""
    page = evaluate(page)
    assert chosen(page) == best(page)
    other = next(name for name in ("TFRF", "LogTFIDF") if name != chosen(page)[0])
    page = labelled(page, "selectbox", "Weighting shown").set_value(other).run()
    assert chosen(page)[0] == other
    first = page.button(key="confusion_tp").label

    box = page.selectbox(key="class-synthetic")
    other = next(name for name in classes() if name != box.value)
    page = settled(box.set_value(other).run())
    assert not [b for b in page.button if b.key == "confusion_tp"]  # nothing of the other class is shown
    assert "Nothing has been computed" in texts(page)
    page = evaluate(page)
    assert chosen(page) == best(page)  # what was chosen there is not chosen here
    assert page.button(key="confusion_tp").label != first
    page = evaluate(choose(page, stw=["TFCHI"], learners=["SVM"]))
    assert chosen(page) == best(page)


def classes():
    from pages._ui import loading

    return list(loading.vectorized("synthetic").class_names)


def test_a_run_may_be_what_a_method_learns(page, monkeypatch):
    from types import SimpleNamespace

    from pages._ui import loading
    from pages._ui.training import lookup
    from pages._ui.weightings import estimators

    task = loading.task("synthetic", loading.vectorized("synthetic").class_names[0])
    run = SimpleNamespace(changed={}, parameters={"random_state": 0}, problem=SimpleNamespace(ratio=task.ratio))
    monkeypatch.setattr(lookup, "find", lambda token: run)
    assert estimators.same_as("run:abc", task) == "LTW-L-I" and estimators.same_as("TFRF", task) == ""
    run.parameters = {"random_state": 1}
    assert estimators.same_as("run:abc", task) == ""
    run.parameters, run.changed = {"random_state": 0}, {"dropout": 0.5}
    assert estimators.same_as("run:abc", task) == ""


def test_with_which_other_classifiers_it_compares_otherwise():
    from types import SimpleNamespace

    from pages._ui.evaluate import cell_sentences

    behind = {("TFRF", learner): SimpleNamespace(sign=0, value=0.0) for learner in ("SVM", "LR", "RF")}
    behind |= {
        ("LTW-L-I", learner): SimpleNamespace(sign=sign, value=0.03)
        for learner, sign in {"SVM": 0, "LR": 1, "KNN": 1}.items()
    }
    told = cell_sentences.with_others
    assert told("LTW", ("LTW-L-I", "SVM"), behind) == " With LR, LTW is worse than the best."  # KNN has nothing else
    assert told("LTW", ("LTW-L-I", "LR"), behind) == " With SVM, LTW is not distinguishable from the best."
    assert told("TFRF", ("TFRF", "SVM"), behind) == ""
    behind["LTW-L-I", "SVM"].value = 0.0
    assert told("LTW", ("LTW-L-I", "LR"), behind) == " With SVM, LTW is the best."


def test_the_page_is_about_a_run_of_the_readers_before_the_learned_weighting_of_everybody():
    from types import SimpleNamespace

    from pages._ui.evaluate import summaries

    scores = {("TFRF", "SVM"): 0.9, ("LTW-L-I", "SVM"): 0.8, ("LTW-L-I", "LR"): 0.95, ("TFRF", "LR"): 0.7}
    known = {pair: SimpleNamespace(of=lambda _, f1=f1: f1) for pair, f1 in scores.items()}
    assert summaries.asked(known) == ("LTW-L-I", "SVM")  # with the first classifier, whatever is best
    known["run:abc", "SVM"] = SimpleNamespace(of=lambda _: 0.6)
    assert summaries.asked(known) == ("run:abc", "SVM")
    del known["run:abc", "SVM"], known["LTW-L-I", "SVM"], known["LTW-L-I", "LR"], known["TFRF", "LR"]
    assert summaries.asked(known) == ("TFRF", "SVM")


def test_scores_of_ones_own_weighting_outlast_a_reload_and_are_in_no_store(page, tmp_path, monkeypatch):
    from ltw_core.weighting import Composed

    mine = Composed(name="mine", cd="log2(2 + tp)")
    page.session_state["own_weightings"] = {"mine": mine}
    page = page.run()
    only(page, "mine")
    page = evaluate(choose(page, learners=["SVM"]))
    frame = page.dataframe[-1].value.set_index("weighting")
    assert frame["from"].to_dict() == {"mine": "yours", "LogTFIDF": "here", "TFRF": "here"}
    with monkeypatch.context() as patch:  # as if it were a training of one of them, which then is there once
        patch.setattr("pages._ui.weightings.estimators.same_as", lambda name, _: "TFRF" * name.startswith("own:"))
        assert page.run().button(key="evaluate").label == "All 2 F1 scores known"

    from ltw_core.studies.shared_cells import app_store
    from ltw_core.studies.store import Store

    with Store(app_store()) as store:
        assert {record.cell.weighting for record in store.records()} == {"LogTFIDF", "TFRF"}
    del page.session_state["_own_results"]  # as a reload does
    assert only(page.run(), "mine").run().button(key="evaluate").label == "All 3 F1 scores known"
    # another formula under the same name is another weighting
    page.session_state["own_weightings"] = {"mine": Composed(name="mine", cd="log2(3 + fp)")}
    page = only(page.run(), "mine").run()
    assert page.button(key="evaluate").label.startswith("Compute 1 more, about ")
    # until the workbench has computed its F1, which is shown here too
    from pages._ui import loading
    from pages._ui.weightings import quick_f1

    task, made = loading.task("synthetic", "relevant", documents="all"), Composed(name="mine", cd="log2(3 + fp)").make()
    known = evaluation.evaluate(task, made, "SVM", "quick", 0)
    quick_f1._results.put(quick_f1._key(task, made, quick_f1.TEST), known, 1)
    page = page.run()
    assert page.button(key="evaluate").label == "All 3 F1 scores known"
    assert page.dataframe[-1].value.set_index("weighting").loc["mine", "F1"] == known.f1


def only(page, name):
    """Of one's own only this one: other tests of this process may have trained others."""
    yours = labelled(page, "button_group", "Yours")
    yours.set_value([value for value in yours.value if value.startswith(f"own:{name}~")])
    return page


def test_a_failed_cell_is_told_in_a_sentence(page, monkeypatch):
    from ltw_core.service import cells_on_demand

    def broken(cell, *rest):
        raise KeyError("a bug")

    monkeypatch.setattr(cells_on_demand, "vectors_of", broken)
    page = finish_jobs(page.button(key="evaluate").click().run()).run()
    wait_for(lambda: page.run().warning, every=0.1)  # what was asked for is drawn a moment after its job has ended
    assert not page.exception
    assert any("failed unexpectedly" in warning.value for warning in page.warning)
    assert "Traceback" not in texts(page) and "KeyError" not in texts(page)
    assert "better than TFIDF" in texts(page)  # the lead, where no answer takes its place


def test_decisions_are_made_again_when_they_are_no_longer_in_memory(page, monkeypatch):
    from pages._ui.evaluate import decisions_kept

    page = evaluate(page)
    before = page.button(key="confusion_tp").label

    def forget():
        monkeypatch.setattr(decisions_kept, "_decisions", BoundedCache(2**20))
        monkeypatch.setattr(decisions_kept, "_vectors", BoundedCache(2**20))

    forget()
    wait_for(lambda: [b for b in page.run().button if b.key == "confusion_tp"], every=0.2)
    assert page.button(key="confusion_tp").label == before
    forget()  # of two weightings each has a line that says so
    page = look(page, "versus")
    assert not page.exception
    wait_for(lambda: "McNemar" in texts(page.run()), every=0.2)
    assert not page.exception


def test_ended_jobs_hold_no_decisions(page, monkeypatch):
    """They are kept as far as they fit, and an ended job is kept however large its result is."""
    from ltw_core.service.job_manager import manager_of_short_work
    from pages._ui.evaluate import decisions_kept

    class Large:
        bytes = 900_000

    monkeypatch.setattr(decisions_kept, "_decisions", BoundedCache(2**20))
    held = []

    def make(job, on_event):
        made = Large()
        held.append(weakref.ref(made))
        return made

    for name in "abc":
        got = decisions_kept.kept_or_made(name, make, PATIENCE)
        assert isinstance(got, Large)
    jobs = [job for job in manager_of_short_work().of("nobody", decisions_kept.KIND) if job.key in "abc"]
    assert len(jobs) == 3 and {job.status for job in jobs} == {"done"}
    gc.collect()
    assert [one() is not None for one in held] == [False, False, True]


def test_dense_and_cca_are_evaluated_like_any_weighting(page, monkeypatch):
    from ltw_core.weighting import make

    small = {"CCA": {"population": 10, "generations": 1}, "Dense": {"epochs": 10}}
    monkeypatch.setattr("ltw_core.evaluation.vectors.make", lambda name, **k: make(name, **small.get(name, {}), **k))
    page = evaluate(choose(page, learners=["SVM"], utw=[], stw=["TFRF", "Dense", "CCA"]))
    frame = page.dataframe[-1].value
    assert sorted(frame["weighting"]) == ["CCA", "Dense", "TFRF"] and frame["F1"].between(0, 1).all()
    (formula,) = [*page.latex, *page.code]  # a long one is not typeset
    assert "w = " in formula.value and "**CCA’s formula** for this class · depth" in texts(page)
    assert "CCA's formula, of depth" not in texts(page)  # not told twice
    for name, remark in (("CCA", "CCA’s formula"), ("Dense", "fastText’s vectors were learned from")):
        page = labelled(page, "selectbox", "Weighting shown").set_value(name).run()
        assert not page.exception and remark in texts(page)
