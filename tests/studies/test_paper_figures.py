"""What the paper's other figures are drawn from: seconds of weighting, and ten training runs a class."""

import numpy as np
import pytest

from ltw_core.studies import result_files, ten_runs
from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.examples import PAPER
from ltw_core.studies.ten_runs import SEEDS, VARIANTS, courses, train
from ltw_core.studies.times import times
from ltw_core.tasks import vectorize
from ltw_core.weighting import LearnedWeighting


def test_seconds_of_weighting_by_kind(store, fill, made):
    """Each cell took a quarter of a second to weigh; two classes."""
    names = ("TF", "TFRF", "TFCHI", "Dense", "TFRF-before-2017-01-23", "LTW-RF")  # the last two are not the paper's
    fill({made.cell(corpus="ohsumed", class_name=c, weighting=w): (1, 1, 1, 97) for w in names for c in "AB"})
    rows = {row.kind: row for row in times(averaged_cells(store), "ohsumed")}
    assert (rows["UTW"].a_class, rows["UTW"].all_classes, rows["UTW"].paper) == (0.25, 0.5, "")
    assert rows["STW"].weightings == ("TFCHI", "TFRF") and rows["Dense"].paper == "31"
    assert rows["CCA"].a_class is None and rows["CCA"].paper == "≥ 3,075 a class" and "LTW" not in rows
    papers = {row.kind: row.paper for row in times([], "reuters21578")}
    assert papers == {"UTW": "< 1", "STW": "23", "Dense": "10", "CCA": "≥ 1,005 a class", "LTW": "62"}


def test_a_course_is_that_of_the_weighting(made):
    from ltw_core.corpora.synthetic import Synthetic

    task = vectorize(Synthetic().read(**made.small)).task("relevant")
    course = train(task, "LTW-TF", 3)
    learned = LearnedWeighting(variant="LTW-TF", random_state=3)
    learned.fit(task.counts_train, task.y_train, validation=task.validation)
    assert (course.steps, course.best_step, course.seed) == (learned.steps_, learned.best_step_, 3)
    assert [point[0] for point in course.history] == [step for step, *_ in learned.history_]
    assert course.dd == pytest.approx(learned.dd_[: len(course.dd)], abs=1e-4)


def test_the_shipped_runs_are_complete():
    about, runs = ten_runs.shipped()
    assert len(runs) == len(PAPER) * len(VARIANTS) * SEEDS and set(about) == {"made", "versions", "hardware"}
    for corpus, class_name in PAPER:
        for variant in VARIANTS:
            for run in courses(corpus, class_name, variant):
                steps, _, f1 = np.array(run.history).T
                assert run.best_f1 == f1.max() == f1[steps == run.best_step][0] and run.steps == steps[-1]
                assert bool(run.dd) is (variant == "LTW-TF")
                if run.stop_code == "patience":  # 20 validations, one each 100 steps
                    assert run.steps - run.best_step == 2_000


def test_damaged_runs_are_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(result_files, "results_dir", lambda: tmp_path)
    ten_runs.shipped.cache_clear()
    (tmp_path / ten_runs.FILE).write_text('{"runs": [{"corpus": "a"}]}')
    with pytest.raises(ValueError, match="the runs of the paper's figures cannot be read"):
        ten_runs.shipped()
    ten_runs.shipped.cache_clear()
