import json
from dataclasses import asdict

import numpy as np
import pytest

from ltw_core.settings import examples_dir
from ltw_core.studies import examples as module
from ltw_core.studies.examples import SHIPPED, examples, find_example, load_example, load_snapshots, make_example
from ltw_core.weighting import LearnedWeighting


def test_every_chosen_example_ships():
    assert [(i.corpus, i.class_name, i.variant) for i in examples()] == list(SHIPPED)


@pytest.mark.parametrize("info", examples(), ids=lambda i: i.name)
def test_shipped_examples_are_whole(info):
    example = load_example(info.name)
    learned = example.weighting
    assert len(example.terms) == learned.cd_.size == info.n_terms
    assert all(len(term.split()) == 1 for term in example.terms)  # single words, no running text
    assert (learned.variant, learned.seed_, learned.steps_) == (info.variant, info.seed, info.steps)
    np.testing.assert_allclose(learned.surface(learned.tpr_, learned.fpr_), learned.cd_, rtol=1e-3, atol=1e-3)
    assert 0.3 < info.test_f1 <= 1


@pytest.mark.parametrize("info", [i for i in examples() if i.variant == "LTW-L-I"], ids=lambda i: i.name)
def test_shipped_snapshots_lead_to_the_example(info):
    """The snapshot of the step that was kept draws the surface that ships."""
    taken, learned = load_snapshots(info.name), load_example(info.name).weighting
    assert 2 < len(taken) <= 60 and taken[-1].step == info.steps
    assert [s.step for s in taken] == sorted(s.step for s in taken)
    (best,) = [s for s in taken if s.step == learned.best_step_]
    assert best.validation_f1 == pytest.approx(learned.best_f1_)
    size = np.abs(learned.cd_).max()
    np.testing.assert_allclose(best.surface(learned.tpr_, learned.fpr_) / size, learned.cd_ / size, atol=0.01)


def test_examples_are_small():
    assert sum(path.stat().st_size for path in examples_dir().iterdir()) < 8e6


def test_one_is_made_and_read_back(tmp_path, monkeypatch):
    info = make_example("synthetic", "relevant", "LTW-L-I", seed=3, folder=tmp_path)
    (tmp_path / "index.json").write_text(json.dumps([asdict(info)]))
    monkeypatch.setattr(module, "examples_dir", lambda: tmp_path)
    examples.cache_clear()
    load_example.cache_clear()
    try:
        assert find_example("synthetic", "relevant") == info
        assert find_example("synthetic", "nothing") is None
        assert load_example(info.name).weighting.seed_ == 3
        assert LearnedWeighting.load(tmp_path / f"{info.name}.safetensors").notes_["corpus"] == "synthetic"
        with pytest.raises(ValueError, match="there is no example 'x'; there are synthetic-relevant-LTW-L-I"):
            load_example("x")
        (tmp_path / f"{info.name}.safetensors").unlink()
        load_example.cache_clear()
        with pytest.raises(ValueError, match="is missing"):
            load_example(info.name)
    finally:
        examples.cache_clear()
        load_example.cache_clear()
