"""Where the published archives can be had, and how one knows that a download is the right file.

The checksums are those that scikit-learn publishes, in its loader of 20 Newsgroups and in its out-of-core example for
Reuters. Where no publisher gives one, the content is checked instead: it must yield the known numbers of documents and
classes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ltw_core.corpora import newsgroups, ohsumed, reuters
from ltw_core.corpora.corpus import Corpus


@dataclass(frozen=True)
class Address:
    """One place to download from; ``sha256`` is None where it is not known."""

    url: str
    sha256: str | None = None


@dataclass(frozen=True)
class Archive:
    """A published archive.

    Attributes
    ----------
    title : str
        The corpus's name for sentences.
    file_name : str
        What it is called in the data folder.
    addresses : tuple of Address
        Tried in this order.
    find : callable
        Takes the data folder, gives the archive's paths where it is there already.
    parse : callable
        Reads the corpus from such paths.
    problem : callable
        Takes the corpus, says in a few words what differs from the published numbers, or nothing.
    size_limit : int
        Most bytes that are taken from an address.
    """

    title: str
    file_name: str
    addresses: tuple[Address, ...]
    find: Callable[[Path], tuple[Path, ...]]
    parse: Callable[[tuple[Path, ...]], Corpus]
    problem: Callable[[Corpus], str]
    size_limit: int = 2**28


def _differs(what: str, found: tuple[int, ...], expected: tuple[int, ...]) -> str:
    if found == expected:
        return ""
    numbers = [" / ".join(f"{number:,}" for number in numbers) for numbers in (found, expected)]
    return f"{what} {numbers[0]} instead of {numbers[1]}"


def _split_problem(expected: tuple[int, int, int]) -> Callable[[Corpus], str]:
    def problem(corpus: Corpus) -> str:
        found = (corpus.n_train, corpus.n_test, len(corpus.class_names))
        return _differs("training and test documents and classes are", found, expected)

    return problem


def _whole_problem(corpus: Corpus) -> str:
    return _differs("documents and classes are", (len(corpus.documents), len(corpus.class_names)), ohsumed.EXPECTED)


ARCHIVES = {
    reuters.NAME: Archive(
        reuters.TITLE,
        "reuters21578.tar.gz",
        (
            Address(
                "https://archive.ics.uci.edu/ml/machine-learning-databases/reuters21578-mld/reuters21578.tar.gz",
                "3bae43c9b14e387f76a61b6d82bf98a4fb5d3ef99ef7e7075ff2ccbcf59f9d30",
            ),
            Address("http://www.daviddlewis.com/resources/testcollections/reuters21578/reuters21578.tar.gz"),
        ),
        reuters.find,
        reuters.parse,
        _split_problem(reuters.EXPECTED),
    ),
    newsgroups.NAME: Archive(
        newsgroups.TITLE,
        "20news-bydate.tar.gz",
        (
            Address(
                "https://ndownloader.figshare.com/files/5975967",
                "8f1b2514ca22a5ade8fbb9cfa5727df95fa587f4c87b786e15c759fa66d95610",
            ),
            Address("http://qwone.com/~jason/20Newsgroups/20news-bydate.tar.gz"),
        ),
        newsgroups.find,
        newsgroups.parse,
        _split_problem(newsgroups.EXPECTED),
    ),
    ohsumed.NAME: Archive(
        ohsumed.TITLE,
        "ohsumed-all-docs.tar.gz",
        (
            Address("http://disi.unitn.it/moschitti/corpora/ohsumed-all-docs.tar.gz"),
            Address("http://disi.unitn.eu/moschitti/corpora/ohsumed-all-docs.tar.gz"),
        ),
        ohsumed.find_whole,
        ohsumed.parse,
        _whole_problem,
    ),
}
