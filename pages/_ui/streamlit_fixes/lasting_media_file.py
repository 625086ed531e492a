"""A file that the server offers as long as it runs, and not only while some session shows it.

Streamlit removes what a session added to its media files when the session ends, and warns of threads that have no
session; of what such a thread adds it removes nothing. Seen in 1.67.0. To be deleted when a file can be served without
the folder ``static/`` beside the script, which this project does not have.
"""

import logging
import threading

from streamlit.runtime import Runtime


def lasting_media_file(runtime: Runtime, content: bytes, kind: str, name: str) -> str:
    """Path on this server under which a file of a MIME type is found."""
    address: list[str] = []

    def add() -> None:
        address.append(runtime.media_file_mgr.add(content, kind, name))

    logging.getLogger("streamlit.runtime.scriptrunner_utils.script_run_context").addFilter(
        lambda record: "(add)" not in record.getMessage()
    )
    thread = threading.Thread(target=add)
    thread.start()
    thread.join()
    return address[0]
