"""The app's icon; ``style.css`` writes the app's name beside it."""

from pathlib import Path

from pages._ui.streamlit_fixes.inline_image import inline_image

ICON = inline_image(Path(__file__).with_name("icon.svg"))
