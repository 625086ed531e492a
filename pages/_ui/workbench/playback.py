"""A training run whose end is watched is played back: its surface rises once more, and all words go along."""

import time
from typing import Any

import streamlit as st

from ltw_core.weighting.learned.snapshots import Snapshot, thinned
from pages._ui import words
from pages._ui.plots.following import replay
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.snapshots import snapshots_of

ENDED = "_just_ended"  # the session's key of a training run whose end was watched
WATCHED = "_watched"  # and of one that went on when it was looked at last
REPLAY, SENT = 5.0, 10.0  # seconds: of the way once more, while it is sent
PLACES = 20  # of that way; each takes 4 ms, in which nobody else's page is made


def ended(source: str, seconds: float, paused: float) -> None:
    """A training run that is watched has ended after so many seconds. Who paused it has seen it, and sees its end."""
    st.session_state[ENDED] = ("" if paused else source, time.monotonic() + SENT, seconds)


def watched(run: Any) -> bool:
    """Whether a training run has ended since it was looked at, a moment ago; to be asked at each look, which may be of
    the whole page for another reason."""
    before, until = st.session_state.get(WATCHED, ("", 0.0))
    active, now = run is not None and run.active, time.monotonic()
    st.session_state[WATCHED] = (run.reference if active else "", now + SENT)
    return run is not None and not active and run.reference == before and now < until


def hold_back(learned: Learned | None, place: str = "held") -> None:
    """Before anything is drawn of a training run that has just ended: its end is told with its surface."""
    if learned is not None and (took := _took(learned.source)):
        follows = f"Trained in {words.seconds(took)}. Its test F1 and its nearest formula follow."
        said = told(learned) or {"lead": follows}
        replay("live_surface", None, learned.source, REPLAY, place, curves="live_curves", **said)


def load(place: str) -> None:
    """Before the first training: what holds an end back may take longer to load than a short training takes."""
    replay("live_surface", None, "", 0, place)


def ready(place: str = "held") -> None:
    """While a training run goes on: its end is held back without first having to load what does that."""
    replay("live_surface", None, "", REPLAY, place)


def play(learned: Learned, said: dict[str, Any], swept: dict[str, Any] | None = None) -> None:
    """Play it back; without its surfaces the start is shown until they come."""
    replay("live_surface", swept, learned.source, REPLAY, curves="live_curves", **said)


def told(learned: Learned) -> dict[str, Any]:
    """What is said meanwhile of a training run that is played back; {} of others."""
    took = _took(learned.source)
    if not took or not (seen := shots(learned)):
        return {}
    steps = [each.step for each in seen]
    return {
        "steps": steps,
        "f1": [None if each.validation_f1 != each.validation_f1 else each.validation_f1 for each in seen],
        "lead": f"Trained in {words.seconds(took)}; played back from the first step to the one that is kept. "
        "Its test F1 and its nearest formula follow.",
        "said": [f"Played back: step {step:,} of {learned.best_step:,}" for step in steps],
        "course": [f"Step {each.step:,}: validation F1 {words.f1(each.validation_f1)}" for each in seen],
    }


def shots(learned: Learned) -> list[Snapshot]:
    """The snapshots that are played back, up to the step that was kept; none of so few that nothing would be seen."""
    moves = learned.weighting is not None and learned.surface is not None
    taken = [each for each in snapshots_of(learned) if each.step <= learned.best_step] if moves else []
    return [taken[k] for k in thinned(len(taken), PLACES)] if len(taken) > 2 else []


def _took(source: str) -> float:
    """How many seconds a training run took that is shown once more; of others 0."""
    just, until, seconds = st.session_state.get(ENDED, ("", 0.0, 0.0))
    return seconds if source == just != "" and time.monotonic() < until else 0.0
