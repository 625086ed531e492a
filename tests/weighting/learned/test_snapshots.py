import numpy as np
import pytest
from safetensors.numpy import save

from ltw_core.storage.file_schema import FileError
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import persistence, snapshots
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


def network(hidden=3):
    return {
        "W1": np.ones((2, hidden), np.float32),
        "b1": np.ones(hidden, np.float32),
        "W2": np.ones(hidden, np.float32),
        "b2": np.ones(1, np.float32),
    }


RATES = np.linspace(0, 1, 5), np.linspace(0, 1, 5)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({}, "it has the arrays none; it must have W1, b1, W2, b2"),
        (network() | {"W3": np.ones(3)}, "it has the arrays W1, W2, W3, b1, b2; it must have"),
        (network() | {"W1": np.ones((3, 3))}, r"W1 is an array of shape \(3, 3\) of float64"),
        (network() | {"W2": np.ones(4)}, r"W2 is an array of shape \(4,\)"),
        (network() | {"b1": np.ones((3, 1))}, r"b1 is an array of shape \(3, 1\)"),
        (network() | {"b2": np.ones(1, bool)}, "b2 is an array of shape .* of bool"),
        ({"cd": np.ones(4)}, r"cd is an array of shape \(4,\) of float64 .*; it must be an array of 5 numbers"),
        ({"cd": np.ones(5), "W1": np.ones(2)}, "it has the arrays W1, cd; it must have cd"),
    ],
)
def test_arrays_that_no_training_makes_are_refused(arrays, said):
    with pytest.raises(FileError, match=f"^a snapshot is damaged: {said}"):
        Snapshot.unpack(save(arrays), "LTW-L-I", 1, 0.5, 0.5, *RATES)


def test_whatever_a_training_made_is_read():
    for arrays, variant in (
        (network(), "LTW-L-sigma"),
        (network() | {"W2": np.full(3, np.nan)}, "LTW-L-I"),
        ({"cd": np.ones(5)}, "LTW-G-I"),
        (network() | {"W4": np.ones(2), "b4": np.ones(2), "W5": np.ones(2), "b5": np.ones(1)}, "LTW-TF"),
    ):
        Snapshot.unpack(save(arrays), variant, 1, np.nan, np.nan, *RATES)
    with pytest.raises(FileError, match="it has the arrays W1, W2, b1, b2; it must have W1, b1, W2, b2, W4"):
        Snapshot.unpack(save(network()), "LTW-TF", 1, 0.5, 0.5, *RATES)
    with pytest.raises(FileError, match="its variant is 'LTW-X'; it must be one of"):
        Snapshot.unpack(save(network()), "LTW-X", 1, 0.5, 0.5, *RATES)
    with pytest.raises(FileError, match="a snapshot is damaged"):
        Snapshot.unpack(b"nothing", "LTW-L-I", 1, 0.5, 0.5, *RATES)


def test_a_file_whose_parts_do_not_agree_is_refused(tmp_path):
    path = tmp_path / "a.safetensors"
    several = {name: np.stack([array] * 4) for name, array in network().items()}
    course = np.array([[step, 0.5, 0.5] for step in range(4)])
    for change, said in (
        ({"W1": several["W1"][:3]}, "it has 4 steps in course; every array must have as many"),
        ({"W2": several["W2"][:, :2]}, r"W2 is an array of shape \(2,\)"),
        ({"course": course + 0.5}, "the steps in course, its first column, must be whole numbers"),
        ({"W1": several["W1"][:, :1]}, r"W1 is an array of shape \(4, 1, 3\)"),
        ({"extra": course}, "it has an array 'extra'"),
    ):
        persistence.write(path, snapshots.KIND, several | {"course": course} | change, {"squash": True})
        with pytest.raises(FileError, match=f"a.safetensors is a damaged file of snapshots: {said}"):
            snapshots.read(path)
    persistence.write(path, snapshots.KIND, several | {"course": course}, {"squash": 1})
    with pytest.raises(FileError, match="squash is 1; it must be true or false"):
        snapshots.read(path)
