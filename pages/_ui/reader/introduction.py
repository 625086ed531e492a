"""A browser introduces itself: it makes up a secret and sends it as a cookie. Only its digest is kept on the server.

So what a browser started is its own in every tab, after a reload and after the server's restart, while no address ever
holds the secret: a link that is passed on shows what it names and controls nothing.
"""

import hashlib
import re

import streamlit as st

COOKIE = "ltw_browser"
SECRET = re.compile(r"[0-9a-f]{32}")
JS = f"""
export default function (component) {{
  const found = document.cookie.match(/(?:^|; ){COOKIE}=([0-9a-f]{{32}})/);
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const secret = found ? found[1] : Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `{COOKIE}=${{secret}}; path=/; max-age=31536000; samesite=strict${{secure}}`;
  // after the run: of two requests that wait the server takes the newer one, and a click on another page would be lost
  let left = 600;
  const tell = () => {{
    const app = document.querySelector('[data-testid="stApp"]');
    if (app?.dataset.testScriptState === "notRunning" || left-- === 0) component.setStateValue("secret", secret);
    else timer = setTimeout(tell, 100);
  }};
  let timer = setTimeout(tell, 100);
  return () => clearTimeout(timer);
}}
"""
KEY = "_browser"
_introduce = st.components.v2.component(COOKIE, js=JS, isolate_styles=False)


def introduce() -> None:
    """Learn who the browser is; one that is not known yet makes up its secret. Once a run of the script."""
    if KEY in st.session_state:
        return
    secret = str(st.context.cookies.get(COOKIE, ""))
    if not SECRET.fullmatch(secret):
        secret = str(_introduce(key="introduction", on_secret_change=lambda: None).get("secret") or "")
    if SECRET.fullmatch(secret):
        st.session_state[KEY] = hashlib.sha256(f"ltw {secret}".encode()).hexdigest()[:32]


def browser() -> str | None:
    """Digest of the browser's secret, None while it is not known: its first moments, or it takes no cookies."""
    return st.session_state.get(KEY)
