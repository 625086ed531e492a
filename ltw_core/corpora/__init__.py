"""Corpora: what there is (`catalogue`), loading and fetching it (`load`, `fetch`), reading one's own (`read_table`)."""

from ltw_core.corpora.catalogue import catalogue, load, register
from ltw_core.corpora.corpus import Corpus, CorpusError
from ltw_core.corpora.download import fetch
from ltw_core.corpora.reader import Address, ArchiveReader, Reader
from ltw_core.corpora.tables.read_table import read_table
