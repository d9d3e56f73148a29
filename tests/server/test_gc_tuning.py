"""Tuning of the garbage collector: new objects are collected once; all, when the memory has doubled."""

from __future__ import annotations

import gc
import sys
import weakref
from collections.abc import Iterator

import pytest

from quadriga.server import gc_tuning
from quadriga.server.gc_tuning import GcTuning


class Thing:
    """An object that may refer to itself."""

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
    """Return new objects that live on, as many as start `count` collections of young ones."""
    return [[] for _ in range(count * gc_tuning._YOUNG_OBJECTS)]


def test_new_cycles_are_collected(spared: GcTuning):
    thing = Thing()
    thing.held = thing
    gone = weakref.ref(thing)
    del thing
    kept = heaps(2)
    assert gone() is None
    assert kept


def test_surviving_objects_are_collected_only_by_a_full_collection(spared: GcTuning):
    thing = Thing()
    thing.held = thing
    gone = weakref.ref(thing)
    kept = heaps(2)  # it survives a collection,
    del thing
    kept += heaps(2)
    assert gone() is not None  # and is not collected
    spared.collect()
    assert gone() is None  # until the full collection
    assert kept


def test_a_full_collection_is_due_when_the_memory_has_doubled(spared: GcTuning):
    assert not spared.is_due()
    kept = [object() for _ in range(sys.getallocatedblocks() // 2)]
    assert not spared.is_due()
    kept += [object() for _ in range(sys.getallocatedblocks())]
    assert spared.is_due()
    spared.collect()
    assert not spared.is_due()
    assert kept


def test_no_full_collection_is_due_without_a_start():
    assert not GcTuning().is_due()


def test_stopping_restores_the_collector():
    usual = gc.get_threshold()
    found = GcTuning()
    found.start()
    assert gc.get_freeze_count() > 0
    found.stop()
    assert gc.get_freeze_count() == 0
    assert gc.get_threshold() == usual
