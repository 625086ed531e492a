"""LTW Lab: the router. Every page shares the sidebar's dataset and class; run it with ``streamlit run app.py``."""

import time

import streamlit as st

from pages._ui import brand, sheets

st.session_state["_run_began"] = time.time()  # see pages/_ui/jobs.py
st.set_page_config(page_title="LTW Lab", page_icon=brand.ICON, layout="wide")
st.logo(brand.ICON, size="large")
sheets.send(sheets.STYLE, "app")  # first of all

from ltw_core import settings  # noqa: E402
from pages._ui import guard  # noqa: E402

try:
    settings.check()
except ValueError as error:
    st.error(guard.set_up_wrong(error), icon=":material/error:")
    st.stop()

from pages._ui import addresses, pointed_word, warm  # noqa: E402
from pages._ui.plots import library  # noqa: E402
from pages._ui.reader import bring_own, introduction, mode, selection, under_way  # noqa: E402
from pages._ui.streamlit_fixes import (  # noqa: E402
    cold_link,
    component_values,  # noqa: F401, from here on: those so marked mend Streamlit where they are imported
    folding_sidebar,
    followed_theme,
    forced_theme,
    forgotten_widgets,  # noqa: F401
    former_choices,  # noqa: F401
    last_messages,  # noqa: F401
    shared_copies,  # noqa: F401
    single_values,  # noqa: F401
    turns,  # noqa: F401
)
from pages._ui.streamlit_fixes.rerun import run_again  # noqa: E402

theme_set = forced_theme.apply()
selection.read_address()
with st.sidebar:
    choices, place = st.container(key="the_dataset"), st.container(key="the_class")
    settings_place, glossary, hidden = st.container(), st.container(key="the_glossary"), st.container()
with hidden:
    last_view = sheets.hide_old_view()
    cold_link.close_message()
    folding_sidebar.fold()
    pointed_word.explain()
    introduction.introduce()
if "_pages" not in st.session_state:  # made once: each looks at the disk
    st.session_state["_pages"] = {
        "": [
            st.Page("pages/start/start.py", title="Start", icon=":material/landscape_2:", default=True),
            *addresses.pages(),
        ],
        "Learn by doing": [
            st.Page(under_way.PAGE, title="Lessons", icon=":material/school:", url_path="lessons"),
            st.Page(under_way.CLASS_PAGE, title="Classroom", icon=":material/groups:", url_path="class"),
        ],
        "Explore": [
            st.Page("pages/workbench/workbench.py", title="Workbench", icon=":material/deployed_code:"),
            st.Page("pages/data/data.py", title="Data", icon=":material/database:"),
        ],
        "Evaluate": [
            st.Page("pages/evaluate/classifiers.py", title="Classifiers", icon=":material/grid_on:"),
            st.Page("pages/evaluate/study.py", title="Studies", icon=":material/table_chart:"),
        ],
    }

page = st.navigation(st.session_state["_pages"])
if theme_set:  # not before: the page that a first link asks for is found by the navigation
    st.rerun()
if page.url_path in addresses.MOVED:
    page.run()
bring_own.go()
start = page.title == "Start"
above = st.container()  # what the address asked for and is not here
selection.on_page(page.title)
with hidden:
    library.preload(run=not start)
if start:  # its words are there before the heavy imports, and nothing on it waits for a corpus
    page.run()
warm.begin()

from pages._ui import loading, sidebar, words  # noqa: E402
from pages._ui.reader import counting, owners, returning, tables_on_disk, uploads  # noqa: E402

owners.names()  # notes that this reader is here, whatever page is looked at: what they started goes on

with choices:
    if page.title not in ("Lessons", "Classroom"):
        under_way.way_back(page.title)
    titles = sidebar.dataset_choice()
    if not start and (mode.full() or counting.text() or selection.dataset() in uploads.visible()):
        counting.popover()
dataset = selection.dataset()
if not start:
    warm.wait()
loading.begin(dataset, timeout=0 if start else 0.6)
with place:
    sidebar.class_choice(dataset)
selection.write_address(tables_on_disk.token())
if not start:  # which has no settings
    with settings_place:
        sidebar.mode_choice()
with glossary:
    sidebar.words_used()
with hidden:
    mode.remember()
    followed_theme.follow(words.base())
sidebar.say_missing()
with above:
    returning.say_missing(titles)
try:
    if not start:
        page.run()
finally:  # also of a page that stops because its corpus is not there yet
    if last_view is not None:
        last_view.empty()
with place:  # pages that wait for the corpus say so themselves, and do not come as far as here
    loading.line(dataset)
if dataset not in st.session_state.get("class_of", {}) and loading.ready(dataset):
    run_again()  # it came after the list of classes was passed, and while a page was made that does not wait for it
if start and st.session_state.pop("_start_waits", False) and loading.ready(dataset):
    run_again()  # its document is at hand now; looked at after the line, which waits for it where it is not
