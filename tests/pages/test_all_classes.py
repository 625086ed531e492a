"""The classifiers page with all classes at once: computed in the background, its heat map opens documents."""

import csv
import io
import json
import random
import threading
import time
from types import SimpleNamespace

import pytest

from ltw_core.storage.bounded_cache import BoundedCache
from ltw_core.weighting import Composed, LearnedWeighting
from pages._ui.evaluate.all_classes_confusion import cell_picked
from tests.pages.conftest import figures, finish_jobs, open_page, texts
from tests.waiting import wait_for

PATH = "evaluate/classifiers"


@pytest.fixture(autouse=True)
def _a_server_that_knows_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("LTW_STATE", str(tmp_path))
    restart(monkeypatch)


def restart(monkeypatch):
    """What a server has in memory is gone."""
    from pages._ui.evaluate import all_classes, decisions_kept

    monkeypatch.setattr(all_classes, "_results", BoundedCache(2**20))
    monkeypatch.setattr(decisions_kept, "_decisions", BoundedCache(2**20))


@pytest.fixture
def page(app):
    return all_classes_of(open_page(app, PATH))


def all_classes_of(page, *weightings):
    choice(page, "scope").set_value("all")
    page = page.run()
    return weigh(page, *weightings) if weightings else page


def weigh(page, *names):
    """The page with these weightings chosen, each in its family."""
    for kind in ("utw", "stw", "ltw", "several"):
        group = choice(page, f"all_{kind}")
        group.set_value([name for name in group.options if name in names])
    return page.run()


def choice(page, key):
    return next(group for group in page.get("button_group") if group.key == key)


def computed(page):
    page = finish_jobs(page.button(key="evaluate_all").click().run()).run()
    assert not page.exception and not [error.value for error in page.error]
    return page


def scores_of(page):
    """The table of all scores, last on the page."""
    return next(frame.value for frame in page.dataframe if "macro F1" in frame.value)


def with_documents(page):
    """The page when the documents behind a cell are there."""
    for _ in range(100):
        if "Classifying the test documents again" not in texts(page.run()):
            break
        time.sleep(0.1)
    assert not page.exception and not page.error and "Test document" in texts(page)
    return page


@pytest.mark.parametrize("meanwhile", ["the button is pressed", "the page is drawn"])
def test_what_ends_before_the_page_has_been_drawn_is_shown_at_once(page, monkeypatch, meanwhile):
    from pages._ui.evaluate.all_classes import AllClasses

    page = weigh(page, "TFRF")
    if meanwhile == "the button is pressed":
        start = AllClasses.start
        monkeypatch.setattr(AllClasses, "start", lambda *asked: ended(start(*asked)))
    else:  # between the button's results and what is drawn below
        results, going = AllClasses.results, threading.Event()
        held(monkeypatch, going)
        page.button(key="evaluate_all").click().run()
        assert page.button(key="stop_evaluation").label == "Stop"

        def results_then_end(asked):
            found = results(asked)
            going.set()
            ended(asked.job())
            return found

        monkeypatch.setattr(AllClasses, "results", results_then_end)
    pressed = meanwhile == "the button is pressed"
    page = page.button(key="evaluate_all").click().run() if pressed else page.run()
    assert page.button(key="evaluate_all").label == "All 1 combination known"


def ended(job):
    for _ in range(1000):
        if not job.active:
            return job
        time.sleep(0.01)
    raise AssertionError("the job goes on")


def held(monkeypatch, going):
    """Have classifiers of all classes wait for an event before they are trained."""
    from pages._ui.evaluate import all_classes

    train = all_classes.evaluate_multiclass

    def wait_and_train(*args, **options):
        assert going.wait(60)
        return train(*args, **options)

    monkeypatch.setattr(all_classes, "evaluate_multiclass", wait_and_train)


@pytest.mark.parametrize("known", [[], ["TFRF"]])
def test_what_takes_a_second_is_there_before_anybody_asks(app, monkeypatch, known):
    from ltw_core.service.job_manager import manager_of_idle_work
    from pages._ui import jobs
    from pages._ui.evaluate import all_classes

    idle = manager_of_idle_work()
    idle.forget_owner("test session id")
    page = all_classes_of(open_page(app, PATH), *known)
    if known:
        page = computed(page)
    trained, train = [], all_classes.evaluate_multiclass
    monkeypatch.setattr(
        all_classes, "evaluate_multiclass", lambda *of, **options: trained.append(of[1]) or train(*of, **options)
    )
    page = weigh(page, *all_classes.FIRST)
    assert [b for b in page.button if b.key == "evaluate_all"] and not idle.of("test session id", all_classes.KIND)
    monkeypatch.setattr(jobs, "SHORT", 100.0)  # seconds that all of it may take
    page = page.run()
    wait_for(lambda: not any(job.active for job in idle.of("test session id")), every=0.05)
    page = page.run()
    assert page.button(key="evaluate_all").label == "All 5 combinations known" and not page.exception
    assert sorted(trained) == sorted(set(all_classes.FIRST) - set(known))
    assert any(figure["name"] == "macro-f1" for figure in figures(page))
    before = len(idle.of("test session id", all_classes.KIND))
    page = weigh(page, "TFIG")  # a choice of the reader's own waits for the button
    assert len(idle.of("test session id", all_classes.KIND)) == before
    assert page.button(key="evaluate_all").label.startswith("Compute TFIG with SVM")
    assert page.button(key="evaluate_all").proto.type == "primary"  # of it nothing is shown


def test_results_and_documents_of_a_cell(page):
    assert not page.exception and "Macro F1 with SVM" in [header.value for header in page.header]
    assert "better than TFIDF" in texts(page)
    (waiting,) = figures(page)  # the figure to come, beside the classes: a row for each, and no score
    assert "TFCHI" in waiting["figure"] and "there is none" in waiting["alt"] and texts(page).count("TFCHI") == 1
    classes = page.dataframe[0].value  # nothing of this corpus is in the shipped studies
    assert list(classes.columns) == ["class", "training documents", "share", "test documents"]
    assert classes["training documents"].is_monotonic_decreasing
    page = weigh(page, "TFRF", "TFIGM")
    assert page.button(key="evaluate_all").label.startswith("Compute TFRF and TFIGM with SVM on all classes, about ")
    page = computed(page)
    frame = scores_of(page)
    assert set(frame["weighting"]) == {"TFRF", "TFIGM"} and frame["accuracy"].between(0, 1).all()
    assert frame["macro F1"].is_monotonic_decreasing
    # of these and of no others
    verdict = "one weight per term for all classes: **TFIGM** .995 is better than TFRF\u00a0.984. No learned weighting"
    assert f"Macro F1 with SVM, {verdict}" in texts(page)
    assert dict(zip(frame["weighting"], frame["policy"], strict=True)) == {"TFRF": "max", "TFIGM": "–"}
    assert any(figure["name"] == "macro-f1" for figure in figures(page))
    assert page.button(key="evaluate_all").label == "All 2 combinations known"
    assert {"TFRF · max with SVM", "TFIGM with SVM"} == set(page.selectbox(key="all_shown").options)
    assert any(figure["name"] == "confusion-of-all" for figure in figures(page))
    page.selectbox(key="all_true").set_value(0)
    page.selectbox(key="all_predicted").set_value(0)
    page = page.run()
    assert not page.exception and "Test document" in texts(page) and "Largest contributions" in texts(page)
    page = weigh(page, "TFRF", "TFIGM", "LTW-L-I")  # what the page asks about is lacking, and said to be
    assert "**Compute** adds the learned weighting." in texts(page)
    assert page.button(key="evaluate_all").proto.type == "primary"


def test_rows_wait_for_their_scores_where_studies_have_none(page, monkeypatch):
    going = threading.Event()
    held(monkeypatch, going)
    try:
        page = weigh(page, "TFIGM", "BM25")
        assert "The 2 classes, largest first" in [header.value for header in page.header]
        page = page.button(key="evaluate_all").click().run()
        (waiting,) = (figure for figure in figures(page) if figure["name"] == "macro-f1")
        assert "TFIGM" in waiting["figure"] and "there is none" in waiting["alt"] and not page.exception
    finally:
        going.set()
        finish_jobs(page)


def test_what_fails_is_told_and_the_page_keeps_its_lead(page, monkeypatch):
    from pages._ui.evaluate import all_classes

    def fails(*of, **options):
        raise ValueError("there is nothing to learn")

    monkeypatch.setattr(all_classes, "evaluate_multiclass", fails)
    page = computed(weigh(page, "TFRF"))
    assert [warning.value for warning in page.warning] == ["TFRF with SVM: There is nothing to learn."]
    assert "better than TFIDF" in texts(page) and "Each gives macro F1" in texts(page)


def test_what_ships_is_there_on_arrival(app, monkeypatch, tmp_path):
    from ltw_core.studies import all_classes, multiclass_cells
    from pages._ui.evaluate import all_classes as on_page

    assert all_classes.main(["--dataset", "synthetic", "--to", str(tmp_path / "results")]) == 0
    monkeypatch.setattr(multiclass_cells, "results_dir", lambda: tmp_path / "results")
    monkeypatch.setattr(on_page, "evaluate_multiclass", None)
    page = all_classes_of(open_page(app, PATH))
    assert page.button(key="evaluate_all").label == "All 5 combinations known" and not page.exception
    assert set(scores_of(page)["weighting"]) == {"LogTF", "LogTFIDF", "TFCHI", "TFRF", "LTW-L-I"}
    assert "**LTW‑L‑I** .992 is not distinguishable from LogTFIDF\u00a0.992" in texts(page)
    assert "seed 0. Included with the app." in texts(page)


def test_what_was_computed_survives_a_restart_of_the_server(page, monkeypatch):
    page = computed(page)
    before, said = scores_of(page), texts(with_documents(page))
    restart(monkeypatch)
    monkeypatch.setattr("pages._ui.evaluate.all_classes.LONG", -1.0)  # deciding again waits to be asked for
    page = page.run()
    assert page.button(key="evaluate_all").label == "All 5 combinations known"
    assert page.selectbox(key="all_shown").value == "LTW-L-I · max with SVM"  # what the page asks about
    assert scores_of(page).equals(before)
    assert "The most frequent errors" in texts(page) and "Test document" not in texts(page)
    page = next(button for button in page.button if button.label == "Find the documents").click().run()
    assert texts(with_documents(page)) == said  # decided again, the same


def test_another_policy_computes_only_what_has_one(page):
    page = computed(page)
    choice(page, "policy").set_value("mean")
    page = page.run()
    assert page.button(key="evaluate_all").label.startswith("Compute 3 more, about ")
    assert sorted(scores_of(computed(page))["policy"]) == ["mean", "mean", "mean", "–", "–"]


def test_ones_own_formula_and_training_run_stand_beside_the_others(page, monkeypatch, tmp_path):
    """The formula of TFRF under a name of one's own gives what TFRF gives; of a run its surface weighs every class."""
    from pages._ui import loading
    from pages._ui.training import lookup

    task = loading.ask("synthetic").result().task("relevant")
    learned = LearnedWeighting(hidden=8, max_steps=40).fit(task.counts_train, task.y_train)
    about = {"finished": True, "parameters": {}, "problem": SimpleNamespace(class_title="relevant")}
    run = SimpleNamespace(reference="run:abc", variant="LTW-L-I", label="LTW-L-I · seed 0", weighting=learned, **about)
    other = SimpleNamespace(**vars(run) | {"reference": "run:def", "variant": "LTW-G-I"})
    monkeypatch.setattr(lookup, "own_runs", lambda dataset=None, class_name=None: [other, run])
    monkeypatch.setattr(lookup, "find", {"abc": run, None: None}.get)
    page.session_state["own_weightings"] = {"mine": Composed(name="mine", dd="1+log", cd="RF")}
    page = computed(weigh(page, "TFRF"))
    frame = scores_of(page).set_index("weighting")
    own = "LTW-L-I (your run)"
    assert set(frame.index) == {"TFRF", own, "mine"}
    assert "has learned one class" in texts(page) and "Runs of LTW-G, of LTW-TF and" in texts(page)
    figures_of = ["policy", "accuracy", "macro F1", "micro F1"]
    assert frame.loc["mine", figures_of].tolist() == frame.loc["TFRF", figures_of].tolist()
    assert len(list(tmp_path.rglob("all classes/*.npz"))) == 1  # TFRF's, which is everybody's
    with_documents(page.selectbox(key="all_shown").set_value(f"{own} · max with SVM").run())
    page.session_state["own_weightings"] = {"mine": Composed(name="mine", cd="log2(3 + fp)")}
    assert page.run().button(key="evaluate_all").label.startswith("Compute mine, about ")


def test_runs_are_called_by_no_more_than_tells_them_apart():
    from pages._ui.training.lookup import in_brief

    def run(reference, label, title="corn"):
        return SimpleNamespace(reference=reference, label=label, problem=SimpleNamespace(class_title=title))

    runs = [run("a", "LTW-F · seed 0"), run("b", "LTW-L-I · seed 0"), run("c", "LTW-L-I · seed 1")]
    assert [*in_brief(runs).values()] == [f"{n} (your run)" for n in ("LTW-F", "LTW-L-I · seed 0", "LTW-L-I · seed 1")]
    runs.append(run("d", "LTW-L-I · seed 0", "grain"))
    assert in_brief(runs)["d"] == "LTW-L-I · seed 0 · grain (your run)"


def test_it_can_be_stopped_and_goes_on(page, monkeypatch):
    from ltw_core.service.job_manager import manager
    from pages._ui.evaluate import all_classes

    whole, at_work = all_classes.evaluate_multiclass, []

    def one_and_then_stop(task, weighting, learner, grid, seed, on_event, **options):
        def report(event):
            at_work.append((manager().counts()[0], threading.current_thread() is threading.main_thread()))
            if weighting == "TFRF":
                manager().cancel(manager().of("test session id")[-1])
            return on_event(event)

        return whole(task, weighting, learner, grid, seed, report, **options)

    monkeypatch.setattr(all_classes, "evaluate_multiclass", one_and_then_stop)
    page = computed(page)
    assert set(at_work) == {(1, False)}  # in one of the places for jobs, and no page waits for it
    assert "Stopped; what is done stays" in texts(page)
    assert set(scores_of(page)["weighting"]) == {"LogTF", "LogTFIDF", "TFCHI"}
    monkeypatch.setattr(all_classes, "evaluate_multiclass", whole)
    assert page.button(key="evaluate_all").label.startswith("Compute 2 more, about ")
    assert len(scores_of(computed(page))) == 5


def many_classes(several=False, classes=24):
    """A table of texts whose words are mostly their classes' own, as bytes."""
    dice, out = random.Random(0), io.StringIO()
    rows = csv.writer(out)
    rows.writerow(["text", "label"])
    for number in range(20 * classes):
        labels = dice.sample(range(classes), 2 if several and number % 3 == 0 else 1)
        words = [f"word{chr(97 + c)}{dice.randrange(4)}x" for c in labels for _ in range(3)]
        words += [f"noise{chr(97 + dice.randrange(26))}" for _ in range(3)]
        rows.writerow([" ".join(words), "|".join(f"class {c:02}" for c in labels)])
    return out.getvalue().encode()


def uploaded(app, content):
    page = open_page(app, "data/data")
    page.file_uploader[0].upload("Many.csv", content, "text/csv")
    page = page.run().button(key="own_read").click().run()
    assert not page.exception and not page.error
    return all_classes_of(open_page(app, PATH), "TFRF", "LogTFIDF")


def test_a_table_of_ones_own_stays_in_the_session(app, tmp_path, monkeypatch):
    from pages._ui.evaluate import all_classes_numbers

    files, offer = {}, all_classes_numbers.offer
    monkeypatch.setattr(
        all_classes_numbers, "offer", lambda label, *rest: files.update({label: rest}) or offer(label, *rest)
    )
    page = computed(uploaded(app, many_classes() + b"what is it,class 00\n"))
    for row in csv.DictReader(io.StringIO(files["Results (CSV)"][1]())):
        counts = [int(row[f"{part} documents"]) for part in ("training", "test")]
        empty = [int(row[f"without a known term: {part}"]) for part in ("train", "test")]
        assert sum(empty) == 1 and sum(counts) == 480 + empty[1]  # one of the training part is left out of learning
    assert "24 classes, each document gets one class" in texts(with_documents(page))
    assert not list(tmp_path.rglob("all classes/*"))
    assert page.button(key="evaluate_all").label == "All 2 combinations known"


def test_a_table_with_several_labels_a_document_decides_each_class_for_itself(app):
    page = computed(uploaded(app, many_classes(several=True)))
    assert "classes, each decided for itself" in texts(page)
    assert page.selectbox(key="all_predicted").options == ["true positives", "false negatives", "false positives"]
    with_documents(page.selectbox(key="all_predicted").set_value(0).run())


def test_the_map_of_the_most_confused_classes_says_what_it_leaves_out(app):
    page = computed(uploaded(app, many_classes()))
    (sent,) = [one for one in figures(page) if one["name"] == "confusion-of-all"]
    (heat,) = json.loads(sent["figure"])["data"]
    assert len(heat["z"]) == len(heat["z"][0]) == 20
    assert "Left out: 4 classes with" in texts(page)
    assert "predicted, by the number of its row" in sent["narrow"] and json.loads(sent["narrow"])["annotations"] == []
    page, state = with_documents(page), page.session_state
    opened, box = state["all_cell"], page.selectbox(key="all_shown")
    other = next(name for name in box.options if name != box.value)
    for cell, expected in ((opened[0], opened[1] + 1), opened), ((2, 7), (2, 7)):  # a result overtakes another
        state["all_shown"] = state["_all_opened"] = other  # the cell was opened for it, or chosen by the reader
        state["all_cell"], state["_all_cell_opened"] = cell, (opened[0], opened[1] + 1)
        page = page.run()
        assert page.session_state["all_cell"] == expected and not page.exception
    choice(page, "all_map").set_value("all")
    (sent,) = [one for one in figures(page.run()) if one["name"] == "confusion-of-all"]
    assert len(json.loads(sent["figure"])["data"][0]["z"]) == 24


def test_an_address_that_named_all_weightings_at_once_still_chooses_them(app):
    app.query_params["scope"], app.query_params["all_weightings"] = "all", ["LTW-L-σ", "TFIGM"]
    page = open_page(app, PATH)
    chosen = [name for kind in ("utw", "stw", "ltw", "several") for name in choice(page, f"all_{kind}").value]
    assert chosen == ["LTW-L-sigma", "TFIGM"] and not page.exception


def test_the_other_scope_is_as_before(app):
    page = open_page(app, PATH)
    assert page.button(key="evaluate").label and not page.exception


@pytest.mark.parametrize(
    ("said", "cell"),
    [
        *(("1|2", (1, 2)), ("0|0", (0, 0)), ("2|0", None), ("0|3", None), ("-1|0", None), ("²|0", None), ("1", None)),
        *(("", None), (None, None), (7, None), (["1|2"], None), ("1|2|0", None), ("9" * 5_000 + "|0", None)),
    ],
)
def test_what_a_browser_says_was_clicked_is_a_cell_of_the_figure_or_nothing(said, cell):
    assert cell_picked({"id": said}, rows=2, columns=3) == cell
