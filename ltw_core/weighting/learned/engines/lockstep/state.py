"""What a training in lockstep has on the host while it has no place: parameters and moments, flat as the groups hold
them. Leaves out where they come from and go to (``lockstep_seat.py``, ``lockstep_group.py``)."""

import numpy as np

from ltw_core.weighting.learned.network import local_cd, sigmoid


class LocalState:
    """Of a local variant: flat arrays of A = W1 over b1, W2, b2, then of LTW-TF the same for W4 over zeros over b4, W5,
    b5 (its points have no second coordinate), then W3 (by place) and b3."""

    def __init__(self, theta, first=None, second=None, moment_steps=0):
        self.theta = theta
        self.first = np.zeros_like(theta) if first is None else first
        self.second = np.zeros_like(theta) if second is None else second
        self.moment_steps = moment_steps

    @classmethod
    def of(cls, parameters, packed):
        """New moments for parameters by the names of ``network.py``."""
        parts = [np.ravel(parameters[name]) for name in ("W1", "b1", "W2", "b2")]
        if "W4" in parameters:
            w4, b4, w5, b5 = (parameters[name] for name in ("W4", "b4", "W5", "b5"))
            parts += [w4, np.zeros_like(w4), b4, w5, b5]
        parts += [parameters["W3"][packed.order], parameters["b3"]]
        return cls(np.concatenate(parts).astype(packed.dtype))

    def parameters(self, sizes, packed):
        """The parameters by name; `sizes` as of ``layer_sizes``."""
        found, begin = {}, 0
        for names, units in zip((("W1", "b1", "W2", "b2"), ("W4", "b4", "W5", "b5")), sizes, strict=False):
            values = self.theta[begin : begin + 4 * units + 1]
            rows, w, bias = values[: 3 * units].reshape(3, units), values[3 * units : -1], values[-1:]
            found |= zip(names, (rows[:2] if names[0] == "W1" else rows[0], rows[2], w, bias), strict=True)
            begin += len(values)
        return found | {"W3": self.theta[begin:-1][packed.place], "b3": self.theta[-1:]}

    def cd(self, settings, packed):
        """cd of every term, without dropout."""
        parameters = self.parameters(layer_sizes(settings, packed.n_terms), packed)
        pairs, pair_of = packed.problem.pairs
        return local_cd(parameters, pairs[:, 0], pairs[:, 1], settings.network.sigmoid)[pair_of]


class GlobalState:
    """Of a global variant, without the hidden units that never move again: they add nothing to cd.

    Attributes
    ----------
    units : ndarray of int64, shape (U,)
        The units that are left, of all H.
    theta, first, second : ndarray, shape (U + 2·F + 1,)
        z of these units, b2, W3, b3, one after the other, and their moments.
    weights, first_weights, second_weights : ndarray, shape (U, F)
        The units' rows of W2, and their moments.
    """

    def __init__(self, units, theta, weights, moments=None, moment_steps=0):
        self.units, self.theta, self.weights, self.moment_steps = units, theta, weights, moment_steps
        if moments is None:
            moments = [np.zeros(like.shape, like.dtype) for like in (theta, theta, weights, weights)]  # no memory yet
        self.first, self.second, self.first_weights, self.second_weights = moments

    @classmethod
    def of(cls, parameters, packed):
        """New moments for parameters by the names of ``network.py``. A unit that is not positive at rest has no
        gradient, and stays as it is for ever: half of new ones are so."""
        units = np.flatnonzero(parameters["z"] > 0)
        parts = [parameters["z"][units], *(parameters[name] for name in ("b2", "W3", "b3"))]
        return cls(units, np.concatenate(parts).astype(packed.dtype), parameters["W2"][units].astype(packed.dtype))

    def parameters(self, packed):
        """The parameters by name, of z and W2 what `units` names."""
        u, f = len(self.units), packed.n_terms
        z, bias, head, last = np.split(self.theta, [u, u + f, u + 2 * f])
        return {"z": z, "W2": self.weights, "b2": bias, "W3": head, "b3": last}

    def cd(self, settings, packed):
        """cd of every term, without dropout."""
        p = self.parameters(packed)
        raw = (np.maximum(p["z"], 0) @ p["W2"] + p["b2"]).astype(np.float64)
        return sigmoid(raw) if settings.network.sigmoid else raw


def layer_sizes(settings, n_terms):
    """Hidden units of cd's layer, and of dd's in LTW-TF."""
    hidden = settings.hidden_units(n_terms)
    return (hidden, settings.hidden_dd) if settings.network.learned_dd else (hidden,)


def state_of(parameters, packed):
    """A state with new moments, of the kind that the parameters are of."""
    return (GlobalState if "z" in parameters else LocalState).of(parameters, packed)
