"""Ratings follow the results in the order of ending, whenever and wherever they are computed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.lab.anchors import anchor
from quadriga.lab.rating import Rating, rated
from quadriga.server.scores.changes import Standing, changes, uncounted
from quadriga.server.scores.pools import pool_of
from quadriga.server.scores.ratings import Ratings, rate
from quadriga.server.scores.results import Result, SeatResult
from quadriga.server.storage.base import Storage
from quadriga.server.storage.postgres.store import PostgresStore
from quadriga.server.storage.score_changes import forget_player, merge_player
from quadriga.server.storage.sqlite.store import SqliteStore
from server.scores.games import add, bot, person, result, standings, tables, two
from server.support.services import new_shared_store

PEOPLE = [f"person {number}" for number in range(8)]


@asynccontextmanager
async def new_store(tmp_path: Path, *results: Result) -> AsyncIterator[Storage]:
    """Open a store in a file of its own, and store results in it."""
    store = await SqliteStore.opened(tmp_path / f"{len(list(tmp_path.iterdir()))}.sqlite")
    await add(store, *results)
    yield store
    await store.close()


async def computed(tmp_path: Path, *results: Result) -> list[list[tuple[Any, ...]]]:
    """Return what is stored of ratings after all results, computed at once."""
    async with new_store(tmp_path, *results) as store:
        await Ratings(store).update()
        return await tables(store)


def season(count: int = 60, seed: int = 1) -> list[Result]:
    """Return games of two to four at random, some with bots, leavers, or not rated, in two games."""
    rng, found = random.Random(seed), []
    for number in range(count):
        ended = 1000 + number // 2  # pairs of games end in the same millisecond
        seats = [person(name, 1, rng.random() < 0.1) for name in rng.sample(PEOPLE, rng.choice([2, 2, 3, 4]))]
        if len(seats) == 3:
            seats.append(bot(rng.choice(["normal", "hard:bold", "a stranger"])))
        for place, seat in enumerate(rng.sample(seats, len(seats)), 1):
            seat.place = place
        made = result(ended, seats, "ur" if len(seats) == 2 else "ben-hvrt", rng.choice(["", "", "", "undo"]))
        made.table_id = f"table {rng.getrandbits(64):x}"
        found.append(made)
    return found


async def test_two_new_people_move_apart_as_the_model_says(tmp_path: Path):
    async with new_store(tmp_path, two(5, "Ann", "Bob")) as store:
        assert await Ratings(store).update() == 1
        winner, loser = rated([Rating(), Rating()], [1, 2])
        ann, bob = await standings(store, "ur/2", "Ann", "Bob")
        assert ann == Standing(winner.mean, winner.deviation, 1, 5)
        assert bob == Standing(loser.mean, loser.deviation, 1, 5)
        assert ann.mean + bob.mean == pytest.approx(3000)
        assert ann.is_provisional
        assert await Ratings(store).update() == 0


def test_a_rating_is_no_longer_provisional_after_about_25_games_of_two():
    known: dict[str, Standing] = {}
    for number in range(1, 60):
        game = two(number, *(["Ann", "Bob"] if number % 2 else ["Bob", "Ann"]))
        known |= {each.player: each.after for each in changes(game, known)}
        if not known["Ann"].is_provisional:
            break
    assert 20 <= known["Ann"].games <= 28


async def test_the_order_of_storing_and_the_number_of_steps_do_not_matter(tmp_path: Path):
    games = season()
    expected = await computed(tmp_path, *games)
    assert len(expected[0]) > 60
    for seed in (1, 2):
        async with new_store(tmp_path) as store:
            rng, ratings = random.Random(seed), Ratings(store)
            for each in rng.sample(games, len(games)):  # most are late: others that ended later are rated already
                await add(store, each)
                if rng.random() < 0.3:
                    await ratings.rate(pool_of(each.game, len(each.seats)), rng.choice([1, 2, 100]))
            await ratings.update()
            assert await tables(store) == expected


async def test_several_processes_come_to_the_same_ratings(tmp_path: Path):
    """Two stores on one database: each stores half of the games, and both rate all the time."""
    games = season(40)
    expected = await computed(tmp_path, *games)
    url = new_shared_store()
    stores = [await PostgresStore.opened(url) for _ in range(2)]

    async def work(number: int) -> None:
        ratings = Ratings(stores[number])
        for each in random.Random(number).sample(games[number::2], len(games) // 2):
            await add(stores[number], each)
            await ratings.update()

    await asyncio.gather(work(0), work(1))
    assert await tables(stores[1]) == expected
    for store in stores:
        await store.close()


async def test_whoever_is_killed_while_rating_has_changed_nothing(tmp_path: Path):
    games = season(20)
    expected = await computed(tmp_path, *games)
    async with new_store(tmp_path, *games) as store:
        ratings = Ratings(store)
        await ratings.rate("ur/2", 3)
        before = await tables(store)

        def killed(connection: sa.Connection) -> None:
            assert rate(connection, "ur/2", 3) == 3
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await store.transact(killed)
        assert await tables(store) == before
        await ratings.update()
        assert await tables(store) == expected


async def test_ratings_stay_visible_while_they_are_computed_again(tmp_path: Path):
    games = [two(number, "Ann", "Bob") for number in range(10, 20)]
    async with new_store(tmp_path, *games) as store:
        ratings = Ratings(store)
        await ratings.update()
        before = await standings(store, "ur/2", "Ann", "Bob")
        await add(store, two(5, "Cid", "Dan"))
        await ratings.rate("ur/2", 1)
        assert await standings(store, "ur/2", "Ann", "Bob") == before
        await ratings.update()
        assert await standings(store, "ur/2", "Ann", "Bob") == before


async def test_a_result_that_is_read_again_and_differs_changes_everything_after_it(tmp_path: Path):
    games = [two(number, "Ann", "Bob") for number in range(10, 20)]
    async with new_store(tmp_path, *games) as store:
        await Ratings(store).update()
        for changed in (
            result(12, [person("Ann"), person("Bob", 2)], uncounted="undo"),
            result(14, [person("Ann", 2), person("Bob", 1)]),
            result(99, [person("Ann", 2), person("Bob", 1)], table_id="table-000016"),
        ):
            games = [changed if each.table_id == changed.table_id else each for each in games]
            await add(store, changed, again=True)
            await Ratings(store).update()
            assert await tables(store) == await computed(tmp_path, *games)


def test_a_leaver_is_last_and_the_bot_in_their_place_is_not_rated():
    left = result(5, [person("Ann", 1, left=True), person("Bob", 2), person("Cid", 3)], "ave-caesar")
    found = {each.player: each for each in changes(left, {})}
    assert {name: each.place for name, each in found.items()} == {"Ann": 3, "Bob": 1, "Cid": 2}
    assert found["Ann"].after.mean < 1500 < found["Bob"].after.mean
    expected = rated([Rating()] * 3, [3, 1, 2])
    assert found["Ann"].after.mean == expected[0].mean


def test_bots_of_a_level_have_their_fixed_rating_and_a_temper_changes_nothing():
    seats = [person("Ann", 1), person("Bob", 3), bot("hard", 2)]
    plain = changes(result(5, seats, "ben-hvrt"), {})
    expert = anchor("ben-hvrt", "hard")
    assert expert is not None
    expected = rated([Rating(), Rating(), expert], [1, 3, 2])
    assert [each.after.mean for each in plain] == [each.mean for each in expected[:2]]
    seats[2] = bot("hard:bold", 2)
    assert changes(result(5, seats, "ben-hvrt"), {}) == plain
    seats[2] = bot("a stranger", 2)
    assert [each.after.mean for each in changes(result(5, seats, "ben-hvrt"), {})] == [
        each.mean for each in rated([Rating(), Rating()], [1, 2])
    ]


def test_a_bot_over_the_network_is_rated_by_itself_and_not_as_its_owner():
    found = changes(
        result(5, [person("Ann", 1, key="ann's bot"), person("Bob", 2)]), {"Ann": Standing(1900, 50, 9)}
    )
    assert [each.player for each in found] == ["ann's bot", "Bob"]
    assert found[0].before == Standing()


@pytest.mark.parametrize(
    ("seats", "reason"),
    [
        ([person("Ann"), person("Bob", 2)], ""),
        ([person("Ann"), SeatResult("somebody", None, 2, 0)], "unknown"),
        ([person("Ann"), person("Ann", 2)], "seats"),
        ([person("Ann"), person("Ann", 2, key="ann's bot")], "seats"),
    ],
)
def test_a_game_is_rated_if_all_who_play_are_known_and_different(seats: list[SeatResult], reason: str):
    game = result(5, seats)
    assert uncounted(game) == reason
    assert bool(changes(game, {})) == (not reason)


async def test_merged_people_have_the_rating_of_all_games_of_both(tmp_path: Path):
    games = season()
    one, other = PEOPLE[:2]
    async with new_store(tmp_path, *games) as store:
        await Ratings(store).update()
        await store.transact(lambda connection: merge_player(connection, one, other))
        await Ratings(store).update()
        for seat in (seat for game in games for seat in game.seats if seat.player == one):
            seat.player = other
        assert await tables(store) == await computed(tmp_path, *games)


async def test_the_ratings_of_others_stay_when_somebody_deletes_their_account(tmp_path: Path):
    games = season()
    async with new_store(tmp_path, *games) as store:
        await Ratings(store).update()
        before = await standings(store, "ur/2", *PEOPLE[1:])
        await store.transact(lambda connection: forget_player(connection, PEOPLE[0], "nobody"))
        await Ratings(store).update()
        assert await standings(store, "ur/2", *PEOPLE[1:]) == before
        assert await Ratings(store).of([PEOPLE[0]], "ur/2") == {}
        for seat in (seat for game in games for seat in game.seats if seat.player == PEOPLE[0]):
            seat.player = "nobody"
        assert await tables(store) == await computed(tmp_path, *games)


def test_tables_of_about_the_same_size_share_a_pool():
    found = [pool_of("x", seats) for seats in (2, 3, 4, 5, 6, 7, 12)]
    assert found == ["x/2", "x/3-4", "x/3-4", "x/5-6", "x/5-6", "x/7-12", "x/7-12"]
