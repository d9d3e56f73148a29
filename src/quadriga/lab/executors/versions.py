"""The versions that have to be the same on the driver and on all nodes, so that they compute the same."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

Versions = dict[str, str]
"""By name: quadriga with a digest of its files, Python, NumPy and Numba ("" if it is not installed)."""


def version_reader() -> Callable[[], Versions]:
    """Return a function that reads the versions of its process.

    A node may have another version of this module, or none, so Ray has to send the function as code. It does that
    with a function inside another. This one imports everything itself and calls nothing of Quadriga.
    """

    def read_versions() -> Versions:
        """Read the versions of this process."""
        import hashlib
        import importlib.metadata
        import importlib.util
        import platform
        from pathlib import Path

        found = {"quadriga": "", "Python": platform.python_version(), "NumPy": "", "Numba": ""}
        for name in ("NumPy", "Numba"):
            try:
                found[name] = importlib.metadata.version(name.lower())
            except importlib.metadata.PackageNotFoundError:
                continue
        package = importlib.util.find_spec("quadriga")
        if package is not None and package.origin:
            folder = Path(package.origin).parent
            digest = hashlib.sha256()
            for path in sorted(folder.rglob("*")):
                part = path.relative_to(folder)
                if part.parts[0] not in ("server", "cli") and path.suffix in (".py", ".json", ".toml", ".txt"):
                    digest.update(f"{part.as_posix()}\0".encode() + path.read_bytes())
            scope: dict[str, str] = {}
            exec((folder / "version.py").read_text(), scope)
            found["quadriga"] = f"{scope['__version__']} ({digest.hexdigest()[:8]})"
        return found

    return read_versions


@cache
def own_versions() -> Versions:
    """Return the versions of this process; they are read once."""
    return version_reader()()


def difference(own: Versions, other: Versions) -> tuple[str, str, str] | None:
    """Return the first name whose versions differ, and both versions, or None if all are the same."""
    for name, version in own.items():
        if other.get(name, "") != version:
            return name, version, other.get(name, "")
    return None
