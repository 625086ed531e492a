"""Many trainings side by side on one device, as torch operators."""
