"""A browser tab with the page: the requests and messages that the page sends, and no others.

`tests/browser/test_page_client.py` records a real page in Chromium and compares. Files of the page itself are left
out: a browser has them in its cache after the first visit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import msgspec

STEPS = 100  # of a replay, fetched at once
PING = {"type": "ping"}  # after ten seconds of silence


class Line(Protocol):
    """A websocket."""

    def say(self, text: bytes) -> None: ...


class Action(msgspec.Struct):
    text: str
    family: bool = False


class Table(msgspec.Struct):
    status: str
    game: str = ""


class Told(msgspec.Struct):
    """The parts of a frame that decide what the page's tab sends."""

    type: str = ""
    number: int = 0
    seat: int = -1
    ref: str | None = None
    legal: list[Action] | None = None
    answer_ms: int | None = None
    view: dict[str, Any] | None = None
    table: Table | None = None
    code: str = ""
    meanwhile: bool = False
    asks: str | None = None


READ = msgspec.json.Decoder(Told).decode


def visit(table: str) -> list[str]:
    """Return the requests of a tab that opens a table."""
    return [
        "/api/words/en",
        "/api/games",
        "/api/me/standing",
        f"/api/tables/{table}/geometry",
        f"/api/tables/{table}/ratings",
    ]


def replay(table: str, seat: int, total: int) -> list[str]:
    """Return the requests of a tab that opens the replay of a finished game at its beginning."""
    first = ["/api/words/en", "/api/games", "/api/house", "/api/me/standing"]
    first += [f"/api/tables/{table}{end}" for end in ("", "/geometry", "/orders")]
    pages = [f"/api/tables/{table}/replay?seat={seat}&first={n}&count={STEPS}" for n in (0, STEPS) if n < total]
    return [*first, *pages]


def lacking(told: Told) -> bool:
    """Return whether the page of Ben Hvrt asks why the player cannot buy, keep or accept."""
    view, acts = told.view or {}, [each.text for each in told.legal or []]

    def can(name: str) -> bool:
        return any(text == name or text.startswith(f"{name} ") for text in acts)

    lot, offer = view.get("lot"), view.get("offer")
    if lot and lot["bid"] is None and not can("buy"):
        return True
    if view.get("due") and not can("keep"):
        return True
    return bool(offer and offer["to"] == view["seat"] and not can("accept"))


class Tab:
    """One open page at one table. `asked` is called with what there is to decide; the owner calls `act`."""

    def __init__(
        self, token: str | None, name: str, asked: Callable[[Tab, Told], None], explain: bool = True
    ) -> None:
        self.token, self.name, self.asked, self.explain = token, name, asked, explain
        self.line: Line | None = None
        self.number, self.seat = 0, -1
        self.has_view = self.has_asked = self.has_chosen = False
        self.legal: list[Action] | None = None
        self._count = 0

    def open(self, line: Line) -> None:
        """Begin, on a websocket that is open."""
        self.line = line
        self._hello(0)

    def _hello(self, after: int | None) -> None:
        seat = self.seat if self.seat >= 0 else None
        said = {"type": "hello", "token": self.token, "seat": seat, "after": after}
        self._say({**said, "explain": self.explain, "name": self.name or None})

    def _say(self, message: dict[str, Any]) -> None:
        assert self.line is not None
        self.line.say(msgspec.json.encode(message))

    def _send(self, message: dict[str, Any]) -> str:
        ref = f"mwjnonum-{self._count}"
        self._count += 1
        self._say({**message, "ref": ref})
        return ref

    def act(self, action: str) -> str:
        self.legal = None
        return self._send({"type": "act", "number": self.number, "action": action, "seat": self.seat})

    def hint(self) -> str:
        return self._send({"type": "hint", "number": self.number})

    def why(self) -> str:
        return self._send({"type": "why", "seat": self.seat})

    def _choose(self, told: Told) -> None:
        """Choose when to be asked, once, as the page's settings say if nobody has changed them."""
        if told.type == "welcome":
            self.seat, self.has_chosen = told.seat, told.asks is not None
        is_racing = told.table is not None and (told.table.game, told.table.status) == ("ben-hvrt", "playing")
        if is_racing and self.seat >= 0 and not self.has_chosen:
            self.has_chosen = True
            self._send({"type": "asks", "when": "concerns", "seat": self.seat})

    def heard(self, told: Told) -> None:
        """Do what the page does with a frame."""
        self._choose(told)
        if told.type == "welcome":
            self.seat = told.seat
            is_new = not self.has_view and told.number == self.number and not self.has_asked
            if is_new and told.table is not None and told.table.status not in ("waiting", "closed"):
                self.has_asked = True
                self._hello(None)
        elif told.type in ("view", "news"):
            self.has_view, self.number, self.seat, self.legal = True, told.number, told.seat, told.legal
            if told.legal:
                if lacking(told):
                    self.why()
                self.asked(self, told)
