"""Corpora: what there is (:func:`catalogue`), loading one (:func:`load`), reading one's own (:func:`read_table`)."""

from ltw_core.corpora.catalogue import CatalogueEntry, catalogue, load
from ltw_core.corpora.corpus import Corpus, CorpusError

__all__ = ["CatalogueEntry", "Corpus", "CorpusError", "catalogue", "load"]
