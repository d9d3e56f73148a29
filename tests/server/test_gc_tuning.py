"""Tuning of the garbage collector: new objects are collected; all, when many that have ended are still there."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from quadriga.server import gc_tuning
from quadriga.server.gc_tuning import GcTuning


class Thing:
    """An object that may refer to itself."""

    def __init__(self) -> None:
        self.held: object = None


def cyclic() -> Thing:
    """Return an object that refers to itself."""
    thing = Thing()
    thing.held = thing
    return thing


@pytest.fixture
def spared() -> Iterator[GcTuning]:
    found = GcTuning()
    found.start()
    yield found
    found.stop()
    gc.freeze()  # so that the next of these tests does not collect all again


def heaps(count: int) -> list[list[None]]:
    """Return new objects that live on, as many as start `count` collections of young ones."""
    return [[] for _ in range(count * gc_tuning._YOUNG_OBJECTS)]


def test_new_cycles_are_collected(spared: GcTuning):
    gone = weakref.ref(cyclic())
    kept = heaps(2)
    assert gone() is None
    assert kept


def test_objects_that_survive_a_collection_are_not_collected_again_by_themselves(spared: GcTuning):
    thing = cyclic()
    gone = weakref.ref(thing)
    kept = heaps(2)
    del thing
    kept += heaps(2)
    assert gone() is not None
    assert kept


@pytest.mark.parametrize("is_more", [False, True])
def test_all_objects_are_collected_when_many_that_have_ended_are_still_there(spared: GcTuning, is_more: bool):
    things = [cyclic() for _ in range(gc_tuning._MOST_LINGERING + is_more)]
    gone, kept = [weakref.ref(thing) for thing in things], heaps(2)
    spared.ended(*things)
    del things
    spared.collect_lingering()
    assert all(thing() is not None for thing in gone)  # they may be about to end
    spared.collect_lingering()
    assert all((thing() is None) == is_more for thing in gone)
    assert kept


def test_what_is_freed_by_itself_or_still_used_leads_to_no_further_collection(
    spared: GcTuning, monkeypatch: pytest.MonkeyPatch
):
    used = [Thing() for _ in range(gc_tuning._MOST_LINGERING + 1)]
    spared.ended(*used)
    spared.ended(*[Thing() for _ in range(gc_tuning._MOST_LINGERING + 1)])
    spared.collect_lingering()
    spared.collect_lingering()  # it is looked whether those in use are garbage, once
    spared.ended(*[Thing() for _ in range(gc_tuning._MOST_LINGERING + 1)])
    collections: list[int] = []
    monkeypatch.setattr(gc, "collect", lambda: collections.append(1))
    for _ in range(3):
        spared.collect_lingering()
    assert not collections


def test_stopping_restores_the_collector():
    usual = gc.get_threshold()
    found = GcTuning()
    found.start()
    assert gc.get_freeze_count() > 0
    found.stop()
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == usual
