"""What a training in lockstep has on the host while it has no place: parameters and moments, flat as the groups hold
them. Leaves out where they come from and go to (``lockstep_seat.py``, ``lockstep_group.py``)."""

import numpy as np

from ltw_core.weighting.learned.network import local_cd


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


def layer_sizes(settings, n_terms):
    """Hidden units of cd's layer, and of dd's in LTW-TF."""
    hidden = settings.hidden_units(n_terms)
    return (hidden, settings.hidden_dd) if settings.network.learned_dd else (hidden,)
