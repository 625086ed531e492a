"""What a corpus reader is: its name, what it shows of itself, and how it finds, checks and reads its archive.

A new reader is a subclass in a file of its own and a line in :mod:`ltw_core.corpora.catalogue`. One that reads a
published archive derives from :class:`ArchiveReader` and writes ``parse``; any other derives from :class:`Reader` and
writes ``read``.
"""

import inspect
from abc import ABC, abstractmethod
from pathlib import Path
from typing import NamedTuple

from ltw_core.corpora.archive import identity, locate
from ltw_core.corpora.cache import cached
from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.settings import IN_PROJECT, data_dir


class Reader(ABC):
    """A corpus that can be loaded by its name.

    Attributes
    ----------
    name : str
        What :func:`ltw_core.corpora.load` takes; part of addresses and of cache files.
    title, summary : str
        For display.
    version : int
        Part of the cache's key: raise it when the reader's result changes.
    n_classes : int or None
        Number of classes; None where it varies.
    first_class : str
        A class worth looking at first, neither tiny nor huge; empty where none stands out.
    downloadable : bool
        Whether :func:`ltw_core.corpora.fetch` can get it.
    needs : str
        What is missing, in a sentence; empty if the corpus can be loaded now.
    protocol_options : dict of str to str
        Parameters of ``read`` that an option of ``ltw_core.protocol`` decides, with that option's name.
    """

    name: str
    title: str
    summary: str
    version: int = 1
    n_classes: int | None = None
    first_class: str = ""
    downloadable: bool = False
    needs: str = ""
    protocol_options: dict[str, str] = {}

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the keyword arguments that ``read`` takes."""
        return tuple(inspect.signature(self.read).parameters)

    @property
    def available(self) -> bool:
        """Whether the corpus can be loaded now."""
        return not self.needs

    @abstractmethod
    def read(self, **parameters) -> Corpus:
        """Read the corpus, from the cache where it has one.

        Raises
        ------
        CorpusError
            If it is absent or broken, or a parameter is wrong.
        """


class Address(NamedTuple):
    """One place to download from; ``sha256`` is None where no publisher gives one."""

    url: str
    sha256: str | None = None


class ArchiveReader(Reader):
    """A corpus from a published archive in the data folder, packed or unpacked.

    Attributes
    ----------
    archive : str
        File name under which the archive is downloaded.
    other_archives : tuple of str
        File names of archives that are read as well.
    addresses : tuple of Address
        Where the archive is published; tried in this order.
    size_limit : int
        Most bytes that are taken from an address.
    expected : tuple of int
        Published numbers of training documents, test documents and, last, classes, by which a download without a
        published checksum is recognised.
    """

    archive: str
    other_archives: tuple[str, ...] = ()
    addresses: tuple[Address, ...] = ()
    size_limit: int = 2**28
    expected: tuple[int, ...] = ()

    @property
    def n_classes(self) -> int | None:
        return self.expected[-1] if self.expected else None

    @property
    def downloadable(self) -> bool:
        return bool(self.addresses)

    @property
    def needs(self) -> str:  # visitors of a server read it too: it names the setting, not the folder
        if self.find(data_dir()):
            return ""
        archives = self.archive + (f" (or {' or '.join(self.other_archives)})" if self.other_archives else "")
        fetch = f"run python -m ltw_core.corpora fetch {self.name}, or " if self.downloadable else ""
        return (
            f"{self.title} is not in the data folder (LTW_DATA, by default {'data' if IN_PROJECT else '~/ltw-lab'}): "
            f"{fetch}put {archives} there, packed or unpacked."
        )

    def find(self, folder: Path) -> tuple[Path, ...]:
        """Where an archive that can be read lies, packed or unpacked; empty if there is none."""
        return locate(folder, self.archive.removesuffix(".tar.gz"))

    def find_published(self, folder: Path) -> tuple[Path, ...]:
        """Where the archive lies that a download gives; empty if it does not."""
        return self.find(folder)

    def read(self) -> Corpus:
        """Read the corpus from its archive or folder, or from the cache."""
        return self._read()

    def _read(self, **parameters) -> Corpus:
        """The same for what ``parse`` takes besides the paths; in the cache's key where it is not what is usual.

        Raises
        ------
        CorpusError
            If the archive is absent, broken or another one.
        """
        paths = self.find(data_dir())
        if not paths:
            raise CorpusError(self.needs)
        usual = inspect.signature(self.parse).parameters
        changed = {name: value for name, value in parameters.items() if value != usual[name].default}
        key = [self.version, identity(paths), *([changed] if changed else [])]
        return cached(self.name, key, lambda: self.parse(paths, **parameters))

    @abstractmethod
    def parse(self, paths: tuple[Path, ...]) -> Corpus:
        """Read the corpus from its archive or folder, past the cache."""

    def problem(self, corpus: Corpus) -> str:
        """What tells a corpus from the published one, in a few words; empty if nothing does."""
        found = (corpus.n_train, corpus.n_test, len(corpus.class_names))
        return differing("training and test documents and classes", found, self.expected)


def differing(what: str, found: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """A few words if numbers are not those that were expected, else empty."""
    shown = [" / ".join(f"{number:,}" for number in numbers) for numbers in (found, expected)]
    return "" if found == expected else f"{what} are {shown[0]} instead of {shown[1]}"
