"""Training on the Workbench: what is chosen is what is trained; runs are held, begun anew, compared, kept."""

import json
import threading
import time
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from ltw_core.service.job_manager import manager
from ltw_core.tasks import TermStatistics
from pages._ui.training.run import shared_terms
from pages._ui.workbench import training_controls
from tests.pages.conftest import figures, finish_jobs, open_page, texts
from tests.waiting import wait_for

LEARN = "workbench/workbench"


def train(page, **settings):
    """Train with settings, to the end."""
    for key, value in {"max_steps": 300, **settings}.items():
        page.number_input(key=key).set_value(value)
    return finish_jobs(page.button(key="train").click().run())


def begin_endless(page):
    """Begin what takes a fast machine minutes: to be stopped."""
    for key, value in {"hidden_local": 4000, "check_every": 1000, "patience": 1000, "max_steps": 1_000_000}.items():
        page.number_input(key=key).set_value(value)
    page = page.button(key="train").click().run()
    parameters = manager().of("test session id")[0].meta["run"].parameters
    assert (parameters["hidden"], parameters["patience"]) == (4000, 1000)
    return page


def plots(page):
    """Names of the figures on a page."""
    return [figure["name"] for figure in figures(page)]


def run_of(page):
    from pages._ui.training import lookup

    return lookup.find(token_of(page))


def token_of(page):
    """What the address says is shown; a test's page has what it set itself as a list."""
    (found,) = np.atleast_1d(page.query_params["run"])
    return str(found)


def surface_of(page):
    """The surface as it is drawn: the figure as it was first sent, and what has changed since."""
    figure = json.loads(next(part["figure"] for part in figures(page) if part["name"] == "live_surface"))
    sent = [e.proto.bytes for e in page.get("bidi_component")]
    patches = [json.loads(each) for each in sent if b'"traces"' in each and b"\0" not in each]
    changed = next(patch["traces"] for patch in patches if patch["name"] == "live_surface")
    return {**figure["data"][0], **changed.get("0", {})}["z"]


def listed():
    """What the history holds for the reader of the test."""
    from pages._ui.training import histories

    return histories.lasting().of(["test session id"], corpus="synthetic")


def test_before_the_first_step_the_initial_weights_are_shown(app):
    page = open_page(app, LEARN)
    assert "begins from a network with random weights" in page.info[0].value
    assert "random initial weights of seed 0" in texts(page)
    assert set(plots(page)) == {"live_surface", "live_curves", "live_terms"}


@pytest.mark.parametrize("asked", ["LTW-L-sigma", "LTW-L-σ"])
def test_a_method_in_the_address_works_by_either_name(app, asked):
    app.query_params["method"] = asked
    page = open_page(app, LEARN)
    assert page.selectbox(key="method").value == "LTW-L-sigma"
    assert page.query_params["method"] in ("LTW-L-sigma", ["LTW-L-sigma"])


def test_what_differs_from_the_paper_is_marked_and_can_be_taken_back(app):
    page = open_page(app, LEARN)
    assert not any("paper" in b.label for b in page.button)
    page.number_input(key="patience").set_value(7)
    page = page.number_input(key="hidden_local").set_value(50).run()
    assert "Not as in the paper: hidden **50**, patience **7**" in texts(page)
    assert "paper: 20" in page.number_input(key="patience").label
    page = page.button(key="paper").click().run()
    assert not page.exception
    assert page.number_input(key="patience").value == 20 and page.number_input(key="hidden_local").value == 1000
    assert "Not as in the paper" not in texts(page)


def test_a_start_from_a_formula_is_marked_here_and_in_the_history(app):
    page = open_page(app, LEARN)
    page = page.selectbox(key="pretrain").set_value("CHI2").run()
    assert "Not as in the paper: start from **χ²**" in texts(page)
    page.number_input(key="pretrain_steps").set_value(2000)
    page = page.number_input(key="head_steps").set_value(50).run()
    assert "paper: 1,000" in page.number_input(key="head_steps").label
    page = train(page, max_steps=100)
    assert "the paper’s settings but max steps 100, pretrain steps 2000, head steps 50, start from χ²" in texts(page)
    (past,) = listed()
    assert past.changed == {"max_steps": 100, "pretrain_steps": 2000, "head_steps": 50, "start from": "χ²"}
    run = run_of(page)
    assert (run.weighting.pretrain_steps, run.weighting.head_steps) == (2000, 50)
    page = page.button(key="paper").click().run()
    assert page.selectbox(key="pretrain").value is None and "Not as in the paper" not in texts(page)


def until_stopped(job):
    while not job.wait_while_paused():
        time.sleep(0.01)


def test_a_training_that_waits_says_how_many_are_ahead(app):
    places = manager().limit
    others = [manager().submit(f"other {i}", "train", f"other {i}", until_stopped) for i in range(places + 1)]
    try:
        page = open_page(app, LEARN)
        page = page.button(key="train").click().run()
        assert "waits for its turn: 1 job ahead of it" in texts(page)
        manager().cancel(others[-1])
        assert "waits for its turn: it is the next" in texts(page.run())
        page.button(key="stop").click().run()
    finally:
        for job in others:
            manager().cancel(job)


def test_every_hyper_parameter_reaches_the_training(app):
    page = open_page(app, LEARN)
    page = page.selectbox(key="method").set_value("LTW-TF").run()
    values = {"learning_rate": 0.01, "dropout": 0.1, "batch_size": 50, "check_every": 50, "patience": 3}
    values |= {"restart_before": 100, "hidden_dd": 20, "beta1": 0.8, "beta2": 0.99, "epsilon": 1e-6}
    page.selectbox(key="dropout_form").set_value("bernoulli")
    page.selectbox(key="coordinates").set_value("log")
    page.selectbox(key="stop_by").set_value("loss")
    page.slider(key="ratio").set_value(20)
    page = page.run()
    page = train(page, hidden_local=40, max_steps=200, **values)
    run = run_of(page)
    fitted = run.weighting.get_params()
    assert {name: fitted[name] for name in values} == values
    assert (fitted["hidden"], fitted["dropout_form"], fitted["variant"]) == (40, "bernoulli", "LTW-TF")
    assert fitted["coordinates"] == run.snapshots[-1].seen.coordinates == "log"
    assert fitted["stop_by"] == "loss" and "stops by validation loss" in run.settings()
    assert run.problem.ratio == 0.2 and "terms kept 20%" in run.settings()


def test_choosing_torchs_engine_makes_it_ready_in_the_background(app):
    from pages._ui import warm

    warm.torch_engines.cache_clear()
    page = open_page(app, LEARN)
    page = page.selectbox(key="engine").set_value("reference").run()
    assert not page.exception and warm.torch_engines.cache_info().currsize == 1
    wait_for(lambda: not any(thread.name == "warm-torch" for thread in threading.enumerate()))
    page = train(page, max_steps=100, hidden_local=5)
    assert run_of(page).weighting.engine_ == "reference"


def test_what_was_set_holds_when_the_controls_are_folded_away(app):
    page = open_page(app, LEARN)
    page = page.number_input(key="patience").set_value(7).run()
    page.session_state["hyperparameters"] = False
    page = page.run()
    assert not any(widget.key == "patience" for widget in page.number_input)
    assert "Not as in the paper: patience **7**" in texts(page)
    page.session_state["hyperparameters"] = True
    page = page.run()
    assert page.number_input(key="patience").value == 7


def test_reset_goes_back_to_the_same_weights_and_reseed_to_others(app):
    page = open_page(app, LEARN)
    before = surface_of(page)
    page = train(page)
    assert surface_of(page) != before
    page = page.button(key="reset").click().run()
    assert not page.exception and "run" not in page.query_params
    assert surface_of(page) == before
    page = page.button(key="reseed").click().run()
    assert page.number_input(key="seed").value != 0
    assert surface_of(page) != before


def test_step_trains_to_the_next_validation_and_waits_there_and_where_it_does_is_said(app, monkeypatch):
    from ltw_core.weighting.learned.engines import gpus
    from pages._ui.training import run_words

    page = open_page(app, LEARN)
    page = page.button(key="step").click().run()
    job = manager().of("test session id")[0]
    page = finish_steps(page, job)
    run = job.meta["run"]
    assert job.paused and run.latest.step == 100
    assert "paused at step 100" in page.info[0].value
    page = page.run()
    assert any("is paused: **Resume**" in each.value for each in page.markdown)  # what the page says first, too
    assert list(page.dataframe[-1].value["State"]) == ["paused"]
    main = {key: page.button(key=key).proto.type for key in ("train", "resume")}
    assert main == {"train": "secondary", "resume": "primary"}  # one main action at a time
    assert any("Compiled engine on CPU; " in each.proto.help for each in page.markdown)
    run.latest = replace(run.latest, engine="lockstep", device="cuda:0")  # as of a GPU that is not there
    monkeypatch.setattr(gpus, "_found", (gpus.GPU("cuda:0", "Abacus 3000", 80 * 2**30),))
    monkeypatch.setattr(run_words, "use_of", lambda _: gpus.Use(9, 3 * 2**29))
    where = "Lockstep engine on GPU Abacus 3000, 9 training runs side by side, 1.5 of 80 GB of its memory taken; "
    assert any(where in each.proto.help for each in page.run().markdown)
    page = finish_steps(page.button(key="step").click().run(), job)
    assert run.latest.step == 200 and job.paused
    page = finish_jobs(page.button(key="stop").click().run())
    assert job.status == "stopped" and "Stopped on request" in page.success[0].value
    assert "step" not in [button.key for button in page.button]  # it would begin anew


def test_what_others_wait_for_is_not_paused_and_says_so(app):
    page = open_page(app, LEARN)
    for key, value in {"max_steps": 1_000_000, "patience": 1000}.items():  # it does not end meanwhile
        page.number_input(key=key).set_value(value)
    page = page.button(key="step").click().run()
    job = manager().of("test session id")[0]
    page = finish_steps(page, job)
    assert not page.button(key="resume").disabled
    assert manager().submit("another", job.kind, job.key, None, shared=True) is job
    page = page.run()
    assert page.button(key="pause").disabled and not page.button(key="stop").disabled
    assert "1 other reader waits for it too" in texts(page)
    page = page.button(key="stop").click().run()
    assert job.active  # for the other
    assert page.button(key="stop").disabled and "you can still watch it here" in page.toast[0].value
    manager().cancel(job, "another")
    finish_jobs(page)


def finish_steps(page, job):
    wait_for(lambda: job.paused and not job.stepping)
    return page.run()


def test_several_seeds_have_a_mean_and_a_spread(app):
    page = open_page(app, LEARN)
    page.number_input(key="seeds").set_value(3)
    page = train(page)
    assert not page.exception
    assert "all have finished" in page.success[0].value and "3 seeds" in page.success[0].value
    assert {"seeds_curves", "seeds_surface"} <= set(plots(page))
    assert "The mean explains" in texts(page)
    assert sorted(job.meta["run"].seed for job in manager().of("test session id")) == [0, 1, 2]
    page.session_state["seeds_shown"] = "This seed"
    page = page.run()
    assert {"live_surface", "live_curves", "live_terms"} <= set(plots(page))


@pytest.mark.parametrize("method", ["LTW-L-I", "LTW-G-I"])
def test_seeds_go_side_by_side_where_the_engine_is_a_lockstep(app, method):
    page = open_page(app, LEARN)
    page = page.selectbox(key="method").set_value(method).run()
    page.number_input(key="seeds").set_value(4)
    page.number_input(key="check_every").set_value(20)
    page = page.selectbox(key="engine").set_value("lockstep").run()
    page = train(page, max_steps=40)
    assert not page.exception and "4 seeds" in page.success[0].value
    ran = [job.meta["run"] for job in manager().of("test session id")]
    assert sorted(run.seed for run in ran) == [0, 1, 2, 3]
    assert {(run.weighting.engine_, run.weighting.device_, run.weighting.steps_) for run in ran} == {
        ("lockstep", "cpu", 40)
    }
    assert len({run.weighting.cd_.tobytes() for run in ran}) == 4
    assert [step for step, _, _ in ran[0].history] == [20, 40]
    assert {past.engine for past in listed()} == {"lockstep"}


def test_a_gpu_is_taken_for_several_seeds_and_can_be_overruled(app, monkeypatch):
    from ltw_core.weighting.learned.engines import gpus
    from pages._ui.training import run_words
    from pages._ui.workbench import hyperparameters

    one = gpus.GPU("cuda:0", "Abacus 3000", 80 * 2**30)
    monkeypatch.setattr(gpus, "_found", (one,))

    hyperparameters.devices.clear()
    told = lambda page: " ".join(caption.proto.help for caption in page.caption)  # noqa: E731
    page = open_page(app, LEARN)
    assert page.selectbox(key="device").options == ["Automatic", "CPU, one core", "GPU, Abacus 3000, 80 GB"]
    assert "CPU: for one training run it is estimated to be faster than a GPU." in told(page)
    page = page.number_input(key="seeds").set_value(9).run()
    assert "GPU: 9 training runs go side by side there." in told(page)
    page = page.selectbox(key="method").set_value("LTW-G-I").run()
    assert "GPU: 9 training runs go side by side there." in told(page)
    page = page.selectbox(key="device").set_value("cpu").run()
    assert "GPU:" not in told(page) and "compiled" in page.selectbox(key="engine").options
    page = page.selectbox(key="device").set_value("cuda:0").run()
    assert "compiled" not in page.selectbox(key="engine").options
    with gpus.at_work("cuda:0", 9):
        assert run_words.device("cuda:0") == "GPU Abacus 3000, 9 training runs side by side"
    monkeypatch.setattr(run_words, "use_of", lambda _: gpus.Use(0, 3 * 2**29))
    assert run_words.device("cuda:0") == "GPU Abacus 3000, 1.5 of 80 GB of its memory taken"
    monkeypatch.setattr(gpus, "_found", (one._replace(problem="no driver"),))
    hyperparameters.devices.clear()
    page = page.run()
    assert page.selectbox(key="device").options == ["CPU, one core (the GPU does not work)"]
    hyperparameters.devices.clear()


def test_without_a_gpu_the_page_says_so(app):
    page = open_page(app, LEARN)
    assert page.selectbox(key="device").options == ["CPU, one core (no GPU found)"]


def test_why_it_ended_is_said_and_what_may_be_taken_away(app):
    page = open_page(app, LEARN)
    page = train(page)
    assert "Finished at step 300, the most steps allowed" in page.success[0].value
    assert "the best by validation F1" in page.success[0].value
    (kept,) = [each for each in page.markdown if "**Kept: step" in each.value]
    assert "That F1 rests on " in kept.proto.help and "so that validation and test F1" in kept.proto.help
    assert {"Weights", "Curve (CSV)", "Surface (HTML)"} <= {b.label for b in page.get("download_button")}


def test_a_training_whose_end_is_watched_is_played_back_and_all_sentences_have_its_step(app, monkeypatch):
    import streamlit as st

    from pages._ui.workbench import playback

    told = []
    monkeypatch.setattr(playback, "replay", lambda *content, **more: told.append(more))
    page = open_page(app, LEARN)
    page.number_input(key="max_steps").set_value(2000)
    page = page.button(key="train").click().run()
    run = run_of(page)
    wait_for(lambda: not run.active)
    state = {}
    monkeypatch.setattr(st, "session_state", state)
    playback.ended(run.reference, 1.5, paused=0.4)
    assert state[playback.ENDED][0] == ""  # who paused it has seen it
    playback.ended(run.reference, 1.5, paused=run.job.paused_seconds)
    monkeypatch.undo()
    monkeypatch.setattr(playback, "replay", lambda *content, **more: told.append(more))
    source, until, seconds = state[playback.ENDED]
    page.session_state[playback.ENDED] = (source, until + 600, seconds)
    page = page.run()
    assert not page.exception and told[-1]["lead"].startswith("Trained in ")
    steps = told[-1]["steps"]
    assert steps[-1] == run.weighting.best_step_
    for sentences in (told[-1]["said"], told[-1]["course"]):
        assert all(f"tep {step:,}" in sentence for step, sentence in zip(steps, sentences, strict=True))
    assert told[-1]["course"][-1].endswith(f"{run.weighting.best_f1_:.3f}"[1:])


def test_a_global_variant_offers_no_surface(app):
    page = open_page(app, LEARN)
    page = page.selectbox(key="method").set_value("LTW-G-I").run()
    assert not page.exception and "will have no surface" in texts(page)
    page = train(page)
    assert "has no surface" in texts(page)
    labels = {b.label for b in page.get("download_button")}
    assert "Weights" in labels and "Surface (HTML)" not in labels


def test_a_global_variant_too_large_for_the_server_is_refused_in_a_sentence(app, monkeypatch):
    from pages._ui.workbench import training_controls

    monkeypatch.setattr(training_controls, "GLOBAL_WEIGHTS", 10)
    page = open_page(app, LEARN)
    page = page.selectbox(key="method").set_value("LTW-G-I").run()
    assert any("million weights" in w.value for w in page.warning)
    assert page.button(key="train").disabled and "went wrong" not in page.button(key="train").help


def test_pretraining_towards_a_formula_and_an_own_one(app):
    from ltw_core.weighting import Composed
    from pages._ui.reader import own_weightings

    page = open_page(app, LEARN)
    page.session_state[own_weightings._KEY] = {"mine": Composed(name="mine", cd="tpr * (1 - fpr)")}
    page = page.run()
    assert "pre-trained to mine (yours)" in page.selectbox(key="pretrain").options
    page.selectbox(key="pretrain").set_value("tpr * (1 - fpr)")
    assert "with pre-training" in page.run().info[0].value
    page = train(page, max_steps=100)
    run = run_of(page)
    assert run.weighting.pretrain == "tpr * (1 - fpr)"
    assert run.messages[0].startswith("Fitted to tpr * (1 - fpr) in")
    # the steps a second are those of batches, without the fit before them
    assert 0 < run.fitting_seconds < run.latest.seconds
    assert run.steps_per_second == pytest.approx(100 / (run.latest.seconds - run.fitting_seconds))


def test_a_dead_start_is_told(app):
    """LTW-TF whose last ReLU is dead, and too few steps for a restart."""
    page = open_page(app, LEARN)
    page = page.selectbox(key="method").set_value("LTW-TF").run()
    for seed in range(12):
        page.number_input(key="seed").set_value(seed)
        page = train(page, max_steps=200)
        if not run_of(page).weighting.dd_.any():
            assert "the ReLU at its output was dead" in page.success[0].value
            return
    pytest.fail("no seed of twelve was dead")


def test_the_history_compares_pins_deletes_and_brings_back(app):
    from pages._ui.workbench import history_comparison

    page = open_page(app, LEARN)
    assert "None yet" in texts(page)
    page = train(page)
    page = train(page, seed=1, patience=5)
    found = listed()
    assert [past.seed for past in found] == [1, 0]
    frame = history_comparison.differences(found)
    assert {"seed", "patience"} <= set(frame.index) and "variant" not in frame.index
    assert history_comparison.curves_csv(found).count("LTW-L-I · seed 1") == 3
    table = next(d for d in page.dataframe if "Training" in str(d.proto.columns))
    assert len(table.value) == 2
    strip = next(json.loads(e.proto.bytes) for e in page.get("bidi_component") if b'"token"' in e.proto.bytes[:60])
    assert [(run["name"], run["shown"]) for run in strip] == [("LTW-L-I · seed 1", True), ("LTW-L-I · seed 0", False)]


def test_deleting_can_be_undone(app, monkeypatch):
    from pages._ui.workbench import history_view

    page = train(open_page(app, LEARN))
    chosen = listed()
    # a table's rows cannot be selected in a test without a browser
    monkeypatch.setattr(history_view, "_table", lambda rows, scope: [p for p in rows if p.token == chosen[0].token])
    page = page.run()
    page = page.button(key="history_delete").click().run()
    assert not page.exception and not listed()
    assert "Deleted: LTW-L-I · seed 0" in texts(page)
    page = page.button(key="history_undo").click().run()
    assert [past.token for past in listed()] == [chosen[0].token]
    page = page.button(key="history_pin").click().run()
    assert listed()[0].pinned
    page = page.text_input(key=f"history_name-{chosen[0].token}").set_value("my best").run()
    assert listed()[0].name == "my best"
    page = page.button(key="reset").click().run()
    assert "begins from a network with random weights" in page.info[0].value
    page = page.button(key="history_open").click().run()
    assert "Finished at step 300" in page.success[0].value and page.query_params["run"] == chosen[0].token


def test_what_is_deleted_is_shown_no_more_and_a_reload_can_still_undo_it(app, monkeypatch):
    from pages._ui.workbench import history_view

    monkeypatch.setattr(history_view, "_table", lambda rows, scope: rows)
    page = begin_endless(open_page(app, LEARN))
    job = manager().of("test session id")[0]
    page = page.button(key="history_delete").click().run()
    assert not page.exception and "begins from a network with random weights" in page.info[0].value
    assert not manager().of("test session id")
    wait_for(lambda: not job.active)
    assert job.status == "stopped" and not listed()
    del page.session_state["_looked_at"]  # a session that knows nothing of it
    page = page.run()
    page = page.button(key="history_undo").click().run()
    assert not page.exception and [past.token for past in listed()] == [job.id]
    assert "Stopped on request" in page.success[0].value or "stopped before" in page.info[0].value
    assert ("**Nothing was kept**" in texts(page)) == (not page.success)


def test_train_waits_only_where_just_what_it_would_begin_goes_on(monkeypatch):
    monkeypatch.setattr(training_controls.lookup, "asked_for", lambda run: True)
    problem = SimpleNamespace(ratio=0.1)
    run = SimpleNamespace(
        active=True, pausing=False, seed=3, parameters={"hidden": 5, "random_state": 3}, problem=problem
    )
    goes_on = partial(training_controls.trains, [run], problem, {"hidden": 5})
    assert goes_on([3]) and not goes_on([3, 4])
    assert not training_controls.trains([run], problem, {"hidden": 6}, [3])
    assert not training_controls.trains([run], SimpleNamespace(ratio=0.2), {"hidden": 5}, [3])  # on other terms
    run.pausing = True
    assert not goes_on([3])


def test_a_training_sends_its_curves_first_then_the_surface_and_the_rest_when_that_is_drawn(app, monkeypatch):
    from pages._ui.workbench import training_view

    page, sent = open_page(app, LEARN), []
    monkeypatch.setattr(training_view, "TICK", 60.0)  # a slow machine is no later run of the page
    for where, name in (("inspector", "course"), ("stage", "show"), ("inspector", "found"), ("loading", "wait_until")):
        of = getattr(training_view, where)
        real = getattr(of, name)

        def told(*content, _name=name, _real=real, **more):
            sent.append(content[1] if _name == "wait_until" else _name)
            return _real(*content, **more)

        monkeypatch.setattr(of, name, told)
    finish_jobs(page.button(key="train").click().run())
    order = ["course", training_view.SENT, "show", training_view.DRAWN, "found"]
    assert [each for each in sent if each in order][:5] == order


def test_a_refused_training_leaves_the_buttons_of_the_one_that_runs(app, monkeypatch):
    page = begin_endless(open_page(app, LEARN))
    wait_for(lambda: manager().of("test session id")[0].last)
    monkeypatch.setattr(manager(), "each", 1)
    page.number_input(key="seed").set_value(5)
    page = page.button(key="train").click().run()
    assert not page.exception and "running or queued, the maximum" in page.error[0].value
    assert not page.button(key="stop").disabled and "is running" in texts(page)
    monkeypatch.setattr(manager(), "each", 3)  # room for two more
    page.number_input(key="seeds").set_value(4)
    page = page.button(key="train").click().run()
    assert not page.exception and not page.error
    assert "2 of 4 seeds were started" in page.toast[0].value
    assert sorted(job.meta["run"].seed for job in manager().of("test session id")) == [0, 5, 6]
    for job in manager().of("test session id"):
        manager().cancel(job)
    finish_jobs(page)


def test_a_training_that_was_opened_is_the_one_that_other_pages_show(app):
    page = train(open_page(app, LEARN))
    older = token_of(page)
    page = train(page, seed=1)
    newer = token_of(page)
    page.query_params["run"] = older
    page = page.run()
    page = open_page(open_page(page, "data/data"), LEARN).run()
    assert not page.exception
    assert "seed 0" in texts(page) and "seed 1, " not in texts(page)
    assert page.selectbox(key="shape_source").value == f"run:{older}"
    page = page.selectbox(key="shape_source").set_value(f"run:{newer}").run()
    assert token_of(page) == newer and "seed 1, " in texts(page)
    page = page.selectbox(key="shape_source").set_value("shipped:reuters21578-earn-LTW-L-I").run()
    assert page.selectbox(key="shape_source").value == token_of(page) == "shipped:reuters21578-earn-LTW-L-I"


def test_what_formulas_reach_on_this_class_is_no_line_of_another_class(app, monkeypatch):
    def reached(task):
        return {"χ²": SimpleNamespace(validation_f1=0.5)} if task.class_name == "relevant" else {}

    monkeypatch.setattr("pages._ui.workbench.baselines.known", reached)
    page = open_page(app, LEARN)
    (curves,) = (figure["figure"] for figure in figures(page) if figure["name"] == "live_curves")
    assert '"dash":"4px,3px"' in curves and '"text":"on χ² .500"' in curves  # dashed, with name and number at its end
    page = page.selectbox(key="shape_source").set_value("shipped:reuters21578-earn-LTW-L-I").run()
    (curves,) = (figure["figure"] for figure in figures(page) if figure["name"] == "live_curves")
    assert not page.exception and '"text":"on χ² .500"' not in curves  # its own line may be known from elsewhere


def test_a_run_that_waits_is_of_this_class_only_where_its_documents_are_here():
    from pages._ui.workbench import inspector

    here = SimpleNamespace(class_title="corn", vectorized=SimpleNamespace(corpus=SimpleNamespace(title="Reuters")))
    waiting = lambda title: SimpleNamespace(problem=SimpleNamespace(title=title))  # noqa: E731
    assert inspector._of_class(waiting("corn in Reuters"), None, here) and inspector._of_class(None, None, None)
    assert not inspector._of_class(waiting("earn in Reuters"), None, here)
    assert not inspector._of_class(waiting("corn in Reuters"), None, None)  # they are still being read


def test_what_a_step_is_the_best_by_is_told():
    from ltw_core.weighting.learned import LearnedWeighting
    from pages._ui.training import run_words
    from pages._ui.workbench import inspector

    fitted = LearnedWeighting(stop_by="loss")
    fitted.best_step_, fitted.best_f1_, fitted.attempts_ = 300, 0.83, 1
    fitted.stop_code_, fitted.stop_reason_ = "stopped", "Stopped on request at step 400."
    said = run_words.why(SimpleNamespace(weighting=fitted))
    assert "Kept: step 300, the best by validation loss." in said
    fitted.attempts_ = 2
    assert "by validation loss. It was restarted once" in run_words.why(SimpleNamespace(weighting=fitted))
    fitted.stop_code_ = "diverged"
    assert "Kept" not in run_words.why(SimpleNamespace(weighting=fitted))
    y, validation = np.array([True] * 6 + [False]), np.array([True] * 5 + [False] * 2)
    task = SimpleNamespace(y_train=y, validation=validation, y_test=np.array([True, False]))
    rests = "That F1 rests on 5 validation documents of the class, the test F1 on 1 test document of it, so that"
    assert rests in inspector._kept(fitted, task)
    assert "The step with the best validation loss is kept." in inspector._kept(fitted)


def test_equal_trainings_are_told_apart_and_what_was_just_begun_is_what_is_shown(app):
    page = train(open_page(app, LEARN))
    first = token_of(page)
    page = train(page)  # once more
    second = token_of(page)
    page = open_page(page, LEARN)
    new, alone, *labels = page.selectbox(key="shape_source").options
    assert (new, alone) == ("A new network", "Formulas alone, or your own")
    assert first != second and len(set(labels)) == len(labels)
    assert labels[0] == labels[1] + " (2)"
    for token in (first, second):
        page = page.selectbox(key="shape_source").set_value(f"run:{token}").run()
        page.session_state["fade"] = token == first  # whatever else is moved
        page = page.run()
        assert page.selectbox(key="shape_source").value == f"run:{token}" and token_of(page) == token

    # a third one is begun and has nothing to show yet but its network before the first step
    page = open_page(page, LEARN)
    others = [manager().submit(f"o {i}", "train", f"o {i}", until_stopped) for i in range(manager().limit)]
    page.number_input(key="seed").set_value(7)
    page = page.button(key="train").click().run()
    third = token_of(page)
    page = page.run()
    assert page.selectbox(key="shape_source").value == f"run:{third}" and "waits for its turn" in page.info[0].value
    for job in others:
        manager().cancel(job)
    page = finish_jobs(page)
    assert page.selectbox(key="shape_source").value == f"run:{third}" and token_of(page) == third


def test_a_link_to_a_shape_waits_for_its_corpus(app, monkeypatch):
    page = train(open_page(app, LEARN))
    older = token_of(page)
    page = train(page, seed=1)
    del page.session_state["_looked_at"]
    page.query_params["run"] = older
    with monkeypatch.context() as patch:
        patch.setattr("pages._ui.reader.selection.class_name", lambda: None)
        page = page.switch_page(f"pages/{LEARN}.py").run()
        assert not page.exception and page.selectbox(key="shape_source").value == f"run:{older}"
    page = page.run()
    assert page.selectbox(key="shape_source").value == f"run:{older}" and token_of(page) == older


def test_a_saved_weighting_is_loaded_and_a_bad_file_gets_a_sentence(app):
    page = train(open_page(app, LEARN))
    content = run_of(page).weights_file()
    page = page.button(key="reset").click().run()
    page = page.file_uploader[0].upload("weights.safetensors", content, "application/octet-stream").run()
    assert not page.exception and not page.error
    assert "Learned elsewhere, brought here" in texts(page)
    assert listed()[0].origin == "imported"
    assert "the paper’s settings but max steps 300" in texts(page)
    page = page.file_uploader[0].upload("weights.safetensors", b"not at all", "application/octet-stream").run()
    assert not page.exception
    assert "is not a file of a learned weighting" in page.error[0].value


def test_a_training_that_died_with_its_server_says_so_and_shows_what_it_had(app):
    from ltw_core.service.training_history import DIED
    from pages._ui.training import histories

    page = train(open_page(app, LEARN))
    store = histories.lasting()
    with store.transaction() as db:  # as a server leaves it that is killed before the end, and the next one finds it
        db.execute("DELETE FROM weighting")
        db.execute("UPDATE training SET status = 'died', error = ?, stop_code = '', stop_reason = ''", (DIED,))
    manager().forget_owner("test session id")  # which the next server knows nothing of
    page = page.run()
    assert not page.exception
    assert "The server stopped during this training run" in page.error[0].value
    assert {"live_surface", "live_curves", "live_terms"} <= set(plots(page))
    table = next(d for d in page.dataframe if "Training" in str(d.proto.columns))
    assert list(table.value["State"]) == ["died with its server"]


def test_a_history_that_cannot_be_used_is_told(app, tmp_path, monkeypatch):
    from pages._ui.training import histories

    path = tmp_path / "a letter"
    path.write_text("Dear reader, this is no database. " * 50)
    monkeypatch.setattr(histories, "lasting", lambda: histories._open(path))
    page = train(open_page(app, LEARN))
    assert not page.exception and not page.error
    assert "only until the server ends" in page.warning[0].value
    assert str(path) not in page.warning[0].value
    assert [past.status for past in listed()] == ["done"]
    assert path.read_text().startswith("Dear reader")


def test_the_same_training_asked_for_by_another_is_found_and_once_more_is_computed(app):
    from pages._ui.training import histories
    from pages._ui.training.run import PastRun

    page = train(open_page(app, LEARN))
    token = token_of(page)
    histories.lasting().add_owner("somebody", token)
    histories.lasting().forget_owner("test session id")
    manager().forget_owner("test session id")
    del page.query_params["run"]
    page = page.run()
    page = page.button(key="train").click().run()
    assert isinstance(run_of(page), PastRun)
    assert "computes it again" in page.success[0].value
    # the same by a link: it is shown, here and on other pages, is nobody's here, and Train finds it and no more
    histories.lasting().forget_owner("test session id")
    page.query_params["run"] = token
    page = open_page(page.run(), LEARN)
    assert page.selectbox(key="shape_source").value == f"run:{run_of(page).token}" and not listed()
    page = open_page(page, LEARN)
    page = page.button(key="train").click().run()
    assert run_of(page).token == token and [past.token for past in listed()] == [token]
    page = finish_jobs(page.button(key="train").click().run())
    assert run_of(page).job.status == "done" and "Computed now" in texts(page)


def test_runs_on_one_problem_hold_its_terms_once():
    def terms(tp):
        return TermStatistics(np.array(["a", "b"], dtype=object), np.array([tp, 1]), np.array([tp, 1]), 9, 90)

    first = terms(2)
    assert shared_terms("a problem", first) is first
    assert shared_terms("a problem", terms(2)) is first
    other = terms(3)
    assert shared_terms("a problem", other) is other


def test_weights_of_terms_in_hardly_any_document_are_told_as_such():
    from pages._ui.workbench import inspector

    def told(cd, tp):
        terms = SimpleNamespace(terms=["a", "b", "c", "d"], tp=np.array(tp), n_positives=402)
        return inspector.heaviest(SimpleNamespace(terms=terms, cd=np.array(cd), untrained=False))

    few = told([9.0, 8.0, 7.0, 0.1], [1, 1, 1, 300])
    assert few == "The largest weights belong to terms in only 1 of the class’s 402 documents, such as “a”."
    some = told([9.0, -8.0, 7.0, 0.1], [1, 4, 1, 300])
    assert some.startswith("The strongest weights, some negative, belong to terms in at most 4 of")
    many = told([9.0, 8.0, 7.0, 0.1], [40, 1, 1, 300])
    assert many == "Largest weights: “a”, “b” and “c”, in 40, 1 and 1 of the class’s 402 documents."
    none = told([-9.0, -8.0, -7.0, 0.1], [0, 0, 0, 300])
    assert none.startswith("Strongest weights, all negative: ") and "in none of" in none
