"""The page in wheels that are built elsewhere than by `make dist`: in a fresh clone, and by people without Node."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from pathlib import Path
from typing import Any

import pytest

from soak import SOAK, only_in_soak

ROOT = Path(__file__).parents[2]
PAGE = "quadriga/server/page/"
BUILD = "import sys; from hatchling import build; getattr(build, f'build_{sys.argv[1]}')(sys.argv[2])"


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Copy what git has, or would have, into a folder: no page, and nothing else that was made.

    Except in the soak, what no build reads is left out.
    """
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file() and (SOAK or name.partition("/")[0] not in ("tests", "docs", "benchmarks")):
            (tmp_path / "clone" / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, tmp_path / "clone" / name)
    return tmp_path / "clone"


@pytest.fixture
def nowhere(tmp_path: Path) -> dict[str, str]:
    """Return the environment of a machine without Node and network."""
    (tmp_path / "bin").mkdir()
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("QUADRIGA_", "PIP_", "UV_"))}
    return {**kept, "PATH": str(tmp_path / "bin"), "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull}


def build(kind: str, source: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", BUILD, kind, str(source / "out")]
    return subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, check=False)


def files_of(source: Path) -> list[str]:
    with zipfile.ZipFile(next((source / "out").glob("*.whl"))) as wheel:
        return wheel.namelist()


@pytest.mark.parametrize("kind", ["wheel", only_in_soak("sdist")])
def test_a_distribution_without_a_page_is_refused(kind: str, clone: Path, nowhere: dict[str, str]):
    done = build(kind, clone, nowhere)
    assert done.returncode != 0
    assert "The page could not be built" in done.stderr
    assert "QUADRIGA_BUILD_PAGE=0" in done.stderr
    assert "Traceback" not in done.stderr
    assert not list((clone / "out").glob("*"))


def test_an_editable_installation_builds_no_page(clone: Path, nowhere: dict[str, str]):
    done = build("editable", clone, nowhere)
    assert done.returncode == 0, done.stderr
    assert not (clone / "src" / PAGE).exists()


def test_a_source_distribution_needs_no_node(clone: Path, nowhere: dict[str, str], tmp_path: Path):
    (clone / "src" / PAGE).mkdir()
    (clone / "src" / PAGE / "index.html").write_text("<script>", "utf-8")
    assert build("sdist", clone, nowhere).returncode == 0
    with tarfile.open(next((clone / "out").glob("*.tar.gz"))) as archive:
        # Python 3.11.4 and later have the filter.
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(tmp_path / "unpacked", **safely)
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    done = build("wheel", unpacked, nowhere)
    assert done.returncode == 0, done.stderr
    assert f"{PAGE}index.html" in files_of(unpacked)


def test_a_server_without_a_page_says_so(clone: Path, nowhere: dict[str, str], tmp_path: Path):
    done = build("wheel", clone, {**nowhere, "QUADRIGA_BUILD_PAGE": "0"})
    assert done.returncode == 0, done.stderr
    assert not [name for name in files_of(clone) if name.startswith(PAGE)]
    with zipfile.ZipFile(next((clone / "out").glob("*.whl"))) as wheel:
        wheel.extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    command = [sys.executable, "-m", "quadriga", "serve", "--port", "0", "--no-browser", "--store", "t.sqlite"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            assert server.stdout.readline().startswith("This installation has no page")
            with pytest.raises(urllib.error.HTTPError, match="503") as refused:
                urllib.request.urlopen(address)
            assert "This installation has no page" in refused.value.read().decode()
            refused.value.close()
        finally:
            server.terminate()
            server.stdout.read()


@pytest.mark.soak
def test_a_fresh_clone_builds_the_page(clone: Path):
    command = [sys.executable, "-m", "build", "--outdir", "out", "."]
    done = subprocess.run(command, cwd=clone, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("Building the page") == 1  # the wheel is built from the source distribution
    names = files_of(clone)
    assert f"{PAGE}index.html" in names
    assert [name for name in names if name.startswith(f"{PAGE}assets/") and name.endswith(".js")]
