"""Files of an earlier version open, and hold what they held.

The files beside this one were written by the version before the core's folders were renamed (commit 68c39c3), by the
functions that its command line and pages call, on the synthetic corpus and a table of our own words. ``study``:
``background.start`` of LogTFIDF, TFRF and LTW-L-I with SVM and LR, quick grid, two seeds, and its three files;
``study.sqlite``: the store that came of it, then a cell planned under another NumPy, which failed, and one whose runner
was killed; ``results``: that store, exported. ``cells.sqlite``: ``live.compute`` of four cells. ``history.sqlite``:
``runs.start`` of LTW-L-I (named, pinned), LTW-TF and LTW-G-I (deleted) with few hidden units and steps, and a training
whose process was killed; ``learned-*.ltw``: the three with ``LearnedWeighting.save``; ``exported-*``:
``runs.weights_file`` of the first. ``composed.json``: what the page of functions offers as a file. ``caches``:
``cached`` and ``vectorize`` of 120 documents. Databases were emptied of their logs and compacted. ``expected.json`` is
what that same version read in them; neither it nor the files are ever to be written anew.
"""

import hashlib
import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from ltw_core.corpora import read_table
from ltw_core.corpora.cache import cached
from ltw_core.service import study_process, training_record, weighting_file
from ltw_core.service.training_history import History
from ltw_core.studies import results, shared_cells
from ltw_core.studies.cell import Cell, current_versions
from ltw_core.studies.plan import plan
from ltw_core.studies.store import Store
from ltw_core.tasks import vectorize, vectorizing
from ltw_core.weighting import Composed, LearnedWeighting
from pages._ui.training import actions

HERE = Path(__file__).parent
EXPECTED = json.loads((HERE / "expected.json").read_text(encoding="utf-8"))
LEARNED = [name for name in EXPECTED if name.startswith("learned-")]


@pytest.fixture
def old(tmp_path, monkeypatch):
    """A state folder with copies of the files."""
    folder = tmp_path / "state"
    shutil.copytree(HERE, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    monkeypatch.setenv("LTW_STATE", str(folder))
    return folder


def figures(record):
    """A finished cell as ``expected.json`` has it."""
    return {
        "cell": json.loads(record.cell.json()),
        "counts": [record.tp, record.fp, record.fn, record.tn],
        "f1": record.f1,
        "validation_f1": record.validation_f1,
        "parameters": record.parameters,
        "warnings": list(record.warnings),
        "seconds": record.seconds,
    }


def test_store_of_a_study(old):
    told = EXPECTED["study.sqlite"]
    with Store(old / "study.sqlite", create=False) as store:
        assert store.counts() == told["counts"]
        assert {record.cell.key: figures(record) for record in store.records()} == told["records"]
        assert {cell.key: error for cell, error in store.failures()} == told["failures"]
        assert {cell.key: cell.vectors_key for cell, *_ in store.cells()} == told["shares"]
        assert {settings for *_, settings in store.cells()} == set(told["settings"])
        store.want(told["claimed"])  # its runner is gone: it is handed out again
        assert store.release_stale() == 1
        assert [cell.key for cell in store.claim(store.register())] == told["claimed"]


def test_the_same_study_is_not_computed_again():
    told = EXPECTED["study.sqlite"]["records"]
    asked = study_process.Request(**EXPECTED["study"]["request"])
    cells = plan(
        asked.datasets,
        classes=asked.classes,
        weightings=asked.weightings,
        learner_names=asked.learners,
        grid=asked.grid,
        seeds=asked.seeds,
    )
    versions = next(iter(told.values()))["cell"]["versions"]
    assert sorted(replace(cell, versions=tuple(versions.items())).key for cell in cells) == sorted(told)
    assert all(Cell(**record["cell"]).key == key for key, record in told.items())
    assert set(versions) <= dict(current_versions()).keys()  # under another name, it would be another cell


def test_exported_results(old):
    found = {r.cell.key: [r.tp, r.fp, r.fn, r.tn] for r in results.read(old / "results").records()}
    assert found == EXPECTED["results"]


def test_cells_of_the_app(old):
    told = EXPECTED["cells.sqlite"]
    assert shared_cells.app_store() == old / "cells.sqlite"
    found = shared_cells.find_here([*told, *EXPECTED["study.sqlite"]["records"]])
    assert {key: figures(k.record) | {"origin": k.origin} for key, k in found.items() if key in told} == told
    # those of the study's store, which lies beside it, are found as well
    assert set(found) == set(told) | set(EXPECTED["study.sqlite"]["records"])


def test_history_of_trainings(old, monkeypatch):
    told, reader = EXPECTED["history.sqlite"], EXPECTED["reader"]
    with History(old / "history.sqlite") as store:
        assert [past.token for past in store.of([reader])] == told["order"]
        assert [past.token for past in store.of([reader], deleted=True)] == told["deleted"]
        for token, one in told["trainings"].items():
            (past,) = (p for gone in (False, True) for p in store.of([reader], deleted=gone) if p.token == token)
            same = set(one) & set(vars(past)) - {"problem", "deleted", "snapshots"}
            assert {name: getattr(past, name) for name in same} == {name: one[name] for name in same}
            assert (asdict(past.problem), past.deleted is not None) == (one["problem"], one["deleted"])
            curve, snapshots, terms = store.curve(token), store.snapshots(token), store.terms(token)
            assert (len(curve), list(curve[-1])) == (one["points"], one["last_point"])
            assert [snapshot.step for snapshot in snapshots] == one["snapshots"]
            np.testing.assert_allclose(snapshots[-1].cd[:5], one["last_snapshot_cd"], rtol=1e-5, atol=1e-8)
            assert (terms.terms[:5].tolist(), terms.tp[:5].tolist()) == (one["terms"], one["tp"])
            if one["file"] is not None:
                assert hashlib.sha256(store.weighting_file(token)).hexdigest() == one["file"]
                weighting = store.weighting(token)
                assert (weighting.cd_[:5].tolist(), sorted(weighting.notes_)) == (one["cd"], one["notes"])
                monkeypatch.setattr(training_record, "current_versions", lambda one=one: one["versions"].items())
                assert past.problem.identify(past.parameters) == one["identity"]
                assert store.find_same(past.problem, past.parameters) == token
        store.restore(reader, *told["deleted"])
        assert store.mark_dead() == 1  # the one whose process was killed
        assert {past.status for past in store.of([reader])} == {"done", "died"}
        assert store.purge() == 0


def check_weighting(weighting, one):
    assert (weighting.cd_[:5].tolist(), weighting.cd_.size) == (one["cd"], one["terms"])
    names = ("best_step", "best_f1", "stop_code", "stop_reason", "steps", "seed", "prevalence", "n_documents", "notes")
    assert {name: getattr(weighting, f"{name}_") for name in names} == {name: one[name] for name in names}
    assert (len(weighting.history_), list(weighting.history_[-1])) == (one["points"], one["last_point"])
    settings = weighting.get_params()
    assert {name: settings[name] for name in one["settings"]} == one["settings"]
    columns, counts = one["counts"]
    document = np.zeros((1, one["terms"]))
    document[0, columns] = counts
    np.testing.assert_allclose(weighting.transform(document).toarray()[0, columns], one["weighted"], rtol=1e-6)
    if "dd" in one:
        assert weighting.dd_[:5].tolist() == one["dd"]
    if "surface" in one:
        rates = np.array([0.5, 0.1]), np.array([0.1, 0.3])
        np.testing.assert_allclose(weighting.surface(*rates), one["surface"], rtol=1e-5)


@pytest.mark.parametrize("name", LEARNED)
def test_learned_weighting(old, name):
    check_weighting(LearnedWeighting.load(old / name), EXPECTED[name])


def test_exported_training_is_brought_in(old):
    one = EXPECTED["exported-LTW-L-I.safetensors"]
    content = (old / "exported-LTW-L-I.safetensors").read_bytes()
    check_weighting(weighting_file.from_bytes(content), one)
    (old / "history.sqlite").unlink()  # a reader who has trained nothing
    other = vectorize(read_table(old / "table.csv", separator="|"), cache=False).task("bread")
    run = actions.import_file(content, "own-table", other)
    assert (run.problem.corpus, run.problem.class_name, run.variant) == ("synthetic", "relevant", one["variant"])
    assert run.terms.terms.tolist() == one["notes"]["terms"]
    assert run.weighting.cd_[:5].tolist() == one["cd"]


def test_composed_weightings(old):
    told = EXPECTED["composed.json"]
    records = json.loads((old / "composed.json").read_text(encoding="utf-8"))
    found = {composed.name: composed for composed in map(Composed.from_dict, records)}
    assert set(found) == set(told["weightings"])
    assert json.loads(json.dumps([composed.as_dict() for composed in found.values()])) == records
    at = np.array(told["tpr"]), np.array(told["fpr"]), told["prevalence"], told["documents"]
    for name, one in told["weightings"].items():
        assert found[name].describe() == one["describe"].replace("p(1−p)", "Pr(c) · Pr(c̄)")  # as it is written now
        np.testing.assert_allclose(found[name].function(*at), one["cd"], rtol=1e-9)
        weighted = found[name].make().fit_transform(np.array(told["counts"]), np.array(told["labels"]))
        np.testing.assert_allclose(weighted.toarray(), one["weights"], rtol=1e-9)


def test_study_that_was_started_from_the_app(old):
    told = EXPECTED["study"]
    study = study_process.current()
    asked = json.loads(json.dumps(asdict(study.request)))
    assert {name: asked[name] for name in told["request"]} == told["request"]
    assert (study.state, study.error, study.progress) == ("finished", "", told["progress"])
    assert (str(study.store), study.started, study.owner) == (told["store"], told["started"], told["owner"])


def test_caches_are_taken(old, monkeypatch):
    def fail(*_):
        raise AssertionError("it was made anew")

    told = EXPECTED["caches"]
    shutil.copytree(old / "caches", old, dirs_exist_ok=True)
    monkeypatch.setattr(vectorizing, "version", EXPECTED["versions"].get)
    monkeypatch.setattr(vectorizing, "count_corpus", fail)
    corpus = cached(*told["key"], fail)
    assert (corpus.fingerprint, len(corpus.documents)) == (told["corpus_fingerprint"], told["documents"])
    assert (corpus.documents[0][:80], list(corpus.report)) == (told["first"], told["report"])
    counted = vectorize(corpus, **told["options"])
    assert (counted.fingerprint, counted.vocabulary[:5].tolist()) == (told["fingerprint"], told["vocabulary"])
    assert (list(counted.counts_train.shape), counted.counts_train.sum()) == (told["shape"], told["sum"])
    task = counted.task("relevant")
    assert (task.fingerprint, task.terms.tolist()) == (told["task_fingerprint"], told["task_terms"])


def test_table_of_a_reader(old, monkeypatch):
    told = EXPECTED["table.csv"]
    monkeypatch.setattr(vectorizing, "version", EXPECTED["versions"].get)
    table = read_table(old / "table.csv", separator="|")
    assert (table.fingerprint, list(table.class_names)) == (told["fingerprint"], told["classes"])
    assert [table.n_train, table.n_test] == told["documents"]
    task = vectorize(table, cache=False).task("bread", ratio=0.5)
    assert (task.fingerprint, task.terms.tolist()) == (told["task_fingerprint"], told["task_terms"])
