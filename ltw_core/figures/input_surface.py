"""A weighting over two of its network's inputs: a surface, and terms of the class at their own weights."""

import numpy as np

from ltw_core.figures import palette, theme
from ltw_core.figures.plain_figure import PlainFigure, colour_scale
from ltw_core.figures.scene import ASPECT, CAMERA


@theme.as_figure(height=520, uirevision="input-surface")
def input_surface(plane, terms, at, weights, *, titles: tuple[str, str], base: str = "light") -> PlainFigure:
    """Draw it.

    Parameters
    ----------
    plane : insight.InputPlane
    terms : sequence of str, shape (n,)
    at : ndarray, shape (2, n)
        Their values of the two inputs.
    weights : ndarray, shape (n,)
        Of the terms, in canonical form.
    titles : (of x, of y)
    """
    i, figure = theme.ink(base), PlainFigure()
    weights = np.asarray(weights, dtype=float)
    low = float(min(plane.z.min(), weights.min(initial=0.0), 0.0))
    high = float(max(plane.z.max(), weights.max(initial=0.0)))
    colours, cmin, cmax = palette.scale_for(low, high, base)
    figure.add(
        "surface",
        x=plane.x,
        y=plane.y,
        z=plane.z,
        colorscale=colour_scale(colours),
        cmin=cmin,
        cmax=cmax,
        colorbar={"title": {"text": "weight (typical = 1)", "side": "right"}, "thickness": 10, "len": 0.7},
        hovertemplate=f"{theme.escape(titles[0])} %{{x:.3f}}<br>{theme.escape(titles[1])} %{{y:.3f}}<br>"
        "weight %{z:.2f}<extra></extra>",
        name="surface",
    )
    figure.add(
        "scatter3d",
        x=at[0],
        y=at[1],
        z=weights,
        text=[theme.escape(term) for term in terms],
        mode="markers",
        marker={"size": 3.5, "color": i.text, "line": {"color": i.paper, "width": 0.5}},
        hovertemplate="%{text}<br>its own weight %{z:.2f}<extra></extra>",
        name="terms",
        showlegend=False,
    )
    axis = lambda title: {"title": {"text": theme.escape(title)}}  # noqa: E731
    figure.update_layout(
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
        scene={
            "xaxis": axis(titles[0]),
            "yaxis": axis(titles[1]),
            "zaxis": {"title": {"text": ""}},
            "aspectmode": "manual",
            "aspectratio": ASPECT,
            "camera": CAMERA,
            "uirevision": "camera",
        },
    )
    return theme.describe(
        figure,
        f"3D surface of the weight over {titles[0]} and {titles[1]}, the network’s other inputs held still, from "
        f"{plane.z.min():.2f} to {plane.z.max():.2f}, with {len(weights)} terms.",
    )
