"""Options: defaults, checks, and their form on the command line."""

import pytest

from quadriga.engine.errors import OptionError
from quadriga.engine.match.options import Choice, Flag, Options, Whole, for_header, parse, resolve

KNOWN = (
    Choice("colour", "red", choices=("red", "blue")),
    Whole("size", lambda options, seats: 3 if options["colour"] == "red" else 5, low=1, high=9),
    Flag("loud", False),
    Choice("side", "left", is_display=True, choices=("left", "right")),
)


def test_defaults_may_depend_on_earlier_options():
    assert resolve(KNOWN, {}, 2) == {"colour": "red", "size": 3, "loud": False, "side": "left"}
    assert resolve(KNOWN, {"colour": "blue"}, 2)["size"] == 5


@pytest.mark.parametrize(
    "given",
    [
        {"colour": "green"},
        {"colour": 1},
        {"size": 0},
        {"size": 10},
        {"size": "3"},
        {"size": True},
        {"loud": 1},
    ],
)
def test_an_invalid_value_is_refused_with_the_allowed_ones(given):
    with pytest.raises(OptionError) as caught:
        resolve(KNOWN, given, 2)
    assert caught.value.code == "option.value"
    assert caught.value.parameters["allowed"]


def test_an_unknown_option_is_refused_with_the_known_ones():
    with pytest.raises(OptionError, match="colour, size, loud, side"):
        resolve(KNOWN, {"color": "red"}, 2)
    with pytest.raises(OptionError, match="There are: -"):
        resolve((), {"color": "red"}, 2)


def test_options_from_the_command_line():
    assert parse(KNOWN, ["size=4", "loud=yes", "colour=blue"]) == {"size": 4, "loud": True, "colour": "blue"}
    assert parse(KNOWN, ["size=-4"]) == {"size": -4}
    assert parse(KNOWN, ["size=x", "loud=x", "new=1"]) == {"size": "x", "loud": "x", "new": "1"}
    assert parse(KNOWN, ["colour=a=b"]) == {"colour": "a=b"}


@pytest.mark.parametrize(("texts", "code"), [(["size"], "option.form"), (["size=1", "size=2"], "option.twice")])
def test_options_of_the_wrong_form_are_refused(texts, code):
    with pytest.raises(OptionError) as caught:
        parse(KNOWN, texts)
    assert caught.value.code == code


def test_a_header_leaves_out_display_options_and_defaults():
    resolved: Options = resolve(KNOWN, {}, 2)
    assert "side" not in for_header(KNOWN, resolved, 2)
    assert for_header(KNOWN, resolve(KNOWN, {"side": "right"}, 2), 2)["side"] == "right"


def test_unicode_digits_are_not_numbers():
    assert parse(KNOWN, ["size=٤"]) == {"size": "٤"}
