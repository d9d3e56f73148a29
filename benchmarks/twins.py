"""C programs that play the same random games, compiled here if there is a compiler."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent


@cache
def compiled(name: str) -> ctypes.CDLL | None:
    """Return the program of this name as a library; None without a C compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / f"{name}.so"
        flags = ["-O3", "-march=native", "-shared", "-fPIC"]
        subprocess.run([compiler, *flags, "-o", str(library), str(HERE / f"{name}.c")], check=True)
        return ctypes.CDLL(str(library))
