"""A 3D scene over the plane: camera, axes, where a point is seen, and the script by which scenes turn together."""

import numpy as np

from ltw_core.figures.plane import Axis, Grid, nice_step

CAMERA = {
    "eye": {"x": -1.075, "y": -1.402, "z": 0.806},  # from the corner where the terms crowd, a wing to either side
    "center": {"x": 0.0, "y": 0.0, "z": -0.22},  # so low that the lowest ticks lie within the scene
    "up": {"x": 0, "y": 0, "z": 1},
}
UNTOLD = {"x": 0.0, "y": 0.0, "z": -0.14}  # the middle of a scene that has no numbers below it
ABOVE = {"x": -0.9738, "y": -1.27, "z": 1.33}  # the same way, higher: it sees what falls from the corner of rare terms
SMALL = 400  # pixels across a scene in which all ticks stand apart
SOME, FEW = 0.16, 0.34  # of an axis between two ticks of a smaller one; without room at most three
PHONE = 340  # pixels across the one scene of a phone
ROOM = 280  # pixels across a scene that has room for its ticks
FIELD = np.pi / 4  # the angle that plotly's cameras see from the top of a scene to its bottom
ASPECT = {"x": 1.0, "y": 1.0, "z": 0.72}
LOWER = CAMERA["center"] | {"z": -0.25}  # of a scene that is seen from nearer
LOWEST = LOWER | {"z": -0.27}  # and of one on a phone, whose letters are as large as elsewhere
LOW = ASPECT | {"z": 0.56}  # of scenes that have more room at their sides than above each other

# turn one scene and the others follow; `gd` is the plot's element
SYNC_CAMERAS = """
(gd) => {
  const scenes = () => Object.keys(gd._fullLayout).filter((k) => /^scene\\d*$/.test(k));
  let busy = false;
  const follow = (event, live) => {
    if (busy) return;
    const key = Object.keys(event).find((k) => /^scene\\d*\\.camera$/.test(k));
    if (!key) return;
    const from = key.split('.')[0], camera = event[key];
    busy = true;
    if (live) {
      const turn = (s) => gd._fullLayout[s]._scene.setViewport({...gd._fullLayout[s], camera});
      scenes().filter((s) => s !== from).forEach(turn);
      busy = false;
    } else {
      const change = {};
      scenes().filter((s) => s !== from).forEach((s) => { change[s + '.camera'] = camera; });
      Promise.resolve(window.Plotly.relayout(gd, change)).then(() => { busy = false; }, () => { busy = false; });
    }
  };
  gd.on('plotly_relayouting', (event) => follow(event, true));
  gd.on('plotly_relayout', (event) => follow(event, false));
}
"""


def framed(ratio: float, near: float = 1.0, from_above: bool = False) -> dict:
    """The camera, further away from a scene that is narrower than high; ``near`` below 1 brings it closer."""
    return {**CAMERA, "eye": {axis: near * away(ratio) * value for axis, value in _eye(from_above).items()}}


def usual_distance(from_above: bool = False) -> float:
    """How far from the middle the camera stands that ``framed`` moves nearer or further."""
    return float(np.linalg.norm([*_eye(from_above).values()]))


def _eye(from_above: bool) -> dict[str, float]:
    return ABOVE if from_above else CAMERA["eye"]


def away(ratio: float) -> float:
    """How many times further away the camera stands for a scene so many times as wide as high."""
    return max(1.0, ratio**-1.4)  # more than in proportion: the labels stay as large as they are


def room_for_ticks(pixels: float) -> float:
    """How many times further away the camera stands so that ticks, whose letters do not shrink, are not cut at the edge
    of a scene of so many pixels across."""
    return max(1.0, ROOM / pixels) ** 0.6


def _z_ticks(common, count: int, lowest: float) -> list[float]:
    """About so many round heights, two at least, without those below a share of the axis, whose labels would run into
    those of tpr."""
    span = common.high - common.low
    step = nice_step(span / count)
    ticks = np.arange(np.ceil(common.low / step), np.floor(common.high / step) + 1) * step
    told = [float(round(t, 12)) for t in ticks if t > common.low + lowest * span]
    return told if len(told) > 1 else _z_ticks(common, count + 1, lowest)


def on_screen(x, y, z, grid: Grid, common, scene: dict, height: float) -> tuple[np.ndarray, np.ndarray]:
    """Where points are seen in a scene of ``scene_layout`` that is so many pixels high: pixels to the right and upwards
    of its middle."""
    eye, middle = (np.array([scene["camera"][part][k] for k in "xyz"]) for part in ("eye", "center"))
    ahead = (middle - eye) / np.linalg.norm(middle - eye)
    right = np.cross(ahead, [0, 0, 1])
    right /= np.linalg.norm(right)
    scaled = [
        ((np.asarray(v) - low) / ((high - low) or 1) - 0.5) * scene["aspectratio"][k]
        for v, (low, high), k in zip(
            (x, y, z), (grid.x.limits, grid.y.limits, (common.low, common.high)), "xyz", strict=True
        )
    ]
    seen = np.stack(scaled, axis=-1) - eye
    pixels = height / (2 * np.tan(FIELD / 2)) / (seen @ ahead)
    return pixels * (seen @ right), pixels * (seen @ np.cross(right, ahead))


def scene_layout(grid: Grid, common, x, y, camera, across: float, aspect: dict = ASPECT, told: bool = True) -> dict:
    """A scene of so many pixels ``across``; a small one has fewer ticks, which would run into each other, and one that
    is not ``told`` has none: their letters do not shrink, and take the room of its surface."""
    small = across < SMALL
    apart = 0.1 if not small else SOME if across >= PHONE else FEW

    def axis(a: Axis, title: str) -> dict:
        return a.layout(title, apart) | {"range": list(a.limits), "showticklabels": told}

    unit = 0.01 * (common.high - common.low)
    floor = common.low - unit  # the grid would come through a surface that lies on it
    return {
        "domain": {"x": list(x), "y": list(y)},
        "xaxis": axis(grid.x, "fpr"),
        "yaxis": axis(grid.y, "tpr"),
        "zaxis": {
            "range": [floor, common.high + 2 * unit],
            "tickvals": _z_ticks(common, *((2, 0.18) if small else (3, 0.08))),
            "title": {"text": ""},
            "showticklabels": told,
        },
        "aspectmode": "manual",
        "aspectratio": aspect,
        "camera": camera,
        "dragmode": "turntable",
        "uirevision": "camera",
    }
