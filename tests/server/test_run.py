"""Starting a server on systems that differ from Linux."""

from __future__ import annotations

import resource

import pytest

from quadriga.server import run


def test_a_system_that_wants_a_number_of_open_files_gets_one(monkeypatch: pytest.MonkeyPatch):
    """As macOS: it names no hard limit, and refuses a soft limit without a number."""
    given: list[tuple[int, int]] = []

    def refuse_no_number(what: int, limits: tuple[int, int]) -> None:
        if limits[0] == resource.RLIM_INFINITY:
            raise ValueError("current limit exceeds maximum limit")
        given.append(limits)

    monkeypatch.setattr(resource, "getrlimit", lambda what: (256, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", refuse_no_number)
    run._allow_many_sockets()
    assert given == [(10_240, resource.RLIM_INFINITY)]
