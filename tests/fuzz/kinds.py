"""What is handed in, by kind: a strategy of hostile inputs, and how the app takes them.

A reader either takes an input, and what comes of it is whole (finite numbers, everything that pages ask of it), or
raises the error of its kind, a sentence, and leaves nothing behind. Anything else is a failure.
"""

from ltw_core.corpora import CorpusError
from ltw_core.storage.database import NotThere
from ltw_core.storage.file_schema import FileError
from tests.fuzz import addresses, archives, studies, table_files, weighting_files
from tests.fuzz.hostile import changed_json
from tests.fuzz.kind import Kind

KINDS = {
    "weightings": Kind(weighting_files.weightings(), weighting_files.read_weighting, FileError, 30),
    "composed weightings": Kind(changed_json(weighting_files.COMPOSED), weighting_files.read_composed, FileError, 11),
    "formulas": Kind(weighting_files.formulas(), weighting_files.read_formula, ValueError, 16),
    "tables": Kind(table_files.packed(table_files.tables()), table_files.read_tables, CorpusError, 8),
    "JSON lists": Kind(table_files.packed(table_files.json_lists()), table_files.read_tables, CorpusError, 4),
    "Parquet": Kind(table_files.packed(table_files.parquet_files()), table_files.read_tables, CorpusError, 2),
    "archives": Kind(archives.archives(), archives.read_archive, CorpusError, 10),
    "stores": Kind(studies.stores(), studies.read_store, (FileError, NotThere), 9),
    "results": Kind(studies.result_folders(), studies.read_results, FileError, 9),
    "addresses": Kind(addresses.ADDRESSES, addresses.read_address, FileError, 1),
}
