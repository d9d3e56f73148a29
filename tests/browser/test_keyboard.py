"""Whole games with the keyboard and the accessibility tree alone: no pointer, no picture."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import Person
from server.support.harness import Server
from soak import only_in_soak
from support import SHORT_TRACK

SHORT = {
    "ur": ({"markers": 1}, "me bot"),
    "ave-caesar": ({"courses": ["white cw"]}, "me bot bot"),
    "ben-hvrt": ({"series": [1], "offers": 0, "track": SHORT_TRACK}, "me bot"),
}


class Ears:
    """Reads a page through the accessibility tree, like a screen reader."""

    def __init__(self, person: Person) -> None:
        self.keyboard = person.page.keyboard
        self.session = person.context.new_cdp_session(person.page)
        self.session.send("Accessibility.enable")

    def ask(self, of: str, question: str, **more: Any) -> list[dict[str, Any]]:
        """Return what the accessibility tree says of an element."""
        found = self.session.send("Runtime.evaluate", {"expression": of})["result"]["objectId"]
        nodes: list[dict[str, Any]] = self.session.send(question, {"objectId": found, **more})["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def read(self, of: str) -> tuple[str, str]:
        """Return role and name of an element."""
        nodes = self.ask(of, "Accessibility.getPartialAXTree", fetchRelatives=False)
        return (nodes[0]["role"]["value"], nodes[0].get("name", {}).get("value", "")) if nodes else ("", "")

    def focused(self) -> tuple[str, str]:
        """Return role and name of the focused element."""
        return self.read("document.activeElement")

    def names(self, role: str) -> list[str]:
        """Return the names or texts of all elements of a role."""
        nodes = self.ask("document", "Accessibility.queryAXTree", role=role)
        return [node.get("name", {}).get("value", "") for node in nodes]

    def hears(self, role: str, *parts: str) -> bool:
        """Return whether an element of this role has one of these words in its name or text."""
        return any(part in name for name in self.names(role) for part in parts)


def tab_to_a_move(ears: Ears, person: Person) -> tuple[str, str]:
    """Go on with the Tab key to a button that makes a move; return its role and name."""
    for _ in range(40):
        ears.keyboard.press("Tab")
        if person.page.evaluate("() => document.activeElement.matches('#moves [data-act]')"):
            return ears.focused()
    return "", ""


def play(ears: Ears, person: Person, most: int = 1500) -> list[str]:
    """Play to the end of the game; return the names of the chosen elements."""
    chosen: list[str] = []
    driven = ""  # the number at which F was pressed last
    while len(chosen) < most:
        if person.waits() == "over":
            person.page.wait_for_function("() => document.activeElement.id === 'over-title'")
            role, result = ears.focused()
            assert role == "heading"
            assert any(part in result for part in (" wins", " share the win", "You win", "You share")), result
            return chosen
        ears.keyboard.press("m")
        role, name = ears.focused()
        if role == "spinbutton":  # in an auction M leads to the limit; the moves are some steps further
            role, name = tab_to_a_move(ears, person)
        if role not in ("button", "DisclosureTriangle"):
            continue  # the turn has just ended
        assert name, "something can be done that has no name"
        if name == "Stop here" and driven != person.number:
            driven = person.number
            ears.keyboard.press("f")  # straight on as far as it goes
            chosen.append("F")
            continue
        ears.keyboard.press("Enter")
        chosen.append(name)
        role, again = ears.focused()
        if role == "button" and again and again != name:  # it asked which of several
            ears.keyboard.press("Enter")
            chosen.append(again)
    raise AssertionError(f"no end after {chosen[-20:]}")


@pytest.mark.parametrize("game", ["ur", only_in_soak("ave-caesar"), "ben-hvrt"])
def test_a_whole_game_by_keyboard_and_accessibility_tree(arrive: Arrive, server: Server, game: str) -> None:
    options, seats = SHORT[game]
    table, token = server.create(game, seats, options=options)
    ann = arrive(stops=[])  # in Ben Hvrt the windows pass by themselves
    ann.sits_at(table, token)
    ears = Ears(ann)
    chosen = play(ears, ann)
    assert len(chosen) > 3
    assert server.get(f"/api/tables/{table}")["status"] == "over"


def test_the_position_is_in_the_accessibility_tree(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options={"courses": ["white cw"]})
    ann = arrive()
    ann.sits_at(table, token)
    ann.waits()
    ann.page.keyboard.press("p")
    ann.page.keyboard.press("Enter")
    ann.page.get_by_text("Race 1 of 1 on the white course, clockwise.").wait_for()
    ears = Ears(ann)  # the tree is built now: on a busy machine Chromium updates an older one late
    assert ears.hears("StaticText", "Your cards: ")
    assert ears.hears("StaticText", "chariot A: ")


def test_a_turn_of_ave_caesar_by_keyboard_alone(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ave-caesar", "me bot bot", options={"courses": ["white cw"]})
    ann = arrive()
    ann.sits_at(table, token)
    ann.waits()
    ears, number = Ears(ann), ann.number
    ears.keyboard.press("m")
    role, card = ears.focused()
    assert role == "button"
    assert card
    ears.keyboard.press("Enter")
    role, lane = ears.focused()
    if role == "button" and lane != card:  # several ways: which one?
        ears.keyboard.press("Enter")
    ann._moved(number)
