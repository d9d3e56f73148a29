"""The wheel and the source distribution, built and used as a user of pip would use them."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from quadriga.version import __version__
from soak import SOAK

ROOT = Path(__file__).parents[2]
PAGE = "quadriga/server/page/"


def tracked() -> list[str]:
    """Return the files that git tracks."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True)
    return listed.stdout.splitlines()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both distributions once, the wheel from the source distribution."""
    if not (ROOT / "src" / PAGE / "index.html").exists():
        pytest.fail("The page is not built: run `make test`, or scripts/page.py.")
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    as_it_is = {**os.environ, "QUADRIGA_BUILD_PAGE": "0"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=as_it_is)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


def test_the_wheel_holds_the_built_page_words_data_and_types(built: Path):
    with zipfile.ZipFile(wheel(built)) as archive:
        names = set(archive.namelist())
    page = {
        path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / PAGE).rglob("*") if path.is_file()
    }
    assert page
    assert page <= names
    sources = {name.removeprefix("src/") for name in tracked() if name.startswith("src/")}
    assert sources <= names
    assert not [name for name in names if name.startswith(("tests/", "web/"))]


def test_the_source_distribution_holds_every_tracked_file(built: Path):
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    missing = [name for name in tracked() if name not in names and not name.startswith(".git")]
    assert missing == []
    assert not [name for name in names if "node_modules" in name]


def install(home: Path, wanted: str) -> None:
    """Install a package into a new environment: in the soak with pip, else with uv, which is faster."""
    python, has_uv = str(home / "bin" / "python"), importlib.util.find_spec("uv") is not None
    if has_uv and not SOAK:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
        command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", python]
    else:
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*command, "--constraint", str(ROOT / "constraints.txt"), wanted], check=True, cwd=home.parent)


def test_a_user_of_pip_gets_the_page_and_plays_a_game(built: Path, tmp_path: Path):
    home = tmp_path / "environment"
    install(home, f"quadriga[server] @ {wheel(built).as_uri()}")
    command = [str(home / "bin" / "python"), str(ROOT / "scripts" / "tryout.py"), "terminal", "server"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.soak
def test_uvx_runs_the_command_without_installing_it(built: Path, tmp_path: Path):
    command = [sys.executable, "-m", "uv", "tool", "run", "--from", f"quadriga[server] @ {wheel(built).as_uri()}"]
    done = subprocess.run(
        [*command, "quadriga", "--version"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout) == (0, f"quadriga {__version__}\n"), done.stderr
