"""From a corpus to binary problems: counts, term selection, splits, and contingency statistics."""

from ltw_core.tasks.binary_task import BinaryTask, select_terms
from ltw_core.tasks.contingency import Contingency, Rates, presence, rates
from ltw_core.tasks.split import validation_mask
from ltw_core.tasks.tokens import TOKENIZERS, languages
from ltw_core.tasks.vectorized import VectorizedCorpus, vectorize

__all__ = [
    "TOKENIZERS",
    "BinaryTask",
    "Contingency",
    "Rates",
    "VectorizedCorpus",
    "languages",
    "presence",
    "rates",
    "select_terms",
    "validation_mask",
    "vectorize",
]
