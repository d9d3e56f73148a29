"""Somebody at the page: sees what is on it, clicks what is lit, or finds everything by role and name."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

    from server.support.harness import Server

PATIENCE = 180_000  # milliseconds until something is taken for lost, however busy the machine is
SHORT_TRACK = {"straights": [1, 2, 3], "curves": [1, 2, 3, 4], "square": 20, "curve": 40}  # a race over in no time
_EXPECTED = ("blocked by Playwright", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "WebSocket connection")
_MOVED = """
(before) => document.querySelector('.table')?.dataset.number !== before
  || document.querySelector('#hand-title, #over-title')
"""
_SIZE = """
() => ({ width: innerWidth, height: Math.min(2600, document.documentElement.scrollHeight) })
"""
_WAITING = """
() => {
  const over = document.querySelector('#over-title');
  if (over) return 'over';
  if (document.querySelector('#hand-title')) return 'handover';
  if (document.querySelector('.pending')) return null;
  const lit = '#moves [data-act]:not([disabled]), .free, .target, .finish, .hand .lit:not([disabled])';
  return document.querySelector(lit) ? 'asked' : null;
}
"""


class Person:
    """One browser context with one page."""

    def __init__(self, context: BrowserContext, server: Server, **settings: Any) -> None:
        self.context = context
        self.server = server
        self.faults: list[str] = []
        kept = json.dumps({name: value for name, value in settings.items() if value not in ("", None)})
        key = "quadriga.settings"
        context.add_init_script(
            f"if (!localStorage.getItem('{key}')) localStorage.setItem('{key}', {json.dumps(kept)});"
        )
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self.page.on("console", self._console)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and not any(word in message.text for word in _EXPECTED):
            self.faults.append(f"{message.type}: {message.text}")

    def visit(self, path: str) -> None:
        self.page.goto(self.server.address + path)

    def leave(self) -> None:
        self.context.close()

    @property
    def table(self) -> str:
        """The id of the table in the address."""
        self.page.wait_for_url(re.compile(r"/t/[\w-]+"))
        return self.page.url.rsplit("/", 1)[1].split("?")[0]

    def sits_at(self, table: str, token: str) -> None:
        """Come to a table that was made elsewhere, with its token."""
        self.page.evaluate("([id, token]) => localStorage.setItem(`quadriga.token.${id}`, token)", [table, token])
        self.visit(f"/t/{table}")

    def waits(self) -> str:
        """Until something can be done here, or the game is over."""
        found: str = self.page.wait_for_function(_WAITING, timeout=PATIENCE).json_value()
        return found

    def shot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        size: dict[str, float] = self.page.evaluate(_SIZE)  # of a long text the beginning will do
        self.page.screenshot(path=path, full_page=True, clip={"x": 0, "y": 0, **size})  # type: ignore[typeddict-item]

    def is_asked(self) -> bool:
        return self.page.evaluate(_WAITING) == "asked"

    def clicks(self) -> None:
        """One click on the first thing that is lit."""
        self.page.evaluate(_CLICK)

    @property
    def number(self) -> str:
        """How much has been told here."""
        found: str = self.page.evaluate("() => document.querySelector('.table').dataset.number")
        return found

    def does(self, what: Locator) -> None:
        """Click, and wait until something has come of it."""
        number = self.number
        what.click()
        self._moved(number)

    def _moved(self, number: str) -> None:
        self.page.wait_for_function(_MOVED, arg=number, timeout=PATIENCE)

    def plays_by_hand(self, moves: int = 10**6) -> int:
        """Click what is lit on the board, or the first button, until the game is over or so many moves are made."""
        made = 0
        while made < moves:
            state = self.waits()
            if state == "over":
                break
            if state == "handover":
                self.page.get_by_role("dialog").get_by_role("button").click()
                continue
            number = self.number
            self.clicks()
            made += 1
            self._moved(number)
        return made


# Dispatches a click where a finger would: the board's lit target, the marker, the card, the button.
_CLICK = """
async () => {
  const click = (element) => element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }));
  const button = '#moves [data-act]:not([disabled]):not([data-act$="*"])';
  const places = ['.finish', '.free', '.target', button, '.hand .lit:not([disabled])'];
  for (const place of places) {
    const found = [...document.querySelectorAll(place)];
    if (!found.length) continue;
    click(found[Math.floor(found.length / 2)]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const further = document.querySelector('.free.chosen') ? '.target' : '.value.open, .choices button';
    const next = document.querySelector(further);
    if (next) click(next);
    return;
  }
}
"""
