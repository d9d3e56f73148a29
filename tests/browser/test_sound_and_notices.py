"""Sounds, notices for a person who looks elsewhere, and motion."""

from __future__ import annotations

from typing import Any

import pytest

from browser.conftest import Arrive
from browser.people import Person
from server.support.harness import Server

# Real sounds are made; this only writes down that they were.
_LISTEN = """
window.contexts = [];
window.started = 0;
const Plain = window.AudioContext;
window.AudioContext = class extends Plain {
  constructor(...how) { super(...how); window.contexts.push(this); }
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.started++; return start.apply(this, when); };
"""
# Nobody can click the browser's own question here, nor read what the system shows: so both are written down.
_NOTIFY = """
window.asked = 0;
window.notes = [];
window.permission = '%s';
window.Notification = class {
  static get permission() { return window.permission; }
  static async requestPermission() { window.asked++; return (window.permission = '%s'); }
  constructor(title, how) { window.notes.push({ title, ...how }); }
};
"""
_LOOKS_AWAY = """
() => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
  document.dispatchEvent(new Event('visibilitychange'));
}
"""


def at_ur(arrive: Arrive, server: Server, script: str, **settings: Any) -> Person:
    table, token = server.create("ur", "me bot", options={"markers": 3}, dice={"kind": "seeded", "seed": 5})
    ann = arrive("/settings", **settings)
    ann.context.add_init_script(script)
    ann.sits_at(table, token)
    ann.waits()
    return ann


def hands_on(one: Person, other: Person) -> None:
    """Let one person play until it is the other's turn."""
    while not other.is_asked():
        if one.is_asked():
            one.clicks()
        other.page.wait_for_timeout(20)


def test_sound_is_switched_on_in_the_header(arrive: Arrive, server: Server) -> None:
    ann = at_ur(arrive, server, _LISTEN)
    switch = ann.page.locator("[data-sound]")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    ann.page.wait_for_function("() => window.started > 0")
    assert switch.get_attribute("aria-pressed") == "true"


def test_sound_is_off_by_default(arrive: Arrive, server: Server) -> None:
    ann = at_ur(arrive, server, _LISTEN)
    ann.plays_by_hand(2)
    ann.waits()
    assert ann.page.evaluate("() => [window.contexts.length, window.started]") == [0, 0]


def test_sound_that_is_switched_on_is_played(arrive: Arrive, server: Server) -> None:
    ann = arrive("/settings")
    assert not ann.page.get_by_role("checkbox", name="Sound").is_checked()
    ann.page.get_by_role("checkbox", name="Sound").check()
    ann.context.add_init_script(_LISTEN)
    table, token = server.create("ur", "me bot", options={"markers": 3}, dice={"kind": "seeded", "seed": 5})
    ann.sits_at(table, token)
    ann.waits()
    ann.page.locator("h2").first.click()  # browsers are silent until somebody has clicked
    before = ann.page.evaluate("() => window.started")
    ann.plays_by_hand(1)
    ann.waits()
    assert ann.page.evaluate("() => window.started") > before
    ann.page.wait_for_function("() => window.contexts.length === 1 && window.contexts[0].state === 'running'")


def test_the_tab_shows_whose_turn_it_is_and_a_notification_calls_back(arrive: Arrive, server: Server) -> None:
    table, token = server.create("ur", "me open", dice={"kind": "seeded", "seed": 5})
    bobs = server.join(table)
    server.call("POST", f"/api/tables/{table}/start", {}, token)
    ann = arrive("/settings")
    ann.context.add_init_script(_NOTIFY % ("granted", "granted"))
    ann.page.reload()
    ann.page.get_by_label("Notify me").check()
    bob = arrive()
    ann.sits_at(table, token)
    bob.sits_at(table, bobs)
    hands_on(ann, bob)
    ann.page.wait_for_function("() => document.title.endsWith('– Quadriga')")
    assert ann.page.evaluate("() => window.notes") == []  # she was looking
    ann.page.evaluate(_LOOKS_AWAY)
    hands_on(bob, ann)
    ann.page.wait_for_function("() => document.title.startsWith('● Your turn')")
    notes = ann.page.evaluate("() => window.notes")
    assert len(notes) == 1
    assert "Your turn" in notes[0]["body"]
    assert notes[0]["title"] == "Ben’s Royal Game of Ur"


def test_permission_to_notify_is_asked_for_only_when_it_is_switched_on(arrive: Arrive, server: Server) -> None:
    ann = at_ur(arrive, server, _NOTIFY % ("default", "denied"))
    ann.page.evaluate(_LOOKS_AWAY)
    ann.plays_by_hand(1)
    ann.waits()
    assert ann.page.evaluate("() => [window.asked, window.notes.length]") == [0, 0]
    ann.visit("/settings")
    box = ann.page.get_by_label("Notify me")
    assert not box.is_checked()
    box.click()
    ann.page.get_by_role("alert").filter(has_text="Your browser blocks notifications").wait_for()
    assert ann.page.evaluate("() => window.asked") == 1
    assert not box.is_checked()


_COUNTED = """
window.animated = [];
const plain = Element.prototype.animate;
Element.prototype.animate = function (...how) {
  const made = plain.apply(this, how);
  window.animated.push(made);
  return made;
};
"""


@pytest.mark.parametrize(("motion", "device", "moves"), [("on", "reduce", True), ("system", "reduce", False)])
def test_a_device_that_wants_no_motion_gets_none_unless_it_is_asked_for(
    arrive: Arrive, server: Server, motion: str, device: Any, moves: bool
) -> None:
    table, token = server.create("ur", "me bot", options={"markers": 3}, dice={"kind": "seeded", "seed": 5})
    ann = arrive(motion=motion)
    ann.page.emulate_media(reduced_motion=device)
    ann.context.add_init_script(_COUNTED)
    ann.sits_at(table, token)
    ann.plays_by_hand(2)
    ann.waits()
    assert (ann.page.evaluate("() => window.animated.length") > 0) == moves
    assert ann.page.locator(".landed").count() > 0  # the same fact, by highlight
