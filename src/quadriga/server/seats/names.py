"""Names of people in a room, and which of them look alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, count

from quadriga.server.protocol.errors import RoomError
from quadriga.server.protocol.fields import LONGEST_NAME

WATCHING = "(watching)"  # the end of every watcher's name, and of no player's
NAMELESS = "Guest"  # a watcher who has given no name

# Printable characters that show nothing: fillers, the empty Braille cell, joiners, variation selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_NUMBER = re.compile(r" \d+$")  # that tells names apart: `distinct`
# Letters and digits that are drawn like others, after case folding: Cyrillic, Greek, then within Latin.
_DRAWN_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαβεηικνορτυχϲ01i|ı", "abekmhopctyxljsdqwabehlkvoptuxcollll")


def tidy(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def checked_name(text: str) -> str:
    """Return a player's name, tidied; raise RoomError if it is empty or looks like a watcher's."""
    name = tidy(_INVISIBLE.sub("", text))
    if not name:
        raise RoomError("name.empty", 422)
    if look(name).endswith(look(WATCHING)):
        raise RoomError("name.watching", 422, ending=WATCHING)
    return name


def look(name: str) -> str:
    """Return a key that is equal for names that look alike: without case, width, spaces and similar letters."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())
    return "".join(_INVISIBLE.sub("", tidy(folded)).split()).translate(_DRAWN_ALIKE)


def distinct(name: str, taken: Iterable[str], longest: int = LONGEST_NAME) -> str:
    """Return the name, with a number if it looks like one that is taken; it is shortened so that both fit."""
    looks = {look(each) for each in taken}
    endings = chain([""], (f" {number}" for number in count(2)))
    names = (name[: longest - len(ending)].rstrip() + ending for ending in endings)
    return next(each for each in names if look(each) not in looks)


def is_form_of(name: str, taken: str) -> bool:
    """Return whether a name looks like another one, with or without the endings that the server adds."""
    return look(_own_part(name)) == look(_own_part(taken))


def _own_part(name: str) -> str:
    return _NUMBER.sub("", name.removesuffix(WATCHING).rstrip())


def watcher_name(wanted: str, taken: Iterable[str]) -> str:
    """Return a watcher's name, which ends with `(watching)` and looks like none that is taken."""
    name = tidy(_INVISIBLE.sub("", wanted)) or NAMELESS
    others = [each.removesuffix(WATCHING) for each in taken]
    return f"{distinct(name, others, LONGEST_NAME - len(WATCHING) - 1)} {WATCHING}"
