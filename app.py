"""LTW Lab: the router. Every page shares the sidebar's dataset and class; run it with ``streamlit run app.py``."""

import streamlit as st

from pages._ui import brand

st.set_page_config(page_title="LTW Lab", page_icon=brand.ICON, layout="wide")
st.logo(brand.LOGO, icon_image=brand.ICON, size="large")

from pages._ui import warm  # noqa: E402
from pages._ui.plots import library  # noqa: E402
from pages._ui.reader import introduction, selection  # noqa: E402
from pages._ui.streamlit_fixes import cold_link, forced_theme, last_messages  # noqa: E402, F401

if forced_theme.apply():
    st.rerun()
selection.read_address()
with st.sidebar:
    choices, place, words_used, hidden = (st.container() for _ in range(4))
with hidden:
    cold_link.close_message()
    introduction.introduce()
if "_pages" not in st.session_state:  # made once: each looks at the disk
    st.session_state["_pages"] = {
        "Explore": [
            st.Page("pages/explore/start.py", title="Start", icon=":material/landscape_2:", default=True),
            st.Page("pages/explore/corpus.py", title="Corpus", icon=":material/database:"),
            st.Page("pages/explore/functions.py", title="Functions", icon=":material/function:"),
        ],
        "Learn": [
            st.Page("pages/learn/train.py", title="Train", icon=":material/model_training:"),
            st.Page("pages/learn/shapes.py", title="Shapes", icon=":material/deployed_code:"),
        ],
        "Evaluate": [
            st.Page("pages/evaluate/classifiers.py", title="Classifiers", icon=":material/grid_on:"),
            st.Page("pages/evaluate/study.py", title="Studies", icon=":material/table_chart:"),
        ],
    }
FREE_OF_CORPUS = ("Start", "Functions", "Shapes", "Studies")  # there at once, whatever the corpus does

page = st.navigation(st.session_state["_pages"])
start = page.title == "Start"
selection.on_page(page.title)
with hidden:
    library.preload(run=not start)
if start:  # its words are there before the heavy imports, and nothing on it waits for a corpus
    page.run()
warm.begin()

from pages._ui import loading, sidebar  # noqa: E402
from pages._ui.reader import owners  # noqa: E402

owners.names()  # notes that this reader is here, whatever page is looked at: what they started goes on

with choices:
    dataset = sidebar.dataset_choice()
if not start:
    warm.wait()
loading.begin(dataset, patience=0 if start else 0.6)
with place:
    sidebar.class_choice(dataset)
selection.write_address()
with words_used:
    sidebar.words_used()
sidebar.say_missing()
if not start:
    page.run()
if page.title in FREE_OF_CORPUS:
    with place:
        loading.line(dataset)
