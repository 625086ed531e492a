"""From a corpus to binary problems, or one of all classes: counts, term selection, splits, contingency statistics."""

from ltw_core.tasks.binary_task import BinaryTask
from ltw_core.tasks.class_table import ClassTable
from ltw_core.tasks.contingency import document_frequency, presence, rates
from ltw_core.tasks.multiclass_task import MulticlassTask
from ltw_core.tasks.options import VectorizerOptions
from ltw_core.tasks.sample import learned_of_sample, sample_of, sampled
from ltw_core.tasks.selection import PAPER_RATIO, default_ratio, select_terms
from ltw_core.tasks.spans import Context, Span, contexts, spans
from ltw_core.tasks.split import validation_mask
from ltw_core.tasks.term_statistics import TermStatistics
from ltw_core.tasks.tokens import ANALYZERS, TOKENIZERS, languages
from ltw_core.tasks.vectorized import VectorizedCorpus
from ltw_core.tasks.vectorizing import vectorize
from ltw_core.tasks.without_terms import DOCUMENTS, WithoutTerms
