"""Deck files (BH-7.7): a file is a deck that can be played, or is refused with the line and the reason."""

from __future__ import annotations

import json
import tomllib
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.benhvrt.positions import Match
from games.benhvrt_files.values import reason
from quadriga.engine.errors import QuadrigaError
from quadriga.engine.match.dice import SeededDice
from quadriga.games import find
from quadriga.games.benhvrt import deck
from quadriga.games.benhvrt.custom_files import good
from quadriga.games.benhvrt.deck import COPIES, KINDS
from quadriga.games.benhvrt.deck.operations import CHARIOT, CODES, DEAREST, OPS, TYPES, WINDOWS
from quadriga.lab.traces import random_match
from soak import count

from .values import ANYTHING, changed, edited, places, spoken, written

TEXT = resources.files(deck.PACKAGE).joinpath("data", "deck.toml").read_text("utf-8")
OWN = tomllib.loads(TEXT)
SHORT = {"card": [OWN["card"][i] for i in (0, 6, 13, 15, 18, 20, 24, 32, 36, 38)]}
GAME = find("ben-hvrt")


def played(document: object, seats: int, seed: int, **options: object) -> None:
    """Play a whole random game with these cards, with records that check every number."""
    given = {"deck": document, "series": [2, 1], **options}
    settled, _ = GAME.resolve_options(json.loads(json.dumps(given)), seats)
    match = Match.of(random_match(GAME, settled, seats, seed, 0, SeededDice(seed, 0)))
    assert sum(match.scores) + match.s.pot == 100 * match.t.chariots  # BH-2.4


def tried(path: str) -> object | None:
    """Return the content of a deck file; None if it was refused with an error that has its texts."""
    try:
        document, cards = good(path, deck.checked)
        assert cards == deck.check_file(path)
        return document
    except QuadrigaError as fault:
        assert path in spoken(fault)
        return None


@given(st.binary(max_size=60), st.sampled_from(["deck.toml", "deck.json"]))
def test_bh_7_7_garbage_is_refused(tmp_path_factory, content, name):
    folder = tmp_path_factory.getbasetemp()
    assert tried(written(folder, name, content)) is None


@given(ANYTHING)
def test_bh_7_7_any_json_is_a_deck_or_refused(value):
    for document in (value, {"card": value}, {"card": [value]}):
        cards, faults = deck.read(document)
        assert bool(faults) == (not cards)
        for fault in faults:
            spoken(fault)
        if isinstance(document, dict):
            with pytest.raises(QuadrigaError) as refused:
                GAME.resolve_options({"deck": document}, 2)
            spoken(refused.value)


@settings(max_examples=150)
@given(st.sampled_from(places(SHORT)), st.one_of(st.just(...), ANYTHING))
def test_bh_7_7_a_good_deck_with_something_changed_is_a_deck_or_refused(place, value):
    document = changed(SHORT, place, value)
    cards, faults = deck.read(document)
    for fault in faults:
        spoken(fault)
    if not faults:
        assert [card.name for card in cards] == sorted(each["name"] for each in document["card"])
        GAME.rules.new(GAME.resolve_options({"deck": document}, 12)[0], 12)


@given(edited(TEXT))
def test_bh_7_7_an_edited_deck_file_is_a_deck_or_refused(tmp_path_factory, text):
    folder = tmp_path_factory.getbasetemp()
    content = text.encode("utf-8", "surrogatepass")
    document = tried(written(folder, "edited.toml", content))
    if document is not None:
        assert tomllib.loads(text) == document


@st.composite
def cards(draw: st.DrawFn, name: str) -> dict[str, object]:
    """Draw a card with any operations that go together."""
    word = draw(st.sampled_from(list(OPS)))
    kind = draw(st.sampled_from(OPS[word].types))
    window = draw(st.sampled_from(list(OPS[word].windows)))
    named = {word: OPS[word]}
    for other in draw(st.lists(st.sampled_from(list(OPS)), max_size=2)):
        operation = OPS[other]
        fits = operation.in_force or window in operation.windows
        choice = kind == TYPES.index("Driver") and not operation.in_force
        takes = {each.windows.get(window, 0) for each in [operation, *named.values()]} - {0}
        several = [each for each in [operation, *named.values()] if each.windows.get(window)]
        taking = len(several) > 1 and takes != {CHARIOT} and other not in named
        if kind in operation.types and fits and not choice and not taking:
            named[other] = operation
    numbers = st.one_of(st.integers(1, 20), st.sampled_from(["n", "n/2", "2n"]))
    does = [
        [each, *([draw(numbers)] if operation.amount else [draw(st.integers(*span)) for span in operation.ranges])]
        for each, operation in named.items()
    ]
    card: dict[str, object] = {"name": name, "kind": TYPES[kind], "does": draw(st.permutations(does))}
    card["copies"] = draw(st.integers(1, COPIES))
    card["price"] = draw(st.integers(0, DEAREST))
    if TYPES[kind] in ("Improvement", "Driver"):
        card["upkeep"] = draw(st.one_of(st.integers(0, 9), st.sampled_from(["n", "n/2", "2n"])))
    if window:
        card["window"] = WINDOWS[window]
    if any(operation.limited for operation in named.values()):
        card["per"] = draw(st.sampled_from(["move", "lap"]))
    return card


@st.composite
def decks(draw: st.DrawFn) -> dict[str, object]:
    """Draw a deck of any cards."""
    names = [f"Card {chr(65 + i % 26)}{chr(97 + i // 26)}" for i in range(draw(st.integers(1, 30)))]
    return {"card": [draw(cards(name)) for name in names]}


TOTALS = {"deck.many", "deck.answers", "deck.added", "deck.taken-off", "deck.wagers"}


@settings(max_examples=count(12, 100))
@given(decks(), st.sampled_from([2, 3, 4, 6]), st.integers(0, 99), st.booleans())
def test_bh_7_7_any_deck_of_operations_that_go_together_plays_a_whole_game(document, seats, seed, bribes):
    _, faults = deck.read(document)
    assert {fault.code for fault in faults} <= TOTALS
    if not faults:
        played(document, seats, seed, bribes=bribes)


@settings(max_examples=15)
@given(st.sampled_from(places(SHORT)), st.one_of(st.integers(-6, 99), st.just(...)), st.integers(0, 99))
def test_bh_7_7_a_changed_deck_that_is_accepted_plays_a_whole_game(place, value, seed):
    document = changed(SHORT, place, value)
    if not deck.read(document)[1]:
        played(document, 4, seed)


def test_bh_7_7_a_deck_of_the_most_cards_plays_a_whole_game():
    names = [f"Card {chr(65 + i % 26)}{chr(97 + i // 26)}" for i in range(KINDS)]
    card = {"kind": "Event", "copies": 5, "price": 1, "window": "BM", "does": [["draw", 20]]}
    played({"card": [{"name": name, **card} for name in names]}, 2, 1)


def with_card(**fields: object) -> str:
    """Return the lines of a deck whose second card, from line 8 on, has these fields."""
    first = '[[card]]\nname = "Plain"\nkind = "Move"\ncopies = 1\nprice = 1\nwindow = "RO"\ndoes = [["add", 1]]\n'
    good = {"name": "Odd", "kind": "Move", "copies": 2, "price": 2, "window": "RO", "does": [["set", 3]]}
    lines = [f"{key} = {json.dumps(value)}" for key, value in (good | fields).items() if value is not None]
    return first + "\n".join(["[[card]]", *lines, ""])


DRIVER = {"kind": "Driver", "upkeep": "n", "window": None}


@pytest.mark.parametrize(
    ("fields", "code", "line"),
    [
        ({"name": None}, "name", 8),
        ({"name": "Two  Spaces"}, "name", 9),
        ({"name": "Seven, 7"}, "name-words", 9),
        ({"name": "7"}, "name-words", 9),
        ({"name": "PLAIN"}, "case", 9),
        ({"name": "Plain 7"}, "numbers", 9),
        ({"name": "One for All"}, "name-words", 9),
        ({"name": "Plain"}, "twice", 9),
        ({"kind": "Mover"}, "word", 10),
        ({"kind": None}, "word", 8),
        ({"copies": 8}, "number", 11),
        ({"copies": 0}, "number", 11),
        ({"price": -1}, "number", 12),
        ({"price": 100}, "number", 12),
        ({"price": 2.0}, "number", 12),
        ({"price": True}, "number", 12),
        ({"price": None}, "number", 8),
        ({"window": "XX"}, "word", 13),
        ({"window": "BM"}, "operation-window", 13),
        ({"kind": "Event", "window": "PA", "does": [["hasten", 1]]}, "operation-window", 13),
        ({"window": None}, "operation-window", 8),
        ({"does": []}, "does", 14),
        ({"does": [["add", 1]] * 4}, "does", 14),
        ({"does": [["fly"]]}, "operation", 14),
        ({"does": ["add"]}, "operation", 14),
        ({"does": [[["add"]]]}, "operation", 14),
        ({"does": [["add"]]}, "operation-numbers", 14),
        ({"does": [["add", 1, 2]]}, "operation-numbers", 14),
        ({"does": [["add", 7]]}, "operation-number", 14),
        ({"does": [["add", 1], ["add", 1]]}, "operation-twice", 14),
        ({"does": [["draw", 2]]}, "operation-kind", 14),
        ({"kind": "Event", "window": "BM", "does": [["draw", 21]]}, "operation-amount", 14),
        ({"kind": "Event", "window": "BM", "does": [["next-roll", 1], ["wager", 1]]}, "operation-takes", 14),
        ({"upkeep": 1}, "upkeep-none", 15),
        (DRIVER | {"upkeep": "3n", "does": [["calm"]]}, "amount", 14),
        (DRIVER | {"window": "PR", "does": [["calm"]]}, "window-none", 13),
        (DRIVER | {"window": "PR", "does": [["two-dice"]]}, "per", 8),
        (DRIVER | {"does": [["calm"]], "per": "lap"}, "per-none", 15),
        (DRIVER | {"window": "PR", "does": [["two-dice"], ["choose-roll", 1]], "per": "lap"}, "choices", 14),
        ({"per": "week"}, "word", 15),
        ({"text": 5}, "text", 15),
        ({"text": "two\nlines"}, "text", 15),
        ({"colour": "red"}, "field", 15),
    ],
)
def test_bh_7_7_what_is_wrong_with_a_card_is_said_with_its_line(fields, code, line):
    text = with_card(**fields)
    _, (fault,) = deck.read(tomllib.loads(text), text)
    assert fault.code == "deck.at"
    assert reason(fault) == f"deck.{code}"
    assert fault.parameters["line"] == line
    assert spoken(fault).startswith(f"line {line}: ")
    _, (without,) = deck.read(tomllib.loads(text))
    assert without.code == f"deck.{code}"


def test_bh_7_7_everything_that_is_wrong_is_said():
    text = "colour = 1\n" + with_card(price=-1, copies=9) + '[[card]]\nname = "Third"\n[card.fr]\nnom = "x"\n'
    faults = deck.read(tomllib.loads(text), text)[1]
    found = [(fault.parameters["line"], reason(fault)) for fault in faults]
    assert found == [
        (1, "deck.top"),
        (12, "deck.number"),
        (13, "deck.number"),
        (16, "deck.word"),
        (16, "deck.number"),
        (16, "deck.number"),
        (18, "deck.french"),
    ]


@pytest.mark.parametrize("fr", [[], {"nom": "x"}, {"name": ""}, {"name": 5}, {"name": "x" * 41}])
def test_bh_7_7_french_is_a_name_and_a_text(fr):
    document = {"card": [OWN["card"][0] | {"fr": fr}]}
    (fault,) = deck.read(document)[1]
    assert fault.code == "deck.french"
    spoken(fault)


@pytest.mark.parametrize(
    ("card", "kinds", "code"),
    [
        ({"kind": "Move", "copies": 6, "window": "RO", "does": [["set", 1]]}, 41, "many"),
        ({"kind": "Event", "copies": 7, "window": "RE", "does": [["cancel"]]}, 2, "answers"),
        ({"kind": "Move", "copies": 7, "window": "RO", "does": [["add", 5]]}, 3, "added"),
        ({"kind": "Move", "copies": 7, "window": "RO", "does": [["add", -5]]}, 3, "taken-off"),
        ({"kind": "Event", "copies": 2, "window": "BM", "does": [["wager", 61]]}, 1, "wagers"),
    ],
)
def test_bh_7_7_a_deck_with_too_much_of_something_is_refused_once(card, kinds, code):
    names = [f"Card {chr(65 + i % 26)}{chr(97 + i // 26)}" for i in range(kinds)]
    (fault,) = deck.read({"card": [{"name": name, "price": 1, **card} for name in names]})[1]
    assert fault.code == f"deck.{code}"
    spoken(fault)


def test_a_drivers_choice_works_wherever_it_stands_among_what_he_does():
    driver = {"name": "Late Starter", "kind": "Driver", "copies": 1, "price": 1, "upkeep": 0, "window": "PR"}
    does = [["heirs", 1], ["natural", 1, 2], ["choose-roll", 4]]
    (card,) = deck.checked({"card": [driver | {"per": "move", "does": does}]})
    assert card.does[0] == (CODES["choose-roll"], 4, 0)


def test_numbers_and_depths_without_end_are_refused(tmp_path):
    for name, content in (
        ("long.toml", b"[[card]]\nprice = " + b"9" * 5000),
        ("deep.toml", b"card = " + b"[" * 5000 + b"]" * 5000),
        ("deep.json", b"[" * 100_000),
        ("dated.toml", b'[[card]]\nname = "A"\ntext = 2020-01-01\n'),
        ("folder.toml", None),
    ):
        if content is None:
            (tmp_path / name).mkdir()
            assert tried(str(tmp_path / name)) is None
        else:
            assert tried(written(tmp_path, name, content)) is None


def test_a_date_given_as_an_option_is_refused_like_anything_else():
    document = tomllib.loads("when = 2020-01-01\n" + TEXT)
    with pytest.raises(QuadrigaError) as refused:
        GAME.resolve_options({"deck": document}, 2)
    assert refused.value.code == "deck.top"


GOOD = 'name = "A"\nkind = "Move"\ncopies = 1\nwindow = "RO"\ndoes = [["set", 1]]\n'


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"[[card]]\n{GOOD}price = 100\n", 7),
        (f"# mine\n\n [[ card ]] # the first\n{GOOD}'price' = 100", 9),
        (f'[[card]]\r\n"price"=100\r\n{GOOD}', 2),
        (f'[[card]]\n{GOOD[:-20]}does = [\n["set", 1],\n["add", 1]\n]\nprice = 100\n', 10),
        (f'[[card]]\n{GOOD[:-20]}does = [\n["again"]\n]\nprice = 100\n', 9),
        (f'[[card]]\n{GOOD}fr.text = "x"\nprice = 1\nfr.name = ""\n', 7),
        (f'[[card]]\n{GOOD}price = 1\n[card.fr]\nname = ""\n', 8),
        (f'[[card]]\n{GOOD}price = 1\n[[card]]\n[card.fr]\nname = "B"\n', 8),
    ],
)
def test_a_line_is_found_however_the_toml_is_written(text, line):
    faults = deck.read(tomllib.loads(text), text)[1]
    assert faults[0].parameters["line"] == line


def test_a_card_that_stands_in_a_list_is_named_without_a_line():
    text = 'card = [{ name = "A", kind = "Move" }]'
    faults = deck.read(tomllib.loads(text), text)[1]
    assert "line" not in faults[0].parameters
    assert spoken(faults[0]).startswith("Card A: ")
