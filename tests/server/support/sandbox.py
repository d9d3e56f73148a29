"""Run a command as a systemd unit would: with its umask, its address families and its system calls, and no others.

`python sandbox.py FILE COMMAND...` reads the restrictions from a JSON file. libseccomp enforces them.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

_ALLOW = 0x7FFF0000
_REFUSE = 0x00050000
_EQUAL = 4


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operator", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def available() -> bool:
    """Return whether this machine can enforce the restrictions."""
    return bool(shutil.which("systemd-analyze") and ctypes.util.find_library("seccomp"))


def settings(unit: str) -> dict[str, list[str]]:
    """Return the settings of a unit file, each with all of its values."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r"^(\w+)=(.*)$", unit, re.M):
        found.setdefault(name, []).append(value)
    return found


def restrictions(unit: str) -> dict[str, Any]:
    """Return the restrictions in a unit file, with the names of all system calls that it allows."""
    given = settings(unit)
    calls: set[str] = set()
    for line in given["SystemCallFilter"]:
        named = set().union(*(_calls(name) for name in line.removeprefix("~").split()))
        calls = calls - named if line.startswith("~") else calls | named
    (families,), (mask,) = given["RestrictAddressFamilies"], given["UMask"]
    return {"calls": sorted(calls), "families": families.split(), "umask": int(mask, 8)}


def _calls(name: str) -> set[str]:
    """Return the system calls of a set, such as `@network-io`, or a single one."""
    if not name.startswith("@"):
        return {name}
    told = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    lines = [line.strip() for line in told.stdout.splitlines()[1:]]
    return set().union(*(_calls(line) for line in lines if line and not line.startswith("#")))


def enforce(restrictions: dict[str, Any]) -> None:
    """Restrict this process and all that it starts."""
    os.umask(restrictions["umask"])
    library = ctypes.CDLL(ctypes.util.find_library("seccomp"))
    library.seccomp_init.restype = ctypes.c_void_p
    library.seccomp_rule_add_array.argtypes = (
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(_Comparison),
    )
    rules = library.seccomp_init(ctypes.c_uint32(_REFUSE | errno.EPERM))
    for name in restrictions["calls"]:
        number = library.seccomp_syscall_resolve_name(name.encode())
        if number < 0:  # this kind of machine has no such call
            continue
        families = [getattr(socket, family) for family in restrictions["families"]] if name == "socket" else []
        compared = [[_Comparison(0, _EQUAL, family, 0)] for family in families] or [[]]
        for each in compared:
            array = (_Comparison * len(each))(*each)
            assert library.seccomp_rule_add_array(rules, _ALLOW, number, len(each), array) == 0, name
    assert library.seccomp_load(ctypes.c_void_p(rules)) == 0


if __name__ == "__main__":
    enforce(json.loads(Path(sys.argv[1]).read_text("utf-8")))
    os.execv(sys.argv[2], sys.argv[2:])
