"""The app's icon and logo as addresses that hold them: a path would have Streamlit read its file on every run."""

from base64 import b64encode
from pathlib import Path


def _address(name: str) -> str:
    drawing = Path(__file__).with_name(name).read_bytes()
    return f"data:image/svg+xml;base64,{b64encode(drawing).decode()}"


ICON, LOGO = _address("icon.svg"), _address("logo.svg")
