"""Somebody's own bot: joins a table, and plays the first legal action that is not a family, until the game is over.

    python examples/bot.py http://127.0.0.1:8000 TABLE-ID
"""

import asyncio
import json
import sys
import urllib.request

import websockets


def join(server: str, table: str) -> str:
    body = json.dumps({"name": "Automedon"}).encode()
    request = urllib.request.Request(f"{server}/api/tables/{table}/join", body, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["token"]


async def play(server: str, table: str) -> None:
    token = await asyncio.to_thread(join, server, table)
    async with websockets.connect(f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket") as socket:
        await socket.send(json.dumps({"type": "hello", "token": token, "explain": False}))
        async for text in socket:
            said = json.loads(text)
            if said["type"] == "table" and said["table"]["status"] in ("over", "ended"):
                return print(said["table"]["scores"])
            choice = next((a for a in said.get("legal") or [] if not a.get("family")), None)
            if choice:
                await socket.send(json.dumps({"type": "act", "number": said["number"], "action": choice["text"]}))


asyncio.run(play(*sys.argv[1:3]))
