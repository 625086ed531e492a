"""The corpora by name: what there is (`catalogue`), whether it is here, and loading one (`load`).

Adding a corpus means one reader file and one line in ``_READERS``; ``register`` adds one from outside.
"""

from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.newsgroups import Newsgroups
from ltw_core.corpora.ohsumed import Ohsumed
from ltw_core.corpora.pydocs import Pydocs
from ltw_core.corpora.reader import Reader
from ltw_core.corpora.reuters import Reuters
from ltw_core.corpora.synthetic import Synthetic

_READERS: dict[str, Reader] = {}


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


def load(name: str, **parameters) -> Corpus:
    """Load a corpus of the catalogue.

    Parameters
    ----------
    name : str
        Its name.
    **parameters
        Those of its reader's ``read``; of the readers here only ``"synthetic"`` has any, see
        :class:`ltw_core.corpora.synthetic.Synthetic`.

    Raises
    ------
    CorpusError
        If there is no such corpus, its archive is absent or broken, or a parameter is wrong.
    """
    reader = _READERS.get(name)
    if reader is None:
        raise CorpusError(f"There is no corpus {name!r}; there are {', '.join(_READERS)}.")
    unknown = [repr(parameter) for parameter in parameters if parameter not in reader.parameters]
    if unknown:
        allowed = f"they are {', '.join(reader.parameters)}" if reader.parameters else "it has none"
        raise CorpusError(f"Corpus {name!r} has no parameter {', '.join(unknown)}; {allowed}.")
    return reader.read(**parameters)
