import csv
import io
import json
import re
import subprocess
import sys
import time

import pytest

from ltw_core.protocol import PROTOCOLS
from ltw_core.settings import state_dir
from ltw_core.studies import __main__ as cli
from ltw_core.studies import option_flags, results, runner
from ltw_core.studies.averages import averaged_cells, one_a_corpus
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
    assert "synthetic       quick  paper     TFRF          MNB           2     2" in output
    status, output, errors = command("export --format csv")
    rows = list(csv.DictReader(io.StringIO(output)))
    assert (status, errors) == (0, "")
    assert [(row["measure"], row["weighting"]) for row in rows[:2]] == [("macro_f1", "LogTFIDF"), ("macro_f1", "TFRF")]
    assert all(0 <= float(row["Synthetic, of known roles · SVM"]) <= 1 for row in rows)
    status, output, _ = command("export --format latex")
    assert status == 0 and r"\textbf{TFRF} & " in output
    for level in ("figures", "cells", "significance"):
        assert command(f"export --format csv --level {level}")[0] == 0


@pytest.mark.parametrize(
    ("line", "store"),
    [
        ("run --dataset synthetic", "studies.sqlite"),  # which the study page reads
        ("status", "studies.sqlite"),
        ("export --format csv", "studies.sqlite"),
        ("curve --dataset synthetic", "curves.sqlite"),
    ],
)
def test_each_command_has_its_own_store_where_none_is_named(line, store):
    assert cli._parser().parse_args(line.split()).store == state_dir() / store


def test_a_study_under_the_authors_protocol_stands_apart(command, tmp_path):
    line = "run --dataset synthetic --weightings TFIDF --learners MNB --workers 1"
    for protocol in ("paper", "authors", "idf=smoothed"):
        assert command(f"{line} --protocol {protocol}")[0] == 0
    status = command("status")[1]
    assert status.startswith("0 waiting, 0 claimed, 6 done")
    assert [line.split()[:4] for line in status.splitlines()[3:]] == [
        ["synthetic", "quick", protocol, "TFIDF"] for protocol in ("paper", "authors", "idf=smoothed")
    ]
    rows = list(csv.DictReader(io.StringIO(command("export --format csv --level figures")[1])))
    said = {json.loads(row["settings"]).get("protocol") for row in rows}
    assert said == {None, "idf=smoothed", PROTOCOLS["authors"].text}
    header = command("export --format csv")[1].splitlines()[0]
    assert "protocol of the authors’ code · MNB" in header and "protocol idf=smoothed · MNB" in header
    command(f"export --format results --to {tmp_path / 'results'}")
    with Store(command.path) as store:
        kept = {record.cell.key: record.protocol for record in store.records()}
        assert {r.cell.key: r.protocol for r in results.read(tmp_path / "results").records()} == kept
        found = averaged_cells(store)
    assert [[f.example.how.name for f in one_a_corpus(found, "quick", name)] for name in ("paper", "authors")] == [
        ["paper"], ["authors"],
    ]  # fmt: skip
    status, _, errors = command(f"{line} --protocol editors")
    assert (status, errors) == (
        1,
        "protocol is 'editors'; it must be one of paper, authors, authors-2016-12, or options such as ties=last\n",
    )


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


def test_a_study_goes_on_from_what_ships(command, tmp_path, monkeypatch):
    command(RUN.replace(",TFRF", ""))
    assert command(f"export --format results --to {tmp_path / 'results'}")[0] == 0
    command.path.unlink()
    monkeypatch.setattr(results, "results_dir", lambda: tmp_path / "results")
    status, output, errors = command(RUN + " --missing --dry-run")
    assert (status, errors) == (0, "Left out, since they ship with the project: 4 of 8 cells.\n")
    assert output.startswith("4 cells: 4 new, 0 done")
    command(RUN + " --missing")
    with Store(command.path) as store:
        assert {record.weighting for record in store.records()} == {"TFRF"}
    assert command(RUN + " --dry-run")[1].startswith("8 cells: 4 new, 4 done")  # all, where it is not said


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


def test_a_learning_curve_is_written_as_csv_and_told(capsys, tmp_path):
    arguments = ["curve", "--dataset", "synthetic", "--classes", "relevant", "--weightings", "TFIDF,TFRF"]
    arguments += ["--sizes", "40,80", "--draws", "2", "--store", str(tmp_path / "curves.sqlite")]
    assert cli.main(arguments) == 0
    first = capsys.readouterr()
    header, *rows = first.out.splitlines()
    assert len(rows) == 8 and header.startswith("corpus,class,weighting,classifier,")
    assert "With 80 labelled documents (" in first.err
    assert cli.main(arguments) == 0 and capsys.readouterr().out == first.out
    assert cli.main([*arguments, "--sizes", "many"]) == 1
    assert capsys.readouterr().err.startswith("'many' is no number of documents")


OPTIONS = "--ngram-range 1,2 --min-df 0.05 --max-features 80 --stop-words role,of --no-lowercase --ratio 0.5"


def test_terms_are_counted_as_the_flags_say(command):
    assert command(RUN)[0] == 0 and command(f"{RUN} {OPTIONS} --token-pattern [a-z]\\w+")[0] == 0
    with Store(command.path, read_only=True) as store:
        cells = [cell for cell, *_ in store.cells()]
    new = [cell for cell in cells if cell.ngram_range == (1, 2)]
    assert len(cells) == 16 and len(new) == 8
    assert {(c.min_df, c.max_features, c.stop_words, c.lowercase, c.ratio, c.token_pattern) for c in new} == {
        (0.05, 80, ("of", "role"), False, 0.5, r"[a-z]\w+")
    }
    (titles,) = {tuple(row) for row in csv.reader(io.StringIO(command("export --format csv")[1])) if "measure" in row}
    lines = [line for line in command("status")[1].splitlines() if " TFRF " in line and " SVM " in line]
    assert [line.split()[5:7] for line in lines] == [["2", "2"], ["2", "2"]]
    assert "the 80 most frequent terms" not in lines[0] and "50 % of the terms" in lines[1]
    assert "1- to 2-grams" in lines[1] and "the 80 most frequent terms" in lines[1]
    told = [title for title in titles if "the 80 most frequent terms" in title and "1- to 2-grams" in title]
    assert told and "50 % of the terms" in told[0] and "Synthetic, of known roles, " in told[0]
    settings = {row["settings"] for row in csv.DictReader(io.StringIO(command("export --format csv --level cells")[1]))}
    assert len(settings) == 2 and sum('"ngram_range": [1, 2]' in one for one in settings) == 1


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("--ngram-range 2,1", "ngram_range is (2, 1); its first number"),
        ("--stop-words klingon", "there are no stop words for 'klingon'"),
        ("--token-pattern (", "is no regular expression"),
        ("--ratio 2", "ratio is 2.0; it must lie in (0, 1]"),
        ("--min-df 0", "min_df is 0; it must be"),
    ],
)
def test_flags_that_cannot_be_are_a_sentence(command, flags, said):
    status, output, errors = command(f"{RUN} {flags}")
    assert (status, output, errors.count("\n")) == (1, "", 1) and said in errors


def test_flags_say_what_they_were_made_of(command):
    """What the app asks its study's process for comes out there as it went in."""
    given = {"analyzer": "char_wb", "ngram_range": (2, 3), "min_df": 2, "max_features": 80, "lowercase": False}
    for options in (given, {"stop_words": None}, {"stop_words": ("of",)}, {"tokenizer": "letters", "min_df": 0.25}):
        asked = cli._parser().parse_args(["run", "--dataset", "x", *option_flags.arguments(options)])
        assert option_flags.chosen(asked) == options


def test_a_weighting_whose_name_holds_a_comma_is_named_by_itself(command, monkeypatch):
    from ltw_core.weighting.methods import METHODS, method

    monkeypatch.setitem(METHODS, "max(tpr, fpr)", method("TFRF"))
    line = "run --dataset synthetic --learners MNB --dry-run --weighting=TFIDF"
    arguments = [*line.split(), "--weighting=max(tpr, fpr)", "--store", str(command.path)]
    assert cli.main(arguments) == 0


def test_flags_that_are_no_numbers_are_told_by_their_name(command, capsys):
    with pytest.raises(SystemExit):
        command(f"{RUN} --ngram-range x")
    assert "argument --ngram-range: 'x' is not two whole numbers with a comma" in capsys.readouterr().err


def test_a_learning_curve_takes_the_flags_too(capsys, tmp_path):
    arguments = ["curve", "--dataset", "synthetic", "--classes", "relevant", "--weightings", "TFRF", "--sizes", "40"]
    arguments += ["--draws", "1", "--store", str(tmp_path / "curves.sqlite")]
    f1 = []
    for flags in ([], ["--max-features", "5", "--ratio", "1"]):
        assert cli.main([*arguments, *flags]) == 0
        f1.append(next(csv.DictReader(io.StringIO(capsys.readouterr().out)))["F1"])
    with Store(tmp_path / "curves.sqlite", read_only=True) as store:
        assert {(cell.max_features, cell.ratio) for cell, *_ in store.cells()} == {(None, 0.1), (5, 1.0)}
    assert f1[0] != f1[1]
