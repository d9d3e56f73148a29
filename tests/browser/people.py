"""A person at the page: sees its content, clicks what is highlighted, or finds elements by role and name."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from soak import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page

    from server.support.harness import Server

PICTURES = SOAK or os.environ.get("QUADRIGA_PICTURES") == "1"
PATIENCE = 180_000  # milliseconds until something is taken for lost, however busy the machine is
_EXPECTED = ("blocked by Playwright", "ERR_INTERNET_DISCONNECTED", "ERR_CONNECTION_REFUSED", "WebSocket connection")
_MOVED = """
(before) => document.querySelector('.table')?.dataset.number !== before
  || document.querySelector('#hand-title, #over-title')
"""
_SIZE = """
() => ({ x: 0, y: 0, width: innerWidth, height: Math.min(2600, document.documentElement.scrollHeight) })
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
_MOMENT = f"""
() => [({_WAITING.strip()})(), document.querySelector('.beat.runs') !== null,
  document.querySelector('.table')?.dataset.number ?? '']
"""


class Moment(NamedTuple):
    """What a person sees at one moment."""

    state: str | None  # "asked", "handover", "over" or None
    is_timed: bool  # their time to react runs
    number: str  # of the last event


class Person:
    """One browser context with one page."""

    def __init__(self, context: BrowserContext, server: Server, path: str, **settings: Any) -> None:
        self.context = context
        self.server = server
        self.faults: list[str] = []
        kept = json.dumps({name: value for name, value in settings.items() if value not in ("", None)})
        key = "quadriga.settings"
        context.add_init_script(
            f"if (!localStorage.getItem('{key}')) localStorage.setItem('{key}', {json.dumps(kept)});"
        )
        self._page: Page = context.new_page()
        self._page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        self._page.on("console", self._console)
        self._first: str | None = path

    @property
    def page(self) -> Page:
        """Return the page. Its first address is opened when it is looked at, unless the person goes elsewhere."""
        if self._first is not None:
            self.visit(self._first)
        return self._page

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning") and not any(word in message.text for word in _EXPECTED):
            self.faults.append(f"{message.type}: {message.text}")

    def visit(self, path: str) -> None:
        self._first = None
        self._page.goto(self.server.address + path)

    def leave(self) -> None:
        self.context.close()

    @property
    def table(self) -> str:
        """Return the id of the table in the address."""
        self.page.wait_for_url(re.compile(r"/t/[\w-]+"))
        return self.page.url.rsplit("/", 1)[1].split("?")[0]

    def sits_at(self, table: str, token: str) -> None:
        """Open a table that was created elsewhere, with its token."""
        once, key = json.dumps(f"seated {table}"), json.dumps(f"quadriga.token.{table}")
        self.context.add_init_script(
            f"if (!sessionStorage.getItem({once})) {{ sessionStorage.setItem({once}, 'yes');"
            f" localStorage.setItem({key}, {json.dumps(token)}); }}"
        )
        self.visit(f"/t/{table}")

    def waits(self) -> str:
        """Wait until the person can act or the game is over."""
        found: str = self.page.wait_for_function(_WAITING, timeout=PATIENCE).json_value()
        return found

    def shot(self, path: Path) -> None:
        """Take a picture, in `make soak` and if QUADRIGA_PICTURES is 1."""
        if not PICTURES:
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        size: Any = self.page.evaluate(_SIZE)  # of a long text the beginning will do
        self.page.screenshot(path=path, full_page=True, clip=size)

    def is_asked(self) -> bool:
        return self.page.evaluate(_WAITING) == "asked"

    def moment(self) -> Moment:
        """Return what this person sees now."""
        return Moment(*self.page.evaluate(_MOMENT))

    def clicks(self) -> None:
        """Click the first highlighted element."""
        self.page.evaluate(_CLICK)

    @property
    def number(self) -> str:
        """Return the number of the last event that the page has."""
        found: str = self.page.evaluate("() => document.querySelector('.table').dataset.number")
        return found

    def does(self, what: Locator) -> None:
        """Click, and wait until something has changed."""
        number = self.number
        what.click()
        self._moved(number)

    def _moved(self, number: str) -> None:
        self.page.wait_for_function(_MOVED, arg=number, timeout=PATIENCE)

    def moves_if_asked(self) -> None:
        """Click the first highlighted element, if there is one still: a window may have passed by itself."""
        number = self.number
        if self.is_asked():
            self.clicks()
            self._moved(number)

    def plays_by_hand(self, moves: int = 10**6) -> int:
        """Click highlighted elements, or the first button, until the game is over or enough moves are made."""
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
    click(found.find((each) => each.dataset.act === 'buy') ?? found[Math.floor(found.length / 2)]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const choices = '.value.open, .hand .choices button, .lanes .primary';
    const further = document.querySelector('.free.chosen') ? '.target' : choices;
    const next = document.querySelector(further);
    if (next) click(next);
    return;
  }
}
"""
