"""A training run on the page: how it goes, once or twice a second, without a flicker, and what it came to."""

import contextlib
import functools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

from ltw_core.figures import PlaneView, html, surfaces, term_grid
from ltw_core.weighting import display
from ltw_core.weighting.learned import VARIANTS
from pages._ui import loading, words
from pages._ui.downloads import offer
from pages._ui.guard import capital, plain, sentences
from pages._ui.reader import owners, selection
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.training import lookup, run_words
from pages._ui.training.run import PastRun, Run
from pages._ui.weightings.learned import Learned
from pages._ui.weightings.reference import SHIPPED, Reference
from pages._ui.workbench import answers, inspector, on_stage, playback, scrubber, seeds_view, shape_surfaces, stage
from pages._ui.workbench.history_comparison import offer_weights
from pages._ui.workbench.stage import Picture

STYLE = Path(__file__).with_name("live_view.css").read_text("utf-8")  # of what ``live`` shows
SENT = 0.02  # seconds that a first point is ahead of what is drawn with it
DRAWN = 0.15  # seconds that a first surface is ahead of the rest: a browser draws it while that comes
TICK, FIRST = 0.5, 0.25  # seconds; a local variant's first validation is there before the first tick, and waited for
SETTLED = 3.0  # seconds until a training run stands in the history below, where it has not ended before
ANSWERED = 1.2  # seconds that the page waits for what a training run comes to, which takes a moment
TERMS = "_page_terms"  # the selected ones when the whole page ran last


def live(
    option: str,
    picture: Picture,
    task: Any,
    parameters: dict[str, Any],
    begins: bool,
    seeds: Any = None,
    takes: bool = False,
) -> None:
    """The stage and what stands beside it; both move while a training run is active and the view follows it.

    A term that is picked in a figure concerns the whole page, of which a fragment runs but a part: it is run again.

    Parameters
    ----------
    option : what is shown, as ``on_stage`` names it.
    begins : its training was started a moment ago, and the page around it does not know yet.
    seeds : an ``st.empty`` for the choice of one seed or all; by default it stands above.
    takes : whether what can be taken away stands below a picture that follows the training.
    """
    run = on_stage.learned_now(option)[1]
    if playback.watched(run):  # in a lesson; the Workbench has asked above
        seen(run)
    group = lookup.siblings(run)
    active, began, answer_by = any(one.active for one in group), time.monotonic(), 0.0
    if begins:
        st.session_state["_pausing"] = _pausing(group)  # its buttons come in this run of the page
    follows = picture.view in stage.LIVE
    all_seeds = seeds_view.chosen(len(group), seeds or st.empty())

    def looked_at(kept: Learned | None, then: Run | None) -> Learned | None:
        """What stands on the stage: what is learned, the moment that the scrubber shows, or the random weights."""
        learned, _ = scrubber.moment(kept, picture.view)
        if learned is None and task is not None:
            return stage.untrained(task, then.parameters if then is not None else parameters)
        return learned

    def look() -> None:
        """What to look at again, each time."""
        nonlocal answer_by
        if playback.watched(run):
            seen(run)
        if begins and time.monotonic() - began > SETTLED:
            run_again()
        if selection.terms() != st.session_state.get(TERMS, selection.terms()):
            run_again()
        if run is not None:
            _first_validation(run)
        if active and not any(one.active for one in group):
            answer_by = answer_by or time.monotonic() + ANSWERED
            if not _waits_for_answer(option, task, answer_by):
                run_again()  # it has ended: no more pictures, and what can be taken away
        if run is not None and _pausing(group) != st.session_state.get("_pausing", False):
            st.session_state["_pausing"] = _pausing(group)
            run_again()  # a step that ended in a pause: the buttons change

    def picture_of(now: tuple[Learned | None, Run | None], *, every: bool = False, box: Any = None) -> None:
        with box or st.container(key="stage"), sentences():
            if every:
                seeds_view.figures(group)
                return
            learned, ghost = looked_at(now[0], run), None
            if now[0] is not None and run is not None and run.active and task is not None:
                # before that nothing is drawn anew
                ghost = stage.untrained(task, run.parameters)
            stage.show(picture, learned, task, ghost=ghost, often=run is not None and run.active)

    def beside(now: tuple[Learned | None, Run | None]) -> Callable[[], None]:
        """The curves; returns what draws the rest below them."""
        box, found = st.container(key="inspector"), lambda: None
        with box, sentences():
            if all_seeds:
                seeds_view.course(group)
            else:
                kept, then = now
                _, moment = scrubber.moment(kept, picture.view)
                inspector.course(then, kept, parameters, task, moment)
                shown = looked_at(kept, then)
                found = functools.partial(inspector.found, then, kept, parameters["variant"], task, shown, moment)
        of = now[0].terms if now[0] is not None else task

        def rest() -> None:
            with box, sentences():
                found()
                if of is not None and not picture.paper:
                    looked = looked_at(*now)
                    shape_surfaces.terms_row(of, picture.of(looked) if looked is not None else None)
                if not (picture.paper or any(one.active for one in group)):
                    on_stage.offer_own()

        return rest

    def told(box: Any = None) -> None:
        # a container that is there in any case: what follows must not move, or it would be built again
        with box or st.container(key="status"), sentences():
            if not follows and (run is None or run.active or run.weighting is not None):
                return  # it stands under a picture that follows it; others say beside them how far it is
            if all_seeds:
                _group_status(group)
            elif Reference.parse(option).kind != SHIPPED:
                _status(run, task, parameters, ends=active)
        if takes and follows and run is not None:
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="transport"):
                ended(run)

    @st.fragment(run_every=owners.paced(TICK, 2) if active else None)
    def view() -> None:
        look()
        first_place = st.empty()  # where ``run_again`` draws: in the place of a picture it would take that away
        now = on_stage.at_once(option)
        if picture.view == "Surface" and not (all_seeds or any(one.active for one in group)):
            with first_place:
                playback.hold_back(looked_at(*now))
        elif picture.view == "Surface" and not all_seeds:
            with first_place:
                playback.ready()
        if follows:
            place, side = st.columns([2, 1], gap="medium")
            with place:
                stage_box, status_box = st.container(key="stage"), st.container(key="status")
                told(status_box)  # first, as it takes the place of what was said of the run before
            # as deep as beside the Workbench's other views, where the part that runs by itself is a container: what
            # stands there stays
            with side, st.container() if takes else contextlib.nullcontext():
                if takes:
                    st.empty()
                rest = beside(now)  # first, as its curves are made in a moment and surfaces are not
            first = begins and time.monotonic() - began < TICK
            if first:
                loading.wait_until(lambda: False, SENT)
            picture_of(now, every=all_seeds, box=stage_box)
            if first:
                loading.wait_until(lambda: False, DRAWN)
            rest()
        else:
            if not picture.wide:
                beside(now)()
            told()

    if follows or picture.wide:
        if not follows:
            st.container()  # a picture that follows stood here, and stays as it is until the wide one below is drawn
            picture_of(on_stage.at_once(option))
        view()
    else:
        with st.container():  # as that of a picture that follows
            st.empty()
            place, side = st.columns([2, 1], gap="medium")
        with place:
            picture_of(on_stage.at_once(option))
        with side:
            view()
    if begins and not active:
        seen(run)
        run_again()


def until_answered(option: str, task: Any) -> None:
    """Run the page again once it has been found what an ended training run comes to.

    For a page that does not show that sentence, which waits for it by itself.
    """
    jobs, ticks = answers.ask(option, task), [0]

    @st.fragment(run_every=owners.paced(1.0) if jobs else None)
    def wait() -> None:
        # never in a run of the whole page, which may have a click that is looked at further down
        if ticks[0] and not any(job.active for job in jobs):
            run_again()
        ticks[0] += 1

    wait()


def hold_back(run: Run | None, view: str | None) -> None:
    """Above all else on a page: the end of a training run is not told before its surface is drawn."""
    if playback.watched(run):
        seen(run)
    if (view or "Surface") != "Surface" or len(lookup.siblings(run)) > 1:
        return
    if run is None:
        playback.load("first")
    elif run.active:
        playback.ready("first")
    else:
        playback.hold_back(run.learned(), "first")


def _first_validation(run: Run) -> None:
    """Wait for what a training run that has just begun has to show: a moment, where it comes soon."""
    if run.latest is None and run.status == "running":
        loading.wait_until(lambda: run.latest is not None or run.status != "running", FIRST - run.job.seconds)


def seen(run: Run | None) -> None:
    """A training run has ended while it was looked at."""
    if run is None or run.weighting is None or run.latest is None or isinstance(run, PastRun):
        return
    if run.status == "done":
        playback.ended(run.reference, run.latest.seconds, run.job.paused_seconds)


def _waits_for_answer(option: str, task: Any, until: float) -> bool:
    """Whether what a training run that has ended comes to is being found: the page is run again for both at once.

    Its last picture is drawn meanwhile. ``until``: how long that may take, by ``time.monotonic``.
    """
    return any(job.active for job in answers.ask(option, task)) and time.monotonic() < until


def _pausing(group: list[Run]) -> bool:
    active = [one for one in group if one.active]
    return bool(active) and all(one.pausing for one in active)


def _status(run: Run | None, task: Any, parameters: dict[str, Any], ends: bool) -> None:
    """``ends``: it was active when the page ran last, which then says of all at once that it has ended."""
    if run is None:
        begins = (
            "from a network with random weights, which weighs terms like this"
            if parameters["pretrain"] is None
            else "with pre-training"
        )
        with st.container(key="untrained"):
            st.info(
                f"**{display(parameters['variant'])} · seed {parameters['random_state']}** for "
                f"{plain(task.class_title)}: **Train** begins {begins}.",
                icon=":material/model_training:",
            )
    elif run.active:
        st.info(run_words.doing(run), icon=":material/pause_circle:" if run.paused else "spinner")
    elif ends and run.weighting is not None:
        st.success(f"{run_words.doing(run)} Comparing it with formulas…", icon="spinner")
    elif run.status in ("failed", "died") and run.weighting is None:
        st.error(capital(run.error), icon=":material/error:")
    elif run.weighting is None:
        st.info(run_words.why(run), icon=":material/stop_circle:")
    else:
        st.success(f"{run_words.why(run)}{_before(run)}", icon=":material/flag:")


def _before(run: Run) -> str:
    """That nothing was computed now, where the same training run was there already."""
    if not isinstance(run, PastRun) or run.record.origin != "computed":
        return ""
    return f" Computed on {words.day(run.record.finished or run.record.asked)}; **Train** computes it again."


def _group_status(group: list[Run]) -> None:
    if any(one.active for one in group):
        st.info(seeds_view.status(group), icon=":material/pause_circle:" if _pausing(group) else "spinner")
    elif any(one.finished for one in group):
        st.success(seeds_view.status(group), icon=":material/flag:")
    else:
        st.error(seeds_view.status(group), icon=":material/error:")


def test(run: Run) -> None:
    """The way to more scores than the sentence has, of a run that has ended: what comes next, so the main action."""
    if not run.active and run.weighting is not None:
        with st.container(key="test", width="content"):
            # no help: the link would be there twice
            st.page_link(
                "pages/evaluate/classifiers.py", label="Evaluate", icon=":material/arrow_forward:", width="stretch"
            )


def ended(run: Run, key: str = "taken") -> None:
    """What can be taken away from a run that has ended; ``key`` tells the place, where there are two."""
    fitted = run.weighting
    if run.active or fitted is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        offer_weights(run, f"{key}-weights")
        about = "Step, training loss and validation F1."
        offer("Curve (CSV)", f"{run.file_name}-curve.csv", run.curve_csv, about, f"{key}-curve")
        if VARIANTS[run.variant].local:
            about = "The surface as a page of its own that can be turned without this app."
            base = words.base()  # whoever makes the file knows no session
            page = lambda: surface_page(run, base)  # noqa: E731
            offer("Surface (HTML)", f"{run.file_name}-surface.html", page, about, f"{key}-surface")


def surface_page(run: Run, base: str) -> str:
    """The surface as a page of HTML of its own."""
    learned = run.learned()
    terms = learned.terms
    grid = term_grid(terms, region="terms", scale="log")
    figure = surfaces([learned.panel(grid)], grid, terms, PlaneView(terms.prevalence, learned.title, base))
    return html(figure, "ltw-surface")
