"""A key that a component of Streamlit's second kind takes: two underscores in a row are refused with an error.

A run's token may hold them by chance, and a dataset's name by its author's choice.
Seen in 1.67.0. To be deleted when ``_make_trigger_id`` takes any base.
"""


def component_key(key: str) -> str:
    """``key`` without two underscores in a row; any other key as it is."""
    return key.replace("__", "_.")
