"""Child processes that do not outlive the server, however it ends.

The server holds the other end of the child's standard input, and writes nothing to it after the work was handed
over. When the server ends, even if it is killed, the operating system closes that end, and the child exits.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from asyncio.subprocess import DEVNULL, PIPE
from contextlib import suppress

_PRELUDE = "from quadriga.server import child_process\nchild_process.exit_with_parent()\n"


def exit_with_parent() -> None:
    """In the child: exit when standard input is closed."""
    threading.Thread(target=_wait, name="parent", daemon=True).start()


def _wait() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


async def run(code: str, *arguments: str) -> None:
    """In the server: run Python code in a child process and wait for its end; a cancelled wait ends the child."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PRELUDE + code, *arguments, stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL
    )
    try:
        await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if process.stdin is not None:
            process.stdin.close()
