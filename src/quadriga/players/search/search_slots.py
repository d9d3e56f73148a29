"""Slots of the search beyond a game's eight functions, each with a kernel for games that provide none."""

from __future__ import annotations

from quadriga.engine.kernels.kernel import Ints, kernel, slot
from quadriga.engine.kernels.slots import State, Tables, scores


@slot
def chapter(t: Tables, s: State) -> int:
    """Return the number of the race or round under way; a search looks no further than its end."""
    raise NotImplementedError


@kernel
def one_chapter(t: Tables, s: State) -> int:
    """Return 0: the `chapter` of a game that is not divided."""
    return 0


@slot
def appraise(t: Tables, s: State, out: Ints) -> None:
    """Write the value of what each seat owns at the end of a chapter, in one unit."""
    raise NotImplementedError


@kernel
def as_scored(t: Tables, s: State, out: Ints) -> None:
    """Write the scores: the `appraise` of a game in which only the score is carried on."""
    scores(t, s, out)


@slot
def enough(t: Tables, s: State) -> int:
    """Return the lead at the end of a chapter, in units of `appraise`, that counts as a win; 0: any lead."""
    raise NotImplementedError


@kernel
def any_lead(t: Tables, s: State) -> int:
    """Return 0: the `enough` of a game that is not divided."""
    return 0


@slot
def shortlist(t: Tables, s: State, out: Ints, n: int) -> int:
    """Move the legal actions that are worth searching to the front of `out`; return how many."""
    raise NotImplementedError


@kernel
def all_of_them(t: Tables, s: State, out: Ints, n: int) -> int:
    """Return n: the `shortlist` of a game whose actions are all worth searching."""
    return n


@slot
def building(t: Tables, s: State) -> bool:
    """Return whether a compound action is half-built; rules of thumb choose its other pieces."""
    raise NotImplementedError


@kernel
def never_building(t: Tables, s: State) -> bool:
    """Return False: the `building` of a game whose actions are single pieces."""
    return False


@slot
def unsearched(t: Tables, s: State) -> bool:
    """Return whether a decision is left to the rules of thumb, since a search finds nothing better."""
    raise NotImplementedError


@kernel
def never_unsearched(t: Tables, s: State) -> bool:
    """Return False: the `unsearched` of a game that is searched at every decision."""
    return False


@slot
def evaluate(t: Tables, s: State, known: Ints) -> int:
    """Return the value of a position for seat 0 against seat 1, by the network `known` if there is one."""
    raise NotImplementedError


@kernel
def unknown(t: Tables, s: State, known: Ints) -> int:
    """Return 0: the `evaluate` of a game that has none."""
    return 0
