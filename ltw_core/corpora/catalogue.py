"""The corpora by name: what there is, whether it is here, and loading one.

Adding a corpus means one reader file and one entry in ``_ENTRIES``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ltw_core.corpora import newsgroups, ohsumed, pydocs, reuters, synthetic
from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.settings import data_dir


@dataclass(frozen=True)
class CatalogueEntry:
    """One corpus of the catalogue.

    Attributes
    ----------
    name : str
        What :func:`load` and :func:`ltw_core.corpora.fetch` take.
    title, summary : str
        For display.
    n_classes : int or None
        Number of classes; None where it varies.
    available : bool
        Whether :func:`load` finds it now.
    downloadable : bool
        Whether :func:`ltw_core.corpora.fetch` can get it.
    needs : str
        What is missing, in a sentence; empty if available.
    """

    name: str
    title: str
    summary: str
    n_classes: int | None
    available: bool
    downloadable: bool
    needs: str


@dataclass(frozen=True)
class _Source:
    title: str
    summary: str
    n_classes: int | None
    find: Callable[[Path], tuple[Path, ...]] | None  # None: needs no archive
    read: Callable[..., Corpus]
    archives: str = ""  # the archives' names, for the sentence that says what is missing


_ENTRIES = {
    pydocs.NAME: _Source(
        pydocs.TITLE,
        "Docstrings of the installed numerical packages by sub-package; always there, nothing to download.",
        None,
        None,
        pydocs.read,
    ),
    synthetic.NAME: _Source(
        synthetic.TITLE,
        "Made-up words with known roles and one class: what an ideal weighting does here is known by construction.",
        2,
        None,
        synthetic.make,
    ),
    reuters.NAME: _Source(
        reuters.TITLE,
        "News wire stories of 1987 by economic topic, from 2,877 training documents of a class down to one.",
        reuters.EXPECTED[2],
        reuters.find,
        reuters.read,
        "reuters21578.tar.gz",
    ),
    newsgroups.NAME: _Source(
        newsgroups.TITLE,
        "Usenet posts of 1993 by newsgroup, headers, footers and quotes removed; classes of nearly equal size.",
        newsgroups.EXPECTED[2],
        newsgroups.find,
        newsgroups.read,
        "20news-bydate.tar.gz",
    ),
    ohsumed.NAME: _Source(
        ohsumed.TITLE,
        "Abstracts of medical papers of 1991 by class of disease.",
        ohsumed.EXPECTED[1],
        ohsumed.find,
        ohsumed.read,
        "ohsumed-all-docs.tar.gz (or ohsumed-first-20000-docs.tar.gz or ohsumed_single_23.tar.gz)",
    ),
}


def catalogue() -> list[CatalogueEntry]:
    """All corpora, the embedded ones first. Reads no corpus; only looks whether the archives lie there."""
    folder = data_dir()
    return [_entry(name, source, folder) for name, source in _ENTRIES.items()]


def _entry(name: str, source: _Source, folder: Path) -> CatalogueEntry:
    available = source.find is None or bool(source.find(folder))
    needs = "" if available else _absent(name, source)
    return CatalogueEntry(
        name, source.title, source.summary, source.n_classes, available, source.find is not None, needs
    )


def _absent(name: str, source: _Source) -> str:
    """A sentence that visitors of a server read too: it names the setting, not the folder."""
    return (
        f"{source.title} is not in the data folder (LTW_DATA, by default data): run "
        f"python -m ltw_core.corpora fetch {name}, or put {source.archives} there, packed or unpacked."
    )


def load(name: str, **parameters) -> Corpus:
    """Load a corpus of the catalogue.

    Parameters
    ----------
    name : str
        Its name.
    **parameters
        Only for ``"synthetic"``: see :func:`ltw_core.corpora.synthetic.make`.

    Raises
    ------
    CorpusError
        If there is no such corpus, its archive is absent or broken, or a parameter is wrong.
    """
    source = _ENTRIES.get(name)
    if source is None:
        raise CorpusError(f"There is no corpus {name!r}; there are {', '.join(_ENTRIES)}.")
    known = synthetic.PARAMETERS if name == synthetic.NAME else ()
    unknown = [repr(parameter) for parameter in parameters if parameter not in known]
    if unknown:
        allowed = f"they are {', '.join(known)}" if known else "it has none"
        raise CorpusError(f"Corpus {name!r} has no parameter {', '.join(unknown)}; {allowed}.")
    if source.find is None:
        return source.read(**parameters)
    folder = data_dir()
    found = source.find(folder)
    if not found:
        raise CorpusError(_absent(name, source))
    return source.read(found)
