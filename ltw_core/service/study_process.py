"""A study in a process of its own, started from the app: it outlives the page, the session and the server.

It is the command line's ``python -m ltw_core.studies run``: started again, it goes on where it was. One at a time
in a folder; what was asked for, how far it is and what it printed lie there as files.
"""

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from ltw_core.settings import state_dir
from ltw_core.storage.processes import Process, is_alive, is_gone, process_of
from ltw_core.studies.progress_file import read_json, write_json

ASKED, PROGRESS, LOG = "study.json", "progress.json", "study.log"
SILENT = 60  # seconds without a word after which a process that cannot be looked at counts as gone
_lock = threading.Lock()


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
    """

    datasets: tuple[str, ...]
    weightings: tuple[str, ...]
    learners: tuple[str, ...]
    classes: tuple[str, ...] = ()
    grid: str = "quick"
    seeds: int = 1
    workers: int = 1

    def arguments(self, store: Path) -> list[str]:
        """Of ``python -m ltw_core.studies``."""
        return [
            *("run", "--dataset", ",".join(self.datasets), "--classes", ",".join(self.classes) or "all"),
            *("--weightings", ",".join(self.weightings), "--learners", ",".join(self.learners)),
            *("--grid", self.grid, "--seeds", str(self.seeds), "--workers", str(self.workers), "--store", str(store)),
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
        Fields of ``runner.Progress``; {} before its first word.
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
    request: Request, store: Path, folder: Path | None = None, *, retry_failed: bool = False, owner: str = ""
) -> Study:
    """Start a study's process; ``owner`` says whose it is.

    Raises
    ------
    ValueError
        One is running already, or the process cannot be started.
    """
    folder = default_folder() if folder is None else folder
    with _lock:
        now = current(folder)
        if now is not None and now.running:
            raise ValueError("a study is running on this server already; wait for it, or stop it")
        command = [sys.executable, "-m", "ltw_core.studies", *request.arguments(store)]
        command += ["--progress", str(folder / PROGRESS)] + ["--retry-failed"] * retry_failed
        if shutil.which("nice"):
            command = ["nice", "-n", "10", *command]  # the app comes first
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / PROGRESS).unlink(missing_ok=True)
            with (folder / LOG).open("wb") as log:
                child = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                    cwd=Path(__file__).resolve().parents[2],
                )
            threading.Thread(target=child.wait, name="study-end", daemon=True).start()  # leaves no zombie
            asked = {"request": asdict(request), "store": str(store), "started": time.time(), "owner": owner}
            asked["process"] = tuple(process_of(child.pid))
            write_json(folder / ASKED, asked)
        except OSError as error:
            raise ValueError(f"the study could not be started: {error}") from error
        return current(folder)


def current(folder: Path | None = None) -> Study | None:
    """The study that was started last, or None."""
    folder = default_folder() if folder is None else folder
    asked, progress = read_json(folder / ASKED), read_json(folder / PROGRESS) or {}
    if asked is None:
        return None
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
    return state_dir() / "study"


def _last_words(log: Path) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1][:400] if lines else ""
