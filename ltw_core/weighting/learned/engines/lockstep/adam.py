"""Adam for B problems side by side, each with its own count of steps: on flat vectors, on LTW-G's second layer, and
through its first one."""

import torch

from ltw_core.weighting.learned.engines.compiled.kernels.adam import LEAST_LOG, MOST_LOG, TABLE


def step_sizes(moment_steps, by):
    """Count a step in `moment_steps` (float64, (B, 1)); its step size rate / (1 - β1^t) and correction √(1 - β2^t)."""
    moment_steps += 1
    return by.rate / (1 - torch.pow(by.beta1, moment_steps)), (1 - torch.pow(by.beta2, moment_steps)).sqrt()


def adam(theta, first, second, gradient, sizes, by, moving=None):
    """One step, in place.

    Parameters
    ----------
    theta, first, second, gradient : tensors of shape (B, parameters)
    sizes : tensors of shape (B, 1)
        Of ``step_sizes``.
    by : Adam
        Of the settings.
    moving : tensor of shape (B, parameters) or None
        0 for parameters that stay.
    """
    size, correction = (part.to(theta.dtype) for part in sizes)
    _moments(first, second, gradient, by)
    bottom = (second.sqrt() / correction).add_(by.epsilon)
    change = size * first / bottom
    theta -= change if moving is None else change * moving


def _moments(first, second, gradient, by):
    first.lerp_(gradient, 1 - by.beta1)
    second.mul_(by.beta2).addcmul_(gradient, gradient, value=1 - by.beta2)


def adam_outer(weights, first, second, left, right, sizes, by, room):
    """One step, in place, on matrices whose gradients are outer products left ⊗ right; these are never made.

    Parameters
    ----------
    weights, first, second : tensors of shape (B, U, F)
    left, right : tensors of shape (B, U) and (B, F)
    room : tensor of shape (B, U, F)
        For what is divided by; overwritten.
    """
    size, correction = (part.unsqueeze(-1) for part in sizes)
    left, right = left.unsqueeze(2), right.unsqueeze(1)
    first.baddbmm_(left, right, beta=by.beta1, alpha=1 - by.beta1)
    second.baddbmm_(left * left, right * right, beta=by.beta2, alpha=1 - by.beta2)
    # size · m / (√v / correction + ε), with the size in the denominator: one pass less over the matrices
    slope, least = ((part / size).to(room.dtype) for part in (1 / correction, by.epsilon))
    torch.sqrt(second, out=room)
    torch.addcmul(least, room, slope, out=room)
    weights.addcdiv_(first, room, value=-1)


def adam_through(z, first, second, gradient, sizes, by, tables):
    """One step, in place, on a layer that acts through z alone: see ``kernels.adam.adam_through``.

    Parameters
    ----------
    z, first, second, gradient : tensors of shape (B, U)
    tables : tensor of float64, shape (B, entries)
        ``reach_table`` of each problem.
    """
    size, correction = sizes
    _moments(first, second, gradient, by)
    z -= (size * first * reach(tables, second.double().sqrt() / correction)).to(z.dtype)


def reach(tables, root):
    """Σ s² / (s·root + ε) of every root (B, U), from the tables by cubic interpolation: see ``kernels.adam.reach``."""
    place = (root.clamp_min(1e-16).log() - LEAST_LOG) * ((TABLE - 1) / (MOST_LOG - LEAST_LOG))
    at = place.long().clamp(1, TABLE - 3)
    f = place - at
    a, b, c, d = (tables.gather(1, at + near) for near in (-1, 0, 1, 2))
    inside = b + 0.5 * f * (c - a + f * (2 * a - 5 * b + 4 * c - d + f * (3 * (b - c) + d - a)))
    return torch.where(place < TABLE - 2, inside.exp(), (tables[:, -1:] + MOST_LOG).exp() / root)
