"""From a corpus to binary problems: counts, term selection, splits, and contingency statistics."""

from ltw_core.tasks.binary_task import BinaryTask
from ltw_core.tasks.contingency import document_frequency, presence, rates
from ltw_core.tasks.selection import select_terms
from ltw_core.tasks.spans import Context, Span, contexts, spans
from ltw_core.tasks.split import validation_mask
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.tasks.tokens import TOKENIZERS, languages
from ltw_core.tasks.vectorized import VectorizedCorpus, vectorize
