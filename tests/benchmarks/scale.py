"""Time and memory of each station from a table to a classifier's F1, as its documents grow, and scikit-learn's own way.

``python -m tests.benchmarks.scale --documents 1000,10000,100000,1000000``. Each station runs in a process of its own,
which first brings itself, untimed, to where the station begins. Memory is the most that the process and those it starts
have together while the station runs, texts and counts included: proportional set size every 50 ms, and the process's
own highest resident size where that is more; "mapped" is what of it are pages of files at that moment, which the system
takes back when it needs them. Behind a time stands its growth, over the documents' own: 1.0 is linear.
Linux only.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

CLASS = "class4"
GRID_SAMPLE = 20_000


def _corpus(path: Path):
    from ltw_core.corpora import read_table

    return read_table(path)


def _vectorized(path: Path):
    from ltw_core.tasks import vectorize

    return vectorize(_corpus(path))


def _task(path: Path):
    task = _vectorized(path).task(CLASS)
    assert task.counts_train.nnz
    return task


def _vectors(path: Path):
    from ltw_core.evaluation import weigh

    return weigh(_task(path), "TFRF")


def _scikit_learn(corpus) -> str:
    """The usual pipeline: counts, tf-idf and a linear SVM at its defaults, from texts to test F1."""
    from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
    from sklearn.metrics import f1_score
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    column = corpus.class_names.index(CLASS)
    y = corpus.labels[:, [column]].toarray().ravel()
    train, test = ([corpus.documents[i] for i in rows.nonzero()[0]] for rows in (corpus.train, ~corpus.train))
    pipeline = make_pipeline(CountVectorizer(stop_words="english"), TfidfTransformer(), LinearSVC())
    predicted = pipeline.fit(train, y[corpus.train]).predict(test)
    return f"{len(pipeline[0].vocabulary_):,} terms, F1 {f1_score(y[~corpus.train], predicted):.3f}"


def _count(corpus) -> str:
    from ltw_core.tasks import vectorize

    made = vectorize(corpus)
    return f"{made.vocabulary.size:,} terms, {made.counts_train.nnz + made.counts_test.nnz:,} counts"


def _select(vectorized) -> str:
    task = vectorized.task(CLASS)
    return f"{task.terms.size:,} terms, {task.counts_train.nnz:,} counts of training documents"


def _tfrf(task) -> str:
    from ltw_core.evaluation import weigh

    return f"{weigh(task, 'TFRF').train.nnz:,} weights"


def _learn(task) -> str:
    from ltw_core.weighting import LearnedWeighting

    found = LearnedWeighting().fit(task.counts_train, task.y_train, validation=task.validation)
    return f"{found.steps_:,} steps, validation F1 {found.best_f1_:.3f}"


def _grid(vectors, sample=None) -> str:
    from ltw_core.evaluation import evaluate_vectors

    result = evaluate_vectors(vectors, "SVM", "quick", grid_sample=sample)
    return f"F1 {result.f1:.3f}, {result.parameters}"


STATIONS: dict[str, tuple[Callable, Callable]] = {
    "read": (lambda path: path, lambda path: f"{path.stat().st_size / 1e6:,.0f} MB, {_corpus(path)!r}"),
    "count": (_corpus, _count),
    "open the counts": (_corpus, _count),
    "class: select terms": (_vectorized, _select),
    "TFRF": (_task, _tfrf),
    "LTW-L-I": (_task, _learn),
    f"SVM, grid on {GRID_SAMPLE:,}": (_vectors, lambda vectors: _grid(vectors, GRID_SAMPLE)),
    "SVM, grid on all": (_vectors, _grid),
    "scikit-learn, texts to F1": (_corpus, _scikit_learn),
}
"""Of each station: what it begins with, made of the table's path, and the station, which says what came of it."""


def _warm(station: str) -> None:
    """Import what the station imports, and load what is compiled: no matter of the documents."""
    import sklearn.feature_extraction.text

    if STATIONS[station][0] in (_task, _vectors):
        from ltw_core.evaluation import learner

        learner("SVM")
    if station.startswith("LTW"):
        from ltw_core.weighting.learned import preload

        preload()
    if station.startswith("scikit"):
        import sklearn.svm  # noqa: F401


def _one(station: str, path: Path) -> None:
    """A station in this process; says when it begins, and at its end what it took."""
    begin, work = STATIONS[station]
    _warm(station)
    given = begin(path)
    Path("/proc/self/clear_refs").write_text("5")  # the mark of the highest use starts again from here
    print("begin", flush=True)
    began, processor = time.perf_counter(), time.process_time()
    said = work(given)
    seconds, processor = time.perf_counter() - began, time.process_time() - processor
    peak = _field(f"/proc/{os.getpid()}/status", "VmHWM")
    print(json.dumps({"seconds": seconds, "processor": processor, "mb": peak, "said": said}), flush=True)


def _field(file: str, name: str) -> float:
    """A number of kB of a file of /proc, in MB; 0 for a process that has ended."""
    try:
        lines = Path(file).read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{name}:")), 0.0)


def _family(pid: int) -> list[int]:
    """A process and those that it has started."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        children = [int(child) for thread in threads for child in (thread / "children").read_text().split()]
    except OSError:
        return []
    return [pid, *(one for child in children for one in _family(child))]


def measure(station: str, path: Path) -> dict:
    """Run a station apart and watch its memory."""
    command = [sys.executable, "-m", "tests.benchmarks.scale", "--station", station, str(path)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    lines: list[str] = []
    reader = threading.Thread(target=lambda: lines.extend(iter(process.stdout.readline, "")))
    reader.start()
    most = mapped = 0.0
    while process.poll() is None and len(lines) < 2:
        if lines:
            rollups = [f"/proc/{pid}/smaps_rollup" for pid in _family(process.pid)]
            now = [sum(_field(file, name) for file in rollups) for name in ("Pss", "Pss_File")]
            most, mapped = max((most, mapped), tuple(now))
        time.sleep(0.05)
    reader.join()
    if process.wait() or len(lines) < 2:
        raise SystemExit(f"{station} failed with {path}")
    found = json.loads(lines[1])
    return found | {"mb": max(most, found["mb"]), "mapped": mapped}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.scale", description=__doc__.split("\n")[0])
    parser.add_argument("--documents", default="1000,10000,100000", help="numbers of documents, increasing")
    parser.add_argument("--stations", help="only those whose name holds one of these words, separated by commas")
    parser.add_argument("--tables", type=Path, help="folder in which the tables are kept for the next time")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--station", nargs=2, metavar=("NAME", "PATH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.station:
        _one(options.station[0], Path(options.station[1]))
        return
    wanted = [s for s in STATIONS if not options.stations or any(w in s for w in options.stations.split(","))]
    from tests.benchmarks.measure import machine
    from tests.benchmarks.scale_table import write

    found = {"machine": machine(os.cpu_count()), "rows": []}
    print(found["machine"], flush=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"LTW_STATE": str(Path(folder) / "state"), "LTW_TABLE": "10000"}
        tables = options.tables or Path(folder)
        before: dict[str, tuple[int, float]] = {}
        for documents in map(int, options.documents.split(",")):
            path = tables / f"scale-{documents}.csv"
            if not path.exists():
                write(path, documents)
            for station in wanted:
                row = measure(station, path)
                last, seconds = before.get(station, (0, 0.0))
                growth = f"{row['seconds'] / seconds / (documents / last):5.2f}" if last else "     "
                before[station] = documents, row["seconds"]
                found["rows"].append({"documents": documents, "station": station} | row)
                print(
                    f"{documents:>10,}  {station:26} {row['seconds']:7.2f} s {growth}  "
                    f"{row['processor']:7.2f} s of this process's processor  "
                    f"{row['mb']:6,.0f} MB ({row['mapped']:4,.0f} mapped)  {row['said'][:90]}",
                    flush=True,
                )
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
