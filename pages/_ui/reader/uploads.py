"""Corpora that readers brought: each in its own session, and for everyone where reader and server's owner both say so.

Whether readers may share at all is the owner's setting ``LTW_SHARE_UPLOADS``. What is shared is kept in memory until
its reader takes it back or deletes it, newer ones push it out, or the server ends.

Their memory is bounded, for a session and for all (``LTW_UPLOADS_EACH``, ``LTW_UPLOADS_ALL``); what counts is what the
corpora take as long as anything refers to them. ``tables_on_disk`` keeps the files, so that a reload finds them.
"""

import contextlib
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple
from weakref import WeakSet, WeakValueDictionary

import streamlit as st

from ltw_core.corpora.tables.source import TableSource
from ltw_core.service.kept_tables import KeptTable
from ltw_core.settings import share_uploads, uploads_each, uploads_in_all
from pages._ui.reader import owners, selection, table_results, tables_on_disk
from pages._ui.words import megabytes

PREFIX = table_results.PREFIX
LIMIT = 8  # shared by all sessions together

_lock = threading.Lock()
_reading = threading.Lock()
_all: WeakSet = WeakSet()  # whoever refers to them
_counted: WeakValueDictionary = WeakValueDictionary()  # by the folder of the table: a reload need not read it again


class Shared(NamedTuple):
    """A corpus that its reader shares, and that reader's session."""

    source: Any
    session: str


_shared: dict[tuple[str, str], Shared] = {}  # by identifier and owner: several may have brought the same table


class Deleted(NamedTuple):
    """What a reader deleted last, and can bring back until they bring another table."""

    key: str
    source: Any
    was_shared: bool
    file: KeptTable | None
    made: table_results.MadeOfTable


def own() -> dict[str, Any]:
    """This session's own vectorised corpora by identifier."""
    return st.session_state.setdefault("own_corpora", {})


def visible() -> dict[str, Any]:
    """Those that this session sees: its own, then what others share."""
    return {**own(), **{key: value for key, value in shared().items() if key not in own()}}


def shared() -> dict[str, Any]:
    """What is shared, oldest first; nothing where the owner does not allow it."""
    if not share_uploads():
        return {}
    with _lock:
        return {key: one.source for (key, _), one in _shared.items()}


@contextlib.contextmanager
def one_at_a_time() -> Iterator[None]:
    """Whoever unpacks or decodes a table's file does it in here, one in the whole server, because it takes several
    times what is kept. No thread enters it twice."""
    with _reading:
        yield


@contextlib.contextmanager
def reading(n_bytes: int) -> Iterator[None]:
    """The place for reading a table to keep, whose file has so many bytes, ``one_at_a_time``; a deletion before it can
    no longer be undone.

    Raises
    ------
    ValueError
        There is no room for it.
    """
    st.session_state.pop("_own_deleted", None)
    with one_at_a_time():
        _check_room(n_bytes, own().values())
        yield


def keep(source: Any, with_all: bool, content: bytes, read_as: TableSource) -> tuple[str, str]:
    """Keep a vectorised corpus in this session, for everyone if asked and allowed, and its file on disk.

    Returns
    -------
    key, why_not : str
        Its identifier, and why the file could not be kept; "" where it is.

    Raises
    ------
    ValueError
        There is no room for it; the sentence says how much there is.
    """
    key = table_results.key_of(source)
    table_results.take(key)
    _check_room(source.n_bytes, [one for other, one in own().items() if other != key])
    own()[key] = source
    why_not = tables_on_disk.keep(key, content, read_as)
    with _lock:
        _all.add(source)
        if key in tables_on_disk.tables():
            _counted[tables_on_disk.tables()[key].folder] = source
    if with_all:
        share(key)
    return key, why_not


def restore(table: KeptTable, read: Callable[[KeptTable], Any]) -> None:
    """Have a table that is kept on disk in this session again, read only where no session refers to it any more.

    Raises
    ------
    ValueError
        There is no room for it, or it cannot be read.
    """
    if table.key in own():
        return
    source = _counted.get(table.folder)
    if source is None:
        with reading(table.n_bytes):
            source = read(table)
            _check_room(source.n_bytes, own().values())
    own()[table.key] = source
    with _lock:
        _all.add(source)
        _counted[table.folder] = source


def take_room(source: Any) -> None:
    """Count what a session keeps of a table besides it: the table counted otherwise.

    Raises
    ------
    ValueError
        There is no room for it.
    """
    _check_room(source.n_bytes, own().values())
    with _lock:
        _all.add(source)


def share(key: str) -> None:
    """Show one of this session's to everyone, where the owner allows it."""
    if not share_uploads():
        return
    stop_sharing(key)
    owner, session = owners.current_owner(), owners.session()
    with _lock:
        _shared[key, owner] = Shared(own()[key], session)
        while len(_shared) > LIMIT:
            del _shared[next(iter(_shared))]


def stop_sharing(key: str) -> None:
    """Share one of this session's no longer, whoever else shares the same table; in callbacks."""
    mine = owners.names()
    with _lock:
        for name in mine:
            _shared.pop((key, name), None)


def shares(key: str) -> bool:
    """Whether this reader shares a table of theirs with everyone."""
    mine = owners.names()
    with _lock:
        return share_uploads() and key in own() and any((key, name) in _shared for name in mine)


def delete(key: str) -> None:
    """Delete one of this session's; ``bring_back`` undoes it for the one deleted last. In callbacks."""
    if key not in own():
        return
    was_shared = shares(key)
    stop_sharing(key)
    source = own().pop(key)
    st.session_state["lost"] = f"{source.corpus.title} is deleted; until you read another table you can bring it back."
    st.session_state.pop("_own_counted", None)  # one that was counted otherwise
    st.session_state["_own_deleted"] = Deleted(
        key, source, was_shared, tables_on_disk.delete(key), table_results.take(key)
    )
    if selection.dataset() == key:
        selection.choose_dataset(selection.DEFAULT)


def deleted() -> Deleted | None:
    """What can be brought back."""
    return st.session_state.get("_own_deleted")


def bring_back() -> None:
    """Undo the last ``delete``; in callbacks."""
    found = st.session_state.pop("_own_deleted", None)
    if found is not None:
        own()[found.key] = found.source
        table_results.give_back(found.key, found.made)
        tables_on_disk.bring_back(found.file)
        if found.was_shared:
            share(found.key)


def forget_unseen() -> None:
    """Forget what was made of tables that others share no longer; once a run."""
    table_results.keep_only(visible())


def task(source: Any, class_name: str, ratio: float) -> Any:
    """The binary task of a class; those used last are kept in the session and go with it and with their corpus."""
    key = (source.fingerprint, class_name, ratio)
    return table_results.of(source, "task", key, lambda: source.task(class_name, ratio=ratio))


def taken() -> int:
    """Bytes of memory that this session's tables take."""
    return sum(source.n_bytes for source in own().values())


def _check_room(needed: int, others: Iterable[Any]) -> None:
    """Raise a sentence where a table that needs so many bytes has no room beside the others of this session."""
    taken, most = sum(source.n_bytes for source in others), uploads_each()
    ways = ["delete one of yours"] * bool(taken) + ["take a sample of this one"]
    needs = f"this table needs {megabytes(needed)} of memory"
    if taken + needed > most:
        may = f"your tables may take {megabytes(most)} on this server, of which {megabytes(taken)} are taken"
        raise ValueError(f"{needs}, and {may}; {' or '.join(ways)}")
    most = uploads_in_all()
    if _taken_by_all() + needed > most:
        _push_out_abandoned()
    taken = _taken_by_all()
    if taken + needed > most:
        may = f"all readers’ tables may take {megabytes(most)} on this server, of which {megabytes(taken)} are taken"
        raise ValueError(f"{needs}, and {may}; {', '.join(ways)} or try again when others have left")


def _taken_by_all() -> int:
    with _lock:
        return sum(source.n_bytes for source in _all)


def _push_out_abandoned() -> None:
    """Forget what is shared by sessions that are gone."""
    with _lock:
        for key in [key for key, one in _shared.items() if not owners.is_here(one.session)]:
            del _shared[key]


def title(key: str) -> str:
    """How a corpus is listed."""
    if key in own():
        return f"{own()[key].corpus.title} (yours{', shared' if shares(key) else ''})"
    return f"{shared()[key].corpus.title} (shared by a visitor)"
