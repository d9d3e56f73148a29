"""Helper processes that end with the server, however it ends.

The server holds the other end of the helper's standard input and does not write to it after it has sent the work.
When the server ends, even by a kill, the operating system closes that end, and the helper ends itself.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE

_PRELUDE = "from quadriga.server.workers import lifeline\nlifeline.watch()\n"


def watch() -> None:
    """Called in the helper: end this process when its standard input is closed."""
    threading.Thread(target=_wait, name="lifeline", daemon=True).start()


def _wait() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


async def run(code: str, *arguments: str) -> None:
    """Called in the server: run Python code in a helper and wait for its end. A cancelled wait ends the helper."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PRELUDE + code, *arguments, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        await process.wait()
    finally:
        if process.stdin is not None:
            process.stdin.close()
