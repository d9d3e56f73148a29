"""Compile kernels with documented parts of Numba only, for versions of it that `numba_private` does not fit.

Numba's own cache keeps the machine code. It looks at the file of a function, so an entry point is given
a file of its own, named after everything that went into the machine code.
"""

from __future__ import annotations

import contextlib
from pathlib import Path
from types import FunctionType
from typing import Any

from quadriga.engine.kernels.disk_cache import DiskCache
from quadriga.engine.kernels.link import Node
from quadriga.engine.kernels.numba_types import instruction, numba_type


def compiled(node: Node, boundscheck: bool, disk: DiskCache, key: str) -> Any:
    """Return the entry point as machine code, from Numba's cache or compiled now."""
    file = source_file(disk, node, key)
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            file.write_text(f"# {key}\n", "utf-8")
    entry = _dispatcher(node, boundscheck, {}, file if file.exists() else None)
    entry.compile(tuple(numba_type(each) for each in node.parameters))
    entry.disable_compile()
    return entry


def source_file(disk: DiskCache, node: Node, key: str) -> Path:
    """Return the file that an entry point seems to come from. Numba's cache is in a folder beside it."""
    return disk.path(node.function.__name__, key).with_suffix(".py")


def _dispatcher(node: Node, boundscheck: bool, known: dict[str, Any], file: Path | None = None) -> Any:
    """Return a kernel for Numba, with the kernels that it calls, which Numba compiles when it needs them."""
    import numba

    if node.mark != "kernel":
        return instruction(node.mark.split()[1])
    if node.digest not in known:
        scope = dict(node.function.__globals__)
        scope |= {name: _dispatcher(each, boundscheck, known) for name, each in node.callees.items()}
        code = node.function.__code__
        copy = FunctionType(code if file is None else code.replace(co_filename=str(file)), scope)
        copy.__qualname__ = f"{node.function.__qualname__}_{node.digest[:16]}{'b' if boundscheck else ''}"
        jit: Any = numba.njit(boundscheck=boundscheck, error_model="numpy", nogil=True, cache=file is not None)
        known[node.digest] = jit(copy)
    return known[node.digest]
