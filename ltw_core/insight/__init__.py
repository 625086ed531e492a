"""What a weighting looks like: its canonical form, where its terms lie, which known function it resembles,
which properties it has, and how it orders terms.

And what a collection looks like.
"""

from ltw_core.insight.agreement import Agreement, agreement, mean_curve, spread_of
from ltw_core.insight.alignment import Alignments, aligned_grams, alignment, alignments
from ltw_core.insight.canonical_form import CanonicalForm, Surface, canonical_form, canonical_function
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
from ltw_core.insight.contributions import (
    Contributions,
    TermGroup,
    contributing,
    contributions,
    estimated_share,
    out_of_view,
    term_groups,
)
from ltw_core.insight.density import near, occupied, smallest_rate, support
from ltw_core.insight.difference import SurfaceDifference, difference
from ltw_core.insight.input_plane import InputPlane, input_plane, middle, seen_of_terms
from ltw_core.insight.likeness import EQUAL, Likeness, Nearest, likeness, nearest, weighted_documents
from ltw_core.insight.on_terms import OnTerms, called, on_terms
from ltw_core.insight.properties import Property, properties
from ltw_core.insight.ranks import RankChanges, rank_changes, strongest
from ltw_core.insight.saturation import Saturation, saturation
from ltw_core.insight.sharing import Sharing, sharing
from ltw_core.insight.similarity import Similarity, SimilarityOverSteps, similarity, similarity_over_steps
from ltw_core.insight.slices import slice_points
from ltw_core.weighting.canonical import canonical, canonical_weights
from ltw_core.weighting.gram import DocumentSample, centred_gram, sample_documents, target_alignments
