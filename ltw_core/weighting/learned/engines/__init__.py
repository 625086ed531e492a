"""The engines that do a training's numerics: reference (torch), compiled (CPU) and lockstep (many at once)."""
