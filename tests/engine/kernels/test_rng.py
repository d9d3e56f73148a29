"""The fast generator: its algorithm, its evenness, its independent streams."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from quadriga.engine.kernels.rng import Rng, below, draw, start, weighted

WORD = 0xFFFFFFFF


def rng(seed: int, stream: int = 0) -> Rng:
    made = Rng()
    start(made, seed, stream)
    return made


def chi_square(counts: Counter[int], weights: dict[int, int], n: int) -> float:
    total = sum(weights.values())
    return sum((counts[k] - n * w / total) ** 2 / (n * w / total) for k, w in weights.items())


def xoshiro128pp(s: list[int]) -> int:
    """Compute the published algorithm independently."""

    def rotl(x: int, k: int) -> int:
        return ((x << k) | (x >> (32 - k))) & WORD

    result = (rotl((s[0] + s[3]) & WORD, 7) + s[0]) & WORD
    t = (s[1] << 9) & WORD
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = rotl(s[3], 11)
    return result


def test_it_is_xoshiro128_plus_plus():
    one = rng(42)
    words = [one.a, one.b, one.c, one.d]
    assert [draw(one) for _ in range(1000)] == [xoshiro128pp(words) for _ in range(1000)]


def test_a_seed_and_a_stream_always_give_the_same_numbers():
    assert [draw(rng(7, 3)) for _ in range(3)] == [draw(rng(7, 3))] * 3
    assert rng(7, 3) == rng(7, 3)


@pytest.mark.parametrize("bound", [2, 3, 6, 7, 16, 96, 1000])
def test_numbers_below_a_bound_are_even(bound):
    one, n = rng(bound), 40 * bound + 20000
    counts = Counter(below(one, bound) for _ in range(n))
    assert set(counts) <= set(range(bound))
    expected = bound - 1
    assert abs(chi_square(counts, dict.fromkeys(range(bound), 1), n) - expected) < 5 * (2 * expected) ** 0.5 + 5


def test_a_large_bound_that_does_not_divide_the_words_is_even_too():
    bound = 3 * 2**29  # without rejection the first third would come twice as often
    one = rng(1)
    thirds = Counter(below(one, bound) // 2**29 for _ in range(30000))
    assert chi_square(thirds, {0: 1, 1: 1, 2: 1}, 30000) < 20


def test_weights_are_kept():
    weights = {0: 1, 1: 4, 2: 6, 3: 4, 4: 1}
    row = np.array(list(weights.values()), np.int64).data
    one = rng(5)
    counts = Counter(weighted(one, row, 5) for _ in range(50000))
    assert chi_square(counts, weights, 50000) < 25


def test_streams_of_one_seed_and_seeds_of_one_stream_are_independent():
    """The first numbers of neighbouring streams and seeds are as even as those of one stream."""
    for firsts in (
        [below(rng(1, stream), 16) for stream in range(20000)],
        [below(rng(seed), 16) for seed in range(20000)],
        [below(rng(2**61 + seed, 2**40), 16) for seed in range(20000)],
    ):
        assert chi_square(Counter(firsts), dict.fromkeys(range(16), 1), 20000) < 45
        pairs = Counter(pairwise(firsts))
        assert sum((pairs[a, b] - 20000 / 256) ** 2 / (20000 / 256) for a in range(16) for b in range(16)) < 370


def test_streams_do_not_collide():
    states = {rng(seed, stream).tobytes() for seed in range(40) for stream in range(500)}
    assert len(states) == 20000
