"""Corpora by name: what there is (`catalogue`), whether it is here, and loading one, or a table by its path (`load`).

Adding a corpus means one reader file and one line in ``_READERS``; ``register`` adds one from outside.
"""

import os

from ltw_core import protocol as protocols
from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.newsgroups import Newsgroups
from ltw_core.corpora.ohsumed import Ohsumed
from ltw_core.corpora.pydocs import Pydocs
from ltw_core.corpora.reader import Reader
from ltw_core.corpora.reuters import Reuters
from ltw_core.corpora.synthetic import Synthetic
from ltw_core.corpora.tables.source import TableSource, is_path, table_source
from ltw_core.protocol import Protocol

_READERS: dict[str, Reader] = {}
_PAPER = Protocol()


def register(reader: Reader):
    """Add a corpus to the catalogue, or replace the one of that name."""
    _READERS[reader.name] = reader


for _reader in (
    Pydocs(),
    Synthetic(),
    Reuters(),
    Newsgroups(),
    Ohsumed(),
):
    register(_reader)


def catalogue() -> list[Reader]:
    """All corpora, the embedded ones first. Reads no corpus; a reader says whether its archive lies there."""
    return list(_READERS.values())


def listed(name: str) -> bool:
    """Whether the catalogue has a corpus of this name; the reader's own tables have other ones."""
    return name in _READERS


def load(name: str | os.PathLike, *, protocol: str | Protocol | None = None, **parameters) -> Corpus:
    """Load a corpus of the catalogue, or a table by its path.

    Parameters
    ----------
    name : str or path
        Its name, or the path of a table; a name of the catalogue goes before a file that is called so too.
    protocol : str or Protocol, optional
        How it is read where the paper's text and its authors' code differ (``ltw_core.protocol``): entities of Reuters,
        the split of ``ohsumed-all-docs``. The same as the parameters that ``protocol_parameters`` gives.
    **parameters
        Of a table the options of :class:`ltw_core.corpora.tables.source.TableSource`: ``text``, ``label``, ….
        Of a corpus those of its reader's ``read``: most of them ``"synthetic"`` has, see
        :class:`ltw_core.corpora.synthetic.Synthetic`.

    Raises
    ------
    CorpusError
        If there is no such corpus, its archive is absent or broken, or a parameter is wrong.
    """
    if name is not None and is_path(name) and name not in _READERS:
        return table_source(name, **parameters).load()
    return load_named(name, **protocol_parameters(name, protocol) | parameters)


def protocol_parameters(name: str, asked: str | Protocol | None) -> dict[str, str]:
    """What a protocol asks of the reader of a corpus, beyond what is usual; mostly nothing."""
    asked, reader = protocols.protocol(asked), _READERS.get(name)
    wanted = {} if reader is None else {option: getattr(asked, of) for option, of in reader.protocol_options.items()}
    return {
        option: value for option, value in wanted.items() if value != getattr(_PAPER, reader.protocol_options[option])
    }


def load_named(name: str, **parameters) -> Corpus:
    """As :func:`load`, and never a file: for names that an address, a store or someone else's file gives."""
    reader = _READERS.get(name)
    if reader is None:
        raise CorpusError(
            f"There is no corpus {name!r}; there are {', '.join(_READERS)}. A table of your own is given by its path."
        )
    unknown = [repr(parameter) for parameter in parameters if parameter not in reader.parameters]
    if unknown:
        allowed = f"they are {', '.join(reader.parameters)}" if reader.parameters else "it has none"
        raise CorpusError(f"Corpus {name!r} has no parameter {', '.join(unknown)}; {allowed}.")
    return reader.read(**parameters)


def dataset(name: str, **options) -> str | TableSource:
    """What a study takes for a name or a path as it is typed: a name of the catalogue, or a table's source.

    Raises
    ------
    CorpusError
        If there are options for a table and this is none.
    """
    if is_path(name) and name not in _READERS:
        return table_source(name, **options)
    if options:
        raise CorpusError(f"{name!r} is no path of a table, so it takes no {', '.join(options)}.")
    return name
