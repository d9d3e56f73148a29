"""Install the lowest allowed version of every direct dependency beside this environment, and try it out.

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

from server.support.services import shared_postgres, shared_redis
from support import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
HOME = ROOT / ".venv-lowest"
PYTHON = HOME / ("Scripts" if os.name == "nt" else "bin") / "python"
TOOLS = ("bench", "dev")  # extras for this repository, whose tools have no bounds


def bounded_extras() -> dict[str, list[Requirement]]:
    """Return what each extra with code in the package needs."""
    extras = PROJECT["optional-dependencies"]
    return {name: [Requirement(each) for each in needed] for name, needed in extras.items() if name not in TOOLS}


def install() -> None:
    """Make the environment."""
    uv = [sys.executable, "-m", "uv"]
    wanted = f"{ROOT}[{','.join(bounded_extras())}]"
    subprocess.run([*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(HOME)], check=True)
    command = [*uv, "pip", "install", "--quiet", "--python", str(PYTHON), "--resolution", "lowest-direct"]
    subprocess.run([*command, "--editable", wanted], check=True)
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
    environment = {**os.environ, "QUADRIGA_CACHE": str(HOME / "cache")}
    command = [str(PYTHON), str(ROOT / "scripts" / "tryout.py"), *services()]
    sys.exit(subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
