"""Snapshots of the training run behind a learned weighting: of a run, or shipped with an example."""

from dataclasses import replace

from ltw_core.studies.examples import load_snapshots
from ltw_core.weighting.learned.snapshots import Snapshot, thinned
from pages._ui.training import lookup
from pages._ui.weightings.learned import Learned, learned_form
from pages._ui.weightings.reference import RUN, SHIPPED, Reference

NONE = (
    "There are no snapshots of this training run. They are taken at every validation while a run trains, and come with "
    "the LTW-L-I examples."
)
LIMIT = 60


def snapshots_of(learned: Learned) -> tuple[Snapshot, ...]:
    """The snapshots there are of a weighting's training run, raw, earliest first; none at worst."""
    kind, name = Reference.parse(learned.source)
    run = lookup.find(name) if kind == RUN else None
    found = load_snapshots(name) if kind == SHIPPED else run.snapshots if run is not None else ()
    best = tuple(k for k, snapshot in enumerate(found) if snapshot.step == learned.best_step)
    return tuple(found[k] for k in thinned(len(found), LIMIT, best))


def learned_at(snapshot: Snapshot, learned: Learned) -> Learned:
    """What had been learned at a snapshot, in canonical form."""
    raw = replace(snapshot, tpr=learned.terms.tpr, fpr=learned.terms.fpr)
    return replace(learned, form=learned_form(learned.variant, raw.cd, learned.terms, raw.surface))
