"""A local network before its first step: what a surface looks like that has learned nothing yet.

The weights are those that every engine starts from with the same seed. Leaves out the global variants, whose weights
at the start are one random number a term.
"""

import numpy as np

from ltw_core.weighting.learned.engines.random_numbers import RandomNumbers
from ltw_core.weighting.learned.network import cd_of_inputs, initial_parameters


class UntrainedNetwork:
    """cd_L with its initial weights.

    Parameters
    ----------
    settings : Settings
        Of a local variant.
    n_terms : int
    prevalence, n_documents : float
        Of the class, for a network that sees these too.

    Raises
    ------
    ValueError
        The variant is a global one.
    """

    def __init__(self, settings, n_terms, prevalence=0.5, n_documents=2):
        network = settings.network
        if not network.has_surface:
            raise ValueError(f"{settings.variant} has one weight a term and no surface over (tpr, fpr)")
        nowhere = np.zeros((len(network.inputs), n_terms))  # a local network's weights do not depend on the terms
        # the first weights depend on seed and attempt alone, not on the documents
        generator = RandomNumbers(settings.seed, 0, 1, 1).initial()
        hidden = settings.hidden_units(n_terms)
        self.parameters = initial_parameters(network, nowhere, hidden, settings.hidden_dd, generator)
        self.squash, self._seen = network.sigmoid, settings.seen(prevalence, n_documents)

    def surface(self, tpr, fpr):
        """Raw cd at (tpr, fpr), broadcast against each other."""
        return cd_of_inputs(self.parameters, self._seen.of(tpr, fpr), self.squash)
