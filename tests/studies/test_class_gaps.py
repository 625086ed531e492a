"""Two settings class by class, the documents behind a class, and what of a figure hangs on ties."""

import numpy as np
import pytest

from ltw_core.evaluation import decide, disagreement, term_differences
from ltw_core.studies import results, ties
from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.class_gaps import by_size, class_gaps, total
from ltw_core.studies.compute import task_of, vectors_of
from ltw_core.studies.differing_documents import differing_documents
from ltw_core.studies.runner import run

COUNTS = {  # tp, fp, fn, tn of two settings, in classes with 10, 2 and no test documents
    "A": ((8, 2, 2, 88), (5, 0, 5, 90)),
    "B": ((1, 1, 1, 97), (2, 0, 0, 98)),
    "C": ((0, 3, 0, 97), (0, 0, 0, 100)),
}


@pytest.fixture
def sides(store, fill, made):
    fill(
        {
            made.cell(class_name=name, weighting=weighting): counts
            for name, of in COUNTS.items()
            for weighting, counts in zip(("TFRF", "TF"), of, strict=True)
        }
    )
    found = {f.weighting: f for f in averaged_cells(store)}
    return found["TFRF"], found["TF"]


def test_classes_by_hand(sides):
    gaps = class_gaps(*sides)
    assert [(gap.class_name, gap.positives, gap.f1) for gap in gaps] == [
        ("C", 0, (0.0, 1.0)),
        ("B", 2, (0.5, 1.0)),
        ("A", 10, (0.8, pytest.approx(2 / 3))),
    ]
    assert gaps[0].share == pytest.approx(-1 / 3)
    assert total(gaps) == pytest.approx(sides[0].value("macro_f1") - sides[1].value("macro_f1"))
    one = class_gaps(*sides, "macro_f1_untested_one")
    assert [gap.difference for gap in one if gap.class_name == "C"] == [0]
    assert [gap.class_name for gap in class_gaps(*sides, "macro_f1_with_test_positives")] == ["B", "A"]


def test_sizes_by_hand(sides):
    none, some, ten = by_size(sides)
    assert [(g.told, g.classes) for g in (none, some, ten)] == [("0", 1), ("1 to 2", 1), ("10 to 29", 1)]
    assert none.f1 == (0.0, 1.0) and ten.f1 == pytest.approx((0.8, 2 / 3))
    assert none.difference is None  # of a single class


def test_a_group_of_several_classes_has_an_interval(store, fill, made):
    counts = {"TFRF": (9, 1, 1, 89), "TF": (8, 2, 2, 88)}
    names = [f"class {k}" for k in range(4)]
    fill({made.cell(class_name=name, weighting=w): counts[w] for name in names for w in counts})
    found = {f.weighting: f for f in averaged_cells(store)}
    (group,) = by_size((found["TFRF"], found["TF"]))
    assert (group.told, group.classes, group.difference.n) == ("10 to 29", 4, 4)
    assert group.difference.value == pytest.approx(0.1) == pytest.approx(group.difference.both.low)
    (alone,) = by_size((found["TFRF"],))
    assert alone.difference is None and alone.f1 == pytest.approx((0.9,))


def test_documents_decided_differently(store, small_plan):
    """Against the decisions and the terms of the two, which are over the same terms here."""
    run(small_plan(weightings="TF,TFCHI", learner_names="MNB", classes="relevant"), store)
    one, other = sorted(store.records(), key=lambda r: r.cell.weighting)
    found = differing_documents(one, other)
    sides = [decide(vectors_of(r.cell), "MNB", r.parameters, 0) for r in (one, other)]
    split = disagreement(*sides)
    rows, task = np.flatnonzero(split.differ), task_of(one.cell)
    assert found.total == rows.size > 1 and found.linear
    assert found.right == (split.first.sum(), split.second.sum())
    assert {d.number for d in found.documents} == {int(task.rows_test[row]) for row in rows}
    first = found.documents[0]
    row = int(np.flatnonzero(task.rows_test == first.number)[0])
    assert first.truth == task.y_test[row] and first.text in task.document(row, "test")
    by_term = term_differences(*sides, np.array([row])).toarray()[0]
    largest = np.argsort(-np.abs(by_term), kind="stable")[0]
    assert first.terms[0] == (task.terms[largest], pytest.approx(by_term[largest]))
    mean = np.asarray(term_differences(*sides, rows).mean(axis=0)).ravel()
    assert found.terms[0][1] == pytest.approx(mean[np.argmax(np.abs(mean))])


def test_what_hangs_on_ties(sides, monkeypatch, tmp_path):
    cell, rows = sides[0].example, {"A": (0.8, 0.7, 0.6, 0.9), "B": (0.5, 0.5, 0.5, 0.5), "C": (0.0, 1.0, 0.0, 1.0)}
    monkeypatch.setattr(ties, "results_dir", lambda: tmp_path)
    assert ties.on_ties(sides[0]) is None
    place = ",".join(ties._place(cell))
    lines = [",".join(ties.COLUMNS), *(f"{place},{c},6,2,{','.join(map(str, of))}" for c, of in rows.items())]
    (tmp_path / ties.FILE).write_text("\n".join(lines) + "\n")
    found = ties.on_ties(sides[0])
    assert found.classes == 2 and found[1:] == pytest.approx((2.2 / 3, 1.1 / 3, 2.4 / 3))
    assert ties.on_ties(sides[0], "macro_f1_untested_one").lowest == pytest.approx(2.1 / 3)
    assert ties.on_ties(sides[1]) is None and ties.on_ties(sides[0], "micro_f1") is None
    (tmp_path / ties.FILE).write_text("\n".join(lines).replace(",0.8,", ",0.81,") + "\n\n")
    assert ties.on_ties(sides[0]) is None  # of another cell than the figure's


def test_ties_are_counted_once(tmp_path, small_plan):
    cells = small_plan(weightings="LogTFIDF", learner_names="MNB", classes="relevant")
    assert (ties.run(cells, tmp_path), ties.run(cells, tmp_path)) == (1, 0)
    ((place, rows),) = ties._read(tmp_path / ties.FILE, 0).items()
    assert place[0] == "synthetic" and set(rows) == {cells[0].class_name} and rows[cells[0].class_name].settings == 3


def test_shipped_ties_are_of_shipped_figures():
    averaged = {ties._place(f.example): f for f in averaged_cells(results.shipped())}
    complete = [p for p, rows in ties.read().items() if p in averaged and len(rows) == averaged[p].classes]
    assert complete and all(ties.on_ties(averaged[place]) is not None for place in complete)
