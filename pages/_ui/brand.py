"""The app's icon and logo."""

from pathlib import Path

from pages._ui.streamlit_fixes.inline_image import inline_image

ICON, LOGO = (inline_image(Path(__file__).with_name(f"{name}.svg")) for name in ("icon", "logo"))
