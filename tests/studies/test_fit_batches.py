"""Studies whose weightings are learned side by side before their classifiers."""

import itertools
from dataclasses import replace

import pytest
from sklearn.base import clone

from ltw_core.evaluation import evaluate
from ltw_core.studies.compute import task_of
from ltw_core.studies.fit_batches import fit_batches
from ltw_core.studies.runner import run
from ltw_core.weighting import LearnedWeighting, family
from ltw_core.weighting import learned as package
from ltw_core.weighting.learned.engines import engine_choice
from ltw_core.weighting.learned.engines.engine_choice import UnusableDevice


@pytest.fixture
def gpu(monkeypatch):
    """A device that is none of the CPU's engines, computes on the CPU, and is faster from four trainings on."""
    monkeypatch.setattr(engine_choice, "gpus", lambda: ["cpu:0"])
    monkeypatch.setattr(engine_choice, "gpu_seconds", lambda _, work: 0.0 if work.problems >= 4 else 1e9)


@pytest.fixture
def together(monkeypatch):
    """Each call's (weighting, its data), once they are learned."""
    calls, fit = [], package.fit_many

    def noting(weightings, data, *rest, **options):
        calls.append(list(zip(weightings, data, strict=True)))
        fit(weightings, data, *rest, **options)
        assert {weighting.engine_ for weighting in weightings} == {"lockstep"}

    monkeypatch.setattr(package, "fit_many", noting)
    return calls


def learned(calls):
    """How many weightings each call learned."""
    return [len(call) for call in calls]


STEPS = 50  # of weightings of so few terms roundings part longer trainings, also in float64


@pytest.fixture
def exactly(monkeypatch):
    """Weightings are learned in float64."""
    settings = LearnedWeighting.settings
    monkeypatch.setattr(LearnedWeighting, "settings", lambda self: replace(settings(self), dtype="float64"))


def test_a_study_on_a_gpu_gives_what_it_gives_without(store, small_plan, gpu, together, exactly):
    cells = small_plan(weightings="LogTFIDF", learner_names="SVM,LR") + small_plan(
        weightings="LTW-L-I,LTW-G-I",
        learner_names="SVM,LR",
        seeds=3,
        weighting_parameters=(("hidden", 40), ("max_steps", STEPS)),
    )
    end = run(cells, store)
    assert learned(together) == [6, 6]  # of each variant two classes, three seeds
    assert (end.done, end.failed) == (len(cells), 0)
    seconds = [r.weighting_seconds for r in store.records() if r.cell.weighting == "LTW-L-I"]
    assert min(seconds) > 0
    own = {}  # each cell was computed with its own class's and seed's weighting
    for weighting, (counts, y, validation) in itertools.chain(*together):
        alone = clone(weighting).set_params(engine="compiled", device="cpu").fit(counts, y, validation=validation)
        left, right = weighting.transform(counts), alone.transform(counts)
        assert abs(left - right).max() < 1e-6 * abs(right).max()
        own[weighting.variant, weighting.random_state, y.tobytes()] = weighting
    assert len(own) == 12
    for record in store.records():
        if family(record.cell.weighting) == "LTW":
            task = task_of(record.cell)
            weighting = own[record.cell.weighting, record.cell.seed, task.y_train.tobytes()]
            again = evaluate(task, weighting, record.cell.learner, record.cell.grid, record.cell.seed)
            assert record.f1 == again.f1


def test_workers_are_given_what_was_learned(store, small_plan, gpu, together):
    end = run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3), store, workers=2)
    assert (end.done, end.failed, learned(together)) == (6, 0, [6])


def test_too_few_are_learned_one_by_one(store, small_plan, gpu, together):
    assert run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=1), store).done == 2
    assert learned(together) == []


def test_without_a_gpu_nothing_is_claimed_in_advance(small_plan, monkeypatch):
    monkeypatch.setattr(engine_choice, "gpus", lambda: [])
    asked = []
    batches = ([cell] for cell in small_plan(weightings="LTW-L-I", seeds=3) if not asked.append(cell))
    first = next(fit_batches(batches, "auto", lambda: False))
    assert first.weighting is None and len(asked) == 1


@pytest.mark.parametrize(
    "error", [MemoryError("cpu:0 has too little memory"), UnusableDevice("cpu:0 does not work (it is broken)")]
)
def test_where_it_fails_each_is_learned_by_itself(error, store, small_plan, gpu, monkeypatch, caplog):
    def failing(*_, **__):
        raise error

    monkeypatch.setattr(package, "fit_many", failing)
    assert run(small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3), store).done == 6
    assert "learned one by one" in caplog.text


def test_it_stops_while_it_learns(small_plan, gpu, together):
    batches = [[cell] for cell in small_plan(weightings="LTW-L-I", learner_names="MNB", seeds=3)]
    asked = []
    found = list(fit_batches(batches, "auto", lambda: len(asked) > 3 or bool(asked.append(0))))
    assert [batch.weighting for batch in found] == [None] * 6
