"""Leagues: who belongs to them, their games, tables, seasons and corrections, on a real server."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.people.accounts import DAY_MS
from quadriga.server.scores.leagues import leagues as module
from quadriga.server.storage.base import now
from quadriga.server.storage.leagues_schema import LEAGUES
from quadriga.server.storage.scores_schema import RESULT_PLAYERS, RESULTS
from server.lobby.test_company import members
from server.lobby.test_live import MANY
from server.people.test_history import play_out
from server.rooms.days.support import Calendar
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process
from server.support.live import Live, listen

UR = {"game": "ur", "options": {"rules": "blitz"}}
CAESAR = {"game": "ave-caesar", "options": {"courses": ["white cw"]}}


async def league_of(owner: Device, *others: Device, **more: Any) -> dict[str, Any]:
    """Create a league whose members come by its link."""
    found = await owner.post("/api/leagues", {"name": "Circus", "games": [UR], **more})
    for each in others:
        await each.post(f"/api/leagues/{found['id']}/join", {"code": found["code"]})
    return dict(found)


async def refusal(device: Device, path: str, body: Any = None, method: str = "POST") -> str:
    status, answer = await device.call(method, path, body or ({} if method == "POST" else None))
    assert status >= 400, answer
    return str(answer["code"])


async def told(page: Live, wanted: Any) -> None:
    """Receive until the leagues of a page are as wanted."""
    while not wanted(page.leagues):
        await page.hear()


async def settle(server: InProcessServer) -> None:
    await server.app.state.scores.update()


async def test_three_members_play_two_kinds_of_games_and_keep_score(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, cem = people = await members(server, "Ann", "Bob", "Cem")
        page = await listen(cem)
        made = await league_of(ann, bob, games=[UR, CAESAR])
        path = f"/api/leagues/{made['id']}"
        await ann.post(f"{path}/invitations", {"name": "cem"})
        await told(page, lambda found: [each["by"] for each in found.get("invitations", [])] == ["Ann"])
        assert (await cem.get(f"{path}/invitation"))["members"] == 2
        await cem.post(f"{path}/join")
        await told(page, lambda found: found["invitations"] == [] and len(found["leagues"]) == 1)
        tables = [await play_out(people, "ave-caesar", league=made["id"])]
        tables += [await play_out([ann, bob], league=made["id"]) for _ in range(2)]
        await told(page, lambda found: found["leagues"][0]["games"] == 3)
        shown = await cem.get(path)
        assert [each["table"] for each in shown["games"]] == tables[::-1]
        assert [each["state"] for each in shown["games"]] == ["counts"] * 3
        won: dict[str, list[int]] = {"Ann": [], "Bob": [], "Cem": []}
        for table in tables:
            seats = await ann.get(f"/api/tables/{table}")
            scores = seats["scores"]
            for seat, score in zip(seats["seats"], scores, strict=True):
                beaten = sum(other < score for other in scores) + (scores.count(score) - 1) / 2
                won[seat["name"]].append(int(100 * beaten / (len(scores) - 1) + 0.5))
        assert {row["name"]: (row["total"], row["games"]) for row in shown["table"]} == {
            name: (sum(points), len(points)) for name, points in won.items()
        }
        assert [line["totals"][-1] for line in shown["chart"]["lines"]] == [row["total"] for row in shown["table"]]

        correct = f"{path}/corrections"
        exclude = {"kind": "exclude", "table": tables[2], "reason": "played by somebody else"}
        assert await refusal(bob, correct, exclude) == "league.owner"
        assert await refusal(ann, correct, {**exclude, "reason": " "}) == "league.reason"
        await ann.post(correct, exclude)
        assert await refusal(ann, correct, exclude) == "league.done"
        await ann.post(correct, {"kind": "points", "name": "bob", "points": 30, "reason": "a rainy day"})
        shown = await bob.get(path)
        rows = {row["name"]: (row["total"], row["corrected"]) for row in shown["table"]}
        assert rows["Bob"] == (sum(won["Bob"][:2]) + 30, 30)
        assert rows["Ann"] == (sum(won["Ann"][:2]), 0)
        assert [(each["kind"], each["name"], each["text"]) for each in shown["log"][:2]] == [
            ("points", "Bob", "a rainy day"),
            ("exclude", None, "played by somebody else"),
        ]

        await ann.post(f"{path}/season/close")
        assert await refusal(ann, correct, {**exclude, "kind": "include"}) == "league.over"
        assert await refusal(ann, "/api/tables", table_body(made["id"])) == "league.over"
        await ann.post(f"{path}/season")
        assert (await bob.get(path))["table"] == []
        archived = await bob.get(f"{path}?season=1")
        assert (archived["season"]["over"], archived["table"]) == (True, shown["table"])
        status, raw, headers = await asyncio.to_thread(cem.raw, "GET", f"{path}/table.csv?season=1")
        assert (status, headers["content-type"].split(";")[0]) == (200, "text/csv")
        lines = list(csv.DictReader(io.StringIO(raw.decode())))
        assert [(line["name"], float(line["total"])) for line in lines] == [
            (row["name"], row["total"]) for row in shown["table"]
        ]
        _, raw, _ = await asyncio.to_thread(cem.raw, "GET", f"{path}/games.csv?season=1")
        assert [line["table"] for line in csv.DictReader(io.StringIO(raw.decode()))] == (
            tables[:1] * 3 + tables[1:2] * 2 + tables[2:] * 2
        )
        exported = await bob.get(f"{path}/all.json?season=1")
        assert (exported["table"], exported["code"]) == (shown["table"], None)


def table_body(league: str, seats: int = 2, **more: Any) -> dict[str, Any]:
    return {
        "game": "ur",
        "name": "x",
        "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)],
        "league": league,
        **more,
    }


async def test_the_table_is_the_same_when_results_are_thrown_away_and_computed_again(tmp_path: Path):
    path = tmp_path / "store.sqlite"
    async with in_process(path, **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        made = await league_of(ann, bob)
        for _ in range(2):
            await play_out([ann, bob], league=made["id"])
        await settle(server)
        shown = await ann.get(f"/api/leagues/{made['id']}")
        assert shown["counted"] == 2

        def forget(connection: sa.Connection) -> None:
            for table in (RESULTS, RESULT_PLAYERS):
                connection.execute(sa.delete(table))

        await server.registry.store.transact(forget)
        assert (await ann.get(f"/api/leagues/{made['id']}"))["counted"] == 0
    async with in_process(path, **MANY) as server:
        ann.server = bob.server = server
        await settle(server)
        assert await ann.get(f"/api/leagues/{made['id']}") == shown


async def test_only_members_sit_down_unless_the_table_is_open_and_a_rematch_counts_too(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        made = await league_of(ann, bob)
        assert await refusal(eve, "/api/tables", table_body(made["id"])) == "league.unknown"
        assert await refusal(ann, "/api/tables", {**table_body(made["id"]), "game": "ben-hvrt"}) == "league.kind"
        table = await ann.table(league=made["id"])
        assert (await ann.get(f"/api/tables/{table}"))["options"]["rules"] == "blitz"
        for stranger in (eve, Device(server)):
            assert await refusal(stranger, f"/api/tables/{table}/join", {"name": "x"}) == "league.seats"
        assert (await bob.get("/api/me/leagues"))["leagues"][0]["waiting"] == [table]
        open_table = await ann.table(league=made["id"], public=True)
        await eve.post(f"/api/tables/{open_table}/join", {"name": "x"})
        played = await play_out([ann, bob], league=made["id"])
        again = (await ann.post(f"/api/tables/{played}/rematch"))["table"]["id"]
        assert (await bob.post(f"/api/tables/{played}/rematch"))["table"]["id"] == again
        assert again in [each["table"] for each in (await bob.get(f"/api/leagues/{made['id']}"))["games"]]


async def test_a_finished_game_among_members_is_proposed_and_taken_or_declined(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        early = await play_out([ann, bob], options={"rules": "blitz"})
        made = await league_of(ann, bob)
        path = f"/api/leagues/{made['id']}"
        with_eve = await play_out([bob, eve], options={"rules": "blitz"})
        other_rules = await play_out([ann, bob], options={"rules": "finkel"})
        tables = [await play_out([ann, bob], options={"rules": "blitz"}) for _ in range(3)]
        for table, code in [
            (early, "league.season"),
            (with_eve, "league.strangers"),
            (other_rules, "league.kind"),
            ("none", "league.not-played"),
        ]:
            assert await refusal(bob, f"{path}/games", {"table": table}) == code
        for table in tables[:2]:
            await bob.post(f"{path}/games", {"table": table})
        assert await refusal(bob, f"{path}/games", {"table": tables[0]}) == "league.known"
        shown = await ann.post(f"{path}/games", {"table": tables[2]})
        assert [each["state"] for each in shown["games"]] == ["counts", "asked", "asked"]
        assert (await ann.get("/api/me/leagues"))["leagues"][0]["asked"] == 2
        await ann.post(f"{path}/corrections", {"kind": "take", "table": tables[0]})
        shown = await ann.post(f"{path}/corrections", {"kind": "decline", "table": tables[1], "reason": "too late"})
        assert [(each["table"], each["state"], each["by"]) for each in shown["games"]] == [
            (tables[2], "counts", "Ann"),
            (tables[0], "counts", "Bob"),
        ]
        assert await refusal(ann, f"{path}/corrections", {"kind": "take", "table": tables[1]}) == "league.no-game"


async def test_bots_and_strangers_play_and_are_not_ranked(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        made = await league_of(ann, bob, games=[CAESAR])
        table = await play_out([ann, bob, eve], "ave-caesar", league=made["id"], public=True)
        alone = await ann.table("ave-caesar", "me bot bot", league=made["id"])
        client = await ann.connect(alone)
        await client.play(random.Random(1))
        await settle(server)
        shown = await ann.get(f"/api/leagues/{made['id']}")
        assert {each["table"]: each["state"] for each in shown["games"]} == {table: "counts", alone: "alone"}
        assert {row["name"] for row in shown["table"]} == {"Ann", "Bob"}
        await eve.post(f"/api/leagues/{made['id']}/join", {"code": made["code"]})
        assert {row["name"] for row in (await ann.get(f"/api/leagues/{made['id']}"))["table"]} == {
            "Ann",
            "Bob",
            "Eve",
        }


async def test_a_hidden_league_looks_to_strangers_like_none(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        made = await league_of(ann, bob)
        paths = ["", "/all.json", "/table.csv", "/games.csv", "/invitation", "/invitation?code=wrong"]
        requests: list[tuple[str, str, Any]] = [("GET", path, None) for path in paths]
        for path, body in [
            ("settings", {"name": "x", "games": [UR]}),
            ("join", {}),
            ("join", {"code": "wrong"}),
            ("leave", {}),
            ("season", {}),
            ("season/close", {}),
            ("owner", {"name": "Eve"}),
            ("link", {}),
            ("invitations", {"name": "Eve"}),
            ("members/remove", {"name": "Bob"}),
            ("games", {"table": "x"}),
            ("corrections", {"kind": "points", "name": "Bob", "points": 1, "reason": "x"}),
        ]:
            requests.append(("POST", f"/{path}", body))
        for method, path, body in requests:
            real, none = [await eve.call(method, f"/api/leagues/{id}{path}", body) for id in (made["id"], "none")]
            assert real == none, path
            assert real[1]["code"] == "league.unknown"
        assert (await bob.get(f"/api/leagues/{made['id']}"))["code"] is None
        await ann.post(f"/api/leagues/{made['id']}/settings", {"name": "Circus", "games": [UR], "public": True})
        seen = await eve.get(f"/api/leagues/{made['id']}")
        assert (seen["member"], seen["code"], seen["invited"]) == (False, None, [])
        assert await refusal(eve, f"/api/leagues/{made['id']}/leave") == "league.member"
        assert (await Device(server).get(f"/api/leagues/{made['id']}"))["name"] == "Circus"


async def test_strangers_learn_no_table_of_a_public_league_that_was_not_listed(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, eve = await members(server, "Ann", "Bob", "Eve")
        made = await league_of(ann, bob, public=True)
        path = f"/api/leagues/{made['id']}"
        hidden = await play_out([ann, bob], league=made["id"])
        shown = await play_out([ann, bob], league=made["id"], public=True)
        theirs = await play_out([ann, eve], league=made["id"], public=True)
        await settle(server)
        for each in (hidden, shown):
            await ann.post(f"{path}/corrections", {"kind": "exclude", "table": each, "reason": "no"})

        async def known(device: Device) -> tuple[list[str], list[str | None]]:
            found = await device.get(path)
            return [each["table"] for each in found["games"]], [each["table"] for each in found["log"][:2]]

        assert await known(bob) == ([theirs, shown, hidden], [shown, hidden])
        for stranger in (eve, Device(server)):
            assert await known(stranger) == ([theirs, shown, ""], [shown, None])
            for file in ("all.json", "games.csv"):
                _, raw, _ = await asyncio.to_thread(stranger.raw, "GET", f"{path}/{file}")
                assert hidden not in raw.decode()
                assert shown in raw.decode()


async def test_people_who_have_blocked_each_other_do_not_invite_each_other(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        made = await league_of(ann)
        await ann.post(f"/api/leagues/{made['id']}/invitations", {"name": "Bob"})
        assert len((await bob.get("/api/me/leagues"))["invitations"]) == 1
        await bob.post("/api/me/blocks", {"name": "Ann"})
        assert (await bob.get("/api/me/leagues"))["invitations"] == []
        for body in ({}, {"code": made["code"]}):
            assert await refusal(bob, f"/api/leagues/{made['id']}/join", body) == "league.unknown"


async def test_the_owner_hands_over_removes_and_leaves(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, cem = await members(server, "Ann", "Bob", "Cem")
        made = await league_of(ann, bob, cem)
        path = f"/api/leagues/{made['id']}"
        assert await refusal(ann, f"{path}/leave") == "league.hand-over"
        assert await refusal(ann, f"{path}/owner", {"name": "Dan"}) == "league.nobody"
        await ann.post(f"{path}/members/remove", {"name": "Cem"})
        assert await refusal(cem, path, method="GET") == "league.unknown"
        renewed = (await ann.post(f"{path}/link"))["code"]
        assert await refusal(cem, f"{path}/join", {"code": made["code"]}) == "league.unknown"
        await cem.post(f"{path}/join", {"code": renewed})
        shown = await ann.post(f"{path}/owner", {"name": "bob"})
        assert (shown["owner"], shown["mine"], shown["code"]) == ("Bob", False, None)
        assert [each["kind"] for each in shown["log"]] == ["owner", "removed", "created"]
        for device in (ann, cem, bob):
            await device.post(f"{path}/leave")
        assert await server.registry.store.read(sa.select(LEAGUES)) == []


async def test_a_league_outlives_the_account_of_its_owner_and_merged_accounts_are_one(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob, other = await members(server, "Ann", "Bob", "Bob two")
        made = await league_of(ann, bob, other)
        await play_out([ann, bob], league=made["id"])
        await settle(server)
        accounts = server.registry.people.accounts
        one, two = await accounts.named("Bob two"), await accounts.named("Bob")
        assert one is not None
        assert two is not None
        await accounts.merge(one, two)
        path = f"/api/leagues/{made['id']}"
        assert [each["name"] for each in (await ann.get(path))["members"]] == ["Ann", "Bob"]
        await ann.post("/api/me/delete", {"name": "Ann"})
        shown = await bob.get(path)
        assert (shown["mine"], [each["name"] for each in shown["members"]]) == (True, ["Bob"])
        assert [row["name"] for row in shown["table"]] == ["Bob"]
        assert [(each["kind"], each["by"]) for each in shown["log"]] == [("owner", None), ("created", None)]
        assert shown["counted"] == 1
        assert "Ann" not in str(shown)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"games": [UR, UR]}, "league.twice"),
    ({"games": [UR, CAESAR], "scoring": "score"}, "league.score"),
    ({"games": [{"game": "chess"}]}, "game.unknown"),
    ({"games": [{"game": "ur", "options": {"rules": "nobody's"}}]}, "option.value"),
    ({"games": [{"game": "ben-hvrt", "options": {"deck": {}}}]}, "league.options"),
    ({"ends": 1}, "league.ends"),
    ({"ends": 9_000 * DAY_MS * 10}, "league.ends"),
    ({"games": []}, "wire.field"),
    ({"name": "x" * 61}, "wire.field"),
    ({"name": " "}, "name.empty"),
    ({"least": 0}, "wire.field"),
]


async def test_wrong_settings_are_refused(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        for wrong, code in WRONG:
            assert await refusal(ann, "/api/leagues", {"name": "Circus", "games": [UR], **wrong}) == code, wrong


async def test_limits_hold_and_guests_have_no_leagues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        (ann,) = await members(server, "Ann")
        guest = Device(server)
        await guest.post("/api/me")
        assert await refusal(guest, "/api/leagues", {"name": "x", "games": [UR]}) == "person.guest"
        monkeypatch.setattr(module, "MOST", 2)
        made = [await league_of(ann) for _ in range(2)]
        assert await refusal(ann, "/api/leagues", {"name": "x", "games": [UR]}) == "person.many"
        monkeypatch.setattr(module, "MOST_ENTRIES", 1)
        assert await refusal(ann, f"/api/leagues/{made[0]['id']}/season/close") == "person.many"


async def test_settings_hold_for_the_whole_season_and_a_planned_end_comes_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    calendar = Calendar(monkeypatch)
    async with in_process(tmp_path / "store.sqlite", **MANY) as server:
        ann, bob = await members(server, "Ann", "Bob")
        made = await league_of(ann, bob)
        path = f"/api/leagues/{made['id']}"
        await play_out([ann, bob], league=made["id"])
        await settle(server)
        settings = {"name": "Circus", "games": [{"game": "ur", "options": {"rules": "finkel"}}], "scoring": "wins"}
        shown = await ann.post(f"{path}/settings", settings)
        assert (shown["counted"], shown["games"][0]["state"]) == (0, "kind")
        assert json.loads(shown["log"][0]["text"]) == {"scoring": ["points", "wins"], "games": None}
        ends = now() + DAY_MS
        shown = await ann.post(f"{path}/settings", {"name": "Circus", "games": [{"game": "ur"}], "ends": ends})
        assert (shown["counted"], shown["season"]["ends"]) == (1, ends)
        assert not (await bob.get(path))["season"]["over"]
        calendar.go_to(ends)
        assert (await bob.get(path))["season"]["over"]
        assert await refusal(bob, "/api/tables", table_body(made["id"])) == "league.over"
