"""Figures in the browser: plotly drawn in place, a plain canvas where it is too slow, playing through snapshots."""
