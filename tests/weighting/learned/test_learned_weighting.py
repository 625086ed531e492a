"""LearnedWeighting: scikit-learn's contract, what it stores, what it says when something is wrong, its file."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file
from scipy.sparse import csr_array, csr_matrix
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from ltw_core.corpora import load
from ltw_core.tasks import vectorize
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.weighting.learned import VARIANTS, LearnedWeighting, persistence
from ltw_core.weighting.learned.network import Variant, local_cd
from ltw_core.weighting.progress import Cancelled

TINY = dict(hidden=4, max_steps=6, check_every=3, batch_size=8)


@parametrize_with_checks([LearnedWeighting(variant=name, **TINY) for name in VARIANTS])
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@parametrize_with_checks([LearnedWeighting(engine="reference", **TINY)])
def test_scikit_learn_contract_of_the_reference_engine(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def split():
    mask = np.zeros(160, dtype=bool)
    mask[120:] = True
    return mask


def fitted(corpus, split, **parameters):
    return LearnedWeighting(**(dict(hidden=16, max_steps=300, check_every=20, batch_size=16) | parameters)).fit(
        *corpus, validation=split
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_learns_and_transforms(corpus, split, variant):
    counts, _ = corpus
    weighting = fitted(corpus, split, variant=variant, random_state=3)
    assert weighting.best_f1_ > 0.7
    weighted = weighting.transform(counts)
    assert weighted.format == "csr" and weighted.shape == counts.shape
    lengths = np.sqrt(weighted.multiply(weighted).sum(axis=1))
    empty = np.asarray(counts.sum(axis=1)).ravel() == 0
    assert empty.sum() == 1  # document 7
    np.testing.assert_allclose(lengths[empty], 0)
    np.testing.assert_allclose(lengths[~empty], 1)
    assert np.all(np.isfinite(weighted.data))


def test_transform_by_hand(corpus, split):
    weighting = fitted(corpus, split)
    # one document with term 2 once and term 9 three times: dl = 4
    counts = csr_array(([1, 3], ([0, 0], [2, 9])), shape=(1, 30))
    value = np.log1p(np.array([1, 3]) / 4) * weighting.cd_[[2, 9]]
    np.testing.assert_allclose(weighting.transform(counts).data, value / np.linalg.norm(value))


def test_statistics_are_those_of_all_documents(corpus, split):
    counts, y = corpus
    weighting = fitted(corpus, split, max_steps=20)
    held = counts.toarray() > 0
    np.testing.assert_allclose(weighting.tpr_, held[y].mean(axis=0))
    np.testing.assert_allclose(weighting.fpr_, held[~y].mean(axis=0))
    np.testing.assert_array_equal(weighting.document_frequency_, held.sum(axis=0))
    assert (weighting.n_documents_, weighting.prevalence_) == (160, y.mean())


@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-L-sigma", "LTW-TF"])
def test_surface_goes_through_the_terms(corpus, split, variant):
    weighting = fitted(corpus, split, variant=variant)
    np.testing.assert_allclose(weighting.surface(weighting.tpr_, weighting.fpr_), weighting.cd_, rtol=1e-4, atol=1e-5)
    axis = np.linspace(0, 1, 5)
    assert weighting.surface(axis[:, None], axis[None, :]).shape == (5, 5)


@pytest.mark.parametrize("variant", VARIANTS)
def test_canonical_weights_of_the_terms_of_the_class_are_positive(corpus, split, variant):
    raw_signs = set()
    for seed in (0, 2, 5):
        weighting = fitted(corpus, split, variant=variant, random_state=seed)
        raw_signs.add(np.sign(weighting.cd_[:5].sum()))  # terms 0-4 make the class
        assert (weighting.weights_[:5] > 0).all()
        frequency = weighting.document_frequency_
        np.testing.assert_allclose(frequency @ weighting.weights_**2 / frequency.sum(), 1)
    assert variant != "LTW-L-I" or raw_signs == {-1.0, 1.0}


def test_weights_are_there_once_it_is_fitted():
    assert not hasattr(LearnedWeighting(), "weights_")


def test_its_repr_is_short():
    assert repr(LearnedWeighting(variant="LTW-G-I", random_state=3)) == (
        "LearnedWeighting(random_state=3, variant='LTW-G-I')"
    )


def test_best_step_is_what_is_kept(corpus, split):
    events = []
    weighting = LearnedWeighting(hidden=16, max_steps=200, check_every=20, batch_size=16)
    weighting.fit(*corpus, validation=split, on_event=lambda event: events.append(event))
    best = next(event for event in events if event.step == weighting.best_step_)
    assert best.validation_f1 == weighting.best_f1_ == max(score for _, _, score in weighting.history_)
    np.testing.assert_array_equal(weighting.cd_, best.cd)
    np.testing.assert_allclose(best.surface(weighting.tpr_, weighting.fpr_), best.cd, rtol=1e-4, atol=1e-5)
    assert not np.array_equal(events[0].cd, events[-1].cd)  # snapshots, not views


def test_an_event_can_stop_it_and_another_fit_goes_on(corpus, split):
    counts, y = corpus
    kept = {}

    def stop(event):
        kept["checkpoint"] = event.checkpoint()
        return event.step >= 40

    weighting = LearnedWeighting(hidden=8, max_steps=200, check_every=20, batch_size=16, random_state=1)
    whole = clone(weighting).fit(counts, y, validation=split)
    weighting.fit(counts, y, validation=split, on_event=stop)
    assert (weighting.stop_code_, weighting.steps_) == ("stopped", 40)
    assert weighting.stop_reason_ == "Stopped on request at step 40."
    weighting.fit(counts, y, validation=split, resume=kept["checkpoint"])
    assert weighting.history_ == whole.history_
    np.testing.assert_array_equal(weighting.cd_, whole.cd_)


def test_split_seed_is_apart_from_the_training_seed(corpus):
    def made(**parameters):
        weighting = LearnedWeighting(hidden=4, max_steps=20, check_every=20, **parameters).fit(*corpus)
        return weighting.history_[0][1:]

    assert made() == made() == made(split_seed=None)
    assert made() != made(split_seed=1)
    assert made() != made(random_state=1)


def test_without_a_split_it_is_a_tasks():
    task = vectorize(load("synthetic", documents=200, noise_terms=50), cache=False).task("relevant", ratio=1.0)
    one, same = (LearnedWeighting(**TINY | {"check_every": 1}) for _ in range(2))
    one.fit(task.counts_train, task.y_train)
    same.fit(task.counts_train, task.y_train, validation=task.validation)
    assert one.history_ == same.history_


def test_matrix_and_array_with_any_index_type(corpus, split):
    counts, y = corpus
    expected = fitted(corpus, split, max_steps=40)
    wide = csr_matrix(counts.astype(np.int64))
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for X in (wide, counts.astype(np.float32), counts.tocsc(), counts.toarray()):
        np.testing.assert_array_equal(fitted((X, y), split, max_steps=40).cd_, expected.cd_)


def test_a_variant_of_other_inputs_has_no_surface(corpus, split, monkeypatch, tmp_path):
    share = property(lambda found: found.document_frequency / found.n_documents)
    monkeypatch.setattr(TermStatistics, "share", share, raising=False)
    wider = Variant("LTW-L-three", local=True, sigmoid=False, inputs=("tpr", "fpr", "share"))
    monkeypatch.setitem(VARIANTS, wider.name, wider)
    weighting = fitted(corpus, split, variant=wider.name, max_steps=100)
    assert weighting.engine_ == "compiled" and weighting.best_f1_ > 0.5
    weighting.save(tmp_path / "w.safetensors")
    again = LearnedWeighting.load(tmp_path / "w.safetensors")
    np.testing.assert_array_equal(again.transform(corpus[0]).data, weighting.transform(corpus[0]).data)
    with pytest.raises(ValueError, match="no surface over"):
        again.surface(0, 1)
    apart = Variant("LTW-G-three", local=False, sigmoid=False, inputs=wider.inputs)
    monkeypatch.setitem(VARIANTS, apart.name, apart)
    assert fitted(corpus, split, variant=apart.name, max_steps=2).engine_ == "reference"
    with pytest.raises(ValueError, match="compiled engine has global variants for two inputs only"):
        fitted(corpus, split, variant=apart.name, engine="compiled")


def test_a_variant_of_its_own_is_learned_by_every_engine(corpus, split, monkeypatch):
    monkeypatch.setitem(VARIANTS, "LTW-TF-sigma", Variant("LTW-TF-sigma", local=True, sigmoid=True, learned_dd=True))
    for engine in ("compiled", "lockstep", "reference"):
        weighting = fitted(corpus, split, variant="LTW-TF-sigma", engine=engine, max_steps=40, random_state=4)
        assert (weighting.engine_, weighting.dd_[0]) == (engine, 0)
        assert np.all((weighting.cd_ > 0) & (weighting.cd_ < 1))


def test_pretraining_follows_a_function(corpus, split):
    seen = []
    weighting = LearnedWeighting(hidden=200, pretrain="CHI2", max_steps=100, batch_size=16)
    weighting.fit(*corpus, validation=split, on_event=seen.append)
    last = [event for event in seen if event.phase == "pretraining"][-1]
    assert last.loss < 0.01
    assert last.surface(1, 0) > 0.7 and abs(last.surface(0.4, 0.4)) < 0.2
    assert seen[-1].phase == "classifier"


def test_pretraining_follows_a_formula(corpus, split):
    seen = []
    weighting = LearnedWeighting(hidden=200, pretrain="3 * fpr", max_steps=100, batch_size=16)
    weighting.fit(*corpus, validation=split, on_event=seen.append)
    last = [event for event in seen if event.phase == "pretraining"][-1]
    assert "Fitted to 3 * fpr in" in last.message
    np.testing.assert_allclose(last.surface([0.2, 0.8], [0.1, 0.7]), [0.1, 0.7], atol=0.05)  # scaled to [0, 1]


def test_events_say_which_engine_works_where(corpus, split):
    seen = []
    LearnedWeighting(engine="reference", max_steps=20, check_every=20).fit(
        *corpus, validation=split, on_event=seen.append
    )
    assert [(event.engine, event.device) for event in seen] == [("reference", "cpu")]


def test_hidden_units_of_the_frequency(corpus, split):
    learned = fitted(corpus, split, variant="LTW-TF", hidden_dd=7, max_steps=20)
    assert learned.parameters_["W4"].shape == (7,)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (dict(variant="LTW"), "variant must be one of LTW-L-sigma, LTW-L-I, LTW-G-sigma, LTW-G-I, LTW-TF, not 'LTW'"),
        (dict(dropout=1.0), "dropout must be at least 0 and below 1"),
        (dict(dropout_form="uniform"), "dropout_form must be one of gaussian, bernoulli"),
        (dict(learning_rate=-1), "learning_rate must be a positive number"),
        (dict(beta2=1.0), "beta2 must be at least 0 and below 1, not 1.0"),
        (dict(epsilon=0), "epsilon must be a positive number"),
        (dict(hidden=0), "hidden must be a whole number of at least 1"),
        (dict(batch_size=2.5), "batch_size must be a whole number"),
        (dict(pretrain="CHI3"), "pretrain must be one of .*CHI2"),
        (dict(pretrain="tpr +"), "cannot be read as a formula"),
        (dict(variant="LTW-TF", hidden_dd=0), "hidden_dd must be a whole number of at least 1"),
        (dict(variant="LTW-G-I", pretrain="RF"), "pretrain is for the local variants"),
        (dict(engine="fast"), "engine must be one of auto, compiled, lockstep, reference"),
        (dict(engine="compiled", device="cuda"), "the compiled engine works on the cpu"),
        (dict(random_state=-1), "seed must be a whole number of at least 0"),
    ],
)
def test_wrong_parameters_say_what_is_allowed(corpus, split, parameters, message):
    with pytest.raises(ValueError, match=message):
        LearnedWeighting(**parameters).fit(*corpus, validation=split)


def test_wrong_data_says_what_is_wrong(corpus, split):
    counts, y = corpus
    tiny = LearnedWeighting(**TINY)
    with pytest.raises(ValueError, match="y has one class only"):
        tiny.fit(counts, np.zeros(160))
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        tiny.fit(counts, np.arange(160) % 3)
    with pytest.raises(ValueError, match="validation must be a bool mask of shape"):
        tiny.fit(counts, y, validation=np.arange(10))
    with pytest.raises(ValueError, match="validation marks every document"):
        tiny.fit(counts, y, validation=np.ones(160, dtype=bool))
    with pytest.raises(ValueError, match="Negative values"):
        tiny.fit(-counts, y)
    with pytest.raises(ValueError, match="no surface over"):
        LearnedWeighting(variant="LTW-G-I", **TINY).fit(counts, y).surface(0, 1)


def test_without_validation_positives_it_says_so(corpus):
    counts, y = corpus
    mask = np.zeros(160, dtype=bool)
    mask[np.flatnonzero(~y)[-30:]] = True
    weighting = LearnedWeighting(hidden=8).fit(counts, y, validation=mask)
    assert weighting.stop_code_ == "perfect"
    assert "no validation positives" in weighting.stop_reason_


@pytest.mark.parametrize("variant", VARIANTS)
def test_file(corpus, split, variant, tmp_path):
    counts, _ = corpus
    weighting = fitted(corpus, split, variant=variant, random_state=3, max_steps=60)
    path = tmp_path / "w.safetensors"
    weighting.save(path, notes={"class": "corn"})
    loaded = LearnedWeighting.load(path)
    assert loaded.get_params() == weighting.get_params()
    np.testing.assert_array_equal(loaded.transform(counts).data, weighting.transform(counts).data)
    assert loaded.history_ == weighting.history_
    assert loaded.notes_ == {"class": "corn"}
    assert loaded.classes_.tolist() == [False, True]
    assert loaded.stop_reason_ == weighting.stop_reason_
    if VARIANTS[variant].local:
        assert loaded.surface(0.3, 0.1) == weighting.surface(0.3, 0.1)
    if variant == "LTW-TF":
        assert loaded.dd_[0] == 0
        np.testing.assert_array_equal(loaded.dd_, weighting.dd_)
    assert [p.name for p in tmp_path.iterdir()] == ["w.safetensors"]


def test_bad_files_are_sentences(corpus, split, tmp_path):
    path = tmp_path / "w.safetensors"
    with pytest.raises(FileNotFoundError, match="is a folder; a saved weighting is a file"):
        LearnedWeighting.load(tmp_path)
    with pytest.raises(FileNotFoundError, match="there is no file"):
        LearnedWeighting.load(path)
    for content in (b"", b"no such format", b"\x80\x04\x95" + bytes(200), bytes(8) + b"{}"):
        path.write_bytes(content)
        with pytest.raises(ValueError, match="is not a file of a learned weighting"):
            LearnedWeighting.load(path)
    save_file({"x": np.zeros(2)}, path)
    with pytest.raises(ValueError, match="not of a learned weighting"):
        LearnedWeighting.load(path)
    save_file({"x": np.zeros(2)}, path, metadata={"ltw": json.dumps([1])})
    with pytest.raises(ValueError, match=r"not .*of a learned weighting"):
        LearnedWeighting.load(path)
    persistence.write(path, "checkpoint", {"x": np.zeros(2)}, {})
    with pytest.raises(ValueError, match="holds a checkpoint, not a weighting"):
        LearnedWeighting.load(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, values: arrays.pop("cd_"),
        lambda arrays, values: arrays.update(cd_=arrays["cd_"][:-1]),
        lambda arrays, values: arrays.update(cd_=arrays["cd_"] * np.nan),
        lambda arrays, values: arrays.pop("parameter.W1"),
        lambda arrays, values: arrays.update({"parameter.W2": np.zeros(3)}),
        lambda arrays, values: values["parameters"].update(variant="other"),
        lambda arrays, values: values["parameters"].update(unknown=1),
        lambda arrays, values: values.pop("best_f1_"),
        lambda arrays, values: values.update(parameters=None),
    ],
)
def test_damaged_files_are_sentences(corpus, split, tmp_path, change):
    path = tmp_path / "w.safetensors"
    fitted(corpus, split, max_steps=20).save(path)
    arrays, values = persistence.read(path, "weighting")
    change(arrays, values)
    persistence.write(path, "weighting", arrays, values)
    with pytest.raises(ValueError, match="is a damaged file of a learned weighting"):
        LearnedWeighting.load(path)


def test_terms_that_share_a_place_share_its_weight():
    rng = np.random.default_rng(3)
    tpr, fpr = rng.integers(0, 4, (2, 5, 8)) / 7
    shapes = {"W1": (2, 6), "b1": 6, "W2": 6, "b2": 1}
    parameters = {name: rng.normal(size=shape) for name, shape in shapes.items()}
    one_by_one = [local_cd(parameters, x, y, squash=True) for x, y in zip(tpr.ravel(), fpr.ravel(), strict=True)]
    np.testing.assert_allclose(local_cd(parameters, tpr, fpr, squash=True).ravel(), one_by_one, rtol=1e-12)


def test_local_cd_by_hand():
    # two hidden units: ReLU(2·tpr - 1), ReLU(fpr); cd = 3·first - second + .5
    parameters = dict(
        W1=np.array([[2.0, 0], [0, 1]]), b1=np.array([-1.0, 0]), W2=np.array([3.0, -1]), b2=np.array([0.5])
    )
    np.testing.assert_allclose(local_cd(parameters, [1, 0.25], [0.5, 1], squash=False), [3.0, -0.5])
    np.testing.assert_allclose(local_cd(parameters, 0.25, 1, squash=True), 1 / (1 + np.exp(0.5)))


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("variant", ["LTW-L-I", "LTW-G-I"])
def test_it_stops_wherever_it_is_told_to_without_a_listener(corpus, variant, engine):
    X, y = corpus
    asked = []

    def told(after):
        asked.clear()
        return lambda: asked.append(1) or len(asked) > after

    def fitted(after):
        options = dict(variant=variant, engine=engine, device="cpu", random_state=0, learning_rate=1e-9)
        return LearnedWeighting(**options).fit(X, y, should_stop=told(after))

    hidden = X.shape[1] // 2  # of LTW-G, whose rows are drawn one after the other
    if variant == "LTW-G-I":
        for after in (0, hidden // 2, hidden - 1):
            with pytest.raises(Cancelled):
                fitted(after)
            assert len(asked) == after + 1
    drawn = 0 if variant == "LTW-L-I" else hidden + (2 * X.shape[1] if engine == "reference" else 0)
    ended = fitted(drawn)
    assert (ended.stop_code_, ended.steps_, ended.history_) == ("stopped", 0, [])
    more = fitted(drawn + 3)
    assert more.stop_code_ == "stopped" and more.steps_ > 0
