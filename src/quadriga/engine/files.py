"""Read and write files, whole or not at all, with errors that name the file and the reason."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from quadriga.engine import nesting
from quadriga.engine.errors import FileError, OptionError

T = TypeVar("T")


@contextlib.contextmanager
def named(path: Path | str, code: str) -> Iterator[None]:
    """Turn an OSError about a file into a FileError with this code."""
    try:
        yield
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise FileError(code, path=str(path), reason=reason) from None


def read_lines(path: Path | str) -> Iterator[bytes]:
    """Yield the lines of a file; one that is longer than any line may be comes in pieces."""
    with named(path, "file.read"), Path(path).open("rb") as file:
        while line := file.readline(nesting.LINE_BYTES + 1):
            yield line


def read_small(path: Path | str) -> bytes:
    """The content of a deck, track or course file, or the beginning of one that is larger than any may be."""
    with named(path, "file.read"), Path(path).open("rb") as file:
        return file.read(nesting.BYTES + 1)


def read_json(path: Path | str) -> Any:
    """Return the content of a JSON file."""
    return _json(path, b"".join(read_lines(path)))


def _json(path: Path | str, content: bytes) -> Any:
    try:
        text = content.decode("utf-8")
        _check_depth(path, text, toml=False)
        return json.loads(text)
    except UnicodeDecodeError:
        raise FileError("file.utf8", path=str(path)) from None
    except json.JSONDecodeError as fault:
        raise FileError(
            "file.json", path=str(path), line=fault.lineno, column=fault.colno, reason=fault.msg
        ) from None
    except (ValueError, RecursionError):
        raise FileError("file.deep", path=str(path)) from None


def read_document(path: Path | str) -> tuple[Any, str]:
    """Read a TOML or JSON file; return its content and its text."""
    return document(path, read_small(path))


def _check_depth(path: Path | str, text: str, *, toml: bool) -> None:
    if (line := nesting.too_deep(text, toml=toml)) is not None:
        raise FileError("file.nested", path=str(path), line=line, most=nesting.DEPTH)


def document(path: Path | str, content: bytes) -> tuple[Any, str]:
    """Parse TOML or JSON, by the file's name; return the content and, of TOML, the text for finding lines."""
    if len(content) > nesting.BYTES:
        raise FileError("file.large", path=str(path), most=nesting.BYTES)
    if Path(path).suffix != ".toml":
        return _json(path, content), ""
    try:
        text = content.decode("utf-8")
        _check_depth(path, text, toml=True)
        return tomllib.loads(text), text
    except UnicodeDecodeError:
        raise FileError("file.utf8", path=str(path)) from None
    except tomllib.TOMLDecodeError as fault:
        raise _not_toml(path, str(fault), text) from None
    except (ValueError, RecursionError):
        raise FileError("file.deep", path=str(path)) from None


def good(path: Path | str, content: bytes, check: Callable[[object, str], T]) -> tuple[dict[str, Any], T]:
    """Return the content of a file and the result of a check; name the file and the line of what is wrong."""
    found, text = document(path, content)
    try:
        made = check(found, text)
    except OptionError as fault:
        raise FileError("file.refused", path=str(path), reason=fault) from None
    return dict(found), made


def _not_toml(path: Path | str, message: str, text: str) -> FileError:
    """Return an error with the line and column, which tomllib has in its message only."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found:
        reason, line, column = found[1], int(found[2]), int(found[3])
    else:
        reason, line, column = message, text.count("\n") + 1, len(text) - text.rfind("\n")
    return FileError("file.toml", path=str(path), line=line, column=column, reason=reason)


def write_text(path: Path | str, text: str) -> None:
    """Write a text file, whole or not at all."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path | str, content: bytes) -> None:
    """Write a file, whole or not at all."""
    with named(path, "file.write"), replaced(path) as fresh:
        fresh.write_bytes(content)


@contextlib.contextmanager
def replaced(path: Path | str) -> Iterator[Path]:
    """Replace a file in one step: yield a temporary file beside it, to be written and closed in the block.

    When the block ends, the temporary file is synced to disk and renamed. If anything fails, it is removed, the old
    file stays, and the exception is passed on.
    """
    target = Path(path)
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    os.close(handle)
    fresh = Path(name)
    try:
        yield fresh
        with fresh.open("rb+") as written:
            os.fsync(written.fileno())
        fresh.chmod(0o666 & ~_umask())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
