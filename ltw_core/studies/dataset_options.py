"""What the commands of studies take for a dataset: names of the catalogue, or a table's path and how to read it."""

import argparse
import os

from ltw_core.corpora.catalogue import dataset
from ltw_core.corpora.tables.source import TableSource
from ltw_core.studies.plan import names_of

TABLE_OPTIONS = {
    "text": "the column of texts (default: guessed)",
    "label": "the column of labels (default: guessed)",
    "split": "the column that says train or test, or none (default: guessed)",
    "separator": "what stands between several labels (default: a cell is one)",
    "encoding": "of the file (default: detected)",
    "delimiter": "the character between columns (default: detected)",
    "language": "by which stop words go, or none (default: english)",
    "called": "the file's name for readers (default: the file's)",
}


def add_dataset(command: argparse.ArgumentParser, several: bool) -> None:
    """Have a command take a dataset, or several with commas."""
    more = "; several with commas" if several else ""
    command.add_argument("--dataset", required=True, metavar="NAME", help=f"of the catalogue, or a table's path{more}")
    for option, about in TABLE_OPTIONS.items():
        command.add_argument(f"--{option}", metavar="TEXT", help=f"of a table: {about}")


def datasets(options: argparse.Namespace) -> list[str | TableSource]:
    """The datasets of a command's options; a path may hold commas where there is such a file.

    Raises
    ------
    CorpusError
        There are options for a table and this is none.
    """
    names = [options.dataset] if os.path.exists(options.dataset) else names_of(options.dataset)
    return [dataset(name, **_table(options)) for name in names]


def one_dataset(options: argparse.Namespace) -> str | TableSource:
    """The dataset of a command that takes one."""
    return dataset(options.dataset, **_table(options))


def _table(options: argparse.Namespace) -> dict[str, str]:
    return {name: value for name in TABLE_OPTIONS if (value := getattr(options, name)) is not None}
