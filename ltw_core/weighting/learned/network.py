"""The five networks: their variants, initial parameters, and forward passes without dropout in NumPy.

Here parameters are a plain ``dict[str, ndarray]``, so that engines, files and figures share them. Leaves out everything
that trains (the engines) and the classifier on top (``W3``, ``b3``), which is thrown away when training ends.

========  =====================================  ================================================
name      shape                                  meaning
========  =====================================  ================================================
W1, b1    (n_inputs, H), (H,)                    local: from a term's inputs to the hidden layer
z         (H,)                                   global: the hidden layer before ReLU, ``s·W1 + b1``
W2, b2    (H,), (1,) local; (H, F), (F,) global  from the hidden layer to cd
W3, b3    (F,), (1,)                             logistic regression on the weighted document
W4, b4    (Htf,), (Htf,)                         LTW-TF: from the frequency to its hidden layer
W5, b5    (Htf,), (1,)                           LTW-TF: from its hidden layer to dd
========  =====================================  ================================================
"""

from dataclasses import dataclass

import numpy as np

from ltw_core.weighting.learned.inputs import INPUTS, PAPER
from ltw_core.weighting.progress import Cancelled


@dataclass(frozen=True)
class Variant:
    """One row of the paper's LTW table.

    local : cd of a term from its own (tpr, fpr); otherwise from the statistics of all terms
    sigmoid : cd in (0, 1); otherwise unbounded ("I", the identity)
    learned_dd : LTW-TF, which learns its document-dependent factor too
    inputs : what the network is given of each term, by the names of ``INPUTS``, or else of ``TermStatistics``
    """

    name: str
    local: bool
    sigmoid: bool
    learned_dd: bool = False
    inputs: tuple[str, ...] = PAPER

    @property
    def has_surface(self) -> bool:
        """Whether cd is one function of (tpr, fpr) for all terms."""
        return self.local and set(self.inputs) <= INPUTS.keys()

    @property
    def kept(self) -> tuple[str, ...]:
        """Names of the parameters that a learned weighting keeps: of its surface, and of a learned dd."""
        return SURFACE_NAMES * self.has_surface + DD_NAMES * self.learned_dd

    @property
    def free_signs(self) -> bool:
        """Whether each weight's sign is free on its own, because the classifier has one weight a term too."""
        return not self.local and not self.sigmoid


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("LTW-L-sigma", local=True, sigmoid=True),
        Variant("LTW-L-I", local=True, sigmoid=False),
        Variant("LTW-G-sigma", local=False, sigmoid=True),
        Variant("LTW-G-I", local=False, sigmoid=False),
        Variant("LTW-TF", local=True, sigmoid=False, learned_dd=True),
    )
}


CHUNK = 1 << 16  # entries of a (points × hidden) matrix held at once
PRETRAIN_POINTS = 100  # (tpr, fpr) at which a step of pre-training fits cd
SURFACE_NAMES, DD_NAMES = ("W1", "b1", "W2", "b2"), ("W4", "b4", "W5", "b5")


def initial_parameters(variant, inputs, hidden, hidden_dd, generator, dtype=np.float64, should_stop=None):
    """Draw new weights: normal with standard deviation 1/√(fan-out), biases 0 (the authors' initialisation).

    Parameters
    ----------
    variant : Variant
    inputs : ndarray, shape (n_inputs, F)
    hidden, hidden_dd : int
    generator : numpy.random.Generator
    dtype : of W2 of the global variants, the one large matrix; the others are float64
    should_stop : callable, optional; see ``normal_rows``

    Returns
    -------
    dict of arrays, see the module's table. For the global variants ``z`` is drawn as what
    ``inputs·W1`` is when W1 is drawn: normal with standard deviation ‖inputs‖ / √H.

    Raises
    ------
    Cancelled
    """
    n_inputs, n_terms = inputs.shape
    parameters = {}
    if variant.local:
        parameters["W1"] = generator.normal(0, 1 / np.sqrt(hidden), (n_inputs, hidden))
        parameters["b1"] = np.zeros(hidden)
        parameters["W2"] = generator.normal(0, 1, hidden)
        parameters["b2"] = np.zeros(1)
    else:
        parameters["z"] = generator.normal(0, 1, hidden) * input_length(inputs) / np.sqrt(hidden)
        parameters["W2"] = normal_rows(generator, 1 / np.sqrt(n_terms), (hidden, n_terms), dtype, should_stop)
        parameters["b2"] = np.zeros(n_terms)
    parameters["W3"] = generator.normal(0, 1, n_terms)
    parameters["b3"] = np.zeros(1)
    if variant.learned_dd:
        parameters["W4"] = generator.normal(0, 1 / np.sqrt(hidden_dd), hidden_dd)
        parameters["b4"] = np.zeros(hidden_dd)
        parameters["W5"] = generator.normal(0, 1, hidden_dd)
        parameters["b5"] = np.zeros(1)
    return parameters


def input_length(inputs) -> float:
    """‖inputs‖ of all terms together."""
    return np.sqrt(sum(np.sum(row**2) for row in inputs))


def weighting_part(variant, parameters) -> dict[str, np.ndarray]:
    """The parameters that a learned weighting keeps: none of W3, b3; none at all for LTW-G, whose cd is a vector."""
    return {name: parameters[name] for name in variant.kept}


def normal_rows(generator, scale, shape, dtype=np.float64, should_stop=None):
    """Normal draws with a standard deviation, as ``generator.normal`` makes them, for a matrix of seconds.

    ``should_stop`` is asked before each row; where it returns True, ``Cancelled`` is raised.
    """
    drawn = np.empty(shape, dtype)
    for row in drawn:
        if should_stop is not None and should_stop():
            raise Cancelled("stopped while the initial weights were drawn")
        row[:] = generator.normal(0, scale, shape[1])
    return drawn


def sigmoid(x):
    """1 / (1 + e^-x), without overflow."""
    return 0.5 * (1.0 + np.tanh(0.5 * np.asarray(x)))


def local_cd(parameters, tpr, fpr, squash):
    """cd_L = σ(ReLU([tpr, fpr]·W1 + b1)·W2 + b2), or without σ (paper, equation of the local variant).

    As ``cd_of_inputs`` of the paper's two inputs.
    """
    return cd_of_inputs(parameters, (tpr, fpr), squash)


def cd_of_inputs(parameters, inputs, squash):
    """cd_L of any inputs.

    Each place is computed once: ten thousand terms of 20 Newsgroups share 1,641.

    Parameters
    ----------
    parameters : dict with W1 (n_inputs, H), b1, W2 (H,), b2
    inputs : sequence of array-like, one an input, broadcast against each other
    squash : bool
        Whether to apply σ.

    Returns
    -------
    ndarray of float64, the broadcast shape
    """
    inputs = np.broadcast_arrays(*(np.asarray(each, dtype=float) for each in inputs))
    w1, b1, w2 = (np.asarray(parameters[name], dtype=float) for name in ("W1", "b1", "W2"))
    if len(inputs) == 2:  # many times faster than rows
        places, place_of = np.unique(inputs[0].ravel() + 1j * inputs[1].ravel(), return_inverse=True)
        distinct = [places.real, places.imag]
    else:
        rows, place_of = np.unique(np.stack([each.ravel() for each in inputs], axis=1), axis=0, return_inverse=True)
        distinct, place_of = list(rows.T), place_of.ravel()
    points = np.column_stack([*distinct, np.ones(len(distinct[0]))])
    inner, out = np.vstack([w1, b1]), np.empty(len(points))
    size = max(1, CHUNK // max(1, len(b1)))
    hidden = np.empty((size, len(b1)))
    for start in range(0, len(points), size):
        block = points[start : start + size]
        now = np.matmul(block, inner, out=hidden[: len(block)])
        np.matmul(np.maximum(now, 0, out=now), w2, out=out[start : start + size])
    out += float(parameters["b2"][0])
    return (sigmoid(out) if squash else out)[place_of].reshape(inputs[0].shape)


def learned_dd(parameters, frequency):
    """dd = ReLU(W5·ReLU(W4·f + b4) + b5) of LTW-TF, 0 at f = 0 (paper, LTW-TF).

    Parameters
    ----------
    parameters : dict with W4, b4, W5 (Htf,), b5
    frequency : array-like of counts
    """
    frequency = np.asarray(frequency, dtype=float)
    distinct, inverse = np.unique(frequency, return_inverse=True)
    w4, b4, w5 = (np.asarray(parameters[name], dtype=float) for name in ("W4", "b4", "W5"))
    hidden = np.maximum(distinct[:, None] * w4 + b4, 0)
    value = np.maximum(hidden @ w5 + float(parameters["b5"][0]), 0)
    value[distinct == 0] = 0
    return value[inverse].reshape(frequency.shape)
