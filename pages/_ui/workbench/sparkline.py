"""Validation F1 along a training run as a line without axes: where there is no room for more."""

import base64
from html import escape

from ltw_core.figures import palette, theme
from ltw_core.weighting.learned.snapshots import Snapshot
from pages._ui import words
from pages._ui.workbench import baselines

WIDE, HIGH = 1000, 100


def sparkline(
    history: list[tuple[int, float, float]],
    levels: dict[str, float],
    moment: Snapshot | None = None,
) -> str:
    """The line as HTML, with its name, from 0 to 1 as the larger curve: dashed the F1 of formulas, named beside
    it, upright the moment that is looked at. "" before the first point.
    """
    ink, points = theme.ink(words.base()), [(step, f1) for step, _, f1 in history if f1 == f1]
    if not points:
        return ""
    last = max(step for step, _ in points) or 1
    up = lambda f1: HIGH * (1 - f1)  # noqa: E731
    colours = {name: palette.colour(baselines.BY[name], words.base()) for name in levels}
    across = [(0, WIDE, up(f1), up(f1), "10 8", colours[name]) for name, f1 in levels.items()]
    if moment is not None:
        across.append((WIDE * moment.step / last, WIDE * moment.step / last, 0, HIGH, "none", ink.muted))
    lines = "".join(
        f'<line x1="{x1:.0f}" x2="{x2:.0f}" y1="{y1:.1f}" y2="{y2:.1f}" stroke-dasharray="{dash}" stroke="{colour}"/>'
        for x1, x2, y1, y2, dash, colour in across
    )
    course = " ".join(f"{WIDE * step / last:.0f},{up(f1):.1f}" for step, f1 in points)
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -4 {WIDE} {HIGH + 8}" preserveAspectRatio="none">'
        f"<style>* {{ fill: none; vector-effect: non-scaling-stroke }}</style>{lines}"
        f'<polyline points="{course}" stroke="{palette.colour("learned", words.base())}" stroke-width="2"/></svg>'
    )
    said = f"Validation F1 by step, best {words.f1(max(f1 for _, f1 in points))}"
    dashed = " · ".join(
        f'<b style="color:{theme.legible(colours[name], words.base())}">{escape(name)} {words.f1(f1)}</b>'
        for name, f1 in sorted(levels.items(), key=lambda one: -one[1])
    )
    return (
        f'<div class="ltw-spark"><p><b>Validation F1</b>{f"<span>dashed: {dashed}</span>" if dashed else ""}</p>'
        f'<img alt="{said}" src="data:image/svg+xml;base64,{base64.b64encode(drawn.encode()).decode()}">'
        "<span>1</span><span>0</span>"
        f"<small><span>step {points[0][0]:,}</span><span>{last:,}</span></small></div>"
    )
