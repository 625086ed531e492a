"""A local network before its first step: what a surface looks like that has learned nothing yet.

The weights are those that every engine starts from with the same seed. Leaves out the global variants, whose weights
at the start are one random number a term.
"""

import numpy as np

from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import VARIANTS, initial_parameters, local_cd


class Untrained:
    """cd_L with its initial weights.

    Parameters
    ----------
    settings : Settings
        Of a local variant.
    n_terms : int

    Raises
    ------
    ValueError
        The variant is a global one.
    """

    def __init__(self, settings, n_terms):
        network = VARIANTS[settings.variant]
        if not network.has_surface:
            raise ValueError(f"{settings.variant} has one weight a term and no surface over (tpr, fpr)")
        nowhere = np.zeros((2, n_terms))  # a local network's weights do not depend on the terms
        # the first weights depend on seed and attempt alone, not on the documents
        generator = RandomNumbers(settings.seed, 0, 1, 1).initial()
        hidden = settings.hidden_units(n_terms)
        self.parameters = initial_parameters(network, nowhere, hidden, settings.hidden_dd, generator)
        self.squash = network.sigmoid

    def surface(self, tpr, fpr):
        """Raw cd at (tpr, fpr), broadcast against each other."""
        return local_cd(self.parameters, tpr, fpr, self.squash)
