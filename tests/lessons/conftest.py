"""Lessons under test: a small class, and a file to which a test adds what it is about."""

import numpy as np
import pytest

from ltw_core.corpora.corpus import assemble
from ltw_core.tasks import vectorize

# The class "pets" has 4 of 8 training documents. cat: in all 4 of them, in 1 other; dog: in 2, in none; tax: in none,
# in 3; day: in 2 and 2.
TEXTS = {
    "pets": ["cat dog day", "cat dog", "cat day", "cat"],
    "rest": ["cat tax day", "tax day", "tax", "bank"],
}


@pytest.fixture(autouse=True)
def _library():
    pytest.importorskip("markdown_it", reason="lessons are read with markdown-it-py: pip install -r requirements.txt")


@pytest.fixture(scope="session")
def task():
    rows = [(text, label) for label, texts in TEXTS.items() for text in texts]
    documents, labels = zip(*rows, *rows, strict=True)  # the test documents are the same
    corpus = assemble(
        name="pets",
        title="Pets",
        documents=list(documents),
        label_sets=[{label} for label in labels],
        train=np.arange(16) < 8,
        origin="made up",
    )
    return vectorize(corpus, cache=False).task("pets", ratio=1.0)
