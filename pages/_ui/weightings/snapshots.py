"""Snapshots of the training behind a learned weighting, in canonical form: of a run, or shipped with an example."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from ltw_core.studies.examples import load_snapshots
from ltw_core.weighting.learned.snapshots import thinned
from pages._ui.training import runs
from pages._ui.weightings.learned import Learned, Surface, in_canonical_form

NONE = "There are no snapshots of this training: they ship with the LTW-L-I examples, and are kept of what you train."
LIMIT = 60


@dataclass(frozen=True, eq=False)
class Moment:
    """The weighting at one step, in canonical form; ``surface`` is None for global variants."""

    step: int
    loss: float
    validation_f1: float
    cd: np.ndarray
    surface: Surface | None


@dataclass(frozen=True, eq=False)
class Moments:
    """Moments of one training, earliest first, and the step that was kept."""

    moments: tuple[Moment, ...]
    best_step: int | None

    def __len__(self) -> int:
        return len(self.moments)

    def __iter__(self) -> Iterator[Moment]:
        return iter(self.moments)

    def __getitem__(self, index: int) -> Moment:
        return self.moments[index]


def of(learned: Learned) -> Moments:
    """The snapshots there are of a weighting's training; none at worst."""
    taken = _taken(learned)
    return _moments(f"{learned.key}-{len(taken)}", learned, taken)


@st.cache_resource(max_entries=16, show_spinner=False)
def _moments(key: str, _learned: Learned, _taken: tuple[Any, ...]) -> Moments:
    best = getattr(_learned.weighting, "best_step_", None)
    keep = tuple(k for k, s in enumerate(_taken) if s.step == best)
    return Moments(tuple(_moment(_taken[k], _learned) for k in thinned(len(_taken), LIMIT, keep)), best)


def _taken(learned: Learned) -> tuple[Any, ...]:
    """Raw snapshots: step, loss, validation_f1, and a surface or cd."""
    kind, _, name = learned.source.partition(":")
    if kind == "shipped":
        return load_snapshots(name)
    run = runs.find(name) if kind == "run" else None
    return run.snapshots if run is not None else ()


def _moment(snapshot: Any, learned: Learned) -> Moment:
    terms = learned.terms
    raw = getattr(snapshot, "cd", None)
    surface = None if learned.surface is None else snapshot.surface
    raw = snapshot.surface(terms.tpr, terms.fpr) if raw is None else raw
    cd, _, scaled = in_canonical_form(learned.variant, np.asarray(raw, dtype=float), terms, surface)
    return Moment(snapshot.step, snapshot.loss, snapshot.validation_f1, cd, scaled)
