import csv
import io
import json
import platform
import re

import pytest

from ltw_core.studies import bred_formulas, results
from ltw_core.studies.__main__ import main
from ltw_core.studies.averages import averaged_cells
from ltw_core.studies.cell import Cell
from ltw_core.studies.estimate import remaining, usual_seconds
from ltw_core.studies.export import to_csv, to_latex
from ltw_core.studies.store import Store
from ltw_core.weighting.genetic.found_formula import FoundFormula

A, B = (9, 1, 1, 89), (2, 4, 6, 88)


@pytest.fixture
def cells(made):
    def make(weighting="TFRF", outcomes=(A, B), names="AB", **changes):
        return {
            made.cell(weighting=weighting, class_name=name, **changes): outcome
            for name, outcome in zip(names, outcomes, strict=True)
        }

    return make


def test_what_is_written_is_read_again(store, fill, cells, tmp_path):
    fill(cells() | cells("LTW-L-I", seed=1, grid="full") | cells("TF", weighting_parameters={"norm": "l2"}))
    assert results.write(store, tmp_path, computed_on="two cores") == {"synthetic": 6}
    found = results.read(tmp_path)
    kept, original = ({r.cell.key: r for r in source.records()} for source in (found, store))
    assert kept.keys() == original.keys()  # the very cells, versions and settings included
    for key, record in kept.items():
        other = original[key]
        assert (record.tp, record.fp, record.fn, record.tn) == (other.tp, other.fp, other.fn, other.tn)
        assert (record.parameters, record.seconds, record.host) == ({"C": 1.0}, other.seconds, "two cores")
    averages = {(f.group, f.weighting): f.averages for f in averaged_cells(store)}
    assert {(f.group, f.weighting): f.averages for f in averaged_cells(found)} == averages
    assert set(found.cells()) == set(store.cells())


def test_no_host_name_and_no_text_but_names(store, fill, cells, tmp_path):
    fill(cells())
    folder = tmp_path / "results"
    results.write(store, folder)
    text = "".join(path.read_text("utf-8") for path in folder.iterdir())
    assert "One sentence" not in text
    assert platform.node() not in re.split(r"[\s\",]+", text)
    (row,) = [row for row in csv.DictReader((folder / "synthetic.csv").open()) if row["class_name"] == "A"]
    assert (row["f1"], row["tp"], row["grid"], row["parameters"]) == ("0.9000", "9", "quick", "C=1.0")
    (run,) = json.loads((folder / "provenance.json").read_text())["runs"]
    assert run["fingerprint"] == "f" * 64 and run["versions"]["Python"] and run["day"] > "2026"


def test_a_bred_formula_ships_with_every_classifier_that_it_had(store, fill, cells, made, tmp_path):
    told = FoundFormula(
        3, 1234, 0.8451, "f · ln(N/n)", r"f \cdot \ln\frac Nn", "f: occurrences; ln(N/n): rarity, of n, N"
    ).sentence
    bred = {
        cell: made.result(cell, *A, warnings=(told, "One sentence."))
        for learner in ("SVM", "KNN")
        for cell in cells("CCA", learner=learner)
    }
    fill(bred | cells("TF"))
    results.write(store, tmp_path)
    with (tmp_path / bred_formulas.FILE).open() as file:
        assert [(row["class_name"], row["depth"]) for row in csv.DictReader(file)] == [("A", "3"), ("B", "3")]
    for record in results.read(tmp_path).records():
        assert record.warnings == ((told,) if record.cell.weighting == "CCA" else ())
    results.write(results.Results([], []), tmp_path)  # what is there stays
    assert sum(record.warnings == (told,) for record in results.read(tmp_path).records()) == 4


def test_an_unfinished_study_ships_as_one(store, fill, cells, tmp_path):
    fill(cells("TF") | cells("TFRF", (A, "It failed.")))
    store.add(cells("TFGR"))  # planned, and nothing of it is done
    results.write(store, tmp_path)
    found = {f.weighting: f for f in averaged_cells(results.read(tmp_path))}
    assert found["TF"].value("macro_f1") is not None
    assert found["TFRF"].value("macro_f1") is None
    assert (found["TFRF"].done, found["TFRF"].planned) == (1, 2)


def test_later_results_join_and_replace_those_of_their_place(store, fill, cells, tmp_path):
    fill(cells(versions={"numpy": "1"}) | cells("TF", versions={"numpy": "1"}))
    results.write(store, tmp_path, computed_on="old")
    fill(cells(outcomes=(B, B), versions={"numpy": "2"}) | cells("BM25"))
    later = results.Results(
        [entry for entry in store.cells() if dict(entry[0].versions) != {"numpy": "1"}],
        [record for record in store.records() if dict(record.cell.versions) != {"numpy": "1"}],
    )
    assert results.write(later, tmp_path, computed_on="new") == {"synthetic": 6}
    found = results.read(tmp_path)
    assert {r.host for r in found.records() if r.cell.weighting == "TFRF"} == {"new"}
    assert {r.host for r in found.records() if r.cell.weighting == "TF"} == {"old"}


def test_merging_a_store_with_what_is_shipped(store, fill, cells, tmp_path):
    shipped = cells()
    fill(shipped)
    results.write(store, tmp_path, computed_on="shipped")
    fill(cells("TF"))
    both = results.merge(results.read(tmp_path), store)
    assert len(both.records()) == 4 == len(both.cells())
    assert all(record.host != "shipped" for record in both.records())  # the store's own are the later ones
    assert {f.weighting for f in averaged_cells(both)} == {"TF", "TFRF"}


def test_nothing_there_and_something_damaged(tmp_path, store, fill, cells):
    assert results.read(tmp_path / "none").records() == []
    fill(cells())
    results.write(store, tmp_path)
    (tmp_path / "synthetic.csv").write_text("class_name,run\nA,7\n")
    with pytest.raises(ValueError, match="the results in the folder"):
        results.read(tmp_path)
    other = tmp_path / "other"
    results.write(store, other)
    good, *rest = (other / "synthetic.csv").read_text().splitlines()
    columns = good.split(",")
    for column, value, said in (
        ("seed", "one", "row 2, seed is 'one'; it must be a number"),
        ("tp", "-1", "row 2, tp is -1"),
        ("validation_f1", "nan", "row 2, validation_f1 is nan"),
        ("run", "7", "row 2, run is 7"),
    ):
        wrong = rest[1].split(",")
        wrong[columns.index(column)] = value
        (other / "synthetic.csv").write_text("\n".join([good, rest[0], ",".join(wrong), *rest[2:]]) + "\n")
        with pytest.raises(ValueError, match=said):
            results.read(other)
    (tmp_path / "provenance.json").write_text('{"format": 99}')
    with pytest.raises(ValueError, match="its format is 99, this program reads 1"):
        results.read(tmp_path)


def test_from_the_command_line(store, fill, cells, tmp_path, capsys):
    fill(cells())
    folder = tmp_path / "results"
    command = ["export", "--format", "results", "--store", str(store.path), "--to", str(folder)]
    assert main([*command, "--hardware", "a desk"]) == 0
    assert capsys.readouterr().out == "synthetic: 2 cells\n"
    assert {record.host for record in results.read(folder).records()} == {"a desk"}


def test_shipped_seconds_tell_how_long_the_same_takes_here(store, fill, cells, tmp_path, monkeypatch):
    fill(cells())
    results.write(store, tmp_path)
    monkeypatch.setattr(results, "results_dir", lambda: tmp_path)
    with Store(":memory:") as empty:
        planned = [*cells(), *cells(corpus="another")]
        empty.add(planned)
        empty.want(cell.key for cell in planned)
        assert remaining(empty) == (2 * (0.5 + 0.25), 2, 2)  # of another corpus they tell nothing


def test_what_a_class_usually_takes_is_known_of_every_corpus():
    of = lambda corpus, n_test: usual_seconds(corpus, n_test, "TFRF", "SVM", "quick")  # noqa: E731
    assert of("reuters21578", 3_000) == of("reuters21578", 30)  # as measured
    assert of("pydocs", 3_000) == pytest.approx([100 * seconds for seconds in of("pydocs", 30)])
    assert min(*of("reuters21578", 1), *of("pydocs", 1)) > 0
    learning, vectors = usual_seconds("pydocs", 30, "RTFIGM", "SVM", "quick")  # a scheme that no study has
    assert learning == of("pydocs", 30)[0] and vectors is None


def test_without_shipped_figures_nothing_is_known_of_times(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "results_dir", lambda: tmp_path)
    assert usual_seconds("pydocs", 30, "TFRF", "SVM", "quick") == (None, None)


def test_what_ships_can_be_read():
    """The project's own folder: every figure belongs to a registered weighting and learner."""
    found = results.read()
    from ltw_core.evaluation import LEARNERS
    from ltw_core.weighting.methods import METHODS

    assert {r.cell.weighting for r in found.records()} <= set(METHODS)
    assert {r.cell.learner for r in found.records()} <= set(LEARNERS)
    for record in found.records()[::97]:  # cells of a run are made at once: each is what it would be by itself
        assert (alone := Cell.from_json(record.cell.json())) == record.cell and alone.key == record.cell.key


def test_tables_and_csv_of_what_was_shipped_are_those_of_the_store(store, fill, cells, tmp_path):
    fill(cells() | cells("LTW-L-I") | cells("LTW-L-I", (B, A), seed=1))
    results.write(store, tmp_path)
    found = results.read(tmp_path)
    assert to_latex(averaged_cells(found)) == to_latex(averaged_cells(store))
    for level in ("table", "significance"):
        assert to_csv(found, averaged_cells(found), level) == to_csv(store, averaged_cells(store), level)
    rows = [list(csv.DictReader(io.StringIO(to_csv(s, averaged_cells(s), "cells")))) for s in (found, store)]
    for one, other in zip(*(sorted(of, key=lambda row: row["key"]) for of in rows), strict=True):
        differing = {name for name in one if one[name] != other[name]}
        assert differing <= {"warnings", "finished"}  # warnings do not ship, times do to the day
