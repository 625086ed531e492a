"""A table on disk as a dataset: where it lies and how it is read, for whoever reads it later or in another process."""

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import BinaryIO

from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.tables.content import Content
from ltw_core.corpora.tables.formats import is_table_name
from ltw_core.corpora.tables.read_table import identifier, read_table

NAME_LIMIT = 100  # characters of a name made of a file's; a file name may have 255


@dataclass(frozen=True)
class TableSource:
    """A table's path and the options by which it is read: small, hashable, and picklable, for workers read it again.

    A study takes one in the place of a dataset's name (``plan.plan([source])``). Its cells are known by the name and by
    the fingerprint of the content, not by the path: the same table at another place has the same cells. The path goes
    to the workers with each cell (``Cell.source``), and into no store and no export.

    The app keeps an uploaded file in a folder of its own and makes ``TableSource(path, called="reviews.csv", text=…)``
    with the options that its reader chose, `language` among them, so that the study reads the corpus that the page
    shows. ``source.arguments()`` are the words for ``python -m ltw_core.studies run``; what a failed cell says never
    holds the folder.

    Attributes
    ----------
    path : str
        Made absolute: workers have other working folders.
    text, label, split, separator, encoding, delimiter, language
        As of :func:`ltw_core.corpora.read_table`.
    called : str
        The file's name for readers, where it is another one on disk.
    """

    path: str
    text: str | None = None
    label: str | None = None
    split: str | bool | None = None
    separator: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    language: str | None = "english"
    called: str = ""

    def __post_init__(self):
        object.__setattr__(self, "path", os.path.abspath(os.path.expanduser(self.path)))

    @property
    def name(self) -> str:
        """The corpus's: ``table-reviews`` for ``reviews.csv``. No corpus of the catalogue is called so."""
        return f"table-{identifier(self.called or Path(self.path).name)[:NAME_LIMIT]}"

    def load(self, content: BinaryIO | Content | None = None) -> Corpus:
        """Read the table; `content`: its open file, where it does not lie at the path (yet).

        Raises
        ------
        CorpusError
            A sentence with file, row and column.
        """
        options = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("path", "called")}
        return read_table(content or self.path, name=self.name, title=self.called or None, **options)

    def arguments(self) -> list[str]:
        """The options of ``python -m ltw_core.studies run`` by which it takes this table."""
        words = ["--dataset", self.path]
        for option in OPTIONS:
            value = getattr(self, option)
            if option == "split" and value is False:
                value = "none"
            elif option == "language" and value != "english":
                value = value or "none"
            elif option == "language":
                continue
            words += [f"--{option}={value}"] if value else []
        return words


OPTIONS = tuple(one.name for one in fields(TableSource) if one.name != "path")
"""Names of the options, which are those of the command line too."""


def is_path(dataset: str | os.PathLike) -> bool:
    """Whether a dataset is a path and no name of the catalogue: it has a folder or a table's ending, or lies here."""
    if not isinstance(dataset, str):
        return True
    looks = os.sep in dataset or "/" in dataset or is_table_name(dataset)
    return looks or os.path.exists(os.path.expanduser(dataset))


def table_source(dataset: str | os.PathLike, **options) -> TableSource:
    """The source of a path, with options as they are typed: ``none`` as `split` or `language` means none.

    Raises
    ------
    CorpusError
        If there is no such option.
    """
    unknown = [repr(option) for option in options if option not in OPTIONS]
    if unknown:
        raise CorpusError(f"A table has no option {', '.join(unknown)}; there are {', '.join(OPTIONS)}.")
    if options.get("split") == "none":
        options["split"] = False
    if options.get("language") == "none":
        options["language"] = None
    return TableSource(os.fspath(dataset), **options)
