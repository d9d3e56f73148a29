"""Read and write files, completely or not at all, with errors that name the file and the reason."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from quadriga.engine import nesting, syntax
from quadriga.engine.errors import FileError, OptionError

T = TypeVar("T")


@contextlib.contextmanager
def file_errors(path: Path | str, code: str) -> Iterator[None]:
    """Turn an OSError in the block into a FileError with this code."""
    try:
        yield
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise FileError(code, path=str(path), reason=reason) from None


def read_lines(path: Path | str) -> Iterator[bytes]:
    """Yield the lines of a file; a line longer than MAX_LINE_BYTES comes in pieces."""
    with file_errors(path, "file.read"), Path(path).open("rb") as file:
        while line := file.readline(nesting.MAX_LINE_BYTES + 1):
            yield line


def read_small(path: Path | str) -> bytes:
    """Return the content of a deck, track or course file, cut off one byte after MAX_FILE_BYTES."""
    with file_errors(path, "file.read"), Path(path).open("rb") as file:
        return file.read(nesting.MAX_FILE_BYTES + 1)


def read_json(path: Path | str) -> Any:
    """Return the content of a JSON file."""
    return _parse_json(path, b"".join(read_lines(path)))


def _parse_json(path: Path | str, content: bytes) -> Any:
    try:
        text = content.decode("utf-8")
        _check_depth(path, text, toml=False)
        return json.loads(text)
    except UnicodeDecodeError:
        raise FileError("file.utf8", path=str(path)) from None
    except json.JSONDecodeError as fault:
        raise FileError("file.json", path=str(path), **syntax.json_fault(fault)) from None
    except (ValueError, RecursionError):
        raise FileError("file.deep", path=str(path)) from None


def read_document(path: Path | str) -> tuple[Any, str]:
    """Read a TOML or JSON file; return its content and its text."""
    return parse_document(path, read_small(path))


def _check_depth(path: Path | str, text: str, *, toml: bool) -> None:
    if (line := nesting.find_too_deep(text, toml=toml)) is not None:
        raise FileError("file.nested", path=str(path), line=line, most=nesting.MAX_DEPTH)


def parse_document(path: Path | str, content: bytes) -> tuple[Any, str]:
    """Parse TOML or JSON, by the file's ending; return the content and, for TOML, the text to find lines in."""
    if len(content) > nesting.MAX_FILE_BYTES:
        raise FileError("file.large", path=str(path), most=nesting.MAX_FILE_BYTES)
    if Path(path).suffix != ".toml":
        return _parse_json(path, content), ""
    try:
        text = content.decode("utf-8")
        _check_depth(path, text, toml=True)
        return tomllib.loads(text), text
    except UnicodeDecodeError:
        raise FileError("file.utf8", path=str(path)) from None
    except tomllib.TOMLDecodeError as fault:
        raise FileError("file.toml", path=str(path), **syntax.toml_fault(fault, text)) from None
    except (ValueError, RecursionError):
        raise FileError("file.deep", path=str(path)) from None


def parse_checked(path: Path | str, content: bytes, check: Callable[[object, str], T]) -> tuple[dict[str, Any], T]:
    """Parse a file and check the content; return the content and the result of the check.

    Raises FileError with the file and the line if the content is wrong.
    """
    found, text = parse_document(path, content)
    try:
        checked = check(found, text)
    except OptionError as fault:
        raise FileError("file.refused", path=str(path), reason=fault) from None
    return dict(found), checked


def check_folder(path: Path | str) -> None:
    """Raise FileError if a file cannot be written at a path, because its folder is missing or closed to us."""
    folder = Path(path).parent
    code = errno.ENOENT if not folder.exists() else errno.ENOTDIR if not folder.is_dir() else errno.EACCES
    if code != errno.EACCES or not os.access(folder, os.W_OK | os.X_OK):
        raise FileError("file.write", path=str(path), reason=os.strerror(code))


def write_text(path: Path | str, text: str, *, is_private: bool = False) -> None:
    """Write a text file, completely or not at all. A private one is for its owner alone."""
    write_bytes(path, text.encode("utf-8"), is_private=is_private)


def write_bytes(path: Path | str, content: bytes, *, is_private: bool = False) -> None:
    """Write a file, completely or not at all. A private one is for its owner alone."""
    with file_errors(path, "file.write"), atomic_replace(path, is_private=is_private) as fresh:
        fresh.write_bytes(content)


@contextlib.contextmanager
def atomic_replace(path: Path | str, *, is_private: bool = False) -> Iterator[Path]:
    """Replace a file in one step: yield a temporary file beside it, which the block writes and closes.

    When the block ends, the temporary file is synced to disk and renamed. If anything fails, it is removed, the old
    file stays, and the exception propagates. A temporary file is for its owner alone, and a private one stays so.
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
        if not is_private:
            fresh.chmod(0o666 & ~_umask())
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def try_lock(file: int) -> bool:
    """Lock an open file or folder for its descriptor; return False if another one has it.

    The end of the process releases the lock. Where nothing can be locked, every try succeeds.
    """
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
