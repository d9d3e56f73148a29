"""What a searcher asks of a game beyond the eight functions, each with an answer for games that say nothing."""

from __future__ import annotations

from quadriga.engine.kernel import Ints, kernel, slot
from quadriga.engine.slots import State, Tables, scores


@slot
def chapter(t: Tables, s: State) -> int:
    """The number of the race or round that is under way; a searcher looks no further than its end."""
    raise NotImplementedError


@kernel
def one_chapter(t: Tables, s: State) -> int:
    """The `chapter` of a game that is one piece."""
    return 0


@slot
def appraise(t: Tables, s: State, out: Ints) -> None:
    """Write what each seat has at the end of a chapter, in units that can be compared."""
    raise NotImplementedError


@kernel
def as_scored(t: Tables, s: State, out: Ints) -> None:
    """The `appraise` of a game in which nothing but the score is carried on."""
    scores(t, s, out)


@slot
def enough(t: Tables, s: State) -> int:
    """The lead at the end of a chapter, in units of `appraise`, that is as good as won; 0: any lead is."""
    raise NotImplementedError


@kernel
def any_lead(t: Tables, s: State) -> int:
    """The `enough` of a game that is one piece."""
    return 0


@slot
def shortlist(t: Tables, s: State, out: Ints, n: int) -> int:
    """Move the legal actions that are worth a thought to the front of `out`; return how many."""
    raise NotImplementedError


@kernel
def all_of_them(t: Tables, s: State, out: Ints, n: int) -> int:
    """The `shortlist` of a game whose actions are all worth a thought."""
    return n


@slot
def building(t: Tables, s: State) -> bool:
    """Whether an action is being put together from pieces: rules of thumb do that, not the searcher."""
    raise NotImplementedError


@kernel
def never_building(t: Tables, s: State) -> bool:
    """The `building` of a game whose actions are all of one piece."""
    return False


@slot
def evaluate(t: Tables, s: State, known: Ints) -> int:
    """How good a position is for seat 0 against seat 1; `known` is what the evaluation has learned, if anything."""
    raise NotImplementedError


@kernel
def unknown(t: Tables, s: State, known: Ints) -> int:
    """The `evaluate` of a game that has none."""
    return 0
