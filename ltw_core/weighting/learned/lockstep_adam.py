"""Adam for B problems side by side, each with its own count of steps."""

import torch


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
    first.lerp_(gradient, 1 - by.beta1)
    second.mul_(by.beta2).addcmul_(gradient, gradient, value=1 - by.beta2)
    bottom = (second.sqrt() / correction).add_(by.epsilon)
    change = size * first / bottom
    theta -= change if moving is None else change * moving
