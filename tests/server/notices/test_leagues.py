"""Notices of invitations to leagues: once, with a link, and withdrawn when answered or blocked."""

from __future__ import annotations

from pathlib import Path

from server.notices.games import notices, rows, serving, two_people, webhook
from server.support.receivers import receiving

LEAGUE = {"name": "Circus", "games": [{"game": "ur"}]}


async def test_an_invitation_to_a_league_is_told_once_unless_it_is_answered_blocked_or_switched_off(tmp_path: Path):
    async with serving(tmp_path) as server, receiving() as hook:
        ann, bob = await two_people(server)
        await webhook(bob, hook.address)
        made = [await ann.post("/api/leagues", LEAGUE) for _ in range(4)]
        paths = [f"/api/leagues/{each['id']}" for each in made]
        for path in (paths[0], paths[0], paths[1], paths[2]):
            await ann.post(f"{path}/invitations", {"name": "Bob"})
        await bob.post(f"{paths[1]}/join")
        await bob.post(f"{paths[2]}/decline")
        assert len(await rows(server)) == 3
        assert await notices(server).sender.sweep() == 1
        assert [got.body.decode() for got in hook.got] == ["You are invited to a league."]
        assert hook.got[0].headers["click"] == f"{server.address}/league/{made[0]['id']}"
        await bob.post("/api/me/notices", {"kinds": ["turn"]})
        await ann.post(f"{paths[3]}/invitations", {"name": "Bob"})
        assert await notices(server).sender.sweep() == 0
        await bob.post("/api/me/notices", {"kinds": ["invitation"]})
        await ann.post(f"{paths[2]}/invitations", {"name": "Bob"})
        await bob.post("/api/me/blocks", {"name": "Ann"})
        assert await notices(server).sender.sweep() == 0
        assert len(hook.got) == 1
