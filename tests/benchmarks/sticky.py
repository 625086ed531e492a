"""A sticky proxy before several servers, by a cookie of its own: for trying what several processes share.

Each connection goes as a whole to the server that its first request's cookie names; a browser without one gets the
next server's number with the first answer. Leaves out what a proxy for use needs: TLS, limits, servers that go.
"""

import asyncio
import contextlib
import itertools
import re

COOKIE = re.compile(rb"ltw_server=(\d+)")
HEAD = 65_536  # bytes


class Sticky:
    """A proxy on a port of this machine before servers on other ports; ``served`` counts websockets by server."""

    def __init__(self, port: int, servers: list[int]):
        self.port, self.servers = port, servers
        self.served = [0] * len(servers)
        self._next = itertools.cycle(range(len(servers)))

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", self.port, limit=HEAD)
        return self

    async def __aexit__(self, *_):
        self._server.close()

    async def _connection(self, reader, writer) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            head = await reader.readuntil(b"\r\n\r\n")
            known = COOKIE.search(head)
            number = int(known[1]) % len(self.servers) if known else next(self._next)
            self.served[number] += b"upgrade: websocket" in head.lower()
            there, to = await asyncio.open_connection("127.0.0.1", self.servers[number], limit=HEAD)
            to.write(head)
            mark = b"" if known else b"Set-Cookie: ltw_server=%d; Path=/; SameSite=Lax\r\n" % number
            await asyncio.gather(_pipe(reader, to), _answer(there, writer, mark))
        writer.close()


async def _answer(reader, writer, mark: bytes) -> None:
    """Pass an answer on, with a header behind its first line."""
    with contextlib.suppress(OSError, asyncio.IncompleteReadError):
        writer.write(await reader.readuntil(b"\r\n") + mark)
        await _pipe(reader, writer)


async def _pipe(reader, writer) -> None:
    with contextlib.suppress(OSError):
        while content := await reader.read(HEAD):
            writer.write(content)
            await writer.drain()
        writer.close()
