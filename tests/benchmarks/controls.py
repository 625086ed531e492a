"""Every control of the Data and Workbench pages on a real corpus: what takes longest to answer.

``python -m tests.benchmarks.controls [--dataset NAME] [--class NAME] [--page corpus|workbench] [--section NAME]``

Opens each section, moves each control to other values and back, and lists the slowest answers: seconds from the control
to the end of the script, and seconds of processor time in between, which a busy machine leaves comparable (background
work is in it, too). Leaves out what the browser draws.
"""

import argparse
import time
from pathlib import Path

from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import TESTING_KEY

PAGES = {
    "corpus": ("data/data", "section", ("Terms", "Table", "Documents", "Classes", "Collection")),
    "workbench": (
        "workbench/workbench",
        "view",
        ("Surface", "Map", "Slice", "Ranks", "Film", "Likeness", "Properties"),
    ),
}
TYPED = {
    "own_formula": ("(tpr - fpr) ** 2 / (p * tpr + fpr)", "tpr +"),
    "own_name": ("another",),
    "doubled": ("3, 5", "x"),
    "doc_find": ("said", "corn wheat", "nosuchword"),
}
KINDS = ("selectbox", "multiselect", "slider", "select_slider", "toggle", "text_input", "number_input", "button_group")
BUTTONS = ("doc_next", "doc_back", "own_keep")


def others(kind: str, widget) -> list:
    """Values that a control may be moved to."""
    value = widget.value
    if kind == "button_group":
        return [option for option in _values(widget) if option not in _chosen(widget)]
    if kind == "selectbox":
        options = _values(widget)
        return list(dict.fromkeys((options[0], options[len(options) // 2], options[-1])))
    if kind == "multiselect":
        more = [option for option in _values(widget) if option not in _chosen(widget)]
        return [[*value[:1], *more[:1]], [*value[:1], *more[-1:]]] if more else []
    if kind == "slider":
        middle = (widget.min + widget.max) / 2
        return [v for v in (widget.min, type(widget.max)(middle), widget.max) if v != value]
    if kind == "select_slider":
        options = _values(widget)
        return [options[0], options[len(options) // 2], options[-1]]
    if kind == "toggle":
        return [not value]
    if kind == "number_input":
        return [widget.max, widget.min] if widget.max is not None else [value + widget.step]
    return list(TYPED.get(widget.key, ()))


class Shown(str):
    """An option as it is written on the page, which is all that a test knows of one that is not chosen."""


def _values(widget) -> list:
    return [Shown(getattr(option, "content", option)) for option in widget.options]


def _chosen(widget) -> list:
    value = widget.value if isinstance(widget.value, list | tuple) else [widget.value]
    return [widget.format_func(v) for v in value]


class Visit:
    """A session whose answers are timed."""

    def __init__(self, dataset: str, class_name: str):
        root = Path(__file__).resolve().parents[2]
        self.test = AppTest.from_file(str(root / "app.py"), default_timeout=120)
        self.test.query_params["dataset"], self.test.query_params["class"] = dataset, class_name
        self.found: list[tuple[float, float, str]] = []
        self.wrong: list[str] = []

    def settle(self) -> None:
        from pages._ui import loading

        loading.ask(self.test.session_state["_dataset"]).exception(timeout=120)
        self.test.run()

    def answer(self, what: str, act=lambda: None) -> None:
        """Do something and run, noting how long it takes; then wait for background work, which is none of it."""
        act()
        wall, processor = time.perf_counter(), time.process_time()
        self.test.run()
        self.found.append((time.perf_counter() - wall, time.process_time() - processor, what))
        if self.test.exception:
            self.wrong.append(f"{what}: {self.test.exception[0].message}")
        self.finish()

    @staticmethod
    def finish() -> None:
        from ltw_core.service.job_manager import manager

        until = time.monotonic() + 60
        while any(job.active for job in manager().of("test session id")) and time.monotonic() < until:
            time.sleep(0.02)

    def section(self, page: str, key: str, name: str) -> None:
        """Open a section and move all of its controls."""

        def opened() -> None:
            self.test.session_state[key] = name

        self.answer(f"{page}: {name}", opened)
        for kind in KINDS:
            for at in range(len(self.test.get(kind))):
                self._control(page, name, kind, at)
        for button in BUTTONS:
            if any(b.key == button for b in self.test.button):
                self.answer(f"{page}: {name}: {button}", lambda b=button: self.test.button(key=b).click())

    def _control(self, page: str, name: str, kind: str, at: int) -> None:
        widgets = self.test.get(kind)
        if at >= len(widgets) or getattr(widgets[at], "disabled", False):
            return
        label, before = widgets[at].label, widgets[at].value
        if label == "Dataset":
            return
        for value in others(kind, widgets[at]):
            self.answer(f"{page}: {name}: {label} = {value}", lambda v=value: self._set(kind, label, v))
        self.answer(f"{page}: {name}: {label} = {before} again", lambda: self._set(kind, label, before))

    def _set(self, kind: str, label: str, value) -> None:
        widget = next((w for w in self.test.get(kind) if w.label == label), None)
        if widget is None:
            return
        if kind in ("button_group", "selectbox", "multiselect", "select_slider"):
            functions = self.test.session_state[TESTING_KEY]
            real = functions[widget.id]
            functions[widget.id] = lambda v: str(v) if isinstance(v, Shown) else real(v)
        widget.set_value(value)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dataset", default="reuters21578")
    parser.add_argument("--class", dest="class_name", default="corn")
    parser.add_argument("--page", choices=PAGES)
    parser.add_argument("--section")
    asked = parser.parse_args()
    visit = Visit(asked.dataset, asked.class_name)
    visit.test.run()
    visit.settle()
    for page, (path, key, names) in PAGES.items():
        if asked.page in (None, page):
            visit.test.switch_page(f"pages/{path}.py").run()
            visit.test.run()
            for name in names:
                if asked.section in (None, name):
                    visit.section(page, key, name)
    print(f"{len(visit.found)} answers; the slowest by processor time:")
    for wall, processor, what in sorted(visit.found, key=lambda f: -f[1])[:20]:
        print(f"{processor:6.2f} s of processor  {wall:6.2f} s  {what[:100]}")
    for line in visit.wrong:
        print(f"failed: {line}")


if __name__ == "__main__":
    main()
