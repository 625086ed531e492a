"""A process that counts documents for another one, started by ``parallel_counting`` alone.

What to count with and the texts come on its standard input, the counts go to its standard output, and it ends with the
process that started it, however that ends.
"""

import pickle
import struct
import sys
from typing import Any, BinaryIO

from ltw_core.storage.processes import end_with
from ltw_core.tasks.counting import pieces

LARGER = 8  # pieces than those of a process alone: with a word in fewer of them, there is less to merge
_LENGTH = struct.Struct("<Q")


def send(pipe: BinaryIO, value: Any) -> None:
    """Write a value; only ever between two processes of ours, so that pickling is safe."""
    data = pickle.dumps(value, protocol=5)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def receive(pipe: BinaryIO) -> Any:
    """Read a value.

    Raises
    ------
    EOFError
        The other process has ended.
    """
    head = pipe.read(_LENGTH.size)
    data = pipe.read(_LENGTH.unpack(head)[0]) if len(head) == _LENGTH.size else b""
    if not data or len(data) < _LENGTH.unpack(head)[0]:
        raise EOFError("it says nothing more")
    return pickle.loads(data)  # noqa: S301


def main() -> None:
    """Count what is given, chunk by chunk, until there is no more; the argument is the id of the parent."""
    given, told = sys.stdin.buffer, sys.stdout.buffer
    end_with(int(sys.argv[1]))
    make, analyse = receive(given), None
    while True:
        try:
            texts = receive(given)
        except EOFError:
            return
        try:
            analyse = analyse or make()
            answer = [
                tuple(piece)
                for piece in pieces((text.decode("utf-8", "surrogatepass") for text in texts), analyse, LARGER)
            ]
        except Exception as error:
            answer = error
        try:
            send(told, answer)
        except BrokenPipeError:  # whoever asked has ended
            return
