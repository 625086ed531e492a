"""The Workbench: whatever weighs terms stands on the stage. Train, look and compare without leaving it."""

import re
from dataclasses import replace
from typing import Any

import streamlit as st

from ltw_core.weighting import method
from pages._ui import loading, sheets, words
from pages._ui.controls import control
from pages._ui.guard import capital, sentences
from pages._ui.reader import owners, selection
from pages._ui.streamlit_fixes.rerun import run_again
from pages._ui.terms_kept import selection_told
from pages._ui.training import lookup
from pages._ui.workbench import (
    answers,
    formulas_alone,
    hyperparameters,
    on_stage,
    scrubber,
    shape_surfaces,
    stage,
    thumbnails,
    training_controls,
    training_view,
)
from pages._ui.workbench.history_view import history, put_on_stage

SETTINGS = "Axes, region and heights of the picture; how the network learns, and how many seeds."
# what stands below a picture and is the same for every view; of what goes on as a phone and wider pages fold it
TAIL = """<details class="ltw-tail ltw-of-{}"><summary><span class="ltw-narrow">More</span>
<span class="ltw-broad">Keep and export</span></summary></details>"""
# until all of the page runs again what is shown is named so
BEGUN = """<i></i><style>.st-key-shape_source input {{ color: transparent; }}
.st-key-shape_source [role="group"]::after {{ content: "{}"; position: absolute; inset: 0 auto 0 .5rem;
  display: grid; align-items: center; font-size: .875rem; pointer-events: none; }}
</style>"""


def lead(task: Any, key: str = "lead") -> None:
    """The sentence on what is shown now."""
    found, more = answers.workbench(on_stage.shown(dataset, class_name), task, names)
    words.lead(found, more, key=key)


def answer(option: str, task: Any) -> None:
    """The sentence, which is said anew when what it lacked has been found."""
    jobs, ticks = answers.ask(option, task, names), [0]

    @st.fragment(run_every=owners.paced(1.0) if jobs else None)
    def said() -> None:
        lead(task)
        # never in a run of the whole page, which may have a click that is looked at further down
        if ticks[0] and not any(job.active for job in jobs):
            run_again()
        ticks[0] += 1

    said()


dataset, class_name = selection.dataset(), selection.class_name()
ready = loading.ready(dataset) and class_name is not None
task = loading.task(dataset, class_name) if ready else None
sheets.send(f"<style>{training_view.STYLE}{stage.STYLE}</style>", "workbench")  # first, or all would be laid out anew
with st.empty():
    training_view.hold_back(on_stage.learned_now(on_stage.shown(dataset, class_name))[1], st.session_state.get("view"))
head = st.container(key="head")

with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bar"):
    with st.container(key="chosen", horizontal=True, vertical_alignment="center", gap="small", width="content"):
        option = on_stage.choose(dataset, class_name)
        alone = option == on_stage.ALONE
        trains = task is not None and not alone
        if trains:
            variant = training_controls.variant()
            first_seed = training_controls.seed()
    if trains:
        one_line = {"horizontal": True, "vertical_alignment": "center", "gap": "xsmall", "width": "content"}
        actions = st.container(key="actions", **one_line)
        scrub = st.empty()
    drawer = st.popover("Settings", icon=":material/settings:", key="settings", help=SETTINGS)
with st.container(horizontal=True, gap="small", key="line"):
    with st.container(key="views", width="content"):
        view = stage.choose_view()
    seeds_place = st.empty()
    with st.container(key="compare"):
        names = formulas_alone.choose() if alone else on_stage.beside(dataset, class_name, option)
with drawer:
    picture = stage.choose_picture(view, names)

with head:
    words.title("train, look, compare")
    answer(option, task)
    trained = st.empty()
    if task is not None:
        words.notes(task)
        selection_told(task)
if task is None and option == on_stage.NEW:
    loading.task(dataset, class_name)  # says what it waits for, or why it cannot be had

if trains:
    with drawer:
        st.subheader("Training", anchor=False)
        st.caption(method(variant).description)
        start_from = hyperparameters.start_from(variant)
        seeds = training_controls.seeds(first_seed)
        device = hyperparameters.device()
        parameters, changed = hyperparameters.hyperparameters(variant, task, start_from)
        parameters |= {"device": device, "random_state": seeds[0]}


@st.fragment  # Train runs this and not the whole page, so that its first point is there sooner
def training() -> None:
    now = on_stage.shown(dataset, class_name)
    run = on_stage.learned_now(now)[1]
    group = lookup.siblings(run)
    begins = False
    asked, why = training_controls.placed(parameters, len(seeds))
    too_large = training_controls.too_large(task, asked)
    # the main action, but while something is trained, also by this click, and beside the test of just that
    same = training_controls.shows(run, asked, task)
    begun = any(each.active for each in group) or any(st.session_state.get(name) for name in ("train", "step"))
    takes, known = training_controls.expected(task, asked, len(seeds)) if not too_large else ("", "")
    play = {
        "type": "secondary" if begun or same else "primary",
        "icon": ":material/play_arrow:",
        "more": capital(takes) if takes else "",
    }
    if begun:  # its help goes with the click, or it would lie over what is said of the run
        play |= {"help": "", "more": ""}
    held = bool(too_large) or training_controls.trains(group, task, asked, seeds)
    step = training_controls.stepped(group)
    # no callback: its arguments would be those of the last whole run of this page, and a seed just typed be missed
    if (step or (st.session_state.get("train") and not held)) and not too_large:
        # asked for while it is shown: train it again; what was computed before for anyone is found
        again = step or now == on_stage.NEW or (same and lookup.is_own(run))
        with sentences():  # refused: what there is goes on
            run = training_controls.start(dataset, task, asked, changed, seeds, step=step, again=again)
            group, begins = lookup.siblings(run), True  # and no rerun, which would build the live figures again
            now = run.reference
        if begins and shape_surfaces.close_documents():
            run_again()  # what is learned is what is looked at now
    goes_on = any(each.active for each in group)

    def around() -> None:
        with actions:
            control(st.button, "train", disabled=held, **play)
        if run is not None and run.active:  # the sentence above may be of what was shown before, and is hidden
            with trained.container():
                lead(task, "trained")
        else:
            trained.empty()
        with actions:  # what was the main action isn't so beside Train
            if goes_on or picture.view in stage.LIVE:  # a first step is for who follows it
                training_controls.hold(group, begins)
            if picture.view in stage.LIVE and not (goes_on or too_large):  # where it can be watched
                with st.container(key="takes", width="content"):
                    st.caption(takes, help=known + (f" {why}." if device == "auto" else ""), width="content")
            elif goes_on and begins:
                # until all of the page runs again Train has its look alone
                st.container(key="begun").html(BEGUN.format(re.sub(r'["\\<>]', "", run.label)))
            if run is not None:
                training_view.test(run)
        scrubber.choose(on_stage.learned_now(now)[0], picture.view, scrub)

    st.empty()  # where a rerun draws, and not in the place of the picture
    first_point = begins and picture.view in stage.LIVE  # which a browser draws before anything else
    if not first_point:  # before the picture, which takes longer
        around()
    training_view.live(now, picture, task, asked, begins, seeds_place, takes=True)
    if first_point:
        around()
    with transport:
        if run is not None and not (picture.paper or picture.view in stage.LIVE):
            training_view.ended(run)
        if too_large:
            st.warning(too_large, icon=":material/memory:")
    if goes_on and not any(each.active for each in group):
        training_view.seen(run)
        run_again()  # it has ended meanwhile: its buttons go


st.session_state[training_view.TERMS] = selection.terms()
with st.container(key="workplace"):
    pictures, terms_place = st.container(key="pictures"), st.container(key="terms_place")
    tail = st.container(key="tail") if trains else None
    key = "refused" if picture.view in stage.LIVE else "transport"  # of a picture that follows it stands in its column
    transport = st.container(horizontal=True, vertical_alignment="center", gap="small", key=key)
if trains:
    picture = replace(picture, exports=transport)
with pictures:
    if trains:
        training()
        with tail:
            st.html(TAIL.format(view))
    elif alone:
        formulas_alone.show(names, picture, task)
    else:  # it has a corpus that is not there
        training_view.live(option, picture, None, {"variant": "LTW-L-I"}, False)
learned, run = on_stage.learned_now(option)
if trains and run is not None and picture.view in stage.LIVE:
    with transport:  # also below that picture; one of both is shown. Not by the part above, which may run by itself
        training_view.ended(run, "taken_below")
if learned is None and trains:
    learned = stage.untrained(task, run.parameters if run is not None else parameters)
looked = picture.of(learned) if learned is not None else None
if looked is not None:
    with terms_place:
        if not picture.paper:
            shape_surfaces.documents(looked)
if trains:
    with st.container(key="runs"), sentences():
        thumbnails.strip(run, put_on_stage)
if looked is not None:
    about = st.container(key="below").expander("About this picture", key="about_picture", on_change="rerun")
    if about.open:
        with about, sentences():
            shape_surfaces.about(looked)
    if (of_learned := looked.task()) is not None and (not trains or of_learned.ratio != task.ratio):
        selection_told(of_learned, learned=True)
if trains:
    with st.container(key="history"), sentences():
        history(dataset, task)
