"""A study in a process of its own, started from the app: it outlives the page, the session and the server.

It is the command line's ``python -m ltw_core.studies run``: started again, it goes on where it was. One at a time
on a server; what was asked for, how far it is and what it printed lie in a folder as files: one folder for the corpora
of the catalogue, and one beside each table that a reader brought, with everything else that a study of it leaves.
"""

import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ltw_core.evaluation import GRIDS
from ltw_core.service import kept_tables
from ltw_core.service.kept_tables import KeptTable
from ltw_core.settings import environment_in, state_dir
from ltw_core.storage.file_schema import AnyOf, Fields, FileError, Many, OneOf, Optional, Text, Whole
from ltw_core.storage.processes import Process, is_alive, is_gone, process_of
from ltw_core.studies import option_flags, progress_file
from ltw_core.studies.cell import RULES
from ltw_core.studies.progress_file import MOMENT, read_json, write_json

FOLDER, ASKED, PROGRESS, LOG = "study", "study.json", "progress.json", "study.log"
LATER = ("options", "ratio", "protocol")  # fields that files of earlier versions lack; written where they say something
NAMES = Many(Text(1_000, least=1), 100_000)
RECORD = Fields(
    {
        "request": Fields(
            {
                **dict.fromkeys(("datasets", "weightings", "learners", "classes"), NAMES),
                "grid": OneOf(GRIDS),
                "seeds": Whole(1, 1_000_000),
                "workers": Whole(1, 100_000),
                "options": Fields({n: RULES.rules[n] for n in option_flags.NAMES}, optional=option_flags.NAMES),
                "ratio": Optional(RULES.rules["ratio"]),
                "protocol": RULES.rules["protocol"],
            },
            optional=("classes", "grid", "seeds", "workers", *LATER),
        ),
        "store": Text(5_000, least=1),
        "started": MOMENT,
        "owner": Text(1_000),
        "process": Many(AnyOf((Text(1_000), Whole(1, 2**31 - 1))), 3, 3),
    },
    optional=("owner",),
)
ENDS = 5.0  # seconds for which the end of a process is waited for
SILENT = 60  # seconds without a word after which a process that cannot be looked at counts as gone
_lock = threading.Lock()
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Request:
    """What a study is to compute; see ``plan.plan``.

    Attributes
    ----------
    datasets, weightings, learners : tuple of str
    classes : tuple of str
        () for all.
    grid : str
    seeds, workers : int
    options : tuple of (name, value)
        How terms are counted where it is not as usual; a mapping is taken, too.
    ratio : float, optional
        Share of the terms that is kept; without, each dataset's own.
    protocol : str
        "" for the paper's text.
    """

    datasets: tuple[str, ...]
    weightings: tuple[str, ...]
    learners: tuple[str, ...]
    classes: tuple[str, ...] = ()
    grid: str = "quick"
    seeds: int = 1
    workers: int = 1
    options: tuple = ()
    ratio: float | None = None
    protocol: str = ""

    def __post_init__(self):
        given = {name: tuple(v) if isinstance(v, list) else v for name, v in dict(self.options).items()}  # of JSON
        object.__setattr__(self, "options", tuple(given.items()))

    def arguments(self, store: Path, table: KeptTable | None = None) -> list[str]:
        """The command line of ``python -m ltw_core.studies`` for a request, of a table where there is one."""
        return [
            *("run", *(table.source.arguments() if table else ("--dataset", ",".join(self.datasets)))),
            *(f"--class={name}" for name in self.classes),
            *(f"--weighting={name}" for name in self.weightings),
            *("--learners", ",".join(self.learners)),
            *("--grid", self.grid, "--seeds", str(self.seeds), "--workers", str(self.workers), "--store", str(store)),
            *option_flags.arguments(dict(self.options)),
            *(() if self.ratio is None else ("--ratio", str(self.ratio))),
            *(("--protocol", self.protocol) if self.protocol else ()),
        ]


@dataclass(frozen=True)
class Study:
    """The study that was started last, as its files tell.

    Attributes
    ----------
    request : Request
    store : path
    started : float
        Seconds since 1970.
    state : "running", "finished", "stopped" or "failed"
    progress : dict
        Fields of ``runner.StudyProgress``; {} before its first word.
    error : str
        What it said at its end, when it failed.
    process : Process
    owner : str
        Who started it; "" where that is not known.
    """

    request: Request
    store: Path
    started: float
    state: str
    progress: dict
    error: str
    process: Process
    owner: str = ""

    @property
    def running(self) -> bool:
        return self.state == "running"

    def stop(self) -> None:
        """Ask the process to end. What it was computing waits again; what is done stays."""
        if self.running and is_alive(self.process) is not False:
            os.kill(self.process.pid, signal.SIGTERM)


def start(
    request: Request,
    store: Path,
    folder: Path | None = None,
    *,
    table: KeptTable | None = None,
    retry_failed: bool = False,
    owner: str = "",
) -> Study:
    """Start a study's process.

    Parameters
    ----------
    request : Request
    store, folder : path
        Of its cells, and of its files; without ``folder`` where the app's study has them.
    table : KeptTable, optional
        The reader's table that is studied, the only dataset then. Whatever the process keeps besides, its counts of the
        table among them, lies in the table's folder and goes with it.
    retry_failed : bool
    owner : str
        Whose it is.

    Raises
    ------
    ValueError
        One is running on this server already, or the process cannot be started.
    """
    folder = default_folder() if folder is None else folder
    with _lock:
        if _running(folder) or _running(default_folder()):
            raise ValueError("a study is running on this server already; wait for it, or stop it")
        if tables_in_use():
            raise ValueError("a table of a reader's own is being studied on this server; wait until that has ended")
        command = [sys.executable, "-m", "ltw_core.studies", *request.arguments(store, table)]
        command += ["--progress", str(folder / PROGRESS)] + ["--retry-failed"] * retry_failed
        if shutil.which("nice"):
            command = ["nice", "-n", "10", *command]  # the app comes first
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PROGRESS).unlink(missing_ok=True)
            with (folder / LOG).open("wb") as said:
                child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=said,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    env=environment_in(table.folder) if table else None,
                    cwd=Path(__file__).resolve().parents[2],
                )
            threading.Thread(target=child.wait, name="study-end", daemon=True).start()  # leaves no zombie
            what = asdict(request) | {"options": dict(request.options)}
            what = {name: value for name, value in what.items() if name not in LATER or value}
            asked = {"request": what, "store": str(store), "started": time.time(), "owner": owner}
            asked["process"] = tuple(process_of(child.pid))
            write_json(folder / ASKED, asked)
        except OSError as error:
            raise ValueError(f"the study could not be started: {error}") from error
        return current(folder)


def current(folder: Path | None = None) -> Study | None:
    """The study that was started last, or None.

    Raises
    ------
    FileError
        What its files say is no study.
    """
    folder = default_folder() if folder is None else folder
    asked = read_json(folder / ASKED, RECORD)
    if asked is None:
        return None
    progress = read_json(folder / PROGRESS, progress_file.PROGRESS) or {}
    if [type(part) for part in asked["process"]] != [str, int, str]:
        raise FileError(f"{ASKED} is damaged: process must be a host, a number and a moment of birth")
    state, error = progress.pop("state", "running"), progress.pop("error", "")
    heard = progress.pop("time", asked["started"])
    process = Process(*asked["process"])
    if state == "running" and is_gone(process, heard, SILENT):
        state, error = "failed", _last_words(folder / LOG) or "Its process ended without a word (killed?)."
    request = Request(**{k: tuple(v) if isinstance(v, list) else v for k, v in asked["request"].items()})
    return Study(
        request, Path(asked["store"]), asked["started"], state, progress, error, process, asked.get("owner", "")
    )


def default_folder() -> Path:
    """Where the app's study has its files."""
    return state_dir() / FOLDER


def start_of_table(table: KeptTable, request: Request, **how) -> Study:
    """Start a study of a table that a reader brought: its cells and files lie in the table's folder. See ``start``."""
    return start(request, table.store, table.folder / FOLDER, table=table, **how)


def current_of_table(table: KeptTable) -> Study | None:
    """The study of a table that was started last; see ``current``."""
    return current(table.folder / FOLDER)


def end_of_table(table: KeptTable) -> None:
    """Stop the study of a table that is going to be deleted, and wait a moment for its process."""
    try:
        study = current_of_table(table)
    except FileError:
        return
    if study is None or not study.running:
        return
    study.stop()
    deadline = time.monotonic() + ENDS
    while time.monotonic() < deadline and is_alive(study.process):
        time.sleep(0.05)


def tables_in_use() -> dict[Path, Study]:
    """Running studies of readers' tables by the table's folder, which stays meanwhile, however old the table is."""
    running = {folder: _running(folder / FOLDER) for folder in kept_tables.folders()}
    return {folder: study for folder, study in running.items() if study}


def _running(folder: Path) -> Study | None:
    """The study of a folder while it runs."""
    try:
        study = current(folder)
    except FileError as error:  # what cannot be read is written anew; cells that another one has claimed stay its
        log.warning("the study that was started before is not known: %s", error)
        return None
    return study if study is not None and study.running else None


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1][:400] if lines else ""
