"""Quiet hours and digests, in the time zone of a person."""

from __future__ import annotations

from datetime import datetime

import pytest

from quadriga.server.notices.hours import next_time, time_zone

PARIS = "Europe/Paris"


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).timestamp() * 1000)


@pytest.mark.parametrize(
    ("now", "quiet", "told"),
    [
        ("2026-11-18T12:00+01:00", (22, 8), "2026-11-18T12:00+01:00"),
        ("2026-11-18T22:00+01:00", (22, 8), "2026-11-19T08:00+01:00"),
        ("2026-11-19T07:59+01:00", (22, 8), "2026-11-19T08:00+01:00"),
        ("2026-11-19T08:00+01:00", (22, 8), "2026-11-19T08:00+01:00"),
        ("2026-11-18T13:30+01:00", (13, 15), "2026-11-18T15:00+01:00"),
        ("2026-11-18T13:30+01:00", (13, 13), "2026-11-18T13:30+01:00"),
        ("2026-03-28T23:00+01:00", (22, 8), "2026-03-29T08:00+02:00"),  # the night in which the clocks change
        ("2026-10-24T23:00+02:00", (22, 8), "2026-10-25T08:00+01:00"),
    ],
)
def test_in_quiet_hours_a_notice_waits_for_their_end(now: str, quiet: tuple[int, int], told: str):
    assert next_time(at(now), at(now), PARIS, None, *quiet) == at(told)


@pytest.mark.parametrize(
    ("since", "now", "told"),
    [
        ("2026-11-18T12:00+01:00", "2026-11-18T12:01+01:00", "2026-11-18T18:00+01:00"),
        ("2026-11-18T18:00+01:00", "2026-11-18T18:01+01:00", "2026-11-19T18:00+01:00"),
        ("2026-11-18T12:00+01:00", "2026-11-18T18:00+01:00", "2026-11-18T18:00+01:00"),
        ("2026-11-18T12:00+01:00", "2026-11-18T20:30+01:00", "2026-11-18T20:30+01:00"),  # the server was off at six
    ],
)
def test_a_digest_comes_at_the_next_chosen_hour(since: str, now: str, told: str):
    assert next_time(at(since), at(now), PARIS, 18, None, None) == at(told)


@pytest.mark.parametrize("name", ["", "Nowhere/Land", "../etc/passwd", "Europe", "a\0b", "x" * 300])
def test_a_time_zone_that_does_not_exist_is_none(name: str):
    assert time_zone(name) is None
