"""The configuration as a browser is told, put together once.

Every run of a script begins with a message that holds the theme and other settings, and Streamlit puts it together from
some hundred options each time: a tenth of a short run. Here its parts are kept until the configuration changes.
Seen in 1.67.0. To be deleted when ``_create_new_session_message`` no longer goes through the options on every run.
"""

import functools
import logging
from collections.abc import Callable

from google.protobuf.message import Message
from streamlit import config
from streamlit.runtime import app_session

log = logging.getLogger(__name__)

PARTS = ("_populate_theme_msg", "_populate_config_msg")
_kept: dict[tuple[str, ...], tuple[dict, Message]] = {}  # with the configuration that it was made of


def forget() -> None:
    """An option was set: put the messages together again. Reading the configuration anew needs no word of it."""
    _kept.clear()


def _once(fill: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(fill)
    def filled(message: Message, *section: str) -> None:
        key, options = (fill.__name__, *section), config.get_config_options()
        made_of, made = _kept.get(key, (None, None))  # once: another thread may forget it
        if made_of is not options:
            made = type(message)()
            fill(made, *section)
            _kept[key] = options, made
        if made.ByteSize():  # an empty part stays absent
            message.MergeFrom(made)

    return filled


if all(hasattr(app_session, name) for name in PARTS):
    for _name in PARTS:
        setattr(app_session, _name, _once(getattr(app_session, _name)))
else:
    log.warning("this version of Streamlit is not known; pages take somewhat longer")
