"""Figures in the browser: plotly drawn in place, a first sketch before it, playing through snapshots."""
