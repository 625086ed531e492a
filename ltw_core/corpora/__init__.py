"""Corpora: what there is (`catalogue`), loading and fetching it (`load`, `fetch`), reading one's own (`read_table`)."""

from ltw_core.corpora.catalogue import CatalogueEntry, catalogue, load
from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.download import fetch
from ltw_core.corpora.tables.read_table import read_table

__all__ = ["CatalogueEntry", "Corpus", "CorpusError", "catalogue", "fetch", "load", "read_table"]
