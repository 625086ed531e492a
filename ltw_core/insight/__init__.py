"""What a weighting looks like: its canonical form, where its terms lie, which known function it resembles."""

from ltw_core.insight.canonical import canonical, canonical_weights
from ltw_core.insight.density import occupied, smallest_rate, support
from ltw_core.insight.resemblance import Resemblance, resemblance
from ltw_core.insight.slices import slice_points

__all__ = [
    "Resemblance",
    "canonical",
    "canonical_weights",
    "occupied",
    "resemblance",
    "slice_points",
    "smallest_rate",
    "support",
]
