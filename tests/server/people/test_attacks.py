"""Attacks on identities: codes guessed from many sides, names found by text or work, one secret used twice."""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from quadriga.server.people import codes, devices
from quadriga.server.storage.base import Storage
from quadriga.server.storage.people_schema import AUDIT, SESSIONS
from server.people.test_identity import MANY_PROOFS, change
from server.support.devices import Device
from server.support.in_process import InProcessServer, in_process


async def test_slow_hashes_hold_up_nobody_and_none_is_made_for_a_name_that_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    made: list[threading.Thread] = []
    for name in ("slow_hash", "is_same"):
        compute = getattr(codes, name)

        def noted(*values: Any, compute: Callable[..., Any] = compute) -> Any:
            made.append(threading.current_thread())
            return compute(*values)

        monkeypatch.setattr(codes, name, noted)
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, bob = Device(server), Device(server)
        recovery = await ann.member("Ann")
        await ann.post("/api/me/recovery")
        assert (await Device(server).call("POST", "/api/recover", {"code": recovery}))[0] == 403
        assert len(made) == 3
        await bob.post("/api/me", {})
        assert (await bob.call("POST", "/api/me/keep", {"name": "ANN"}))[1]["code"] == "person.taken"
        assert len(made) == 3
    assert len(set(made)) == 1
    assert threading.current_thread() not in made


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/link", {"code": "AAAA0000"}),
        ("/api/recover", {"code": "A" * 24}),
        ("/api/me/host", {"code": "AAAA0000"}),
        ("/api/passkeys", {"credential": {}}),
    ],
)
async def test_every_proof_can_be_guessed_five_times(tmp_path: Path, path: str, body: dict[str, Any]):
    async with in_process(tmp_path / "store.sqlite") as server:
        mallory = Device(server, host=f"localhost:{server.port}")
        await mallory.member("Mallory")
        tried = [await mallory.call("POST", path, body) for _ in range(7)]
        assert [status for status, _ in tried] == [403] * 5 + [429] * 2
        right = (await mallory.post("/api/me/link"))["code"]  # also the right code is not looked at any more
        assert (await Device(server).call("POST", "/api/link", {"code": right}))[0] == 429


async def test_many_addresses_together_cannot_guess_faster(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", proxies=("127.0.0.1",), proofs_in_all=10.0) as server:
        tried = await asyncio.gather(
            *(
                Device(server, **{"x-forwarded-for": f"10.0.{n}.1"}).call(
                    "POST", "/api/link", {"code": f"AAAA{n:04}"}
                )
                for n in range(60)
            )
        )
        statuses = [status for status, _ in tried]
        assert statuses.count(429) > 0
        assert set(statuses) == {403, 429}


class WatchedStore:
    """A store that notes what it is asked."""

    def __init__(self, store: Storage, work: list[object]) -> None:
        self._store, self._work = store, work

    async def read(self, statement: sa.Select[Any]) -> Any:
        self._work.append(str(statement))
        return await self._store.read(statement)

    async def transact(self, task: Any) -> Any:
        self._work.append("transaction")
        return await self._store.transact(task)


async def work_of(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch, ask: Callable[[], Awaitable[Any]]
) -> Any:
    """Return the answer to a request about people, what it asked the store, and the slow hashes that it made.

    Whatever the server does by itself meanwhile does not count.
    """
    work: list[object] = []
    scrypt = hashlib.scrypt

    def watched_scrypt(*given: Any, **more: Any) -> bytes:
        work.append(("scrypt", more["n"], more["r"], more["p"]))
        return scrypt(*given, **more)

    with monkeypatch.context() as patch:
        for part in vars(server.registry.people).values():
            for name in {"store", "_store"} & set(getattr(part, "__dict__", {})):
                patch.setattr(part, name, WatchedStore(server.registry.store, work))
        patch.setattr(hashlib, "scrypt", watched_scrypt)
        return await ask(), work


async def test_the_answer_to_a_wrong_code_and_the_work_for_it_tell_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        code = (await Device(server).member("Ann")).replace("-", "")
        tried = [
            code[:-1] + ("0" if code[-1] != "0" else "1"),  # somebody's, but for the last character
            code[:8],
            "0" * 24,  # nobody's
            "?",
        ]
        stranger = Device(server)
        found = [
            await work_of(server, monkeypatch, partial(stranger.call, "POST", "/api/recover", {"code": each}))
            for each in tried
        ]
        assert found[0][0][0] == 403
        assert ("scrypt", 2**14, 8, 1) in found[0][1]
        assert all(each == found[0] for each in found)


async def test_a_private_member_costs_as_much_work_as_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann, stranger = Device(server), Device(server)
        await ann.member("Ann")
        private, nobody = [
            await work_of(server, monkeypatch, partial(stranger.call, "GET", f"/api/people/{name}"))
            for name in ("Ann", "Nobody")
        ]
        assert private == nobody
        assert len(private[1]) >= 1
        assert private[0][0] == 404
        # A filter by name finds one's own games only, whether the name exists or not.
        await stranger.post("/api/me")
        listed = [await stranger.get(f"/api/me/history?other={name}") for name in ("Ann", "Nobody")]
        assert listed == [{"games": [], "next": None}] * 2


async def test_a_secret_that_is_due_is_replaced_once_and_a_stolen_one_is_noted(tmp_path: Path):
    async with in_process(tmp_path / "store.sqlite", **MANY_PROOFS) as server:
        ann = Device(server)
        await ann.member("Ann")
        first = ann.secret
        await change(server, sa.update(SESSIONS).values(renewed=SESSIONS.c.renewed - devices.RENEWED_AFTER - 1))
        bearer = {"authorization": f"Bearer {first}"}
        answers = await asyncio.gather(
            *(asyncio.to_thread(Device(server).raw, "GET", "/api/me", None, **bearer) for _ in range(6))
        )
        assert [status for status, _, _ in answers] == [200] * 6
        assert sum("set-cookie" in headers for _, _, headers in answers) == 1
        await change(server, sa.update(SESSIONS).values(renewed=SESSIONS.c.renewed - devices.FORMER_MS - 1))
        thief = Device(server)
        assert (await thief.call("POST", "/api/me/name", {"name": "Mine"}, **bearer))[0] == 401
        noted = await server.registry.store.read(sa.select(AUDIT.c.kind).order_by(AUDIT.c.id.desc()).limit(1))
        assert noted[0][0] == "stolen"
