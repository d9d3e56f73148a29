"""Pages outside of a table: sockets of the lobby that keep what they have received."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection

from quadriga.server.protocol.schema import LIVE_SERVER_MESSAGES
from server.support.devices import Device
from server.support.harness import OPEN, PATIENT, Client

_DECODERS = {
    str(kind.__struct_config__.tag): msgspec.json.Decoder(kind, strict=True) for kind in LIVE_SERVER_MESSAGES
}


class Live(Client):
    """One socket of the lobby, and what its page knows."""

    def __init__(self, socket: ClientConnection) -> None:
        super().__init__(socket)
        self.tables: dict[str, dict[str, Any]] = {}
        self.games: list[dict[str, Any]] | None = None
        self.present = 0
        self.company: dict[str, Any] = {}
        self.quick: dict[str, Any] = {}
        self.leagues: dict[str, Any] = {}

    async def hear(self, loose: bool = False) -> dict[str, Any]:
        """Receive a message, and update what the page knows."""
        text = await self.socket.recv()
        assert isinstance(text, str)
        said: dict[str, Any] = json.loads(text)
        _DECODERS[said["type"]].decode(text)  # raises for a message that the protocol does not define
        self.heard.append(text)
        match said["type"]:
            case "lobby":
                self.tables = {each["id"]: each for each in said["tables"]}
                self.present = said["present"]
            case "changed":
                self.tables |= {each["id"]: each for each in said["tables"]}
                for gone in said["gone"]:
                    del self.tables[gone]
                self.present = said.get("present", self.present)
            case "games":
                self.games = said["games"]
            case "company":
                self.company = said["company"]
            case "quick":
                self.quick = said
            case "leagues":
                self.leagues = said
            case "refused":
                self.refused.append(said)
        return said

    async def settle(self) -> None:
        """Receive everything that was sent so far."""
        await self.say(type="ping", ref="settled")
        await self.until("pong", ref="settled")


async def listen(device: Device, port: int | None = None) -> Live:
    """Open the socket of the lobby as a browser does, with its cookies."""
    socket = await websockets.connect(
        f"ws://127.0.0.1:{port or device.server.port}/api/live",
        max_size=None,
        compression=None,
        additional_headers={"cookie": device.cookie} if device.cookie else {},
        **PATIENT,
    )
    live = Live(socket)
    assert live in OPEN
    return live
