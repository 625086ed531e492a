import csv
import io
import re
import subprocess
import sys
import time

import pytest

from ltw_core.studies import __main__ as cli
from ltw_core.studies import runner
from ltw_core.studies.store import Store


@pytest.fixture
def command(tmp_path, monkeypatch, capsys, made):
    """Run a command on a store of its own and the small corpus; returns status, output and errors."""
    planned = cli.planning.plan
    monkeypatch.setattr(
        cli.planning, "plan", lambda names, **options: planned(names, corpus_parameters=made.small, **options)
    )

    def command(line):
        status = cli.main([*line.split(), "--store", str(tmp_path / "cli.sqlite")])
        return status, *capsys.readouterr()

    command.path = tmp_path / "cli.sqlite"
    return command


RUN = "run --dataset synthetic --weightings LogTFIDF,TFRF --learners SVM,MNB --grid quick --seeds 2 --workers 1"


def test_run_status_and_export(command):
    status, output, errors = command(RUN)
    assert (status, output) == (0, "")
    assert "8 of 8 cells" in errors.splitlines()[-1]
    status, output, _ = command("status")
    assert status == 0 and output.startswith("0 waiting, 0 claimed, 8 done, 0 failed\n")
    assert "synthetic       quick  TFRF          MNB           2     2" in output
    status, output, errors = command("export --format csv")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert (status, errors) == (0, "")
    assert [(row["measure"], row["weighting"]) for row in rows[:2]] == [("macro_f1", "LogTFIDF"), ("macro_f1", "TFRF")]
    assert all(0 <= float(row["Synthetic, of known roles · SVM"]) <= 1 for row in rows)
    status, output, _ = command("export --format latex")
    assert status == 0 and r"\textbf{TFRF} & " in output
    for level in ("figures", "cells", "significance"):
        assert command(f"export --format csv --level {level}")[0] == 0


def test_a_dry_run_counts_estimates_and_computes_nothing(command):
    status, output, _ = command(RUN + " --dry-run")
    assert status == 0 and not command.path.exists()
    assert output.startswith("8 cells: 8 new, 0 done, 0 failed, 8 to compute\n8 cells are not in this estimate")
    began = time.monotonic()
    command(RUN.replace("TFRF", "TFGR"))
    took = time.monotonic() - began
    status, output, _ = command(RUN + " --dry-run")
    estimate = re.match(
        r"8 cells: 4 new, 4 done, 0 failed, 4 to compute\nabout 0\.\d\d hours \((\d+) s\) with 1 worker,", output
    )
    assert int(estimate[1]) <= took + 1  # four cells, as those that were measured
    with Store(command.path) as store:
        assert store.counts()["waiting"] == 0


def test_failures_are_told(command, monkeypatch):
    def broken(cells, *_):
        return [runner_outcome(cell) for cell in cells]

    def runner_outcome(cell):
        from ltw_core.studies.compute import CellOutcome

        return CellOutcome(cell.key, None, "It cannot be.\nNever.")

    monkeypatch.setattr(runner, "run_cells", broken)
    status, _, errors = command(RUN)
    assert status == 1 and "8 cells failed; `status --store" in errors
    assert "failed: synthetic/other LogTFIDF SVM quick seed 0\n  It cannot be.\n  Never.\n" in command("status")[1]
    status, output, errors = command("export --format csv")
    assert "4 of 4 figures are missing" in errors and "macro_f1,STW,TFRF,,,,\n" in output


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("status", "there is no store"),
        ("export --format csv", "there is no store"),
        ("run --dataset nothing", "There is no corpus 'nothing'"),
        (RUN.replace("TFRF", "TFXX"), "there is no weighting 'TFXX'"),
    ],
)
def test_errors_are_sentences(command, line, sentence):
    status, output, errors = command(line)
    assert (status, output) == (1, "")
    assert errors.startswith(sentence) and "Traceback" not in errors


def test_the_former_name_still_works_and_says_so_once(tmp_path):
    line = [sys.executable, "-m", "ltw_core.experiments", "status", "--store", str(tmp_path / "none.sqlite")]
    ended = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout) == (1, "")
    first, second = ended.stderr.splitlines()
    assert "ltw_core.experiments is called ltw_core.studies now" in first and second.startswith("there is no store")


def test_an_interrupt_says_how_to_go_on(command, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(runner, "run_cells", interrupted)
    status, _, errors = command(RUN)
    assert status == 130 and "goes on from here" in errors
