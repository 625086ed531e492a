"""Compiled loops of the CPU engines: plain arrays in, float32 or float64, one thread; several may run at once.

The parameters of a network lie in one flat vector, so that Adam is one loop. Nothing here looks whether numbers are
finite: the protocol does.
"""

from ltw_core.weighting.learned.engines.compiled.kernels.adam import Parameters, reach_table
from ltw_core.weighting.learned.engines.compiled.kernels.documents import Batches, Documents, logits
from ltw_core.weighting.learned.engines.compiled.kernels.global_steps import (
    BLOCK,
    SecondLayer,
    Span,
    advance_global,
    hidden_now,
    outputs,
)
from ltw_core.weighting.learned.engines.compiled.kernels.layer import Points
from ltw_core.weighting.learned.engines.compiled.kernels.local_steps import (
    Inputs,
    Network,
    advance_local,
    fit_surface,
    local_weights,
)
from ltw_core.weighting.learned.engines.compiled.kernels.noise import Dropout
