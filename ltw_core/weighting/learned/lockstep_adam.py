"""Adam for B problems side by side, each with its own count of steps."""

import torch


def adam(theta, first, second, gradient, moment_steps, by, moving=None):
    """One step, in place.

    Parameters
    ----------
    theta, first, second, gradient : tensors of shape (B, parameters)
    moment_steps : tensor of float64, shape (B, 1)
        Steps since the moments were 0; counted here.
    by : Adam
        Of the settings.
    moving : tensor of shape (B, parameters) or None
        0 for parameters that stay.
    """
    moment_steps += 1
    first.lerp_(gradient, 1 - by.beta1)
    second.mul_(by.beta2).addcmul_(gradient, gradient, value=1 - by.beta2)
    size = by.rate / (1 - torch.pow(by.beta1, moment_steps))
    correction = (1 - torch.pow(by.beta2, moment_steps)).sqrt()
    bottom = (second.sqrt() / correction.to(theta.dtype)).add_(by.epsilon)
    change = size.to(theta.dtype) * first / bottom
    theta -= change if moving is None else change * moving
