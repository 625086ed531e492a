"""Term weighting: cd and dd functions, the classic weightings made of them, and learned ones.

``TermWeighting``, ``GlobalWeighting`` and ``LearnedWeighting`` are imported on first use, because scikit-learn takes a
second; fastText's vectors are in ``dense``.
"""

from ltw_core.weighting.composed import Composed
from ltw_core.weighting.formulas.lookup import cd_function, logarithm, power
from ltw_core.weighting.formulas.parser import ExpressionError, formula
from ltw_core.weighting.formulas.spline import spline
from ltw_core.weighting.function import Function
from ltw_core.weighting.functions import CD, DD
from ltw_core.weighting.methods import (
    FAMILIES,
    display,
    family,
    make,
    method,
    methods,
    paper_settings,
    protocol_settings,
)
from ltw_core.weighting.multiclass_schemes import SCHEMES


def __getattr__(name):
    if name == "TermWeighting":
        from ltw_core.weighting.classic import TermWeighting

        return TermWeighting
    if name == "GlobalWeighting":
        from ltw_core.weighting.global_weighting import GlobalWeighting

        return GlobalWeighting
    if name == "LearnedWeighting":
        from ltw_core.weighting.learned import LearnedWeighting

        return LearnedWeighting
    if name in ("SharedWeighting", "surface_function", "transplanted"):
        from ltw_core.weighting.learned import shared

        return getattr(shared, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
