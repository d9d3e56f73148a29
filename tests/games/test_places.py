"""Spaces are named in words, in both languages, wherever an effect or a reason speaks of one."""

from __future__ import annotations

import re
from typing import Any

import msgspec
import pytest

from quadriga.engine.text import catalogues
from quadriga.engine.text.catalogues import Message
from quadriga.games import find
from support import IDS, SETUPS, played, some, there

OWN = [number for number, setup in enumerate(SETUPS) if setup[0] in ("ur", "ave-caesar", "ben-hvrt")]
OURS = pytest.mark.parametrize("setup", [SETUPS[n] for n in OWN], ids=[IDS[n] for n in OWN])

COORDINATE = re.compile(r"\b[A-C][1-8]\b|\b[A-Z]+\d*[+-]?\.\d+\.\d+|\b\d+\.\d+\b|\b(?:UR|AC|BH)-[V\d]")


def said(message: Message, game) -> list[str]:
    return [catalogues.of(language, game.package).text(message) for language in catalogues.LANGUAGES]


@OURS
def test_no_effect_and_no_reason_speaks_in_coordinates(setup):
    game = find(setup[0])
    places = 0
    for _, position in some(played(setup), 70):
        messages = []
        if position.actor >= 0:
            for action in position.actions().values():
                messages += [note.message for note in game.display.explain(position.t, position.s, (action,))]
        for seat in range(position.seats):
            for notes in position.why_illegal(seat).values():
                messages += [note.message for note in notes]
        places += sum("place" in message.parameters for message in messages)
        for message in messages:
            for text in said(message, game):
                assert not COORDINATE.search(text), text
    assert places


@OURS
def test_the_page_gets_a_name_for_every_space(setup):
    match = played(setup)
    game = match.game
    geometry = msgspec.to_builtins(there(game.display.geometry)(match.t))
    if game.id == "ur":
        named = [place for path in geometry["places"] for place in path]
        assert {place["with"]["space"] for place in named} == {
            space for path in geometry["paths"] for space in path
        }
    elif game.id == "ave-caesar":
        named = []
        for course in geometry["courses"].values():
            for places in course["places"].values():
                assert set(places) == set(course["spaces"])
                named += places.values()
    else:
        assert set(geometry["places"]) == set(geometry["track"]["squares"])
        named = list(geometry["places"].values())
    for place in named:
        assert place["id"].startswith(f"{game.id}.place.")
        for text in said(_message(place), game):
            assert text
            assert not COORDINATE.search(text), text


def _message(place: dict[str, Any]) -> Message:
    given = {name: _message(value) if isinstance(value, dict) else value for name, value in place["with"].items()}
    return Message(place["id"], given)
