"""Adam for B problems side by side, each with its own count of steps."""

import torch

BETA1, BETA2, EPSILON = 0.9, 0.999, 1e-8


def adam(theta, first, second, gradient, moment_steps, rate, moving=None):
    """One step, in place.

    Parameters
    ----------
    theta, first, second, gradient : tensors of shape (B, parameters)
    moment_steps : tensor of float64, shape (B, 1)
        Steps since the moments were 0; counted here.
    rate : float
    moving : tensor of shape (B, parameters) or None
        0 for parameters that stay.
    """
    moment_steps += 1
    first.lerp_(gradient, 1 - BETA1)
    second.mul_(BETA2).addcmul_(gradient, gradient, value=1 - BETA2)
    size = rate / (1 - torch.pow(BETA1, moment_steps))
    correction = (1 - torch.pow(BETA2, moment_steps)).sqrt()
    bottom = (second.sqrt() / correction.to(theta.dtype)).add_(EPSILON)
    change = size.to(theta.dtype) * first / bottom
    theta -= change if moving is None else change * moving
