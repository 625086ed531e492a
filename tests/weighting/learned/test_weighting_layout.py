"""What the file of a learned weighting may say: each field with values that it must not have, and in which words."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from ltw_core.storage.file_schema import FileError
from ltw_core.weighting import LearnedWeighting
from ltw_core.weighting.learned import persistence, weighting_layout

X = np.array([[1, 0, 2], [1, 1, 0], [0, 1, 1], [0, 2, 1], [2, 0, 0], [0, 1, 3]])
Y = np.array([True, True, False, False, True, False])
SMALL = {"hidden": 4, "hidden_dd": 3, "max_steps": 4, "check_every": 2, "batch_size": 2}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A file of a local variant, of LTW-TF and of a global one."""
    folder = tmp_path_factory.mktemp("weightings")
    for variant in ("LTW-L-I", "LTW-TF", "LTW-G-I"):
        mask = np.array([False] * 4 + [True] * 2)
        LearnedWeighting(variant=variant, **SMALL).fit(X, Y, mask).save(folder / variant, notes={"a": [1]})
    return folder


def refused(path):
    """What is said of a file, without its name."""
    with pytest.raises(FileError) as caught:
        LearnedWeighting.load(path)
    assert str(caught.value).startswith(path.name) and str(path.parent) not in str(caught.value)
    return str(caught.value).removeprefix(f"{path.name} is a damaged file of a learned weighting: ")


def changed(files, tmp_path, variant, arrays=None, **values):
    there, said = persistence.read(files / variant, "weighting")
    for name, value in (arrays or {}).items():
        there[name] = value(there[name]) if callable(value) else value
    said["parameters"] |= values.pop("parameters", {})
    persistence.write(tmp_path / "w.ltw", "weighting", there, said | values)
    return refused(tmp_path / "w.ltw")


WHOLE = "{} is {}; it must be a whole number from {} to {}"


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("steps_", "many", WHOLE.format("steps_", "'many'", 0, "1,000,000,000")),
        ("steps_", 10**12, WHOLE.format("steps_", 10**12, 0, "1,000,000,000")),
        ("steps_", 4.0, WHOLE.format("steps_", 4.0, 0, "1,000,000,000")),
        ("steps_", True, WHOLE.format("steps_", "true", 0, "1,000,000,000")),
        ("best_f1_", "good", "best_f1_ is 'good'; it must be a number from 0 to 1"),
        ("best_f1_", 1.5, "best_f1_ is 1.5; it must be a number from 0 to 1"),
        ("prevalence_", "x", "prevalence_ is 'x'; it must be a number from 0 to 1"),
        ("prevalence_", 0.3, "prevalence_ is 0.3; of 6 documents (n_documents_) it must make a whole number "
            "from 1 to 5"),
        ("prevalence_", 0, "prevalence_ is 0; of 6 documents (n_documents_) it must make a whole number from 1 to 5"),
        ("notes_", [1, 2], "notes_ is a list of 2; it must be an object with named fields"),
        ("n_documents_", None, WHOLE.format("n_documents_", "null", 2, "2,147,483,647")),
        ("n_documents_", 10**12, WHOLE.format("n_documents_", 10**12, 2, "2,147,483,647")),
        ("n_documents_", 12, "document_frequency_ is not what tpr_, fpr_ and prevalence_ make it"),
        ("n_features_in_", 10**9, WHOLE.format("n_features_in_", 10**9, 1, "2,000,000")),
        ("seed_", None, WHOLE.format("seed_", "null", 0, f"{2**63 - 1:,}")),
        ("seed_", 2**63, WHOLE.format("seed_", 2**63, 0, f"{2**63 - 1:,}")),
        ("seconds_", float("nan"), "seconds_ is nan; it must be a number from 0 to 1,000,000,000"),
        ("seconds_", -1, "seconds_ is -1; it must be a number from 0 to 1,000,000,000"),
        ("stop_code_", ["patience"], "stop_code_ is a list of 1; it must be one of patience, "
            "perfect, max_steps, diverged, stopped"),
        ("stop_reason_", "x" * 1001, f"stop_reason_ is '{'x' * 39}…; it must be a text of at "
            "most 1,000 characters"),
        ("engine_", "\ud800", "engine_ is '\\ud800'; it must be a text of at most 100 characters"),
        ("best_step_", 5, "best_step_ is 5; it must be at most steps_, 4"),
        ("classes_", [1, 1], "classes_ has the same class twice; they must be two"),
        ("classes_", [1, 2, 3], "classes_ is a list of 3; it must be a list of 2 values"),
        ("parameters", {"variant": ["LTW-L-I"]}, "parameters, variant is a list of 1; it must "
            "be one of LTW-L-sigma, LTW-L-I, LTW-G-sigma, LTW-G-I, LTW-TF"),
        ("parameters", {"hidden": 10**9}, "parameter.W1 is an array of shape (2, 4) of F32; it must be an array of "
            "2 × 1,000,000,000 numbers from -1e+30 to 1e+30"),
        ("parameters", {"learning_rate": "x"}, "learning_rate must be a positive number, not 'x'"),
        ("parameters", {"random_state": -1}, "parameters, random_state is -1; it must be a "
            "whole number from 0 to 9,223,372,036,854,775,807, or null"),
        ("parameters", {"pretrain": "x" * 2001}, f"parameters, pretrain is '{'x' * 39}…; it "
            "must be a text of at most 2,000 characters, or null"),
        ("unknown", 1, "it has a field 'unknown'; it may have "
            + ", ".join(weighting_layout.VALUES.rules)),
    ],
)  # fmt: skip
def test_a_value_that_cannot_be(files, tmp_path, name, value, sentence):
    assert changed(files, tmp_path, "LTW-L-I", **{name: value}) == sentence


def first(value):
    """A change of an array's first number."""

    def change(array):
        array = array.copy()
        array.flat[0] = value
        return array

    return change


FLOATS = "numbers from -1e+30 to 1e+30"


NETWORK = "cd_, document_frequency_, fpr_, history_, tpr_"


@pytest.mark.parametrize(
    ("variant", "name", "value", "sentence"),
    [
        ("LTW-L-I", "parameter.W1", first(np.nan), "parameter.W1 is an array of shape (2, 4) of float32 from "
            "nan to nan; "
            f"it must be an array of 2 × 4 {FLOATS}"),
        ("LTW-L-I", "parameter.b2", first(1e31), "parameter.b2 is an array of shape (1,) of float32 from 1e+31 "
            "to 1e+31; "
            f"it must be an array of 1 {FLOATS}"),
        ("LTW-L-I", "tpr_", first(5), "tpr_ is an array of shape (3,) of float64 from 0.333333 to 5; it must be "
            "an array of 3 "
            "numbers from 0 to 1"),
        ("LTW-L-I", "cd_", np.zeros(2), f"cd_ is an array of shape (2,) of F64; it must be an array of 3 {FLOATS}"),
        ("LTW-L-I", "cd_", np.zeros(3, bool), f"cd_ is an array of shape (3,) of BOOL; it must be an array of 3 "
            f"{FLOATS}"),
        ("LTW-L-I", "cd_", lambda cd: cd + 1, "cd_ is not what the network, parameter.W1 to parameter.b2, makes "
            "of tpr_ "
            "and fpr_"),
        ("LTW-L-I", "document_frequency_", np.array([7, 0, 0]), "document_frequency_ is an array of shape (3,) "
            "of int64 "
            "from 0 to 7; it must be an array of 3 whole numbers from 0 to 6"),
        ("LTW-L-I", "history_", np.zeros((1_000_000, 3)), "history_ is an array of shape (1000000, 3) of F64; "
            "it must be "
            "an array of 0 to 100,000 × 3 numbers from -inf to inf or nan"),
        ("LTW-L-I", "history_", np.array([[2, 1, 1.5]]), "the validation F1 of history_, its last column, must "
            "be numbers "
            "from 0 to 1"),
        ("LTW-L-I", "history_", np.array([[2, 1, 1], [2, 1, 1.0]]), "the steps of history_, its first column, must be "
            "whole numbers that rise to steps_, 4"),
        ("LTW-L-I", "history_", np.array([[6, 1, 1.0]]), "the steps of history_, its first column, must be "
            "whole numbers "
            "that rise to steps_, 4"),
        ("LTW-TF", "dd_", lambda dd: dd * 0 - 1, "dd_ is an array of shape (4,) of float64 from -1 to -1; it "
            "must be an array of 1 to "
            "10,001 numbers from 0 to 1e+30"),
        ("LTW-TF", "parameter.W5", np.zeros(100), "parameter.W5 is an array of shape (100,) of F64; it must be "
            "an array "
            f"of 3 {FLOATS}"),
        ("LTW-G-I", "parameter.W1", np.zeros((2, 4)), "it has an array 'parameter.W1'; it must have cd_, "
            "document_frequency_, fpr_, history_, tpr_"),
        ("LTW-G-I", "more", np.zeros(1), "it has an array 'more'; it must have cd_, document_frequency_, fpr_, "
            "history_, "
            "tpr_"),
    ],
)  # fmt: skip
def test_an_array_that_cannot_be(files, tmp_path, variant, name, value, sentence):
    assert changed(files, tmp_path, variant, {name: value}) == sentence


def test_what_is_missing(files, tmp_path):
    arrays, values = persistence.read(files / "LTW-G-I", "weighting")
    del values["best_f1_"]
    persistence.write(tmp_path / "w", "weighting", arrays, values)
    needed = ", ".join(weighting_layout.VALUES.rules)
    assert refused(tmp_path / "w") == f"it has no best_f1_; it must have {needed}"
    arrays, values = persistence.read(files / "LTW-G-I", "weighting")
    del arrays["cd_"]
    persistence.write(tmp_path / "w", "weighting", arrays, values)
    said = "it has no array cd_; it must have cd_, document_frequency_, fpr_, history_, tpr_"
    assert refused(tmp_path / "w") == said


def test_a_name_that_stands_there_twice(files, tmp_path):
    arrays, values = persistence.read(files / "LTW-G-I", "weighting")
    text = json.dumps({"kind": "weighting", "version": 1, "values": values}).replace('"seed_":', '"seed_": 1, "seed_":')
    save_file(arrays, tmp_path / "w", metadata={"ltw": text})
    told = "w is not a file of a learned weighting: what it says of itself has the field 'seed_' twice"
    assert refused(tmp_path / "w") == told
    content = (files / "LTW-G-I").read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = content[8 : 8 + size].rstrip()[:-1] + b',"cd_":{"dtype":"F64","shape":[3],"data_offsets":[0,24]}}'
    (tmp_path / "w").write_bytes(len(header).to_bytes(8, "little") + header + content[8 + size :])
    assert refused(tmp_path / "w") == "w is not a file of a learned weighting: its header has the field 'cd_' twice"


def test_what_is_repeated_of_a_file_is_short(files, tmp_path):
    content = (files / "LTW-G-I").read_bytes()
    size = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + size]) | {"cd_": "x" * 10_000}
    written = json.dumps(header).encode()
    (tmp_path / "w").write_bytes(len(written).to_bytes(8, "little") + written + content[8 + size :])
    said = refused(tmp_path / "w")
    assert said.startswith("w is not a file of a learned weighting: ") and "xxx…xxx" in said
    assert len(said) < 300


def test_sizes_are_looked_at_before_anything_is_read(files, tmp_path, monkeypatch):
    content = (files / "LTW-G-I").read_bytes()
    path = tmp_path / "w"
    path.write_bytes((2**24 + 1).to_bytes(8, "little") + content[8:])
    assert refused(path) == (
        "w is not a file of a learned weighting: its header has 16,777,217 bytes, more than the 16,777,216 that are "
        "read"
    )
    monkeypatch.setattr(persistence, "MOST_BYTES", len(content) - 1)
    path.write_bytes(content)
    assert refused(path) == f"w has {len(content):,} bytes; at most {len(content) - 1:,} are read"


def test_what_cannot_be_read_again_is_not_written(files, tmp_path):
    weighting = LearnedWeighting.load(files / "LTW-G-I")
    with pytest.raises(FileError, match=r"^the values and notes have [\d,]+ characters of JSON; at most 16 million"):
        weighting.save(tmp_path / "w", notes={"text": "x" * 2**24})
    assert list(tmp_path.iterdir()) == []


def test_a_curve_too_long_for_a_file_is_thinned(files, tmp_path):
    weighting = LearnedWeighting.load(files / "LTW-G-I")
    weighting.steps_ = 250_000
    weighting.history_ = [(step, 0.5, 0.5) for step in range(1, 250_001)]
    weighting.save(tmp_path / "w")
    kept = LearnedWeighting.load(tmp_path / "w").history_
    assert (len(kept), kept[0], kept[-1]) == (100_000, (1, 0.5, 0.5), (250_000, 0.5, 0.5))
