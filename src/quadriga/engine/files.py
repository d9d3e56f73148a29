"""Reading and writing files: whole or not at all, with an error that names the file and the reason."""

from __future__ import annotations

import contextlib
import json
import os
import re
import tempfile
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from quadriga.engine import shape
from quadriga.engine.errors import FileError, OptionError

T = TypeVar("T")


@contextlib.contextmanager
def named(path: Path | str, code: str) -> Iterator[None]:
    """Turn what the system says about a file into an error of ours."""
    try:
        yield
    except OSError as fault:
        reason = fault.strerror or type(fault).__name__
        raise FileError(code, path=str(path), reason=reason) from None


def read_lines(path: Path | str) -> Iterator[bytes]:
    """The lines of a file, one by one; one that is longer than any may be comes in pieces."""
    with named(path, "file.read"), Path(path).open("rb") as file:
        while line := file.readline(shape.LINE_BYTES + 1):
            yield line


def read_small(path: Path | str) -> bytes:
    """The content of a deck, track or course file, or the beginning of one that is larger than any may be."""
    with named(path, "file.read"), Path(path).open("rb") as file:
        return file.read(shape.BYTES + 1)


def read_json(path: Path | str) -> Any:
    """The content of a JSON file."""
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
    """The content of a TOML file, or of a JSON file, and its text."""
    return document(path, read_small(path))


def _check_depth(path: Path | str, text: str, *, toml: bool) -> None:
    if (line := shape.too_deep(text, toml=toml)) is not None:
        raise FileError("file.nested", path=str(path), line=line, most=shape.DEPTH)


def document(path: Path | str, content: bytes) -> tuple[Any, str]:
    """What stands in a TOML file, or in a JSON file, by the file's name; and its text where lines can be told."""
    if len(content) > shape.BYTES:
        raise FileError("file.large", path=str(path), most=shape.BYTES)
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
    """What stands in a file and what a check makes of it; else what is wrong first, with the file and the line."""
    found, text = document(path, content)
    try:
        made = check(found, text)
    except OptionError as fault:
        raise FileError("file.refused", path=str(path), reason=fault) from None
    return dict(found), made


def _not_toml(path: Path | str, message: str, text: str) -> FileError:
    """Where a file is not TOML: tomllib says it in its message."""
    found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", message, re.DOTALL)
    if found:
        reason, line, column = found[1], int(found[2]), int(found[3])
    else:
        reason, line, column = message, text.count("\n") + 1, len(text) - text.rfind("\n")
    return FileError("file.toml", path=str(path), line=line, column=column, reason=reason)


def write_text(path: Path | str, text: str) -> None:
    """Write a file of text whole."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path: Path | str, content: bytes) -> None:
    """Write a file whole: until it is complete, the old one stays."""
    target = Path(path)
    with named(path, "file.write"):
        if target.is_dir():
            raise IsADirectoryError(21, os.strerror(21))
        handle, draft = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            Path(draft).chmod(0o666 & ~_umask())
            Path(draft).replace(target)
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
