"""Documents of B problems under their terms' weights: the normalised vector, the classifier on it, its loss and
gradients for a batch, and logits for validation.

A batch is a dense (N, F) block for the length of a step, filled from sparse rows; the corpus stays sparse. Every sum
has a fixed order. Leaves out where cd comes from (``lockstep_local.py``, ``lockstep_global.py``).
"""

from typing import NamedTuple

import numpy as np
import torch

from ltw_core.weighting.learned.engines.lockstep.layer import segments

TINY_LENGTH = 1e-12


class Classified(NamedTuple):
    """A batch's losses and gradients."""

    loss: torch.Tensor  # (B,) mean cross-entropy
    g_cd: torch.Tensor  # (B, F)
    g_head: torch.Tensor  # (B, F), of W3
    g_bias: torch.Tensor  # (B, 1), of b3
    # For the gradient of an entry's dd: what it is multiplied with, and with its square, by term and by row
    of_terms: torch.Tensor  # (2, B, F)
    of_rows: torch.Tensor  # (2, B, N)


def classify(dense, batch, values, cd, head, bias):
    """Losses of a batch and their gradients.

    Parameters
    ----------
    dense : tensor of shape (2, B, N, F)
        Room for the batch and its squares; overwritten.
    batch : Batch
    values : tensor of shape (B, E)
        dd of the batch's entries.
    cd, head : tensors of shape (B, F); bias : tensor of shape (B, 1)
        cd of every term, W3 and b3.
    """
    _, b, _, f = dense.shape
    # dot products and squared lengths of the rows in one product
    dense.zero_()
    squares = torch.stack((values, values * values)).view(2, -1)
    dense.view(2, -1).scatter_(1, batch.positions.reshape(1, -1).expand(2, -1), squares)
    flat = dense.view(2 * b, -1, f)
    of_terms = torch.stack((cd * head, cd * cd))
    sums = torch.bmm(flat, of_terms.view(2 * b, f, 1)).view(2, b, -1)
    inverse = sums[1].clamp_min(TINY_LENGTH**2).rsqrt()
    z = sums[0] * inverse
    logit = z + bias
    loss = logit.clamp_min(0) - logit * batch.y + (-logit.abs()).exp().log1p()
    # backward
    g = (logit.sigmoid() - batch.y) * batch.weight
    pull = torch.where(sums[1] > TINY_LENGTH**2, g * z * inverse * inverse, 0)
    of_rows = torch.stack((g * inverse, pull))
    sums = torch.bmm(of_rows.view(2 * b, 1, -1), flat).view(2, b, f)
    g_cd = head * sums[0] - cd * sums[1]
    return Classified((loss * batch.weight).sum(1), g_cd, cd * sums[0], g.sum(1, keepdim=True), of_terms, of_rows)


class Validation:
    """The validation documents of B problems, on the device.

    Parameters
    ----------
    packed : list of Packed
    device : torch.device
    n_terms : int
        F, of the problem with most.

    Attributes
    ----------
    dd : tensor of shape (entries,)
    frequency : list of tensors
        Of each problem its entries' places among its distinct counts; LTW-TF only.
    """

    def __init__(self, packed, device, n_terms):
        documents = [each.documents("validation", device) for each in packed]
        self._columns = torch.cat([c.long() + i * n_terms for i, (c, *_) in enumerate(documents)])
        self.dd = torch.cat([dd for _, dd, *_ in documents])
        self.frequency = [frequency for *_, frequency in documents]
        lengths = np.concatenate([np.diff(each.problem.validation.starts) for each in packed])
        self._bounds = torch.as_tensor(np.append(0, np.cumsum(lengths)).astype(np.int64), device=device)
        rows = [len(each.problem.validation) for each in packed]
        self._ends = np.cumsum(rows)[:-1]
        self._problem_of_row = torch.as_tensor(np.repeat(np.arange(len(packed)), rows), device=device)

    def logits(self, dd, cd, head, bias):
        """Logits of each problem's rows, on the host, given dd of all entries."""
        weight = dd * cd.view(-1)[self._columns]
        dot = weight * head.reshape(-1)[self._columns]
        dot, square = segments(dot, weight * weight, self._bounds).T
        logits = dot * square.clamp_min(TINY_LENGTH**2).rsqrt() + bias.view(-1)[self._problem_of_row]
        return np.split(logits.cpu().numpy(), self._ends)
