"""Fair dice: as the notation defines them, even, and tampering is detected."""

import hashlib
import hmac
import json
from collections import Counter

import pytest

from quadriga.engine.errors import OptionError
from quadriga.engine.match.dice import FairDice, Outcome, SeededDice

SEED = bytes(range(32))
DICE = [Outcome("roll 0", 1, 0), Outcome("roll 1", 3, 1), Outcome("roll 2", 3, 2), Outcome("roll 3", 1, 3)]


def by_the_book(seed: bytes, words: list[str], event: int, outcomes: list[Outcome]) -> str:
    """Compute the definition of the notation independently."""
    total = sum(o.weight for o in outcomes)
    for k in range(1000):
        message = b"quadriga/1" + b"\0" + json.dumps(words, ensure_ascii=False, separators=(",", ":")).encode()
        message += b"\0" + event.to_bytes(8, "big") + k.to_bytes(4, "big")
        r = int.from_bytes(hmac.new(seed, message, hashlib.sha256).digest()[:16], "big")
        if r < (2**128 // total) * total:
            r %= total
            for outcome in sorted(outcomes):
                if r < outcome.weight:
                    return outcome.text
                r -= outcome.weight
    raise AssertionError


@pytest.mark.parametrize("words", [["", ""], ["hic", "nunc"], ["été", "«Ω»"], ['"quoted"', "\\"]])
def test_outcomes_are_what_the_notation_says(words):
    dice = FairDice(words, SEED)
    for event in range(200):
        assert dice.pick(event, DICE).text == by_the_book(SEED, words, event, DICE)


def test_a_number_above_the_largest_multiple_is_drawn_again():
    wide = [Outcome("a", 2**127, 0), Outcome("b", 1, 1)]  # nearly half of all numbers are above
    dice = FairDice([""], SEED)
    for event in range(100):
        assert dice.pick(event, wide).text == by_the_book(SEED, [""], event, wide)


def test_a_known_answer():
    assert FairDice(["", ""], SEED).commitment == hashlib.sha256(SEED).hexdigest()
    assert [FairDice(["ave", "vale"], SEED).pick(i, DICE).action for i in range(12)] == [
        1,
        2,
        1,
        1,
        1,
        2,
        3,
        2,
        2,
        2,
        1,
        0,
    ]


def test_the_words_change_the_dice_and_so_does_the_seed():
    def rolls(words, seed):
        return [FairDice(words, seed).pick(i, DICE).action for i in range(64)]

    assert rolls(["a", ""], SEED) != rolls(["b", ""], SEED)
    assert rolls(["a", ""], SEED) != rolls(["", "a"], SEED)
    assert rolls(["a", ""], SEED) != rolls(["a", ""], SEED[::-1])


def chi_square(counts, weights, n):
    total = sum(weights.values())
    return sum((counts[k] - n * w / total) ** 2 / (n * w / total) for k, w in weights.items())


def test_fair_rolls_are_even():
    dice = FairDice(["", ""], SEED)
    counts = Counter(dice.pick(i, DICE).action for i in range(20000))
    assert chi_square(counts, {0: 1, 1: 3, 2: 3, 3: 1}, 20000) < 20


def test_fair_draws_from_a_deck_are_even_card_by_card_and_place_by_place():
    deck = [f"deal {card}" for card in "ABCDEF"]
    places: list[Counter[str]] = [Counter() for _ in deck]
    for game in range(2000):
        dice = FairDice([""], hashlib.sha256(str(game).encode()).digest())
        left = list(deck)
        for place in range(len(deck)):
            drawn = dice.pick(place, [Outcome(card, 1, 0) for card in left]).text
            places[place][drawn] += 1
            left.remove(drawn)
    for counts in places:
        assert chi_square(counts, dict.fromkeys(deck, 1), 2000) < 25


def test_new_dice_have_new_secret_seeds():
    assert FairDice([""]).seed != FairDice([""]).seed
    assert len(FairDice([""]).seed) == 32


@pytest.mark.parametrize("word", ["x" * 201, "line\nbreak", "\x00", "\ud800"])
def test_a_word_that_cannot_be_printed_or_is_too_long_is_refused(word):
    with pytest.raises(OptionError, match="seat 1"):
        FairDice(["", word])


def test_a_seed_of_another_length_is_refused():
    with pytest.raises(OptionError, match="32 bytes"):
        FairDice([""], b"short")


def test_seeded_dice_depend_on_seed_game_and_event_alone():
    rolls = [SeededDice(5, 1).pick(i, DICE).action for i in range(100)]
    assert rolls == [SeededDice(5, 1).pick(i, DICE).action for i in range(100)]
    assert rolls != [SeededDice(5, 2).pick(i, DICE).action for i in range(100)]
    assert rolls != [SeededDice(6, 1).pick(i, DICE).action for i in range(100)]
    counts = Counter(SeededDice(1, game).pick(0, DICE).action for game in range(20000))
    assert chi_square(counts, {0: 1, 1: 3, 2: 3, 3: 1}, 20000) < 20
