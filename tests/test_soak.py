"""The short forms of tests."""

import pytest

from soak import SOAK, count, crossed


def short(first, second):
    return [row.values for row in crossed(first, second) if not row.marks]


def test_the_short_form_of_pairs_has_every_value_once_or_twice():
    assert short("abc", "xy") == [("a", "x"), ("b", "y"), ("c", "x")]
    assert short("ab", "xyz") == [("a", "x"), ("a", "z"), ("b", "y")]
    assert len(crossed("abc", "wxyz")) == 12


def test_the_length_of_a_run_can_be_set(monkeypatch: pytest.MonkeyPatch):
    assert count(3, 1000, "KILLS_OF_A_TEST") == (1000 if SOAK else 3)
    monkeypatch.setenv("QUADRIGA_KILLS_OF_A_TEST", "50")
    assert count(3, 1000, "KILLS_OF_A_TEST") == 50
