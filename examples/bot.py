"""A bot over the network: join a table and play the first complete legal action, until the game is over.

python examples/bot.py http://127.0.0.1:8000 TABLE-ID
"""

import asyncio
import json
import sys
from urllib.request import Request, urlopen

import websockets


async def play(server: str, table: str) -> None:
    """Take an open seat and play."""
    path = f"/api/tables/{table}"
    with urlopen(Request(f"{server}{path}/join", b'{"name": "Automedon"}')) as answer:
        token = json.load(answer)["token"]
    async with websockets.connect(f"{server.replace('http', 'ws', 1)}{path}/socket") as socket:
        await socket.send(json.dumps({"type": "hello", "token": token, "explain": False}))
        async for text in socket:
            said = json.loads(text)
            if said["type"] == "table" and said["table"]["status"] in ("over", "ended"):
                print(said["table"]["scores"])
                break
            actions = [action["text"] for action in said.get("legal") or [] if not action.get("family")]
            if actions:
                await socket.send(json.dumps({"type": "act", "number": said["number"], "action": actions[0]}))


asyncio.run(play(*sys.argv[1:3]))
