"""Counting in processes: the same bits, the same sentences, and no process that stays."""

import os
import subprocess
import time
import weakref
from functools import partial
from pathlib import Path

import pytest

from ltw_core.corpora import load, read_table
from ltw_core.tasks import counted_corpus, parallel_counting, vectorize
from ltw_core.tasks.counting import count
from ltw_core.tasks.parallel_counting import count_in_processes, processes_for
from ltw_core.tasks.tokens import analyser
from tests.waiting import PATIENCE

ROWS = [f"apple plum{n % 7} ΣΑΣ 习权重{n % 3} don't aa{n % 11},{'xy'[n % 2]}" for n in range(90)]
MAKE = partial(analyser, "words", "english")


def counting_processes() -> set[int]:
    """Those that this process has started and that run."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command, status = (folder / "cmdline").read_bytes(), (folder / "status").read_text()
        except OSError:
            continue
        if b"counting_process" in command and f"PPid:\t{os.getpid()}\n" in status and "State:\tZ" not in status:
            found.add(int(folder.name))
    return found


def same(one, other):
    assert one.vocabulary == other.vocabulary
    for a, b in ((one.train, other.train), (one.test, other.test)):
        assert (a.shape, a.has_canonical_format) == (b.shape, True)
        for part in ("data", "indices", "indptr"):
            x, y = getattr(a, part), getattr(b, part)
            assert x.dtype == y.dtype and x.tobytes() == y.tobytes()


@pytest.mark.parametrize("min_df", [1, 3])
def test_counts_are_those_of_one_process_to_the_bit(min_df, monkeypatch):
    monkeypatch.setattr(parallel_counting, "CHUNK", 200)  # bytes: some thirty chunks
    texts = [row.split(",")[0] for row in ROWS] + ["the", "", "once unseen"]
    train, test = [*texts[:60], "the and"], [*texts[60:], "only in a test document"]
    encode = lambda some: (text.encode() for text in some)  # noqa: E731
    found = count_in_processes(encode(train), encode(test), MAKE, 2, min_df=min_df)
    same(found, count(train, test, MAKE(), min_df=min_df))
    assert not counting_processes()


def test_pieces_are_let_go_as_they_are_merged(monkeypatch):
    """Of a million documents they take 200 MB beside the matrix that is made of them."""
    assemble, kept = parallel_counting.assemble, []

    def watched(pieces, columns, n_terms):
        held = [weakref.ref(piece.columns) for piece in pieces]
        made = assemble(pieces, columns, n_terms)
        kept.append((len(held), sum(ref() is not None for ref in held)))
        return made

    monkeypatch.setattr(parallel_counting, "assemble", watched)
    monkeypatch.setattr(parallel_counting, "CHUNK", 200)
    encoded = [row.encode() for row in ROWS]
    count_in_processes(encoded[:60], encoded[60:], MAKE, 2)
    (_, test_kept), (train_pieces, train_kept) = kept
    assert train_pieces > 5
    assert max(test_kept, train_kept) <= 1  # the one at hand


def test_a_table_is_the_same_whoever_counts_it(monkeypatch):
    corpus = read_table(("text,label\n" + "\n".join(ROWS)).encode())
    alone = vectorize(corpus, cache=False, lowercase=False)
    monkeypatch.setattr(parallel_counting, "LEAST", 90)
    monkeypatch.setattr(counted_corpus, "count", None)
    together = vectorize(corpus, cache=False, lowercase=False)
    assert together.fingerprint == alone.fingerprint
    assert together.vocabulary.tolist() == alone.vocabulary.tolist()
    assert (together.counts_train != alone.counts_train).nnz == (together.counts_test != alone.counts_test).nnz == 0
    assert together.rows_train.tolist() == alone.rows_train.tolist()
    with pytest.raises(TypeError):  # of unknown origin: in this process
        vectorize(corpus, cache=False, lowercase=False, max_terms=10_000)


def test_no_term_is_the_same_sentence_and_texts_may_be_strings(monkeypatch):
    corpus = load("synthetic", documents=60)
    with pytest.raises(ValueError) as alone:
        vectorize(corpus, cache=False, min_df=99, lowercase=False)
    monkeypatch.setattr(parallel_counting, "LEAST", 60)
    monkeypatch.setattr(counted_corpus, "count", None)
    with pytest.raises(ValueError, match="a term that 99 documents share") as together:
        vectorize(corpus, cache=False, min_df=99, lowercase=False)
    assert str(together.value) == str(alone.value)


def test_who_counts(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: range(4), raising=False)
    monkeypatch.setenv("LTW_JOBS", "3")
    assert [processes_for(documents) for documents in (1, 49_999, 50_000)] == [1, 1, 3]
    monkeypatch.setenv("LTW_JOBS", "9")
    assert processes_for(10**6) == 4


def test_an_error_in_a_process_is_its_own_sentence():
    with pytest.raises(ValueError, match=r"^tokenizer is 'sentences'; it must be one of words"):
        count_in_processes([b"one two"], [], partial(analyser, "sentences"), 2)
    assert not counting_processes()


def test_a_process_that_is_killed_is_a_sentence_and_no_other_stays(monkeypatch):
    monkeypatch.setattr(parallel_counting, "CHUNK", 1)

    def texts():
        yield b"one two"
        while not counting_processes():
            time.sleep(0.01)
        os.kill(min(counting_processes()), 9)
        yield from [b"three four"] * 50

    with pytest.raises(ChildProcessError, match=r"a process that counts terms has ended .* count again"):
        count_in_processes(texts(), [], MAKE, 2)
    assert not counting_processes()


def test_processes_end_with_the_one_that_asked(tmp_path):
    script = tmp_path / "script.py"  # without a guard, as people write them
    script.write_text(
        "import os, time\n"
        "from functools import partial\n"
        "from ltw_core.tasks.parallel_counting import count_in_processes\n"
        "from ltw_core.tasks.tokens import analyser\n"
        "def texts():\n"
        "    yield b'one two'\n"
        "    print('counting', flush=True)\n"
        "    time.sleep(600)\n"
        "count_in_processes(texts(), [], partial(analyser), 2)\n"
    )
    root = Path(__file__).resolve().parents[2]
    environment = os.environ | {"PYTHONPATH": str(root)}
    asked = subprocess.Popen(["python", str(script)], stdout=subprocess.PIPE, text=True, env=environment)
    assert asked.stdout.readline() == "counting\n"
    children = Path(f"/proc/{asked.pid}/task/{asked.pid}/children").read_text().split()
    asked.kill()
    asked.wait()
    until = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{child}").exists() for child in children):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert len(children) == 2


def test_one_that_cannot_be_started_leaves_none_of_the_others(monkeypatch):
    start, started = parallel_counting._worker, []

    def second_fails(*arguments):
        if started:
            raise OSError("no more processes")
        started.append(start(*arguments))
        return started[0]

    monkeypatch.setattr(parallel_counting, "_worker", second_fails)
    with pytest.raises(OSError, match="no more processes"):
        count_in_processes([b"one two"], [], MAKE, 2)
    assert started[0].poll() is not None and not counting_processes()


def test_no_documents_are_no_terms():
    found = count_in_processes([], [], MAKE, 1)
    assert (found.vocabulary, found.train.shape[0], found.test.shape[0]) == (b"", 0, 0)
