"""A study of a table of one's own: by its path, killed, resumed, exported; the path is in no key and no store."""

import csv
import gzip
import importlib
import io
import json
import os
import signal
import subprocess
import sys
import time

import cloudpickle
import pytest
from joblib import delayed

from ltw_core.corpora.tables.source import TableSource
from ltw_core.studies import __main__ as cli
from ltw_core.studies.compute import run_cells
from ltw_core.studies.fit_batches import fit_batches
from ltw_core.studies.plan import plan
from ltw_core.studies.runner import run
from ltw_core.studies.store import Store

OPTIONS = {"text": "body", "label": "topic"}
RUN = "--text body --label topic --weightings TFIDF,TFRF --learners MNB,SVM"


def table(extra=""):
    rows = "".join(f"bread dough oven {i},food\nengine wheel road {i},car\n" for i in range(40))
    return f"body,topic\n{rows}{extra}"


@pytest.fixture
def path(tmp_path):
    folder = tmp_path / "a secret place"
    folder.mkdir()
    (folder / "mine.csv").write_text(table())
    return folder / "mine.csv"


@pytest.fixture
def command(tmp_path, capsys):
    def command(line, *more):
        status = cli.main([*line.split(), *more, "--store", str(tmp_path / "cli.sqlite")])
        return status, *capsys.readouterr()

    command.path = tmp_path / "cli.sqlite"
    return command


def test_dry_run_run_status_and_export(command, path):
    status, output, _ = command(f"run --dry-run {RUN}", "--dataset", str(path))
    assert status == 0 and output.startswith("8 cells: 8 new")
    status, _, errors = command(f"run {RUN}", "--dataset", str(path))
    assert status == 0 and "8 of 8 cells" in errors
    status, output, _ = command("status")
    assert "0 waiting, 0 claimed, 8 done, 0 failed" in output and "table-mine " in output
    status, output, _ = command("export --format csv")
    assert status == 0 and "macro_f1,STW,TFRF,1.0" in output
    for file in (output, command("export --format csv --level figures")[1], command.path.read_bytes().decode("latin")):
        assert "secret" not in file
    assert "8 done, 0 failed, 0 to compute" in command(f"run --dry-run {RUN}", "--dataset", str(path))[1]


def test_a_table_that_changed_gives_a_sentence(command, path):
    line = f"run {RUN} --classes food", "--dataset", str(path)
    assert "another content" not in command(*line)[2]
    assert "another content" not in command(*line)[2]
    path.write_text(table("bread,food\n"))
    status, _, errors = command(*line)
    assert status == 0 and "has cells of table-mine with another content: the table or the options" in errors


@pytest.mark.parametrize("workers", [1, 2])
def test_a_table_that_changes_while_it_is_studied_fails_its_cells(path, store, workers):
    cells = plan([TableSource(path, **OPTIONS)], weightings="TFRF", learner_names="MNB")
    path.write_text(table("bread,food\n"))
    run(cells, store, workers=workers)
    (_, error), _ = store.failures()
    assert "the corpus table-mine that lies here is not the one that the study was planned with" in error
    path.unlink()
    run(cells, store, workers=workers, retry_failed=True)
    (_, error), _ = store.failures()
    assert error.startswith("There is no file mine.csv.") and "secret" not in error


def test_the_same_table_elsewhere_has_the_same_cells(path, tmp_path):
    planned = lambda path: plan([TableSource(path, **OPTIONS)], weightings="UTW", learner_names="SVM")  # noqa: E731
    other = tmp_path / "mine.csv"
    other.write_text(table())
    there, here = planned(path), planned(other)
    assert [cell.key for cell in there] == [cell.key for cell in here] and there == here
    assert {cell.source.path for cell in here} == {str(other)} and "source" not in here[0].json()


def test_killed_and_started_again_it_goes_on(command, path):
    line = [sys.executable, "-m", "ltw_core.studies", "run", "--dataset", str(path), *RUN.split()]
    line += ["--store", str(command.path), "--seeds", "4", "--learners", "RF", "--classes", "food"]
    running = subprocess.Popen(line, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        done, until = 0, time.monotonic() + 60
        while done < 1 and time.monotonic() < until:
            time.sleep(0.02)
            if command.path.is_file():
                with Store(command.path) as store:
                    done = store.counts()["done"]
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert 1 <= done < 8
    with Store(command.path) as store:
        before = {record.cell.key: record.finished for record in store.records()}
    command(f"run {RUN} --seeds 4 --learners RF --classes food", "--dataset", str(path))
    with Store(command.path) as store:
        after = {record.cell.key: record.finished for record in store.records()}
        assert store.counts()["failed"] == 0
    assert len(after) > len(before) and before.items() <= after.items()
    status, output, _ = command("export --format csv")
    assert status == 0 and "macro_f1,STW,TFRF,1.0" in output and "secret" not in output


def test_a_learning_curve_of_a_table(command, path):
    """By its path and options; in two processes what it is in one. Its folder is in no output and no store."""
    rows = [line.split(",") for line in table().splitlines()[1:]]
    lines = [f"{text};{label}|all;{'test' if n % 4 == 0 else 'train'}" for n, (text, label) in enumerate(rows)]
    path.write_text("body;topic;part\n" + "\n".join([*lines, "road;;train", "what is it;food;test"]))
    line = "curve --text body --label topic --split part --separator | --classes food,car --weightings TFIDF,TFRF"
    line += " --sizes 20,40 --draws 2 --learner MNB"
    status, output, errors = command(line, "--dataset", str(path))
    header, *figures = output.splitlines()
    assert status == 0 and len(figures) == 16 and header.startswith("corpus,class,weighting,classifier,")
    assert all(figure.startswith(("mine.csv,food,", "mine.csv,car,")) for figure in figures)
    written = list(csv.DictReader(io.StringIO(output)))
    assert {row["without a known term: test"] for row in written if row["labelled documents"] == "40"} >= {"1"}
    assert {row["without a known term: test positives"] for row in written if row["class"] == "car"} == {"0"}
    assert all(int(row["without a known term: test positives"]) for row in written if row["class"] == "food")
    assert "With 40 labelled documents (" in errors and "secret" not in output + errors
    assert command(line, "--dataset", str(path))[1] == output
    assert "secret" not in command.path.read_bytes().decode("latin")
    command.path.unlink()
    assert command(f"{line} --workers 2", "--dataset", str(path))[1] == output
    status, _, errors = command("curve --text body", "--dataset", "synthetic")
    assert status == 1 and "'synthetic' is no path of a table, so it takes no text" in errors


@pytest.mark.parametrize("form", ["mine.json", "mine.json.gz", "mine.parquet", "mine.parquet.gz"])
def test_a_table_of_any_format_has_the_cells_of_the_csv(command, path, form):
    command(f"run {RUN} --classes food", "--dataset", str(path))
    rows = [dict(zip(("body", "topic"), line.split(","), strict=True)) for line in table().splitlines()[1:]]
    if "json" in form:
        content = json.dumps(rows).encode()
    else:
        pyarrow = pytest.importorskip("pyarrow", reason="the optional package `pyarrow` is not installed")
        parquet = importlib.import_module("pyarrow.parquet")
        stream = io.BytesIO()
        parquet.write_table(pyarrow.Table.from_pylist(rows), stream)
        content = stream.getvalue()
    other = path.with_name(form)
    other.write_bytes(gzip.compress(content) if form.endswith("gz") else content)
    status, output, _ = command(f"run --dry-run {RUN} --classes food", "--dataset", str(other))
    assert status == 0 and output.startswith("4 cells: 0 new, 4 done")


def test_a_folder_with_a_sub_folder_a_class_is_a_table_too(command, tmp_path):
    for number in range(20):
        for label, text in (("food", "bread dough oven"), ("car", "engine wheel road")):
            file = tmp_path / "mine" / label / f"{number}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{text} {number}")
    line = "run --weightings TFRF --learners MNB"
    assert command(f"{line} --dry-run", "--dataset", str(tmp_path / "mine"))[1].startswith("2 cells: 2 new, 0 done")
    assert command(line, "--dataset", str(tmp_path / "mine"))[0] == 0
    assert "macro_f1,table-mine,TFRF,MNB,1.0" in command("export --format csv --level figures")[1]


def test_what_is_sent_to_workers_is_the_path_and_not_the_texts(path):
    """As Dask and joblib pickle it: as many bytes for a table of a hundred times the size."""
    sent = {}
    for rows in (80, 8_000):
        path.write_text("body,topic\n" + "".join(f"bread number {n} of the oven,{'xy'[n % 2]}\n" for n in range(rows)))
        cells = plan([TableSource(path, **OPTIONS)], weightings="TFRF", learner_names="SVM,MNB", classes="x")
        batch, *_ = fit_batches([cells], "cpu", lambda: False)
        call = delayed(run_cells)(batch.cells, None, *batch[1:])
        sent[rows] = cloudpickle.dumps(call)
        assert b"bread number" not in sent[rows] and str(path).encode() in sent[rows]
    assert path.stat().st_size > 200_000 and len(sent[8_000]) < 10_000
    assert abs(len(sent[8_000]) - len(sent[80])) < 100


def test_a_sample_that_chooses_settings_is_said_wherever_figures_stand(tmp_path, command):
    """In the cell and its key, in every line of an export, in a table's heads and in the record."""
    path = tmp_path / "larger.csv"
    rows = "".join(f"bread dough oven w{i},food\nengine wheel road w{i} x{i % 9},car\n" for i in range(120))
    path.write_text(f"body,topic\n{rows}")
    words = ["--dataset", str(path)]
    assert command(f"run {RUN} --grid-sample 100", *words)[0] == 0
    with Store(command.path) as store:
        records = list(store.records())
    assert len(records) == 8 and {record.grid_sample for record in records} == {100}
    sentence = "The setting was chosen on 100 of the 168 training documents"
    assert all(any(sentence in warning for warning in record.warnings) for record in records)
    assert "quick grid on 100 training documents, seed 0" in repr(records[0])
    for level in ("figures", "cells"):
        _, output, _ = command(f"export --format csv --level {level}")
        assert output.count('""grid_sample"": 100') == len(output.splitlines()) - 1 > 0
    assert "settings chosen on 100 training documents · SVM" in command("export --format csv")[1]
    assert command(f"run {RUN}", *words)[0] == 0  # all choose: other cells, in other columns
    with Store(command.path) as store:
        assert sorted(record.grid_sample or 0 for record in store.records()) == [0] * 8 + [100] * 8
    assert command(f"run {RUN} --grid-sample 168 --dry-run", *words)[1].startswith("8 cells: 0 new, 8 done")
    status, _, errors = command(f"run {RUN} --grid-sample 5", *words)
    assert status == 1 and errors.startswith("grid_sample is 5; it must be a whole number of at least 100 documents")


def test_a_class_whose_name_holds_a_comma_is_named_by_itself(command, tmp_path):
    rows = "".join(f'bread dough oven {i},"a, b"\nengine wheel road {i},all\n' for i in range(40))
    (tmp_path / "commas.csv").write_text(f"body,topic\n{rows}")
    line = "run --dry-run --weightings TF --learners MNB --dataset"
    for classes, cells in ((["--class=a, b"], 1), (["--class=a, b", "--class=all"], 2), (["--class=all"], 1), ([], 2)):
        status, output, _ = command(line, str(tmp_path / "commas.csv"), *classes)
        assert status == 0 and output.startswith(f"{cells} cells: {cells} new"), classes
    status, _, errors = command(line, str(tmp_path / "commas.csv"), "--classes", "a, b")
    assert status == 1 and "there is no class of table-commas 'a', 'b'" in errors
