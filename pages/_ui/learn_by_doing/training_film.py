"""The training of a lesson as a film, for a page that is taken home: one surface, and what moves it as data.

Its size is bounded: so many steps at most, of a grid of so many points, and the class's terms, two bytes a height; a
third of a megabyte for 1,000 terms. plotly.js is the page's.
"""

import html
import json
from pathlib import Path
from typing import Any

import numpy as np

from ltw_core import figures
from ltw_core.figures import PlaneView, SurfacePanel, term_grid
from ltw_core.figures.frames import surface_frames
from ltw_core.insight import canonical_form
from ltw_core.lessons import Values
from ltw_core.lessons.values import LEARNED
from ltw_core.weighting import display
from ltw_core.weighting.learned.snapshots import thinned
from pages._ui import words

STEPS, SIZE = 24, 28  # of the training; points along an axis of the surface
WIDTH, HEIGHT = 420, 90  # of the curve, in its own units
SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8").rstrip()


def film(values: Values, seed: int = 0, variant: str = LEARNED) -> str:
    """HTML of a film with a button, a slider and the curve of validation F1; it begins at the step that was kept."""
    fitted, taken = values.weighting(seed, variant), values.snapshots(seed, variant)
    best = next((k for k, snapshot in enumerate(taken) if snapshot.step == fitted.best_step_), len(taken) - 1)
    chosen = [int(k) for k in thinned(len(taken), STEPS, (best,))]
    taken, start = [taken[k] for k in chosen], chosen.index(best)
    terms, name = values.statistics, f"{display(variant)}, seed {seed}"
    grid = term_grid(terms, region="terms", scale="log", size=SIZE)
    forms = [canonical_form(snapshot.cd, terms, snapshot.surface) for snapshot in taken]
    drawn = [SurfacePanel.of(name, form, grid, "") for form in forms]
    frames = surface_frames(drawn, grid, terms, PlaneView(values.task.prevalence, width=WIDTH, height=420), start=start)
    turned = figures.html(frames.figure.figure(), "ltw-training", include_plotlyjs=False, full_html=False)
    course, curve = _course(fitted.history_, taken, start)
    data = json.dumps({**frames.data, "start": start, "course": course}, separators=(",", ":")).replace("<", "\\u003c")
    now = f"Step {taken[start].step:,}, validation F1 {course[start]['f1']}, kept"
    return (
        f'<div id="ltw-film" class="turning"><p><b>The training as a film</b>: {html.escape(name)}, {len(taken)} of '
        f"its steps. Height is a term’s weight; where no terms lie the surface is grey.</p>{turned}"
        f'<p class="film"><button type="button">▶ Play</button> <input type="range" min="0" max="{len(taken) - 1}" '
        f'value="{start}" aria-label="Step of the training"> <output>{now}</output></p>{curve}</div>'
        f"<script>{SCRIPT}({data});</script>"
    )


def _course(history: list[tuple], taken: list[Any], start: int) -> tuple[list[dict[str, Any]], str]:
    """Where the dot is at each step, and the curve of validation F1 over the logarithm of steps as an SVG."""
    known = [(step, f1) for step, _, f1 in history if np.isfinite(f1)]
    steps, f1 = np.array(known, dtype=float).T
    low, high = float(f1.min()), max(float(f1.max()), float(f1.min()) + 1e-9)
    ends = np.log10([max(1.0, steps.min()), max(10.0, steps.max())])

    def place(step: float, value: float) -> tuple[str, str]:
        across = (np.log10(max(step, 10 ** ends[0])) - ends[0]) / (ends[1] - ends[0] or 1.0)
        up = (value - low) / (high - low) if np.isfinite(value) else 0.0
        return f"{6 + (WIDTH - 12) * across:.1f}", f"{6 + (HEIGHT - 12) * (1 - up):.1f}"

    points = " ".join(",".join(place(*each)) for each in known)
    course = []
    for snapshot in taken:
        x, y = place(snapshot.step, snapshot.validation_f1)
        course.append({"step": snapshot.step, "f1": words.f1(snapshot.validation_f1), "x": x, "y": y})
    about = f"Validation F1 by step, from {words.f1(low)} to {words.f1(high)}; steps are on a logarithmic axis."
    svg = (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="100%" role="img" aria-label="{about}"><polyline points="{points}" '
        f'fill="none" stroke="#c2410c" stroke-width="2"/><circle class="dot" r="5" fill="#1f2328" '
        f'cx="{course[start]["x"]}" cy="{course[start]["y"]}"/></svg>'
    )
    return course, f"{svg}<p><small>{about}</small></p>"
