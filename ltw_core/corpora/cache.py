"""Corpora kept in the state folder once they are read, so that the second time takes a fraction of a second.

A file holds the texts as one UTF-8 blob, with plain arrays and JSON (``npz``, never pickle). Its name carries a key of
everything that it depends on; a file that is broken, or of another key, counts as absent. Only speed is at stake:
nothing here raises because of the cache.
"""

import hashlib
import json
import logging
import threading
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array

from ltw_core.corpora.corpus import Corpus
from ltw_core.settings import state_dir
from ltw_core.storage.disk_cache import read_arrays, write_arrays

log = logging.getLogger(__name__)

FORMAT = 1  # raise it when the layout of the file changes
_TEXT_FIELDS = ("name", "title", "origin", "class_names", "class_titles", "report", "notes", "language")
_locks: dict[str, threading.Lock] = defaultdict(threading.Lock)


def cached(name: str, key: object, build: Callable[[], Corpus]) -> Corpus:
    """The corpus from the cache, or built and put there.

    Parameters
    ----------
    name : str
        First part of the file's name; an older file of the same name is replaced.
    key : object
        Everything that the corpus depends on, as JSON can hold it: a reader's version, sizes, times, versions.
    build : callable
        Makes the corpus. Its errors pass through.
    """
    text = json.dumps([FORMAT, name, key], sort_keys=True)
    stem = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:20]}"
    with _locks[stem]:  # a second session that asks for the same corpus waits for the first instead of reading too
        path = state_dir() / "corpora" / f"{stem}.npz"
        corpus = read_arrays(path, _unpack)
        if corpus is None:
            corpus = build()
            write_arrays(path, _pack(corpus))
            _forget_others(path, name)
        return corpus


def _pack(corpus: Corpus) -> dict[str, np.ndarray]:
    fields = json.dumps({field: getattr(corpus, field) for field in _TEXT_FIELDS})
    text = "".join(corpus.documents).encode("utf-8", "surrogatepass")
    return {
        "fields": np.frombuffer(fields.encode(), dtype=np.uint8),
        "text": np.frombuffer(text, dtype=np.uint8),
        "lengths": np.array([len(document) for document in corpus.documents], dtype=np.int64),
        "indices": corpus.labels.indices,
        "indptr": corpus.labels.indptr,
        "train": corpus.train,
    }


def _unpack(arrays: dict[str, np.ndarray]) -> Corpus:
    fields = json.loads(arrays["fields"].tobytes())
    text = arrays["text"].tobytes().decode("utf-8", "surrogatepass")
    ends = np.cumsum(arrays["lengths"])
    labels = csr_array(
        (np.ones(len(arrays["indices"]), dtype=bool), arrays["indices"], arrays["indptr"]),
        shape=(len(ends), len(fields["class_names"])),
    )
    labels.check_format(full_check=True)
    if int(ends[-1]) != len(text):
        raise ValueError("texts cut short")
    starts = np.concatenate(([0], ends[:-1]))
    documents = [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return Corpus(documents=documents, labels=labels, train=arrays["train"], **fields)


def _forget_others(path: Path, name: str):
    """Remove what the same corpus left under other keys (an archive since replaced, packages since upgraded)."""
    length = len(path.name)
    for other in path.parent.glob(f"{name}-*.npz"):
        if other != path and len(other.name) == length:
            try:
                other.unlink()
            except OSError as error:
                log.info("old cache file %s stays: %s", other.name, error)
