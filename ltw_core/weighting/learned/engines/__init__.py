"""The engines that do a training run's numerics: reference (torch), compiled (CPU) and lockstep (many at once)."""
