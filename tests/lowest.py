"""Install the lowest allowed version of every direct dependency beside this environment, try it out and test it.

`make lowest` runs it. Lower bounds in `pyproject.toml` that no longer hold show here. It needs the oldest supported
Python: old versions have no wheels for newer ones.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from server.support.services import shared_postgres, shared_redis
from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HOME = ROOT / ".venv-lowest"
PYTHON = HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
TOOLS = ("bench", "dev", "docs")  # extras for this repository, whose tools have no bounds
TESTS = (  # of what depends most on the packages of others
    "adapters",
    "cli/test_cli.py",
    "cli/test_commandline.py",
    "lab/report",
    "server/http",
    "server/rooms",
    "server/storage",
    "server/ws",
)


def bounded_extras() -> dict[str, list[Requirement]]:
    """Return what each extra with code in the package needs."""
    extras = PROJECT["optional-dependencies"]
    return {name: [Requirement(each) for each in needed] for name, needed in extras.items() if name not in TOOLS}


def pinned_tools() -> list[str]:
    """Return the tools that the tests need, in the versions that `make test` uses."""
    wanted = [Requirement(each) for each in PROJECT["optional-dependencies"]["dev"]]
    own = {"quadriga", *(each.name for needed in bounded_extras().values() for each in needed)}
    names = {
        each.name for each in wanted if each.name not in own and (each.marker is None or each.marker.evaluate())
    }
    pinned = (ROOT / "constraints.txt").read_text("utf-8").split()
    return [line for line in pinned if canonicalize_name(line.partition("==")[0]) in names]


def install() -> None:
    """Make the environment."""
    uv = [sys.executable, "-m", "uv"]
    wanted = f"{ROOT}[{','.join(bounded_extras())}]"
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(HOME)], check=True)
    command = [*uv, "pip", "install", "--quiet", "--python", str(PYTHON), "--resolution", "lowest-direct"]
    subprocess.run([*command, "--editable", wanted, *pinned_tools()], check=True)
    listed = subprocess.run(
        [*uv, "pip", "freeze", "--python", str(PYTHON)], check=True, capture_output=True, text=True
    )
    print(*(line for line in listed.stdout.split() if "==" in line))


def services() -> list[str]:
    """Return the addresses of a PostgreSQL and a Redis of this run, if there can be any."""
    try:
        return ["--store", shared_postgres().new_database(), "--pubsub", shared_redis().url]
    except (pytest.skip.Exception, pytest.fail.Exception) as reason:
        print(f"  {reason}")
        return []


def main() -> None:
    """Install and try out."""
    oldest = PROJECT["requires-python"].removeprefix(">=")
    if f"{sys.version_info.major}.{sys.version_info.minor}" != oldest:
        sys.exit(f"This needs Python {oldest}: make clean, then make lowest PYTHON=python{oldest}")
    print("Installing the lowest allowed versions ...", flush=True)
    install()
    print("Trying them out ...", flush=True)
    environment = {**os.environ, "QUADRIGA_CACHE": str(HOME / "cache"), "QUADRIGA_TEST_CACHE": str(HOME / "cache")}
    command = [str(PYTHON), str(ROOT / "scripts" / "tryout.py"), *services()]
    if code := subprocess.run(command, env=environment, check=False).returncode:
        sys.exit(code)
    print("Testing them ...", flush=True)
    tests = [str(ROOT / "tests" / name) for name in TESTS]
    command = [str(PYTHON), "-m", "pytest", "-q", "-n", str((os.cpu_count() or 1) + 1), "--dist", "worksteal"]
    sys.exit(subprocess.run([*command, *tests], env=environment, cwd=ROOT, check=False).returncode)


if __name__ == "__main__":
    main()
