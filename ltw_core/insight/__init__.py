"""What a weighting looks like: its canonical form, where its terms lie, which known function it resembles.

And what a collection looks like.
"""

from ltw_core.insight.agreement import Agreement, agreement, mean_curve, spread_of
from ltw_core.insight.canonical import canonical, canonical_weights
from ltw_core.insight.collection import (
    Growth,
    Overlap,
    Zipf,
    document_lengths,
    label_overlap,
    labels_a_document,
    vocabulary_growth,
    zipf,
)
from ltw_core.insight.density import occupied, smallest_rate, support
from ltw_core.insight.difference import Difference, difference
from ltw_core.insight.resemblance import Resemblance, resemblance
from ltw_core.insight.slices import slice_points

__all__ = [
    "Agreement",
    "Difference",
    "Growth",
    "Overlap",
    "Resemblance",
    "Zipf",
    "agreement",
    "canonical",
    "canonical_weights",
    "difference",
    "document_lengths",
    "label_overlap",
    "labels_a_document",
    "mean_curve",
    "occupied",
    "resemblance",
    "slice_points",
    "smallest_rate",
    "spread_of",
    "support",
    "vocabulary_growth",
    "zipf",
]
