"""Several surfaces beside a text: few ticks, points that do not lie on each other, one of five large on top."""

import numpy as np

from ltw_core.figures import PlaneView, SurfacePanel, surface_grid, surfaces
from ltw_core.figures.points import Places, thinned
from ltw_core.figures.scene import framed
from ltw_core.tasks import TermStatistics


def of_panels(count, on_a_phone=False, **options):
    rng = np.random.default_rng(0)
    tp, fp = rng.integers(0, 100, 900), rng.integers(0, 900, 900)
    terms = TermStatistics(np.array([f"term{k}" for k in range(900)]), tp, fp, 100, 1000)
    grid = surface_grid(terms.tpr, terms.fpr, 0.1, 1000, size=12)
    panels = [SurfacePanel(f"f{k}", grid.tpr - grid.fpr, terms.tpr - terms.fpr) for k in range(count)]
    size = {"columns": 1, "width": 380, "height": 420} if on_a_phone else {"columns": 2, "width": 600, "height": 620}
    return surfaces(panels, grid, terms, PlaneView(0.1, **{**size, **options}))


def test_the_strongest_of_each_cell_is_left():
    # term    0    1    2    3      a net of two by two: 0 and 1 share a cell
    x = [0.0, 0.1, 0.9, 1.0]
    y = [0.0, 0.2, 0.0, 1.0]
    group = Places(np.arange(4), np.ones(4, dtype=int), [*"abcd"], np.zeros((4, 7), dtype=np.float32), "")
    left = thinned(group, x, y, [0.1, -0.5, 0.2, 0.3], 2)
    assert left.text == [*"bcd"] and left.first.tolist() == [1, 2, 3] and left.numbers.shape == (3, 7)


def test_small_scenes_have_three_ticks_an_axis_at_most_one_alone_more_and_fewer_fainter_points():
    every, sparse = of_panels(4), of_panels(4, sparse=True)
    low, high = of_panels(1, height=430).layout.scene, of_panels(1).layout.scene
    phone = of_panels(1, on_a_phone=True, limits=(-1.5, 1.9)).layout.scene  # where whole steps would be 0 alone
    for scene, most in ((sparse.layout.scene, 3), (low, 5), (phone, 5)):
        for axis in (scene.xaxis, scene.yaxis, scene.zaxis):
            assert 2 <= len(axis.tickvals) <= (3 if axis is scene.zaxis else most)
    assert len(phone.xaxis.tickvals) > 3  # a logarithmic scale is read from more than its ends
    assert len(high.xaxis.tickvals) > 3
    near = of_panels(3, limits=(-3.05, 2.9)).layout.scene.zaxis  # where −2.5 would lie on the end of tpr
    assert list(near.tickvals) == [0, 2.5]
    dots = [next(trace for trace in figure.data if trace.name == "terms") for figure in (every, sparse)]
    assert len(dots[1].x) < len(dots[0].x) and dots[1].marker.opacity < dots[0].marker.opacity


def test_of_five_the_first_is_large_above_the_others_which_do_not_overlap():
    layout = of_panels(5, hero=True).layout
    first, *others = (layout[name].domain for name in ("scene", "scene2", "scene3", "scene4", "scene5"))
    assert first.x[1] - first.x[0] > others[0].x[1] - others[0].x[0]
    assert first.y[1] - first.y[0] > 1.3 * (others[0].y[1] - others[0].y[0])
    assert all(one.y[1] < first.y[0] for one in others)
    assert others[0].x[1] < others[1].x[0] and others[2].y[1] < others[0].y[0] and others[3].y[0] >= 0
    assert layout.height == 620


def test_of_three_the_last_stands_below_the_first_and_beside_it_key_and_colour_bar():
    layout = of_panels(3, sparse=True).layout
    first, last = layout.scene.domain, layout.scene3.domain
    assert last.x == first.x and last.y[1] < first.y[0]
    bar = layout.coloraxis.colorbar
    assert bar.x > last.x[1] and 0 < last.y[1] - bar.y < 0.1  # in the line of the last one's name
    ticks, lowest = layout.coloraxis.colorbar.tickvals, layout.coloraxis.cmin
    assert ticks[-1] == 1 and (ticks[0] == 0 or ticks[0] - lowest < 0.15)  # where weights end


def test_a_camera_that_stands_higher_looks_the_same_way():
    usual, above = (framed(1.0, from_above=high)["eye"] for high in (False, True))
    assert abs(np.arctan2(usual["y"], usual["x"]) - np.arctan2(above["y"], above["x"])) < 0.02
    assert above["z"] > usual["z"]


def test_of_a_surface_on_a_phone_neither_the_nearest_ticks_nor_the_farthest_corner_is_cut():
    layout = of_panels(1, on_a_phone=True).layout
    scene, high = layout.scene, 420 - layout.margin.t - layout.margin.b
    eye, middle = (np.array([*getattr(scene.camera, part).to_plotly_json().values()]) for part in ("eye", "center"))
    ahead = (middle - eye) / np.linalg.norm(middle - eye)
    right = np.cross(ahead, [0, 0, 1]) / np.linalg.norm(np.cross(ahead, [0, 0, 1]))
    box = np.array([scene.aspectratio[k] for k in "xyz"]) / 2
    seen = np.array([[-1, -1, -1], [1, 1, 1]]) * box - eye
    low, far = high / 2 / np.tan(np.pi / 8) / (seen @ ahead) * (seen @ np.cross(right, ahead))
    assert far < high / 2 - 1 and low > 30 - high / 2, (low, far)  # a tick stands some 20 pixels below its corner


def test_a_name_is_not_cut_where_its_small_scene_ends():
    # the first term is at the left corner: none of the others' documents hold it, most of the class's do
    names = np.array(["a_rather_long_name", "b", "c"])
    terms = TermStatistics(names, np.array([90, 10, 1]), np.array([0, 90, 800]), 100, 1000)
    grid = surface_grid(terms.tpr, terms.fpr, 0.1, 1000, size=12)
    panels = [SurfacePanel(f"f{k}", grid.tpr - grid.fpr, terms.tpr - terms.fpr) for k in range(4)]
    layout = surfaces(panels, grid, terms, PlaneView(0.1, columns=2, width=380, selected=(names[0],))).layout
    name = next(each for each in layout.scene.annotations if names[0] in each.text)
    assert name.ax > 0  # a leader goes from it to the term
