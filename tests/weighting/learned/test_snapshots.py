import numpy as np
import pytest

from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import snapshots
from ltw_core.weighting.learned.snapshots import Snapshot, thinned


def test_few_are_kept_whole_and_many_are_thinned_with_their_ends():
    np.testing.assert_array_equal(thinned(5, 24), np.arange(5))
    chosen = thinned(200, 24, keep=(150,))
    assert chosen.size <= 24 and {0, 150, 199} <= set(chosen.tolist())
    gaps = np.diff(thinned(200, 24))
    assert gaps[:3].max() < gaps[-3:].min()  # denser at the beginning
    assert thinned(0).size == 0


def test_what_is_written_is_read_and_draws_the_same_surface(tmp_path):
    """Snapshots of a real training of six documents, in half precision."""
    X = np.array([[2, 0, 1], [1, 0, 0], [3, 1, 0], [0, 2, 1], [0, 1, 1], [0, 3, 0]])
    y = np.array([1, 1, 1, 0, 0, 0])
    taken = []

    def on_event(event):
        taken.append(Snapshot(event.step, event.loss, event.validation_f1, event.parameters, event.squash))

    learned = LearnedWeighting(hidden=20, max_steps=300, patience=9, random_state=1)
    validation = np.array([False, False, True, False, False, True])
    learned.fit(X, y, validation=validation, on_event=on_event)
    path = tmp_path / "a.safetensors"
    snapshots.write(path, taken)
    found = snapshots.read(path)
    assert [s.step for s in found] == [s.step for s in taken]
    last, truth = found[-1], taken[-1]
    rates = np.linspace(0, 1, 5)
    np.testing.assert_allclose(last.surface(rates, 0.1), truth.surface(rates, 0.1), rtol=0.01, atol=0.01)


def test_another_file_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError):
        snapshots.read(tmp_path / "none.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"nothing")
    with pytest.raises(ValueError):
        snapshots.read(tmp_path / "bad.safetensors")
