"""Counting the terms of many documents in several processes; the counts are those of ``counting`` to the bit.

Each process runs ``counting_process``, which takes chunks of documents and gives their counts back as pieces, whose
words are merged here. It is no copy of the process that asks (that may have threads), nor does it run its main module
again (a script may have no guard); it has its priority. Words need no processes: ``word_counting`` counts them faster
in one.
"""

import contextlib
import itertools
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np

from ltw_core.settings import jobs_at_a_time
from ltw_core.tasks.counting import CountedTerms, Piece, assemble
from ltw_core.tasks.counting_process import receive, send

LEAST = 50_000  # documents; below, starting processes takes what they save
CHUNK = 8 * 2**20  # bytes of text that a process is given at a time
_COMMAND = "import sys; sys.path.insert(0, sys.argv.pop(1)); from ltw_core.tasks.counting_process import main; main()"
_ROOT = str(Path(__file__).resolve().parents[2])


def processes_for(documents: int) -> int:
    """Processes that count so many documents: of the cores that this one may use no more than jobs may run
    (``LTW_JOBS``); 1 for the asking one alone."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, jobs_at_a_time()) if documents >= LEAST else 1


def count_in_processes(
    train: Iterable[bytes], test: Iterable[bytes], make: Callable[[], Callable], processes: int, *, min_df: int = 1
) -> CountedTerms:
    """Count the terms of documents.

    Parameters
    ----------
    train, test : iterable of bytes
        Texts as UTF-8.
    make : callable
        Makes what takes the terms of a text, in each process; it must be fit to be pickled: ``partial(analyser, …)``.
    processes : int
    min_df : int
        Terms in fewer training documents are left out.

    Raises
    ------
    Exception
        What went wrong in a process, as it would have here; the others are ended.
    ChildProcessError
        A process was ended from outside.
    """
    chunks = itertools.chain(_chunks(True, train), _chunks(False, test))
    found: dict[int, tuple[bool, list[Piece]]] = {}
    failed: list[BaseException] = []
    lock, numbers = threading.Lock(), itertools.count()
    workers: list[subprocess.Popen] = []

    def serve(worker: subprocess.Popen):
        try:
            while not failed:
                with lock:
                    number, chunk = next(numbers), next(chunks, None)
                if chunk is None:
                    return
                training, texts = chunk
                send(worker.stdin, texts)
                del chunk, texts
                answer = receive(worker.stdout)
                if isinstance(answer, BaseException):
                    raise answer
                found[number] = training, [Piece(*parts) for parts in answer]
        except (EOFError, OSError) as error:
            failed.append(ChildProcessError(f"a process that counts terms has ended ({error}); count again"))
        except BaseException as error:
            failed.append(error)

    try:
        for _ in range(processes):
            workers.append(_worker(make))
        threads = [threading.Thread(target=serve, args=[worker], daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        for worker in workers:
            worker.kill()
            for pipe in (worker.stdin, worker.stdout):
                with contextlib.suppress(OSError):
                    pipe.close()
            worker.wait()
    if failed:
        raise failed[0]
    parts: dict[bool, list[Piece]] = {True: [], False: []}  # held by nobody else, so that merging lets them go
    some: list[Piece] | None = None
    for number in sorted(found):
        training, some = found.pop(number)
        parts[training] += some
    some = None
    return _merged(parts[True], parts[False], min_df)


def _chunks(training: bool, texts: Iterable[bytes]) -> Iterator[tuple[bool, list[bytes]]]:
    chunk, size = [], 0
    for text in texts:
        chunk.append(text)
        size += len(text)
        if size >= CHUNK:
            yield training, chunk
            chunk, size = [], 0
    if chunk:
        yield training, chunk


def _merged(train: list[Piece], test: list[Piece], min_df: int) -> CountedTerms:
    """Pieces as one, by a dictionary of all words: some 200 bytes each, and faster than merging sorted words."""
    known: dict[bytes, int] = {}
    places = []
    for piece in train:
        split = piece.words.split(b"\n")[:-1]
        places.append(np.fromiter((known.setdefault(word, len(known)) for word in split), np.int32, len(split)))
    piece = split = None
    columns_test = [
        np.fromiter((known.get(word, -1) for word in piece.words.split(b"\n")[:-1]), np.int32) for piece in test
    ]
    held = np.ones(len(known), bool)
    if min_df > 1:
        frequency = np.zeros(len(known), np.int64)
        for piece, place in zip(train, places, strict=True):
            frequency[place] += np.bincount(piece.columns, minlength=place.size)  # a word is there once
        held = frequency >= min_df
    words = sorted(
        word for word, kept in zip(known, held, strict=True) if kept
    )  # bytes of UTF-8 sort as its characters
    column = np.full(len(known) + 1, -1, np.int32)  # the last one stands for a word that is not known
    column[np.fromiter((known[word] for word in words), np.int64, len(words))] = np.arange(len(words))
    del known
    vocabulary, n_terms = b"\n".join(words), len(words)
    del words
    second = assemble(test, [column[place] for place in columns_test], n_terms)
    return CountedTerms(vocabulary, assemble(train, [column[place] for place in places], n_terms), second)


def _worker(make: Callable) -> subprocess.Popen:
    worker = subprocess.Popen(
        [sys.executable, "-c", _COMMAND, _ROOT, str(os.getpid())], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    send(worker.stdin, make)
    return worker
