"""Find a browser: on the machine, else Debian's package if it can be installed, else Playwright's own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

# The shell is Chromium without its windows, and opens a page in two thirds of the processor time.
SHELL = "chromium-headless-shell"
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
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


def on_machine() -> str | None:
    """Return an installed browser; QUADRIGA_BROWSER names another."""
    named = os.environ.get("QUADRIGA_BROWSER")
    if named:
        return named if Path(named).is_file() else None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _debian() -> str | None:
    if not (hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")):
        return None
    subprocess.run(["apt-get", "install", "-y", "-q", SHELL], capture_output=True, timeout=600, check=False)
    return on_machine()


def _downloaded() -> str | None:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    if done.returncode:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.executable_path
    return found if Path(found).is_file() else None


def find() -> str | None:
    """Return the path of a browser, or None."""
    return on_machine() or _debian() or _downloaded()
