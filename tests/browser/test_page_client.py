"""The client of the benchmarks sends what the page sends: the page is recorded, and the client hears the same."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import Person
from server.support.harness import Server
from soak import rows
from tab import READ, Tab, replay, visit

SEATS = {"ur": "me bot", "ave-caesar": "me bot bot bot", "ben-hvrt": "me bot bot bot"}
MOVES = 6


class Recorded:
    """The messages of a page in both directions, in order, and its requests to the interface."""

    def __init__(self, person: Person) -> None:
        self.messages: list[tuple[str, str]] = []
        self.requests: list[str] = []
        person.page.on("websocket", self._opened)
        person.page.on("request", self._requested)

    def _opened(self, socket: Any) -> None:
        socket.on("framesent", lambda frame: self.messages.append(("sent", frame)))
        socket.on("framereceived", lambda frame: self.messages.append(("heard", frame)))

    def _requested(self, request: Any) -> None:
        path = re.sub(r"^https?://[^/]+", "", request.url)
        if path.startswith("/api/"):
            self.requests.append(path)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The messages of the page. A ping after ten seconds of silence depends on the machine."""
        said = [json.loads(frame) for way, frame in self.messages if way == "sent"]
        return [each for each in said if each["type"] != "ping"]


class Line:
    """The websocket of a `Tab`, which keeps what is said."""

    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def say(self, text: bytes) -> None:
        self.said.append(json.loads(text))


def without_ref(message: dict[str, Any]) -> dict[str, Any]:
    """A message with the kind of its reference only: each client chooses its own."""
    return {**message, "ref": type(message.get("ref")).__name__}


def answered(recorded: Recorded, token: str) -> list[dict[str, Any]]:
    """Return the messages of the benchmarks' client after the page's frames, with the same decisions."""
    line = Line()
    tab = Tab(token, "Ann", lambda tab, told: None)
    tab.open(line)
    for way, frame in recorded.messages:
        said = json.loads(frame)
        if way == "heard":
            tab.heard(READ(frame))
        elif said["type"] == "act":
            tab.act(said["action"])
        elif said["type"] == "hint":
            tab.hint()
    return line.said


@pytest.mark.parametrize("game", rows(list(SEATS), "ben-hvrt".__eq__))
def test_the_client_of_the_benchmarks_sends_what_the_page_sends(arrive: Arrive, server: Server, game: str) -> None:
    ann = arrive(name="Ann")
    ann.page.wait_for_load_state("networkidle")
    recorded = Recorded(ann)
    table, token = server.create(game, SEATS[game], dice={"kind": "seeded", "seed": 3})
    ann.sits_at(table, token)
    assert ann.plays_by_hand(MOVES) == MOVES
    ann.waits()
    ann.page.keyboard.press("h")
    ann.page.get_by_role("button", name="Play it", exact=True).wait_for()
    mine, theirs = answered(recorded, token), recorded.sent
    for kind in ("hello", "act", "hint"):
        own = [without_ref(each) for each in mine if each["type"] == kind]
        assert own == [without_ref(each) for each in theirs if each["type"] == kind]
        assert own
        assert [list(each) for each in own] == [
            list(without_ref(each)) for each in theirs if each["type"] == kind
        ]  # the order of the fields, too
    assert {each["type"] for each in mine} == {each["type"] for each in theirs}
    assert sorted(recorded.requests) == sorted(visit(table))


@pytest.mark.parametrize("game", rows(list(SEATS), "ben-hvrt".__eq__))
def test_the_client_of_the_benchmarks_asks_for_replays_as_the_page_does(
    arrive: Arrive, server: Server, finished: dict[str, str], game: str
) -> None:
    ann = arrive(name="Ann")
    ann.page.wait_for_load_state("networkidle")
    recorded, table = Recorded(ann), finished[game]
    ann.visit(f"/replay/{table}")
    ann.page.locator("p.event").wait_for()
    ann.page.wait_for_load_state("networkidle")
    total = server.get(f"/api/tables/{table}/replay?first=0&count=1")["total"]
    assert sorted(recorded.requests) == sorted(replay(table, -1, total))
