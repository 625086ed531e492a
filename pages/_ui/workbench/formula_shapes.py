"""Formulas alone as the views of a learned weighting take them: the first in its place, the others beside it."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ltw_core.insight import CanonicalForm, canonical_form
from ltw_core.weighting import Function
from pages._ui import choices, words
from pages._ui.reader import selection
from pages._ui.weightings.learned import Learned
from pages._ui.workbench.function_surfaces import Setting
from pages._ui.workbench.shape_view import View


@dataclass(frozen=True, eq=False)
class FormulasView(View):
    """A view whose first weighting is a formula; ``functions`` are all of them, drawn at a prevalence and N."""

    functions: tuple[Function, ...] = ()
    setting: Setting | None = None

    @property
    def p(self) -> float:
        return self.setting.p

    @cached_property
    def formulas(self) -> dict[str, CanonicalForm]:
        beside = (*self.functions[1:], *map(choices.function, self.names))
        terms, first = self.learned.terms, self.learned.label
        return {f.symbol: _form(f, terms, self.setting) for f in beside if f.symbol != first}


def view_of(functions: list[Function], setting: Setting, picture: Any, task: Any) -> FormulasView:
    """The formulas on a class's terms."""
    first = functions[0]
    learned = Learned(
        key=f"formula-{first.symbol}-{first.name}-{setting.p}-{setting.n}-{task.fingerprint}",
        variant=first.symbol,
        title=words.class_label(task),
        terms=task.statistics,
        form=_form(first, task.statistics, setting),
        provenance="",
        dataset=selection.dataset(),
        class_name=task.class_name,
        ratio=task.ratio,
        is_formula=True,
    )
    view = picture.of(learned)
    return FormulasView(**vars(view) | {"names": ()}, functions=tuple(functions), setting=setting)


def _form(function: Function, terms: Any, setting: Setting) -> CanonicalForm:
    surface = lambda tpr, fpr: function.at_rates(tpr, fpr, setting.p, setting.n)  # noqa: E731
    return canonical_form(surface(terms.tpr, terms.fpr), terms, surface)
