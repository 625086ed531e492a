"""The figures of studies as they ship with the project: class names and numbers as CSV, and where they come from.

A folder holds one CSV a corpus, one row a finished cell, and ``provenance.json``: settings, versions, day and hardware
of the runs that the rows belong to, and the classes that were planned, so that a study that is not complete ships as
what it is. From the two files the very cells are made again that a store would have, so that the figures of a folder
and of a store can be merged, and of two for the same place the later wins. Formulas that CCA bred have a file of their
own (``bred_formulas``).

Leaves out averages (``averages``), the paper's own figures (``paper``), failures and other warnings, which stay in the
store.
"""

import csv
import json
import os
import platform
import sys
import threading
import time
from calendar import timegm
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from ltw_core.settings import results_dir
from ltw_core.storage.file_schema import Fields, FileError, Many, Text, Whole, read_json, shown
from ltw_core.studies import bred_formulas
from ltw_core.studies.cell import NOT_SAID, PAIRS, PARTS, Cell, canonical
from ltw_core.studies.cell import RULES as CELL_RULES
from ltw_core.studies.cells_alike import cells_alike
from ltw_core.studies.record import FIGURES, RULES, Record
from ltw_core.studies.result_files import read_rows, write_rows
from ltw_core.studies.store import settings_of

PROVENANCE = "provenance.json"
FORMAT = 1
IN_ROWS = ("class_name", "weighting", "learner", "seed")
UNSAID = NOT_SAID | {"sample": 0}  # what a run does not say where it is so; of samples there are no rows
IN_RUNS = tuple(name for name in PARTS if name not in IN_ROWS)  # what many cells have in common
DAY = "%Y-%m-%d"
COUNTS = ("tp", "fp", "fn", "tn")
COLUMNS = (
    *("class_name", "weighting", "learner", "grid", "seed", *COUNTS, "f1", "validation_f1"),
    *("parameters", "seconds", "weighting_seconds", "run"),
)


FILE_LIMIT = 2**27  # bytes of a CSV, 128 MB: a million rows; the largest that ships has 1.2
JSON_LIMIT = 2**24  # bytes of the provenance; what ships has 15,000
PLANNED = 2_000_000  # cells that are in no row: what was planned and is not there
_name = Text(200, least=1, without="/\\\0")  # of a corpus, and so of its file
PROVENANCE_RULES = Fields(
    {
        "format": Whole(FORMAT, FORMAT),
        "classes": Fields({}, others=Many(Text(1_000), 100_000)),
        "runs": Many(
            Fields(
                {name: CELL_RULES.rules[name] for name in IN_RUNS}
                | {"corpus": _name, "day": Text(10), "hardware": Text(1_000)},
                optional=set(IN_RUNS) - {"corpus", *PAIRS},
            ),
            10_000,
        ),
    }
)
ROW_RULES = {"seed": CELL_RULES.rules["seed"]} | {name: RULES.rules[name] for name in FIGURES}
_WHOLE, _BROKEN = ("seed", *COUNTS, "run"), ("validation_f1", "seconds", "weighting_seconds")

_reading = threading.Lock()  # two readers at once would do it twice


@dataclass(frozen=True, eq=False)
class Results:
    """Cells in memory, as ``averages.averaged_cells`` also reads them from a ``Store``.

    Attributes
    ----------
    entries : list of (Cell, state, digest of its settings)
    finished : list of Record
        Of shipped ones ``host`` is the hardware in words, and ``finished`` is exact to the day.
    """

    entries: list[tuple[Cell, str, str]]
    finished: list[Record]

    def cells(self) -> list[tuple[Cell, str, str]]:
        return self.entries

    def records(self) -> list[Record]:
        return self.finished

    @cached_property
    def by_key(self) -> dict[str, Record]:
        """The finished cells by ``Cell.key``."""
        return {record.cell.key: record for record in self.finished}


def merge(*sources) -> Results:
    """Several sources (``Results`` or ``Store``) as one; of the same cell the later one's figure stays."""
    entries: dict[str, tuple[Cell, str, str]] = {}
    records: dict[str, Record] = {}
    for source in sources:
        for entry in source.cells():
            if entry[1] == "done" or entry[0].key not in records:
                entries[entry[0].key] = entry
        records |= {record.cell.key: record for record in source.records()}
    return Results(list(entries.values()), list(records.values()))


def hardware() -> str:
    """This machine in words, without its name: processor and number of cores."""
    model = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass  # not Linux
    return f"{model}, {os.cpu_count()} cores"


def write(source, folder=None, *, computed_on: str | None = None) -> dict[str, int]:
    """Add the finished cells of a store to a folder of results. For the same place of a table the newer figure stays.
    What was learned from a sample of the training documents is no figure of a table and is left out.

    Parameters
    ----------
    source : Store or Results
    folder : path, optional
        Default: the project's.
    computed_on : str, optional
        The hardware in words (default: this machine's).

    Returns
    -------
    dict of str to int
        Rows by corpus, as the folder has them now.
    """
    folder = results_dir() if folder is None else Path(folder)
    before, words = read(folder), computed_on or hardware()
    places = {_place(record.cell): record for record in before.finished}
    places |= {
        _place(record.cell): replace(record, host=words) for record in source.records() if not record.cell.sample
    }
    classes: dict[str, dict[str, None]] = defaultdict(dict)  # a dict keeps the corpus's order
    for cell, _, group in (*before.entries, *source.cells()):
        classes[group][cell.class_name] = None
    of = [canonical(_run(record)) for record in places.values()]
    used = set(of)
    runs = [
        run for run in dict.fromkeys((*_runs(folder), *of)) if run in used
    ]  # those that were there keep their order
    numbers = {run: number for number, run in enumerate(runs)}
    numbered = [(record, numbers[run]) for record, run in zip(places.values(), of, strict=True)]
    rows: dict[str, list] = defaultdict(list)
    for record, run in numbered:
        rows[record.cell.corpus].append(_row(record, run))
    folder.mkdir(parents=True, exist_ok=True)
    bred_formulas.write(folder, numbered)
    for corpus, lines in rows.items():
        lines.sort(key=lambda line: (line[-1], *line[1:5], line[0]))
        write_rows(folder / f"{corpus}.csv", COLUMNS, lines)
    there = {settings_of(record.cell) for record in places.values()}
    text = {
        "format": FORMAT,
        "classes": {group: list(names) for group, names in classes.items() if group in there},
        "runs": [json.loads(run) for run in runs],
    }
    (folder / PROVENANCE).write_text(json.dumps(text, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return {corpus: len(lines) for corpus, lines in rows.items()}


def read(folder=None) -> Results:
    """The results of a folder; none where there are none.

    Raises
    ------
    FileError
        A ``ValueError``: a file is damaged or of another format.
    """
    folder = results_dir() if folder is None else Path(folder)
    if not (folder / PROVENANCE).is_file():
        return Results([], [])
    try:
        text = read_json((folder / PROVENANCE).read_bytes(), PROVENANCE, JSON_LIMIT)
        if isinstance(text, dict) and text.get("format") != FORMAT:
            raise FileError(f"its format is {shown(text.get('format'))}, this program reads {FORMAT}")
        PROVENANCE_RULES.check(text, PROVENANCE)
        corpora = dict.fromkeys(run["corpus"] for run in text["runs"])
        bred = bred_formulas.read(folder)
        numbered = [found for name in corpora for found in _records(folder / f"{name}.csv", text["runs"], bred)]
        groups: dict[int, str] = {}  # of the settings that a run's cells have in common
        done = [(r.cell, "done", groups.get(run) or groups.setdefault(run, settings_of(r.cell))) for r, run in numbered]
        records = [record for record, _ in numbered]
        return Results(done + _missing(done, text["classes"]), records)
    except OSError as error:
        raise FileError(f"the results in the folder {folder.name} cannot be read: {error.strerror}") from error
    except (ValueError, LookupError, TypeError, csv.Error) as error:
        raise FileError(f"the results in the folder {folder.name} cannot be read: {error}") from error


def shipped() -> Results:
    """What the project's folder has; read once a change of it, by whoever comes first. Not to be changed."""
    path = results_dir() / PROVENANCE
    with _reading:
        return _shipped(path.parent, path.stat().st_mtime_ns if path.is_file() else 0)


@lru_cache(maxsize=2)
def _shipped(folder: Path, _changed: int) -> Results:
    return read(folder)


def _runs(folder: Path) -> list[str]:
    """The runs of a folder in their order, canonical."""
    path = folder / PROVENANCE
    return [canonical(run) for run in json.loads(path.read_text(encoding="utf-8"))["runs"]] if path.is_file() else []


def _place(cell: Cell) -> tuple:
    """Where a figure stands: all of the cell but the versions."""
    return tuple(getattr(cell, name) for name in PARTS if name != "versions")


def _run(record: Record) -> dict:
    """What a record has in common with others, as the provenance has it."""
    found = {name: getattr(record.cell, name) for name in IN_RUNS}  # with the protocol's name, whichever it is
    common = {name: value for name, value in found.items() if value != UNSAID.get(name, ...)}
    for name in PAIRS:
        common[name] = dict(common[name])
    return common | {"day": time.strftime(DAY, time.gmtime(record.finished)), "hardware": record.host}


def _row(record: Record, run: int) -> list:
    cell = record.cell
    return [
        *(cell.class_name, cell.weighting, cell.learner, cell.grid, cell.seed),
        *(getattr(record, name) for name in COUNTS),
        *(f"{record.f1:.4f}", f"{record.validation_f1:.4f}", _settings_text(record.parameters)),
        *(f"{record.seconds:.3f}", f"{record.weighting_seconds:.3f}", run),
    ]


def _records(path: Path, runs: list[dict], bred: dict[tuple[str, ...], str]) -> Iterator[tuple[Record, int]]:
    common = [{name: run[name] for name in IN_RUNS if name in run} for run in runs]
    for pairs in common:
        pairs |= {name: tuple(sorted(pairs[name].items())) for name in PAIRS}
    days = [float(timegm(time.strptime(run["day"], DAY))) for run in runs]
    if path.stat().st_size > FILE_LIMIT:
        raise FileError(f"{path.name} has {path.stat().st_size:,} bytes; at most {FILE_LIMIT:,} are read")
    rules = Fields({**ROW_RULES, "run": Whole(0, len(runs) - 1)})
    rows = read_rows(path)
    makers = {}
    for row, numbers in zip(rows, _numbers(rows, rules, path.name), strict=True):
        run, seed = numbers.pop("run"), numbers.pop("seed")
        place = {name: sys.intern(row[name]) for name in ("class_name", "weighting", "learner")} | {"seed": seed}
        if run not in makers:
            makers[run] = cells_alike(Cell(**common[run], **place))
        cell = makers[run](**place)
        remark = bred.get((cell.corpus, *(row[name] for name in bred_formulas.AT[1:])))
        record = Record.of(
            cell,
            **numbers,
            parameters=dict(_settings(row["parameters"])),
            warnings=(remark,) if remark else (),
            finished=days[run],
            host=runs[run]["hardware"],
        )
        yield record, run


def _numbers(rows: list[dict], rules: Fields, name: str) -> list[dict]:
    """The numbers of every row, checked: column by column by their extremes, and row by row where these are wrong."""
    kinds = dict.fromkeys(_WHOLE, int) | dict.fromkeys(_BROKEN, float)
    try:
        columns = {column: [kind(row[column]) for row in rows] for column, kind in kinds.items()}
        if rows and all(value == value for column in _BROKEN for value in columns[column]):
            for extreme in (min, max):
                rules.check({column: extreme(values) for column, values in columns.items()}, name)
            return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
    except (TypeError, ValueError):
        pass  # which row it is, is found out below
    found = []
    for place, row in enumerate(rows, 1):
        where = f"{name}, row {place}"
        found.append({column: _read_number(kind, row[column], f"{where}, {column}") for column, kind in kinds.items()})
        rules.check(found[-1], where)
    return found


def _read_number(kind, text: str | None, where: str):
    try:
        return kind(text)
    except (TypeError, ValueError) as error:
        raise FileError(f"{where} is {shown(text)}; it must be a number") from error


def _missing(done, classes: dict[str, list[str]]) -> list[tuple[Cell, str, str]]:
    """What was planned and is not there: of every weighting, learner and seed that is, the other classes."""
    here = defaultdict(dict)
    for cell, _, group in done:
        here[group, cell.weighting, cell.weighting_parameters, cell.learner, cell.seed][cell.class_name] = cell
    if sum(len(classes.get(group, ())) for group, *_ in here) > PLANNED:
        raise FileError(f"it says that more than {PLANNED:,} cells were planned")
    return [
        (replace(next(iter(cells.values())), class_name=name), "waiting", group)
        for (group, *_), cells in here.items()
        for name in classes.get(group, ())
        if name not in cells
    ]


def _settings_text(parameters: dict) -> str:
    """Chosen settings as ``C=1.0 loss=hinge``: short, and without the quotes that CSV would double."""
    return " ".join(
        f"{name}={value if isinstance(value, str) else json.dumps(value)}" for name, value in parameters.items()
    )


@lru_cache(maxsize=4096)
def _settings(text: str) -> tuple[tuple, ...]:
    """Inverse of ``_settings_text``; names and texts of learners' settings hold neither spaces nor numbers alone."""
    pairs = (part.split("=", 1) for part in text.split())
    return tuple((name, _value(value)) for name, value in pairs)


def _value(text: str):
    try:
        return json.loads(text)
    except ValueError:
        return text
