"""The garbage collector of a server: what is new is looked at once; cycles are found when nobody plays."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from quadriga.server import gc_tuning
from quadriga.server.gc_tuning import GcTuning


class Thing:
    """Something that may hold itself."""

    def __init__(self) -> None:
        self.held: object = None


@pytest.fixture
def spared() -> Iterator[GcTuning]:
    found = GcTuning()
    found.start()
    yield found
    found.stop()
    gc.collect()


def heaps(count: int) -> list[list[None]]:
    """So many heaps of new things that stay."""
    return [[] for _ in range(count * gc_tuning._YOUNG_OBJECTS)]


def test_new_cycles_go_with_the_heap_that_they_are_in(spared: GcTuning):
    thing = Thing()
    thing.held = thing
    gone = weakref.ref(thing)
    del thing
    kept = heaps(2)
    assert gone() is None
    assert kept


def test_what_stays_is_not_looked_at_again_until_everything_is(spared: GcTuning):
    thing = Thing()
    thing.held = thing
    gone = weakref.ref(thing)
    kept = heaps(2)  # it outlives a look,
    del thing
    kept += heaps(2)
    assert gone() is not None  # ... and is left alone,
    spared.collect()
    assert gone() is None  # ... until then
    assert kept


def test_it_is_time_when_there_is_litter_and_nobody_plays(spared: GcTuning):
    assert not spared.is_due(is_quiet=True)
    kept = heaps(gc_tuning._YOUNG_COLLECTIONS + 2)
    assert not spared.is_due(is_quiet=False)
    assert spared.is_due(is_quiet=True)
    spared.collect()
    assert not spared.is_due(is_quiet=True)
    assert kept


def test_it_leaves_things_as_they_were():
    before, usual = list(gc.callbacks), gc.get_threshold()
    found = GcTuning()
    found.start()
    assert gc.get_freeze_count() > 0
    found.stop()
    assert gc.callbacks == before
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == usual
