"""Many training runs side by side on one device, as Triton kernels or torch operators."""
