import time

import numpy as np
import pytest

from ltw_core.corpora import CorpusError, pydocs

WORDS = " ".join(f"word{number}" for number in range(25))


@pytest.fixture
def packages(tmp_path):
    """Two packages of 2 × 40 documents, and files that must be left out."""

    def write(path, *functions, head=""):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            head + "".join(f'def {name}():\n    """{text}"""\n\n' for name, text in functions), encoding="utf-8"
        )

    for package in ("numpy", "scipy"):
        root = tmp_path / package
        for sub in ("linalg", "stats"):
            write(root / sub / "_base.py", *((f"f{n}", f"{package} {sub} {n} {WORDS}") for n in range(40)))
        write(root / "top.py", ("top", WORDS))
        write(root / "few" / "a.py", *((f"g{n}", f"few {n} {WORDS} {package}") for n in range(5)))
        for left_out in ("tests/test_a.py", "_private/a.py", "stats/tests/a.py", "stats/_vendored/a.py"):
            write(root / left_out, ("unwanted", f"unwanted {left_out} {WORDS}"))
        write(root / "stats" / "generated.py", ("unwanted", f"unwanted {WORDS}"))
        write(root / "stats" / "made.py", ("unwanted", f"unwanted {WORDS}"), head="# Auto-generated, do not edit\n")
        write(root / "stats" / "short.py", ("short", "too short"), ("same", f"numpy stats 0 {WORDS}"))
        (root / "stats" / "broken.py").write_text('def f(:\n    """x"""', encoding="utf-8")
    return {package: (tmp_path / package, "1.0") for package in ("numpy", "scipy")}


def test_what_is_read_and_what_is_not(packages):
    corpus = pydocs.Pydocs().parse(packages)
    assert corpus.class_names == ("numpy.linalg", "numpy.stats", "scipy.linalg", "scipy.stats")
    assert len(corpus.documents) == 160
    assert not any("unwanted" in text for text in corpus.documents)
    assert (corpus.labels.sum(axis=1) == 1).all()
    assert (corpus.n_train, corpus.n_test) == (112, 48)
    assert "2 files could not be read" in corpus.report[0]
    assert "2 of fewer than 20 words, 2 exact duplicates and 10 in 2 sub-packages" in corpus.report[1]
    assert corpus.origin == "Docstrings of numpy 1.0, scipy 1.0"


def test_the_order_is_a_hash_and_the_same_each_time(packages):
    first, second = pydocs.Pydocs().parse(packages), pydocs.Pydocs().parse(packages)
    assert first.fingerprint == second.fingerprint
    assert np.count_nonzero(np.diff(first.labels.indices)) > 80  # classes alternate


def test_cleaning():
    text = pydocs.clean(
        "See scipy.stats.norm and np.dot.\n>>> import numpy\n... x\nnumpy itself stays\n...and dots too"
    )
    assert text == "See   and  .\n\n\nnumpy itself stays\n...and dots too"


def test_nothing_installed_is_a_sentence():
    with pytest.raises(CorpusError, match="Install the project's requirements"):
        pydocs.Pydocs().parse({})


def test_the_installed_packages():
    started = time.perf_counter()
    corpus = pydocs.Pydocs().read()
    first = time.perf_counter() - started
    assert len(corpus.documents) > 5_000
    assert len(corpus.class_names) > 40 and "scipy.stats" in corpus.class_names
    assert corpus.labels[corpus.train].sum(axis=0).min() >= 10
    assert len(set(corpus.documents)) == len(corpus.documents)
    started = time.perf_counter()
    assert pydocs.Pydocs().read().fingerprint == corpus.fingerprint
    assert time.perf_counter() - started < max(1.0, first / 2)
