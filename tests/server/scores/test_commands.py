"""`quadriga ratings recompute` and `quadriga ratings report` on real stores."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from quadriga.server.scores import recompute as computing
from quadriga.server.scores.ratings import BATCH, Ratings
from quadriga.server.scores.suspicion import Pair, pairs_of
from quadriga.server.storage.address import open_store
from quadriga.server.storage.scores_schema import RATED, RATING_POSITIONS, RATINGS, RESULTS
from quadriga.server.storage.sqlite.store import SqliteStore
from server.people.test_history import play_out
from server.people.test_identity import MANY_PROOFS
from server.scores.games import add, bribed, tables, two
from server.support.devices import Device
from server.support.in_process import in_process
from server.support.processes import run_command
from server.support.services import store_for


async def test_all_is_computed_again_from_the_logs_with_the_same_digits(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY_PROOFS) as server:
        people = [Device(server), Device(server)]
        for device, name in zip(people, ["Ann", "Bob"], strict=True):
            await device.member(name)
        for _ in range(3):
            await play_out(people, options={"rules": "blitz"})
        await server.app.state.scores.update()
        expected = await tables(server.registry.store)
        assert len(expected[0]) == 6
    address = str(store_for(path))
    first = await recompute(address)
    assert (first["games"], first["rated"], first["players"]) == (3, 3, 2)
    assert (first["results_changed"], first["ratings_changed"]) == (0, 0)
    await spoil(path)
    again = await recompute(address)
    assert again["checksum"] == first["checksum"]
    assert again["results_changed"] == 3
    assert again["ratings_changed"] == 2
    await spoil(path)
    by_processes = await asyncio.to_thread(computing.recompute, store_for(path), workers=2)
    assert by_processes.checksum == first["checksum"]
    assert by_processes.results_changed == 3
    store = await open_store(store_for(path))
    assert await tables(store) == expected
    await store.close()


async def recompute(address: str) -> dict[str, object]:
    done = await asyncio.to_thread(run_command, "ratings", "recompute", address, "--json")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


async def spoil(path: Path) -> None:
    """Delete all results, and make all ratings wrong."""
    store = await open_store(store_for(path))

    def work(connection: sa.Connection) -> None:
        connection.execute(sa.delete(RESULTS))
        connection.execute(sa.delete(RATED))
        connection.execute(sa.update(RATINGS).values(mean=1.0))

    await store.transact(work)
    await store.close()


async def test_an_interrupted_computation_shows_ratings_and_is_finished_by_whoever_comes_next(tmp_path: Path):
    path = store_for(tmp_path / "store.sqlite")
    store = await open_store(path)
    people = ["Ann", "Bob", "Cid"]
    games = [two(each, people[each % 3], people[(each * 2 + 1) % 3]) for each in range(1, 3 * BATCH)]
    games = [each for each in games if each.seats[0].player != each.seats[1].player]
    await add(store, *games)
    await Ratings(store).update()
    expected = await tables(store)
    await store.close()
    steps: list[int] = []

    def interrupt(done: int, total: int) -> None:
        steps.append(done)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await asyncio.to_thread(computing.recompute, path, interrupt)
    assert steps == [0]  # after the first games have been rated again
    store = await open_store(path)
    assert await tables(store) == expected  # what was not computed yet is as before
    position = (await store.read(sa.select(RATING_POSITIONS.c.ended)))[0][0]
    assert 0 < position < games[-1].ended
    assert await Ratings(store).update() == len(games) - BATCH
    assert await tables(store) == expected
    await store.close()
    assert (await asyncio.to_thread(computing.recompute, path)).ratings_changed == 0


async def found_pairs(path: Path, *games: object, everybody: bool = False) -> list[Pair]:
    store = await SqliteStore.opened(path)
    await add(store, *games)  # type: ignore[arg-type]
    await Ratings(store).update()
    found = await pairs_of(store, everybody)
    await store.close()
    return found


async def test_the_report_shows_one_who_feeds_another_and_not_those_who_play_everybody(tmp_path: Path):
    people = [f"p{number}" for number in range(6)]
    honest = [
        two(number, people[number % 6], people[(number * 5 + 1 + number // 6) % 6]) for number in range(1, 90)
    ]
    honest = [each for each in honest if each.seats[0].player != each.seats[1].player]
    fed = [two(1000 + number, "p0", "feeder") for number in range(15)]
    (pair,) = await found_pairs(tmp_path / "store.sqlite", *honest, *fed)
    assert (pair.player, pair.other, pair.games) == ("p0", "feeder", 15)
    assert (pair.other_share, pair.better) == (1, 1)
    assert pair.gained > 50
    assert pair.signs == ["partners", "one-sided"]


async def test_friends_who_play_each_other_are_listed_as_partners_and_no_more(tmp_path: Path):
    games = [two(number, *(("Ann", "Bob") if number % 2 else ("Bob", "Ann"))) for number in range(1, 21)]
    (pair,) = await found_pairs(tmp_path / "store.sqlite", *games)
    assert pair.signs == ["partners"]


async def test_bribes_that_always_go_one_way_are_a_sign_and_mutual_ones_are_not(tmp_path: Path):
    games = [bribed(each, "Ann", "Cid", "Dan", "Bob", paid=10) for each in range(1, 7)]
    games += [bribed(9 + each, "Cid", "Ann", "Bob", "Dan", paid=7) for each in range(1, 9, 2)]
    games += [bribed(9 + each, "Dan", "Bob", "Ann", "Cid", paid=7) for each in range(2, 9, 2)]
    found = await found_pairs(tmp_path / "store.sqlite", *games, everybody=True)
    pairs = {frozenset((each.player, each.other)): each for each in found}
    assert len(pairs) == 6
    fed, even = pairs[frozenset(("Ann", "Bob"))], pairs[frozenset(("Cid", "Dan"))]
    assert (fed.player, fed.bribed_games, fed.paid, fed.received) == ("Ann", 6, 0, 60)
    assert (even.bribed_games, even.paid, even.received) == (8, 28, 28)
    assert [each for each in found if "bribes" in each.signs] == [fed]


@pytest.mark.parametrize("options", [[], ["--all-pairs"], ["--json"]])
async def test_the_report_ends_with_the_reminder_that_it_is_no_verdict(tmp_path: Path, options: list[str]):
    path = tmp_path / "store.sqlite"
    store = await open_store(store_for(path))
    await add(store, *(two(number, "Ann", "Bob") for number in range(1, 15)))
    await Ratings(store).update()
    await store.close()
    done = await asyncio.to_thread(run_command, "ratings", "report", str(store_for(path)), *options)
    assert done.returncode == 0, done.stderr
    if options == ["--json"]:
        assert json.loads(done.stdout)[0]["games"] == 14
    else:
        assert "ur/2: Ann and Bob, 14 games" in done.stdout
        assert "not verdicts" in done.stdout.splitlines()[-1]
