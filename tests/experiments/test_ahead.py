"""Studies whose weightings are learned side by side, ahead of their classifiers."""

import pytest

from ltw_core.experiments.ahead import learn_ahead
from ltw_core.experiments.runner import run
from ltw_core.weighting.learned import choice, lockstep


@pytest.fixture
def gpu(monkeypatch):
    """A device that is none of the CPU's engines, and computes on the CPU."""
    monkeypatch.setattr(choice, "gpus", lambda: ["cpu:0"])


@pytest.fixture
def learned(monkeypatch):
    """How many weightings each call learned."""
    counts, fit = [], lockstep.fit_together

    def counting(weightings, *rest, **options):
        counts.append(len(weightings))
        fit(weightings, *rest, **options)
        assert {weighting.engine_ for weighting in weightings} == {"lockstep"}

    monkeypatch.setattr(lockstep, "fit_together", counting)
    return counts


def figures(store):
    return [(str(record.cell), record.result.f1) for record in store.records()]


def test_a_study_on_a_gpu_gives_what_it_gives_without(store, small_plan, gpu, learned, tmp_path):
    cells = small_plan(weightings="LogTFIDF,LTW-L-I,LTW-G-I", learner_names="SVM,LR", seeds=3)
    end = run(cells, store)
    assert learned == [6, 6]  # of each variant two classes, three seeds
    assert (end.done, end.failed) == (len(cells), 0)
    seconds = [r.result.weighting_seconds for r in store.records() if r.cell.weighting == "LTW-L-I"]
    assert min(seconds) > 0
    with type(store)(tmp_path / "other.sqlite") as other:
        run(cells, other, device="cpu")
        assert learned == [6, 6]
        ours, theirs = figures(store), figures(other)
    assert [name for name, _ in ours] == [name for name, _ in theirs]
    # Of 8 terms LTW-G has 4 hidden units: roundings part its trainings within 300 steps, also in float64
    steady = ["LTW-G" not in name for name, _ in ours]
    ours, theirs = ([f1 for (_, f1), own in zip(part, steady, strict=True) if own] for part in (ours, theirs))
    assert ours == pytest.approx(theirs, abs=0.1) and len(ours) == 16


def test_workers_are_given_what_was_learned(store, small_plan, gpu, learned):
    end = run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3), store, workers=2)
    assert (end.done, end.failed, learned) == (6, 0, [6])


def test_too_few_are_learned_one_by_one(store, small_plan, gpu, learned):
    assert run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=1), store).done == 2
    assert learned == []


def test_without_a_gpu_nothing_is_claimed_ahead(small_plan, monkeypatch):
    monkeypatch.setattr(choice, "gpus", lambda: [])
    asked = []
    batches = ([cell] for cell in small_plan(weightings="LTW-L-I", seeds=3) if not asked.append(cell))
    first = next(learn_ahead(batches, "auto", lambda: False))
    assert first.weighting is None and len(asked) == 1


def test_where_it_fails_each_is_learned_by_itself(store, small_plan, gpu, monkeypatch, caplog):
    def failing(*_, **__):
        raise MemoryError("cpu:0 has too little memory")

    monkeypatch.setattr(lockstep, "fit_together", failing)
    assert run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3), store).done == 6
    assert "learned one by one" in caplog.text


def test_it_stops_while_it_learns(small_plan, gpu, learned):
    batches = [[cell] for cell in small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3)]
    asked = []
    found = list(learn_ahead(batches, "auto", lambda: len(asked) > 3 or bool(asked.append(0))))
    assert [batch.weighting for batch in found] == [None] * 6
