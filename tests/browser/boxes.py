"""Places of elements on the screen, in CSS pixels."""

from __future__ import annotations

from typing import NamedTuple

from browser.people import Person

SIZES = {
    "phone": (390, 844),
    "phone on its side": (844, 390),
    "200 % zoom": (640, 400),
    "desk": (1280, 800),
    "large": (1920, 1080),
}

_BOXES = """
(place) => [...document.querySelectorAll(place)].map((each) => each.getBoundingClientRect())
  .filter((box) => box.width && box.height)
  .map((box) => [box.left, box.top, box.right, box.bottom].map((edge) => Math.round(edge)))
"""


class Box(NamedTuple):
    left: int
    top: int
    right: int
    bottom: int

    def meets(self, other: Box) -> bool:
        """Return whether the two overlap."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def boxes(person: Person, place: str) -> list[Box]:
    """Return the boxes of all visible elements that a selector finds."""
    return [Box(*edges) for edges in person.page.evaluate(_BOXES, place)]


def box(person: Person, place: str) -> Box:
    """Return the box of the first visible element that a selector finds."""
    found = boxes(person, place)
    assert found, f"{place} is not on the page"
    return found[0]


def resize(person: Person, size: str) -> tuple[int, int]:
    """Give the window a size, scroll to the top, and wait until the page is laid out."""
    width, height = SIZES[size]
    person.page.set_viewport_size({"width": width, "height": height})
    person.page.evaluate("() => { scrollTo(0, 0); return new Promise((go) => requestAnimationFrame(() => go())); }")
    person.page.wait_for_function("() => document.fonts.status === 'loaded'")
    return width, height
