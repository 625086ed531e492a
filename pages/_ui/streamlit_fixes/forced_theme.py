"""``--theme.base dark`` as one expects it.

The configuration has a section for light and one for dark, so that readers get the theme of their system and can change
it. Streamlit then ignores ``theme.base``. Whoever sets it wants that theme: its section becomes the only one.
Seen in 1.67.0. To be deleted when ``theme.base`` chooses between the two sections.
"""

import streamlit as st
from streamlit import config

from pages._ui.streamlit_fixes import settings_message

LISTED = ("light", "dark")


def apply() -> bool:
    """Flatten the theme's sections if ``theme.base`` is set; True if that changed anything."""
    chosen = st.get_option("theme.base")
    if chosen not in LISTED:
        return False
    sections = [f"theme.{name}." for name in LISTED]
    values = config.get_config_options(force_reparse=False)
    found = {
        key: option for key, option in values.items() if key.startswith(tuple(sections)) and option.value is not None
    }
    if not found:
        return False
    for key, option in found.items():
        if key.startswith(f"theme.{chosen}."):
            config._set_option(key.replace(f".{chosen}.", ".", 1), option.value, "theme.base")
        config._set_option(key, None, "theme.base")
    settings_message.forget()
    return True
