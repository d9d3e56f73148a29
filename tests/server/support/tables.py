"""Tables on a server in the test's own event loop: start them, connect all players, copy them."""

from __future__ import annotations

from quadriga.server.rooms.registry import Registry
from quadriga.server.rooms.room import Room
from quadriga.server.seats.tokens import new_id
from quadriga.server.storage import chain
from quadriga.server.storage.store import Store
from server.support.harness import Client
from server.support.in_process import InProcessServer


async def start_table(
    server: InProcessServer, game: str = "ur", seats: str = "me open", **more: object
) -> tuple[str, list[str]]:
    """Create a table, fill its open seats, start it, and return its id and a token for each person.

    A seat is `me`, `open`, `bot`, or `bot=SPEC` for a certain bot.
    """
    chairs = [dict(zip(("kind", "bot"), seat.split("="), strict=False)) for seat in seats.split()]
    body = {"game": game, "name": "Ann", "seats": chairs, "pace": 0, **more}
    status, created = await server.fetch("POST", "/api/tables", body)
    assert status == 201, created
    table, tokens = created["table"]["id"], [created["token"]]
    for number in range(seats.split().count("open")):
        _, joined = await server.fetch("POST", f"/api/tables/{table}/join", {"name": f"Guest {number + 1}"})
        tokens.append(joined["token"])
    status, started = await server.fetch("POST", f"/api/tables/{table}/start", {}, tokens[0])
    assert status == 200, started
    return table, tokens


async def connect_all(server: InProcessServer, table: str, tokens: list[str]) -> list[Client]:
    """Connect a client for each token, and wait until each has its view."""
    clients = [await server.connect(table, token) for token in tokens]
    for client in clients:
        await client.until("view")
    return clients


async def until_status(client: Client, status: str) -> None:
    """Receive until the table has this status."""
    while client.table.get("status") != status:
        await client.hear()


async def until_bot(client: Client, seat: int) -> None:
    """Receive until a bot has this seat."""
    while client.table["seats"][seat]["kind"] != "bot":
        await client.hear()


async def copy_room(registry: Registry, table: str) -> Room:
    """Return another room with the same log. Its chain of hashes begins with its own id."""
    assert isinstance(registry.store, Store)
    kept, lines = await registry.store.find(table), await registry.store.events(table)
    assert kept is not None
    copied = kept._replace(id=new_id())
    previous, chained = chain.first_hash(copied), []
    for line in lines:
        previous = chain.next_hash(previous, line.number, line.at, line.kind, line.body)
        chained.append(line._replace(hash=previous))
    await registry.store.create(copied, chained)
    return await registry.room(copied.id)
