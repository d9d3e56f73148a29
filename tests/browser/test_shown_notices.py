"""A notice as people see it: a Chromium with windows shows it on a screen of its own, and a click on it is real.

Chromium takes pushes from its maker's service only, so its developer tools deliver this one. What the icon of an
installed page shows cannot be read: `test_notice_settings.py` writes down what the page asks for.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from browser.people import PATIENCE
from programs import ARROW
from server.support.harness import Server

_WINDOWED = "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "/usr/lib/chromium/chromium"
_SIZE = 1280, 900
_NOTICE = _SIZE[0] - 180, _SIZE[1] - 50  # where Chromium shows it, in pixels
_LEFT_BUTTON = 1


def _needed() -> tuple[str, str, ctypes.CDLL, ctypes.CDLL]:
    """Return a browser, a server of screens, and the libraries that move its pointer; else skip the test."""
    browser = next((found for each in _WINDOWED if (found := shutil.which(each))), None)
    screen = shutil.which("Xvfb")
    libraries = [ctypes.util.find_library(each) for each in ("X11", "Xtst")]
    if browser is None or screen is None or not all(libraries):
        pytest.skip(
            f"there is no Chromium with windows, or no Xvfb{ARROW}sudo apt-get install chromium xvfb libxtst6"
        )
    return browser, screen, ctypes.CDLL(libraries[0]), ctypes.CDLL(libraries[1])


class Screen:
    """A screen that nobody sees, and its pointer."""

    def __init__(self, display: str, x11: ctypes.CDLL, xtest: ctypes.CDLL) -> None:
        self.display = display
        self._x11, self._xtest = x11, xtest
        x11.XOpenDisplay.restype = ctypes.c_void_p
        self._opened = ctypes.c_void_p(x11.XOpenDisplay(display.encode()))
        assert self._opened

    def click(self, x: int, y: int) -> None:
        self._xtest.XTestFakeMotionEvent(self._opened, -1, x, y, 0)
        for is_down in (1, 0):
            self._xtest.XTestFakeButtonEvent(self._opened, _LEFT_BUTTON, is_down, 0)
        self._x11.XFlush(self._opened)

    def close(self) -> None:
        self._x11.XCloseDisplay(self._opened)


@contextmanager
def screen() -> Iterator[tuple[str, Screen]]:
    """Run a screen while the block lasts; yield the browser that may open its windows there, too."""
    browser, program, x11, xtest = _needed()
    reading, writing = os.pipe()
    size = f"{_SIZE[0]}x{_SIZE[1]}x24"
    command = [program, "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    running = subprocess.Popen(command, pass_fds=[writing], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as numbers:
        number = numbers.readline().strip()
    try:
        assert number, "Xvfb does not start"
        shown = Screen(f":{number}", x11, xtest)
        yield browser, shown
        shown.close()
    finally:
        running.terminate()
        running.wait()


def test_a_push_is_shown_by_the_system_and_a_click_opens_its_table(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    address = server.address.replace("127.0.0.1", "localhost")
    with screen() as (program, shown):
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile",
            executable_path=program,
            headless=False,
            # Without a bus Chromium shows notices itself, and not by a program of the desktop.
            env={**os.environ, "DISPLAY": shown.display, "DBUS_SESSION_BUS_ADDRESS": "disabled:"},
            args=["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
            permissions=["notifications"],
            timeout=PATIENCE,
        )
        context.set_default_timeout(PATIENCE)
        page = context.pages[0]
        page.goto(address)
        page.evaluate("async () => { await navigator.serviceWorker.ready }")
        tools: Any = context.new_cdp_session(page)
        events: list[str] = []
        found: list[dict[str, Any]] = []
        tools.on(
            "BackgroundService.backgroundServiceEventReceived",
            lambda event: events.append(event["backgroundServiceEvent"]["eventName"]),
        )
        tools.send("BackgroundService.startObserving", {"service": "notifications"})
        tools.send("BackgroundService.setRecording", {"service": "notifications", "shouldRecord": True})
        tools.on("ServiceWorker.workerRegistrationUpdated", lambda event: found.extend(event["registrations"]))
        tools.send("ServiceWorker.enable")
        while not found:
            page.wait_for_timeout(20)
        registration = found[0]["registrationId"]
        number = 0
        while "Notification clicked" not in events:  # it disappears after some seconds, perhaps before the click
            number += 1
            told = {"body": "A game waits for you.", "path": "/t/abc", "tag": f"abc{number}", "waiting": 2}
            tools.send(
                "ServiceWorker.deliverPushMessage",
                {"origin": address, "registrationId": registration, "data": json.dumps(told)},
            )
            while events.count("Notification displayed") < number:
                page.wait_for_timeout(20)
            for _ in range(10):
                page.wait_for_timeout(200)
                if "Notification clicked" in events:
                    break
                shown.click(*_NOTICE)
        page.wait_for_url("**/t/abc")
        assert len(context.pages) == 1  # the open window has gone there
        context.close()
